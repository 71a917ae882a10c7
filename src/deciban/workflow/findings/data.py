"""Findings about the data: few trials, repeated ids, unknown dependence, ties, scales that look like another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from deciban.counts import tied_pairs
from deciban.errors import InputError, listing
from deciban.records.finding import Finding
from deciban.trials import Trials
from deciban.workflow.findings.evaluated import Evaluated

FEW_TRIALS: Final = 30
TIED_SHARE: Final = 0.01


def few_trials(table: Evaluated) -> Iterator[Finding]:
    """A class with too few trials for any rate to be known well."""
    few = {name: n for name, n in table.counts_by_class if 0 < n < FEW_TRIALS}
    if few:
        shown = " and ".join(f"{n:g} {name}s" for name, n in few.items())
        yield Finding(
            code="FEW-TRIALS",
            severity="warn",
            message=f"only {shown}: every rate moves in large steps and intervals are wide",
            advice=f"collect at least {FEW_TRIALS} trials of each class before drawing conclusions",
            data=few,
        )


def no_class(table: Evaluated) -> Iterator[Finding]:
    """A group with too few trials of a class to be judged by itself."""
    empty = [name for name, n in table.counts_by_class if n == 0]
    if table.record.by and (empty or min(n for _, n in table.counts_by_class) < FEW_TRIALS):
        yield Finding(
            code="SUBGROUP",
            severity="note",
            message=f"the group has {table.counts.total_target:g} targets and {table.counts.total_nontarget:g} "
            "nontargets: too few to be judged by itself",
            advice="join groups, or report it as not assessable",
            data={"n_target": table.counts.total_target, "n_nontarget": table.counts.total_nontarget},
        )


def hints(table: Evaluated) -> Iterator[Finding]:
    """Raw scores that look like probabilities or LRs."""
    counts = table.counts
    if counts.scale != "score" or counts.n_distinct == 0:
        return
    low, high = float(counts.score[0]), float(counts.score[-1])
    if low >= 0.0 and high <= 1.0 and counts.n_distinct > 1:
        yield Finding(
            code="SCALE-HINT",
            severity="note",
            message=f"all scores lie between {low:g} and {high:g} and were taken as raw scores",
            advice="if they are probabilities, scale='probability' (--scale probability) adds Brier score, log "
            "loss and calibration error",
            data={"lowest": low, "highest": high},
        )


def ties(table: Evaluated) -> Iterator[Finding]:
    """Equal scores across the classes, when they are more than a trifle."""
    counts = table.counts
    if counts.total_target == 0 or counts.total_nontarget == 0:
        return
    share = tied_pairs(counts) / (counts.total_target * counts.total_nontarget)
    if share > TIED_SHARE:
        yield Finding(
            code="TIES",
            severity="note",
            metric="auc",
            message=f"{share:.1%} of the target–nontarget pairs have equal scores; each counts half in AUC, and they "
            "are accepted or rejected together",
            advice="give scores with all their digits if they were rounded",
            data={"share": share},
        )


def dependence(table: Evaluated) -> Iterator[Finding]:
    """Trials whose sources are not known count as independent."""
    if table.trials is None or not table.trials.sources:
        yield Finding(
            code="DEP-UNKNOWN",
            severity="note",
            message="no sources were given, so trials count as independent",
            advice="name the speaker, author or item columns with sources= (--source) if they recur",
        )


def duplicates(table: Evaluated) -> Iterator[Finding]:
    """Trials that repeat the ids of an earlier one."""
    if table.trials is None or not table.trials.ids:
        return
    first, where = _first_of_each(table.trials)
    repeated = np.flatnonzero(first[where] != np.arange(len(table.trials)))
    if repeated.size:
        shown = listing([table.trials.named(int(i)) for i in repeated[:5]], repeated.size)
        yield Finding(
            code="DUP",
            severity="note",
            message=f"{repeated.size} trials repeat the ids of an earlier one: {shown}; all were counted",
            advice="remove repeats unless they are separate measurements",
            data={"repeats": int(repeated.size)},
        )


def refuse_conflicts(trials: Trials) -> None:
    """Raise when one trial, by its ids, occurs with both labels."""
    if not trials.ids:
        return
    first, where = _first_of_each(trials)
    conflict = trials.is_target != trials.is_target[first[where]]
    if conflict.any():
        shown = listing([trials.named(int(i)) for i in np.flatnonzero(conflict)[:5]], int(conflict.sum()))
        raise InputError(f"LABEL-CONFLICT: {shown} occurs both as target and as nontarget; correct the labels")


def _first_of_each(trials: Trials) -> tuple[Any, Any]:
    """Index of the first trial of each id, and for each trial which id it has."""
    codes = [np.unique(column.astype(str), return_inverse=True)[1] for column in trials.ids]
    _, first, where = np.unique(np.column_stack(codes), axis=0, return_index=True, return_inverse=True)
    return first, where.reshape(-1)

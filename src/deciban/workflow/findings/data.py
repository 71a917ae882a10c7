"""Findings about the data: few trials, repeated ids, unknown dependence, ties, scales that look like another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from deciban.counts.pairs import tied_pairs
from deciban.errors import listing
from deciban.records.display import number, several
from deciban.records.finding import Finding
from deciban.trials.same_ids import first_of_each
from deciban.trials.trials import Trials
from deciban.workflow.findings.evaluated import Evaluated

FEW_TRIALS: Final = 30
LOG_LR_NAMES: Final = ("llr", "log_lr", "log_likelihood_ratio")
TIED_SHARE: Final = 0.01


def few_trials(table: Evaluated) -> Iterator[Finding]:
    """A class with too few trials for any rate to be known well."""
    few = {name: n for name, n in table.counts_by_class if 0 < n < FEW_TRIALS}
    if few:
        shown = " and ".join(several(n, name) for name, n in few.items())
        yield Finding(
            code="FEW-TRIALS",
            severity="warn",
            message=f"only {shown}: every rate moves in large steps and intervals are wide",
            advice=f"collect at least {FEW_TRIALS} trials of each class before drawing conclusions",
            data=few,
        )


def small_group(table: Evaluated) -> Iterator[Finding]:
    """A group with too few trials of a class to be judged by itself."""
    if table.record.by and min(n for _, n in table.counts_by_class) < FEW_TRIALS:
        found = " and ".join(several(n, name) for name, n in table.counts_by_class)
        yield Finding(
            code="SUBGROUP",
            severity="note",
            message=f"the group has {found}: too few to be judged by itself",
            advice="join groups, or report it as not assessable",
            data={"n_target": table.counts.total_target, "n_nontarget": table.counts.total_nontarget},
        )


def hints(table: Evaluated) -> Iterator[Finding]:
    """Raw scores that look like probabilities or LRs."""
    counts = table.counts
    if counts.scale != "score" or counts.n_distinct == 0:
        return
    if table.score_column is not None and table.score_column.strip().casefold() in LOG_LR_NAMES:
        yield Finding(
            code="SCALE-HINT",
            severity="note",
            message=f"column {table.score_column!r} is named like log-likelihood ratios but does not say to which "
            "base, so it was taken as raw scores",
            advice="scale='ln_lr' (--scale ln_lr) or scale='log10_lr' (--scale log10_lr) adds Cllr and what else needs "
            "likelihood ratios",
            data={"column": table.score_column},
        )
        return
    low, high = float(counts.score[0]), float(counts.score[-1])
    if counts.reversed:
        low, high = -high, -low
    if low >= 0.0 and high <= 1.0 and counts.n_distinct > 1:
        yield Finding(
            code="SCALE-HINT",
            severity="note",
            message=f"all scores lie between {number(low)} and {number(high)} and were taken as raw scores",
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
            message=f"{share * 100:.1f} % of the target–nontarget pairs have equal scores; each counts half in "
            "AUC, and they are accepted or rejected together",
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
    if not isinstance(table.trials, Trials) or not table.trials.ids:
        return
    first, where = first_of_each(table.trials)
    repeated = np.flatnonzero(first[where] != np.arange(len(table.trials)))
    if repeated.size:
        shown = listing([table.trials.named(int(i)) for i in repeated[:5]], repeated.size)
        repeat = "1 trial repeats" if repeated.size == 1 else f"{repeated.size} trials repeat"
        yield Finding(
            code="DUP",
            severity="note",
            message=f"{repeat} the ids of an earlier one: {shown}; all were counted",
            advice="remove repeats; for separate measurements of a pair see evaluate_replicates (deciban replicates)",
            data={"repeats": int(repeated.size)},
        )

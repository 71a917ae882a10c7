"""Errors at thresholds, and tests of all systems at once: what is asked of more than one figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from deciban.errors import UndefinedMetricError
from deciban.records.differences import ErrorsCompared, JointTest
from deciban.uncertainty.delong.several import delong_contrast
from deciban.uncertainty.paired import holm, mcnemar
from deciban.workflow.comparing.compared import Compared
from deciban.workflow.evaluating.plan import At


def compare_errors(systems: Sequence[Compared]) -> tuple[ErrorsCompared, ...]:
    """McNemar's test of every two systems on the same trials, at each threshold that all systems have one for."""
    found: list[ErrorsCompared] = []
    if len({len(system.plan.thresholds) for system in systems}) > 1:
        return ()
    for ats in zip(*(system.plan.thresholds for system in systems), strict=True):
        at_each = dict(zip((system.name for system in systems), ats, strict=True))
        pairs = [_errors(a, b, at_each[a.name], at_each[b.name]) for a, b in combinations(systems, 2)]
        found += _adjusted(pairs)
    return tuple(found)


def _errors(a: Compared, b: Compared, at_a: At, at_b: At) -> ErrorsCompared:
    """What only one of two systems gets wrong."""
    if a.trials is None or b.trials is None or a.counts.weighted:
        cells: list[int | None] = [None, None, None, None]
        p_exact = p_mid = None
    else:
        first, second = (
            (system.trials.score >= at.threshold) != system.trials.is_target
            for system, at in ((a, at_a), (b, at_b))
            if system.trials is not None
        )
        only_first, only_second = (int(np.count_nonzero(n)) for n in (first & ~second, second & ~first))
        both = int(np.count_nonzero(first & second))
        cells = [only_first, only_second, both, first.size - only_first - only_second - both]
        p_exact = mcnemar(only_first, only_second).p_value
        p_mid = mcnemar(only_first, only_second, "mid-p").p_value
    return ErrorsCompared(
        first=a.name,
        second=b.name,
        first_threshold=at_a.shown,
        second_threshold=at_b.shown,
        only_first=cells[0],
        only_second=cells[1],
        both=cells[2],
        neither=cells[3],
        p_exact=p_exact,
        p_mid=p_mid,
        reason="weighted" if p_exact is None else None,
    )


def _adjusted(pairs: list[ErrorsCompared]) -> list[ErrorsCompared]:
    """The tests at one threshold, adjusted for how many there are."""
    exact = holm([pair.p_exact for pair in pairs if pair.p_exact is not None])
    mid = holm([pair.p_mid for pair in pairs if pair.p_mid is not None])
    if not exact:
        return pairs
    return [replace(pair, p_exact_holm=p, p_mid_holm=q) for pair, p, q in zip(pairs, exact, mid, strict=True)]


def compare_all(systems: Sequence[Compared]) -> tuple[JointTest, ...]:
    """DeLong's χ² that all of more than two systems on the same independent trials have one AUC."""
    trials = [system.trials for system in systems if system.trials is not None]
    if len(systems) < 3 or systems[0].sourced or any("auc" not in system.record.metrics for system in systems):
        return ()
    try:
        if any(system.counts.weighted for system in systems):
            raise UndefinedMetricError("DeLong's variance counts trials, and these are weighted", "weighted")
        labels = trials[0].is_target
        found = delong_contrast([one.score for one in trials], labels, target=True, nontarget=False)
    except UndefinedMetricError as error:
        return (JointTest(metric="auc", chi2=None, df=None, p_value=None, reason=error.reason),)
    return (JointTest(metric="auc", chi2=found.chi2, df=found.df, p_value=found.p_value),)

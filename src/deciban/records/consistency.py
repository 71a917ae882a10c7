"""Whether a record that was read agrees with itself: its numbers of trials add up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from deciban.errors import InputError

if TYPE_CHECKING:
    from deciban.records.comparison import Comparison
    from deciban.records.evaluation import Evaluation
    from deciban.records.figures import ThresholdRow, TrialsSummary

ROUNDING = 1e-9
"""Relative difference by which sums of weights may differ."""


def check_sums(result: Evaluation) -> None:
    """Raise :class:`InputError` where the trials of the classes are not all trials, or of a table not its trials."""
    _check("record", result.trials, result.thresholds)
    for index, group in enumerate(result.groups):
        _check(f"record.groups[{index}]", group.trials, group.thresholds)


def check_differences(result: Comparison) -> None:
    """Raise :class:`InputError` where numbers of trials do not add up, or a pair has a system that is not there."""
    for name, system in result.systems.items():
        _check(f"record.systems.{name}", system.trials, system.thresholds)
    named = [(f"differences[{index}]", (one.first, one.second)) for index, one in enumerate(result.differences)]
    named += [(f"errors[{index}]", (one.first, one.second)) for index, one in enumerate(result.errors)]
    for where, names in named:
        for name in names:
            if name not in result.systems:
                raise InputError(f"record.{where}: the record contradicts itself: no system {name!r}")


def _check(where: str, trials: TrialsSummary, thresholds: Sequence[ThresholdRow]) -> None:
    n1, n0 = trials.n_target, trials.n_nontarget
    at = f"{where}.trials"
    for name in ("n", "n_target", "n_nontarget", "n_distinct"):
        if getattr(trials, name) < 0:
            raise InputError(f"{at}.{name}: expected a number of trials >= 0, found {getattr(trials, name)}")
    _require(at, "n", trials.n, "n_target + n_nontarget", n1 + n0, trials.weighted)
    for index, row in enumerate(thresholds):
        at = f"{where}.thresholds[{index}]"
        if row.tp is not None and row.fn is not None:
            _require(at, "n_target of the trials", n1, "tp + fn", row.tp + row.fn, trials.weighted)
        if row.fp is not None and row.tn is not None:
            _require(at, "n_nontarget of the trials", n0, "fp + tn", row.fp + row.tn, trials.weighted)


def _require(where: str, name: str, whole: float, parts: str, total: float, weighted: bool) -> None:
    if whole != total and not (weighted and math.isclose(whole, total, rel_tol=ROUNDING)):
        raise InputError(f"{where}: the record contradicts itself: {name} is {whole}, {parts} is {total}")

"""The differences of every two systems, with intervals and tests.

Each step fills in what the ones before it left open: values; DeLong's test of the AUC; p-values by swaps; intervals,
and the p-values that are still open, from replicates; Holm's adjustment.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from deciban.errors import UndefinedMetricError
from deciban.records.differences import Difference
from deciban.records.figures import MetricValue
from deciban.uncertainty.bootstrap.repeat import Progress, part_of
from deciban.uncertainty.delong.paired import AucDifference, delong_test
from deciban.uncertainty.delong.unpaired import delong_unpaired
from deciban.uncertainty.interval import Interval
from deciban.uncertainty.paired import holm
from deciban.workflow.comparing.chance import Replicates, less, replicate, swap, swappable
from deciban.workflow.comparing.compared import Compared
from deciban.workflow.intervals.ways import Ways

OPEN: Final = "not_computed"
"""Reason of what a later step may fill in."""

Place = tuple[str, str, str]
"""Names of two systems and the key of a figure."""

Found = dict[Place, Difference]


@dataclass(frozen=True, slots=True)
class Question:
    """Every two systems, the figures that all have, whether trials are shared, how chance is to be measured."""

    systems: Sequence[Compared]
    shared: bool
    ways: Ways
    progress: Progress | None

    @property
    def pairs(self) -> list[tuple[Compared, Compared]]:
        """Every two systems, in the order given."""
        return list(combinations(self.systems, 2))

    @property
    def keys(self) -> list[str]:
        """The figures that all systems have."""
        first, *others = (system.record.metrics for system in self.systems)
        return [key for key in first if all(key in other for other in others)]


def find_differences(question: Question) -> tuple[dict[str, Mapping[str, MetricValue]], tuple[Difference, ...]]:
    """Compute the figures of each system with their intervals, and the differences of every two.

    AUC of independent trials is tested by DeLong's variance. Of other figures, and where that has no answer, the
    interval comes from replicates in which systems that share their trials get the same ones, and the p-value from
    swaps of the scores of two systems; from the replicates too where scores cannot be swapped: where trials are not
    shared, share sources, or have scores of different units.
    """
    found = {(a.name, b.name, key): _plain(a, b, key) for key in question.keys for a, b in question.pairs}
    found = _with_delong(found, question)
    metrics = {system.name: system.record.metrics for system in question.systems}
    if question.ways.interval != "none":
        swaps, keys = _swaps(found, question), _open_keys(found, question)
        rounds = question.ways.replicates
        whole = rounds * (len(swaps) + bool(keys))
        for done, (a, b, of_pair) in enumerate(swaps):
            found |= _swapped(found, a, b, of_pair, question.ways, part_of(question.progress, done * rounds, whole))
        if keys:
            told = part_of(question.progress, len(swaps) * rounds, whole)
            metrics, found = _with_draws(found, question, keys, told)
    else:
        found = {place: _alike(one) for place, one in found.items()}
    return metrics, _adjusted(found)


def _plain(a: Compared, b: Compared, key: str) -> Difference:
    """The difference of two figures, its interval and p-value still open where it has any."""
    one, other = a.figure(key), b.figure(key)
    value, reason = None, one.reason or other.reason
    if one.value is not None and other.value is not None:
        value = float(less(np.array([one.value]), np.array([other.value]))[0])
        if math.isnan(value):
            value, reason = None, "infinite_end"
    why = reason or (OPEN if value is not None and math.isfinite(value) else "infinite_end")
    return Difference(
        metric=key,
        first=a.name,
        second=b.name,
        value=value,
        unit=one.unit,
        reason=reason,
        interval_reason=why,
        p_reason=why,
    )


def _with_delong(found: Found, question: Question) -> Found:
    """The closed form of the AUC where trials are independent and it has an answer."""
    if "auc" not in question.keys:
        return found
    filled = dict(found)
    for a, b in question.pairs:
        place = a.name, b.name, "auc"
        if a.sourced or b.sourced or found[place].value is None:
            continue
        try:
            result = _delong(a, b, question.shared, question.ways.level)
        except UndefinedMetricError:
            continue
        interval = None if question.ways.interval != "auto" else result.interval
        filled[place] = replace(
            found[place],
            interval=interval,
            interval_reason=None if interval else "degenerate" if result.interval is None else OPEN,
            test="delong" if question.shared else "delong-unpaired",
            statistic=result.z,
            p_value=result.p_value,
            p_reason=None,
        )
    return filled


def _delong(a: Compared, b: Compared, shared: bool, level: float) -> AucDifference:
    if not shared:
        return delong_unpaired(a.counts, b.counts, level)
    if a.trials is None or b.trials is None or a.counts.weighted:
        raise UndefinedMetricError("DeLong's variance counts trials, and these are weighted", "weighted")
    return delong_test(a.trials.score, b.trials.score, a.trials.is_target, target=True, nontarget=False, level=level)


def _swaps(found: Found, question: Question) -> list[tuple[Compared, Compared, list[str]]]:
    """The pairs whose scores are to be swapped, with the figures for which they are."""
    if not question.shared:
        return []
    chosen = [
        (a, b, [k for k in question.keys if found[a.name, b.name, k].p_reason == OPEN and swappable(a, b, k)])
        for a, b in question.pairs
    ]
    return [one for one in chosen if one[2]]


def _swapped(
    found: Found, a: Compared, b: Compared, keys: Sequence[str], ways: Ways, progress: Progress | None
) -> Found:
    values = {key: found[a.name, b.name, key].value or 0.0 for key in keys}
    p_values = swap(a, b, values, ways, progress)
    return {
        (a.name, b.name, key): replace(found[a.name, b.name, key], test="permutation", p_value=p, p_reason=None)
        for key, p in p_values.items()
    }


def _open_keys(found: Found, question: Question) -> list[str]:
    """Figures of which replicates are needed: for a system's interval, or that of a difference."""
    return [
        key
        for key in question.keys
        if any(_is_open(system, key) for system in question.systems)
        or any(found[a.name, b.name, key].interval_reason == OPEN for a, b in question.pairs)
    ]


def _is_open(system: Compared, key: str) -> bool:
    """Whether a figure has no interval in closed form."""
    return system.figure(key).value is not None and system.figure(key).interval is None


def _with_draws(
    found: Found, question: Question, keys: Sequence[str], progress: Progress | None
) -> tuple[dict[str, Mapping[str, MetricValue]], Found]:
    """Intervals, and the p-values still open, from replicates of all systems."""
    try:
        drawn = replicate(question.systems, question.shared, keys, question.ways, progress)
    except UndefinedMetricError as error:
        reason = error.reason  # sums of weights, of which there are no replicates
        return (
            {s.name: _figures(s, keys, lambda _s, _key: reason) for s in question.systems},
            {place: _unknown(one, reason) for place, one in found.items()},
        )
    filled = {place: _drawn(one, drawn, question) if place[2] in keys else one for place, one in found.items()}
    return {s.name: _figures(s, keys, drawn.interval) for s in question.systems}, filled


def _figures(
    system: Compared, keys: Sequence[str], interval_of: Callable[[Compared, str], Interval | str]
) -> Mapping[str, MetricValue]:
    """The figures of a system, with the intervals that were still open."""
    filled = dict(system.record.metrics)
    for key in keys:
        if _is_open(system, key):
            made = interval_of(system, key)
            interval, why = (made, None) if isinstance(made, Interval) else (None, made)
            filled[key] = replace(filled[key], interval=interval, interval_reason=why)
    return filled


def _unknown(one: Difference, reason: str) -> Difference:
    """What stays open when there are no replicates; a difference of 0 is as small as can be."""
    interval_reason = reason if one.interval_reason == OPEN else one.interval_reason
    if one.p_reason != OPEN:
        return replace(one, interval_reason=interval_reason)
    alike = _alike(replace(one, interval_reason=interval_reason))
    return alike if alike.p_value is not None else replace(alike, p_reason=reason)


def _alike(one: Difference) -> Difference:
    """A difference of 0 is as small as can be: its p-value is 1 without any draw."""
    if one.value == 0.0 and one.p_reason == OPEN:
        return replace(one, test="bootstrap", p_value=1.0, p_reason=None)
    return one


def _drawn(one: Difference, drawn: Replicates, question: Question) -> Difference:
    """Fill in what is open of one difference from the replicates."""
    value = one.value
    if value is None or OPEN not in (one.interval_reason, one.p_reason):
        return one
    named = {system.name: system for system in question.systems}
    a, b = named[one.first], named[one.second]
    made = drawn.interval_of_difference(a, b, one.metric, value)
    if not isinstance(made, Interval):
        return _unknown(one, made)
    if one.interval_reason == OPEN:
        one = replace(one, interval=made, interval_reason=None)
    if one.p_reason != OPEN:
        return one
    return replace(one, test="bootstrap", p_value=drawn.p_value(a, b, one.metric, value), p_reason=None)


def _adjusted(found: Found) -> tuple[Difference, ...]:
    """All differences, their p-values adjusted for the pairs of systems that one figure compares."""
    ordered = list(found.values())
    adjusted: dict[int, float] = {}
    for metric in dict.fromkeys(one.metric for one in ordered):
        known = [at for at, one in enumerate(ordered) if one.metric == metric and one.p_value is not None]
        p_values = [one.p_value for one in ordered if one.metric == metric and one.p_value is not None]
        adjusted |= dict(zip(known, holm(p_values), strict=True))
    return tuple(replace(one, p_holm=adjusted.get(at)) for at, one in enumerate(ordered))

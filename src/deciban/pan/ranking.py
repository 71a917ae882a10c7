"""Submissions in order of what sums their figures up, with intervals from the same draws of problems for all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from deciban.errors import UndefinedMetricError
from deciban.pan.profiles import Profile
from deciban.pan.record import PanEvaluation, RankedSubmission
from deciban.records.figures import MetricValue
from deciban.trials.trials import Trials
from deciban.uncertainty.bootstrap.bootstrap import Figure, interval_of
from deciban.uncertainty.bootstrap.repeat import Progress
from deciban.uncertainty.bootstrap.replicate import Replicate
from deciban.uncertainty.bootstrap.together import figures_of_draws, together
from deciban.uncertainty.interval import Interval
from deciban.values.arrays import Floats


@dataclass(frozen=True, slots=True)
class Submission:
    """The problems with the answers of one submission, and its figures."""

    name: str
    trials: Trials
    evaluation: PanEvaluation


def ranked(
    by: Profile,
    submissions: Sequence[Submission],
    *,
    draws: int,
    level: float,
    seed: int,
    progress: Progress | None = None,
) -> dict[str, RankedSubmission]:
    """Put submissions in order, best first, those without a sum last; with ``draws`` their figures get intervals."""
    order = sorted(range(len(submissions)), key=lambda i: _best_first(submissions[i]))
    ordered = [submissions[i] for i in order]
    drawn: Floats | None = None
    if draws:
        statistics = [_Values(by)] * len(ordered)
        drawing = together([one.trials for one in ordered])
        drawn = figures_of_draws(
            drawing, statistics, len(by.keys), replicates=draws, seed=seed, progress=progress
        ).transpose(1, 2, 0)
    result: dict[str, RankedSubmission] = {}
    for place, one in enumerate(ordered):
        evaluation = one.evaluation if drawn is None else _with_intervals(by, one.evaluation, drawn[place], level)
        better = [other for other in ordered if _best_first(other)[:2] < _best_first(one)[:2]]
        behind = None
        if place > 0:
            apart = None if drawn is None else drawn[0, -1] - drawn[place, -1]
            behind = _behind(ordered[0].evaluation, one.evaluation, apart, level)
        result[one.name] = RankedSubmission(rank=1 + len(better), evaluation=evaluation, behind=behind)
    return result


def _best_first(one: Submission) -> tuple[bool, float, str]:
    overall = one.evaluation.overall
    return overall is None, -(overall or 0.0), one.name


@dataclass(frozen=True, slots=True)
class _Values:
    """The figures of one replicate in the order of the profile, NaN where one has no value."""

    by: Profile

    def __call__(self, replicate: Replicate) -> list[float]:
        values = self.by.values(replicate.counts()).values()
        return [np.nan if isinstance(value, UndefinedMetricError) else value for value in values]


def _with_intervals(by: Profile, evaluation: PanEvaluation, drawn: Floats, level: float) -> PanEvaluation:
    metrics = {
        key: _with_interval(evaluation[key], of_key, (0.0, 1.0), level)
        for key, of_key in zip(by.keys, drawn, strict=True)
    }
    return replace(evaluation, metrics=metrics)


def _behind(first: PanEvaluation, one: PanEvaluation, drawn: Floats | None, level: float) -> MetricValue:
    if first.overall is None or one.overall is None:
        return MetricValue(value=None, reason="undefined_ratio", interval_reason="undefined_ratio")
    figure = MetricValue(value=first.overall - one.overall, interval_reason="not_computed")
    return figure if drawn is None else _with_interval(figure, drawn, (-1.0, 1.0), level)


def _with_interval(figure: MetricValue, drawn: Floats, within: tuple[float, float], level: float) -> MetricValue:
    """A figure with the percentile interval of its replicates."""
    if figure.value is None:
        return figure
    made = interval_of(Figure(name="", range=within), figure.value, drawn, level, 0.0, "trials")
    interval, reason = (made, None) if isinstance(made, Interval) else (None, made)
    return replace(figure, interval=interval, interval_reason=reason)

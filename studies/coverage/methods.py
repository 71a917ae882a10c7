"""Every method that deciban offers for a figure, applied to one data set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, get_args

import numpy as np

import deciban as db
from deciban.uncertainty.bootstrap.bootstrap import HALVED, Method, interval_of
from deciban.uncertainty.bootstrap.jackknife import acceleration, left_out
from deciban.uncertainty.bootstrap.repeat import child
from deciban.uncertainty.bootstrap.resample import Resampling
from deciban.uncertainty.class_means import MeansMethod
from deciban.uncertainty.delong.single import AucMethod
from deciban.uncertainty.proportion import ProportionMethod
from studies.coverage.figures import FIGURES, Statistic, figure
from studies.coverage.worlds import Floats

LEVEL: Final = 0.95

BY_TRIAL: Final = ", by trial"
"""What is added to the name of a method that takes trials to be independent where they share sources."""

Intervals = dict[tuple[str, str], db.Interval | None]
"""By figure and method; None where there is none."""


@dataclass(frozen=True, slots=True)
class Draws:
    """How many replicates and halves are drawn of one data set, from which seed, and whether BCa is tried too."""

    replicates: int
    halves: int
    seed: int
    bca: bool

    def without_bca(self) -> Draws:
        """The same, but BCa."""
        return replace(self, bca=False)


def resampled(resampling: Resampling, share: float, draws: Draws) -> Intervals:
    """Make the intervals of every figure by every method that resamples, all from the same replicates and halves."""
    statistic = Statistic(resampling.blocks, share)
    observed = statistic(resampling.blocks.observed())
    drawn, halved = (
        np.array([statistic(draw(child(draws.seed, number))) for number in range(times)])
        for draw, times in ((resampling.draw, draws.replicates), (resampling.half, draws.halves))
    )
    skew: Floats = np.zeros(len(FIGURES))
    if draws.bca:
        skew = acceleration(resampling, left_out(resampling), statistic, len(FIGURES))
    found: Intervals = {}
    for at, name in enumerate(FIGURES):
        for method in get_args(Method):
            if method == "bca" and not draws.bca:
                continue
            values = (halved if method in HALVED else drawn)[:, at]
            interval = interval_of(
                figure(name, method), observed[at], values, LEVEL, float(skew[at]), resampling.resampled
            )
            found[name, method] = interval if isinstance(interval, db.Interval) else None
    return found


def closed(counts: db.Counts) -> Intervals:
    """Make the intervals of every closed form, which takes trials to be independent."""
    right = db.confusion(counts, threshold=0.0)
    k, n = int(right.tp + right.tn), int(counts.total_target + counts.total_nontarget)
    found: Intervals = {}
    for auc in get_args(AucMethod):
        found["auc", auc] = _or_none(partial(db.auc_interval, counts, LEVEL, auc))
    for means in get_args(MeansMethod):
        found["cllr", means] = _or_none(partial(db.cllr_interval, counts, LEVEL, method=means))
        found["brier", means] = _or_none(partial(db.brier_interval, counts, LEVEL, method=means))
    for rate in get_args(ProportionMethod):
        found["accuracy", rate] = _or_none(partial(db.proportion_interval, k, n, LEVEL, rate))
    return found


def _or_none(make: Callable[[], db.Interval]) -> db.Interval | None:
    try:
        return make()
    except db.UndefinedMetricError:
        return None

"""Bootstrap intervals of any figures, all from one pass over the replicates.

    resampling = by_source(trials) if trials.sources else by_trial(trials)
    intervals = bootstrap(
        resampling,
        each({"auc": db.auc, "cllr_min": db.cllr_min}),
        [Figure(name="auc", range=(0, 1), method="percentile"), Figure(name="cllr_min", range=(0, 1), method="basic")],
        replicates=1000, level=0.95, seed=0, workers=2,
    )
    intervals["auc"]        # Interval(low, high, …), or the reason why there is none: "degenerate", …

Metrics come in as functions, since nothing here knows any. :func:`~deciban.uncertainty.replicate.each` calls one
function for each figure; a caller whose figures share work passes its own ``statistic_for``
(``workflow.replicated.Figures``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np

from deciban.arrays import Floats
from deciban.errors import OptionError
from deciban.uncertainty.interval import Interval
from deciban.uncertainty.jackknife import acceleration, evaluations, left_out
from deciban.uncertainty.repeat import Progress, check_draws, child, part_of, repeat
from deciban.uncertainty.replicate import Statistic, StatisticFor
from deciban.uncertainty.resample import Resampling

Method = Literal["percentile", "basic", "bca"]
METHODS = ("percentile", "basic", "bca")

WITHOUT_BCA = "percentile (bca undefined)"
"""What the method is called where BCa was asked for and all or none of the replicates lie below the value."""

SAME = 1e-12
"""Values closer than this, relative to their size, differ by rounding only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure whose interval is asked for.

    Attributes
    ----------
    name
        Its key.
    range
        Smallest and largest value it can take; no interval leaves it.
    method
        How the interval is read from the replicates. ``percentile``: their quantiles; ``basic``: those reflected at the
        value, right for figures that resampling shifts (min Cllr); ``bca``: quantiles corrected for shift and skew.
    """

    name: str
    range: tuple[float, float]
    method: Method = "percentile"


def bootstrap(
    resampling: Resampling,
    statistic_for: StatisticFor,
    figures: Sequence[Figure],
    *,
    replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> dict[str, Interval | str]:
    """Compute the bootstrap interval of each figure.

    Parameters
    ----------
    resampling
        What is drawn: ``by_trial(…)`` or ``by_source(…)``.
    statistic_for
        Makes the function that computes some of the figures, given their names.
    figures
        The figures, with the method of each.
    replicates, level, seed
        How many replicates; confidence level; seed, of which each replicate has a child of its own.
    workers
        Processes that share the work, as :func:`~deciban.uncertainty.repeat.repeat` describes; any number gives the
        same intervals.
    progress
        Told how many of how many evaluations are done.

    Returns
    -------
    dict of str to Interval or str
        By name, in the order of the figures; where there is no interval, the reason: ``undefined_ratio`` (the figure
        has no value, or no replicate has one), ``infinite_end`` (it is infinite), ``degenerate`` (all replicates are
        equal, or so many that the interval would have no width).

    Notes
    -----
    Replicates without a value are counted and left out. Quantiles are linear between the values, except where
    infinite values are among them: then the next value outwards is taken.

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapters 13 and 14.

    Examples
    --------
    >>> import deciban as db
    >>> from deciban.uncertainty.resample import by_trial
    >>> from deciban.uncertainty.replicate import each
    >>> counts = db.Counts.from_classes([3, 5, 7, 8], [1, 2, 4, 6])
    >>> found = bootstrap(by_trial(counts), each({"auc": db.auc}), [Figure(name="auc", range=(0, 1))], replicates=200)
    >>> round(found["auc"].low, 4), found["auc"].high
    (0.4344, 1.0)
    """
    check_draws("replicates", replicates, level, seed, workers)
    for figure in figures:
        if figure.method not in METHODS:
            raise OptionError(f"{figure.name}: expected a method of {', '.join(METHODS)}, found {figure.method!r}")
    names = [figure.name for figure in figures]
    bca = [figure.name for figure in figures if figure.method == "bca"]
    statistic = statistic_for(names)
    observed = np.asarray(statistic(resampling.blocks.observed()), dtype=np.float64)
    units = left_out(resampling) if bca else []
    whole = replicates + evaluations(units)
    drawn = repeat(
        _Drawn(resampling, statistic, seed),
        replicates,
        len(names),
        workers=workers,
        progress=part_of(progress, 0, whole),
    )
    skew = dict.fromkeys(names, 0.0)
    if bca:
        rest = part_of(progress, replicates, whole)
        found = acceleration(resampling, units, statistic_for(bca), len(bca), workers=workers, progress=rest)
        skew.update(zip(bca, found.tolist(), strict=True))
    return {
        figure.name: interval_of(figure, float(value), values, level, skew[figure.name], resampling.resampled)
        for figure, value, values in zip(figures, observed, drawn.T, strict=True)
    }


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The figures of a replicate, given its number."""

    resampling: Resampling
    statistic: Statistic
    seed: int

    def __call__(self, number: int) -> Sequence[float]:
        return self.statistic(self.resampling.draw(child(self.seed, number)))


def interval_of(
    figure: Figure,
    value: float,
    drawn: Floats,
    level: float,
    skew: float,
    resampled: Literal["trials", "sources"],
) -> Interval | str:
    """Read the interval of one figure from its values in the replicates, or say why there is none."""
    known = drawn[~np.isnan(drawn)]
    if math.isnan(value) or known.size == 0:
        return "undefined_ratio"
    if math.isinf(value):
        return "infinite_end"
    tails = (1.0 - level) / 2.0, (1.0 + level) / 2.0
    method: str = figure.method
    if method == "bca":
        corrected = bca_levels(known, value, skew, tails)
        method = "bca" if corrected else WITHOUT_BCA
        tails = corrected or tails
    low, high = quantile(known, tails[0], outwards="lower"), quantile(known, tails[1], outwards="higher")
    if method == "basic":
        low, high = 2.0 * value - high, 2.0 * value - low
    low, high = (min(max(end, figure.range[0]), figure.range[1]) for end in (low, high))
    if math.isclose(low, high, rel_tol=SAME):
        return "degenerate"
    return Interval(
        low=low,
        high=high,
        level=level,
        method=method,
        resampled=resampled,
        replicates=drawn.size,
        undefined=drawn.size - known.size,
    )


def quantile(values: Floats, share: float, *, outwards: Literal["lower", "higher"]) -> float:
    """Quantile by NumPy's ``linear`` rule; the next value outwards where infinities leave no line to go along."""
    finite = bool(np.isfinite(values).all())
    return float(np.quantile(values, share, method="linear" if finite else outwards))


def bca_levels(drawn: Floats, value: float, skew: float, tails: tuple[float, float]) -> tuple[float, float] | None:
    """Levels at which BCa reads the quantiles, or None where its correction has none.

    z0 = probit((#below + ½ #equal)/B); level = Φ(z0 + (z0 + z)/(1 − a(z0 + z))).
    """
    equal = np.abs(drawn - value) <= SAME * abs(value)
    below = (np.count_nonzero((drawn < value) & ~equal) + 0.5 * np.count_nonzero(equal)) / drawn.size
    if not 0.0 < below < 1.0:
        return None
    normal = NormalDist()
    shift = normal.inv_cdf(below)
    moved = [shift + normal.inv_cdf(tail) for tail in tails]
    scale = [1.0 - skew * at for at in moved]
    if min(scale) <= 0.0:
        return None
    low, high = (normal.cdf(shift + at / by) for at, by in zip(moved, scale, strict=True))
    return low, high

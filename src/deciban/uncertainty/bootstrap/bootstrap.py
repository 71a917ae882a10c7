"""Bootstrap intervals of any figures, all from one pass over the replicates.

    resampling = by_source(trials) if trials.sources else by_trial(trials)
    intervals = bootstrap(
        resampling,
        each({"auc": db.auc, "cllr_min": db.cllr_min}),
        [Figure(name="auc", range=(0, 1), method="percentile"), Figure(name="cllr_min", range=(0, 1), method="basic")],
        replicates=1000, level=0.95, seed=0, workers=2,
    )
    intervals["auc"]        # Interval(low, high, …), or the reason why there is none: "degenerate", …

Metrics come in as functions, since nothing here knows any. :func:`~.replicate.each` calls one
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

from deciban.errors import OptionError
from deciban.uncertainty.bootstrap.halves import halved_ends
from deciban.uncertainty.bootstrap.jackknife import acceleration, evaluations, left_out
from deciban.uncertainty.bootstrap.repeat import Progress, check_draws, child, part_of, repeat
from deciban.uncertainty.bootstrap.replicate import Statistic, StatisticFor
from deciban.uncertainty.bootstrap.resample import Draw, Resampling
from deciban.uncertainty.interval import Interval
from deciban.values.arrays import Floats

Method = Literal["percentile", "basic", "bca", "halves", "halves-log"]
METHODS = ("percentile", "basic", "bca", "halves", "halves-log")

HALVED = ("halves", "halves-log")
"""Methods that draw halves of the data instead of replicates as large as the data."""

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
        value; ``bca``: quantiles corrected for shift and skew. ``halves`` and ``halves-log`` draw halves of the data
        without replacement, and see that a figure is better the fewer trials it is fitted to:
        :mod:`~deciban.uncertainty.bootstrap.halves`.
    perfect
        Its value for a perfect system, from which ``halves-log`` measures; None where it has none.
    rate
        How fast its bias shrinks with the number n of trials: as n to the power −rate. Asked by ``halves``.
    """

    name: str
    range: tuple[float, float]
    method: Method = "percentile"
    perfect: float | None = None
    rate: float = 1.0


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
        How many replicates, or halves; confidence level; seed, of which each replicate has a child of its own.
    workers
        Processes that share the work, as :func:`~.repeat.repeat` describes; any number gives the
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
    An interval that would not hold the figure itself, as one corrected for bias may not, is extended to it: whoever
    reads both would take it for a mistake, and a longer interval is never wrong.

    Replicates without a value are counted and left out. Quantiles are linear between the values, except where
    infinite values are among them: then the next value outwards is taken.

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapters 13 and 14.

    Examples
    --------
    >>> import deciban as db
    >>> from deciban.uncertainty.bootstrap.resample import by_trial
    >>> from deciban.uncertainty.bootstrap.replicate import each
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
    observed = dict(zip(names, statistic_for(names)(resampling.blocks.observed()), strict=True))
    bca = [figure.name for figure in figures if figure.method == "bca"]
    units = left_out(resampling) if bca else []
    by_draw = {
        draw: [figure.name for figure in figures if (figure.method in HALVED) == halved]
        for draw, halved in ((resampling.draw, False), (resampling.half, True))
    }
    whole = replicates * sum(1 for asked in by_draw.values() if asked) + evaluations(units)
    done = 0
    drawn: dict[str, Floats] = {}
    for draw, asked in by_draw.items():
        if asked:
            work = _Drawn(draw, statistic_for(asked), seed)
            told = part_of(progress, done, whole)
            values = repeat(work, replicates, len(asked), workers=workers, progress=told)
            drawn.update(zip(asked, values.T, strict=True))
            done += replicates
    skew = dict.fromkeys(names, 0.0)
    if bca:
        rest = part_of(progress, done, whole)
        found = acceleration(resampling, units, statistic_for(bca), len(bca), workers=workers, progress=rest)
        skew.update(zip(bca, found.tolist(), strict=True))
    return {
        name: interval_of(figure, float(observed[name]), drawn[name], level, skew[name], resampling.resampled)
        for name, figure in zip(names, figures, strict=True)
    }


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The figures of a replicate, or of half of the data, given its number."""

    draw: Draw
    statistic: Statistic
    seed: int

    def __call__(self, number: int) -> Sequence[float]:
        return self.statistic(self.draw(child(self.seed, number)))


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
    if figure.method in HALVED:
        if not np.isfinite(known).all():
            return "infinite_end"
        perfect = figure.perfect if figure.method == "halves-log" else None
        low, high, method = halved_ends(value, known, level, limits=figure.range, perfect=perfect, rate=figure.rate)
    else:
        low, high, method = _quantile_ends(figure, value, known, level, skew)
    low, high = (min(max(end, figure.range[0]), figure.range[1]) for end in (low, high))
    if math.isclose(low, high, rel_tol=SAME):
        return "degenerate"
    return Interval(
        low=min(low, value),
        high=max(high, value),
        level=level,
        method=method,
        resampled=resampled,
        replicates=drawn.size,
        undefined=drawn.size - known.size,
    )


def _quantile_ends(figure: Figure, value: float, known: Floats, level: float, skew: float) -> tuple[float, float, str]:
    """Ends of an interval, and what it is called, from quantiles of the replicates."""
    tails = (1.0 - level) / 2.0, (1.0 + level) / 2.0
    method: str = figure.method
    if method == "bca":
        corrected = bca_levels(known, value, skew, tails)
        method = "bca" if corrected else WITHOUT_BCA
        tails = corrected or tails
    low, high = quantile(known, tails[0], outwards="lower"), quantile(known, tails[1], outwards="higher")
    return (2.0 * value - high, 2.0 * value - low, method) if method == "basic" else (low, high, method)


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

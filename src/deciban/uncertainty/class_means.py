"""Intervals of figures that weigh two class means of per-trial terms: Cllr, cross-entropy, Brier score, log loss.

The classes are two samples of fixed size, so the variance of w1·m1 + w0·m0 is w1²·s1²/N1 + w0²·s0²/N0, with the
variances s² of the terms (divisors N − 1). Costs of good forecasts are skewed: most trials cost next to nothing and a
few make up the mean, so that samples which lack those give a mean and a variance that are both too small. Hall's
transformation takes that skew out of the ratio of the two.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np

from deciban.errors import UndefinedMetricError
from deciban.uncertainty.interval import Interval, normal_deviate
from deciban.values.arrays import AnyArray, Floats
from deciban.values.option_checks import check_known

MeansMethod = Literal["class-means-hall", "class-means"]

DEFAULT: Final[MeansMethod] = "class-means-hall"

Cells = Iterable[tuple[Floats, AnyArray]]
"""Values and how many trials have each, run by run."""


@dataclass(frozen=True, slots=True)
class ClassMean:
    """Number, mean, variance (divisor n − 1) and skew of the terms of one class; all are equal when the variance is 0.

    The skew is Σd³ / (Σd²)^{3/2} with deviations d from the mean: between −1 and 1, whatever the number of trials.
    """

    n: int
    mean: float
    variance: float
    skew: float


def class_mean(cells: Cells, term: Callable[[Floats], Floats]) -> ClassMean:
    """Moments of a term over trials; a value without trials is skipped, even when its term is infinite."""
    n, mean, scatter, skew = 0, 0.0, 0.0, 0.0
    low, high = math.inf, -math.inf
    for values, trials in cells:
        there = np.flatnonzero(trials > 0)
        if there.size == 0:
            continue
        terms, times = term(values[there]), trials[there]
        low, high = min(low, float(terms.min())), max(high, float(terms.max()))
        if math.isinf(high):
            raise UndefinedMetricError("a trial costs infinitely much: the mean has no interval", "infinite_end")
        size = int(times.sum())
        with np.errstate(over="ignore"):
            middle = float((times * terms).sum()) / size
            inner = float((times * (terms - middle) ** 2).sum())
        step = middle - mean
        # Chan, Golub and LeVeque: runs are merged by the distance of their means.
        whole = scatter + inner + step * step * (n * size / (n + size))
        if 0.0 < whole < math.inf:
            # All lengths as shares of the whole: cubes of large costs would overflow.
            unit = math.sqrt(whole)
            before, here, apart = math.sqrt(scatter) / unit, math.sqrt(inner) / unit, step / unit
            skew = skew * before**3 + float((times * ((terms - middle) / unit) ** 3).sum())
            skew += (
                apart
                * (apart * apart * n * size * (n - size) / (n + size) + 3.0 * (n * here**2 - size * before**2))
                / (n + size)
            )
        mean += step * size / (n + size)
        n, scatter = n + size, whole
    if low == high:
        return ClassMean(n, low, 0.0, 0.0)
    return ClassMean(n, mean, scatter / (n - 1) if n > 1 else 0.0, skew)


def weighted_interval(
    parts: Sequence[tuple[float, ClassMean]],
    level: float,
    limits: tuple[float, float] = (0.0, math.inf),
    method: MeansMethod = DEFAULT,
) -> Interval:
    """Interval of a weighted sum of class means, cut to what the figure can be; ``class-means`` leaves skew aside."""
    check_known("method", method, get_args(MeansMethod))
    z = normal_deviate(level)
    parts = [(weight, mean) for weight, mean in parts if weight > 0.0]
    if any(mean.n < 2 for _, mean in parts):
        raise UndefinedMetricError("the variance of a mean needs two trials of each class", "too_few")
    value = sum(weight * mean.mean for weight, mean in parts)
    errors = [weight * math.sqrt(mean.variance / mean.n) for weight, mean in parts]
    error = math.hypot(*errors)
    if not math.isfinite(value + error):
        raise UndefinedMetricError("the variance exceeds the largest double", "infinite_end")
    down, up = z, z
    if method == "class-means-hall" and error > 0.0:
        shares = (own / error * math.sqrt(1.0 - 1.0 / mean.n) for own, (_, mean) in zip(errors, parts, strict=True))
        skew = sum(mean.skew * share**3 for share, (_, mean) in zip(shares, parts, strict=True))
        down, up = max(unskewed(z, skew), 0.0), max(-unskewed(-z, skew), 0.0)
    low, high = max(value - down * error, limits[0]), min(value + up * error, limits[1])
    if not low < high:
        raise UndefinedMetricError("all trials of a class cost the same: their variance says nothing", "degenerate")
    return Interval(low=low, high=high, level=level, method=method)


def unskewed(deviate: float, skew: float) -> float:
    """Invert Hall's transformation: the studentised mean t at which t + γt²/3 + γ²t³/27 + γ/6 is a normal deviate.

    (3/γ)·[(1 + γ(deviate − γ/6))^{1/3} − 1], which increases with the deviate; γ is the skew of the mean.

    References
    ----------
    Hall (1992), On the removal of skewness by transformation, J. Royal Statistical Society B 54.

    Examples
    --------
    >>> round(unskewed(1.96, 0.5), 3), round(unskewed(-1.96, 0.5), 3), unskewed(1.96, 0.0)
    (1.481, -7.673, 1.96)
    """
    moved = deviate - skew / 6.0
    x = skew * moved
    if abs(x) < 1e-3:
        # (1 + x)^{1/3} − 1 = x/3 − x²/9 + 5x³/81 − …: a difference would cancel.
        return moved * (1.0 - x / 3.0 + 5.0 * x * x / 27.0)
    return 3.0 / skew * (math.cbrt(1.0 + x) - 1.0)

"""Intervals of figures that weigh two class means of per-trial terms: Cllr, cross-entropy, Brier score, log loss.

The classes are two samples of fixed size, so the variance of w1·m1 + w0·m0 is w1²·s1²/N1 + w0²·s0²/N0, with the
variances s² of the terms (divisors N − 1).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from deciban.arrays import AnyArray, Floats
from deciban.errors import UndefinedMetricError
from deciban.uncertainty.interval import Interval, normal_deviate

METHOD = "class-means"

Cells = Iterable[tuple[Floats, AnyArray]]
"""Values and how many trials have each, run by run."""


@dataclass(frozen=True, slots=True)
class ClassMean:
    """Number, mean and variance (divisor n − 1) of the terms of one class; all are equal when the variance is 0."""

    n: int
    mean: float
    variance: float


def class_mean(cells: Cells, term: Callable[[Floats], Floats]) -> ClassMean:
    """Mean and variance of a term over trials; a value without trials is skipped, even when its term is infinite."""
    n, mean, scatter = 0, 0.0, 0.0
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
        # Chan, Golub and LeVeque: runs are merged by the distance of their means.
        step = middle - mean
        scatter += inner + step * step * (n * size / (n + size))
        mean += step * size / (n + size)
        n += size
    if low == high:
        return ClassMean(n, low, 0.0)
    return ClassMean(n, mean, scatter / (n - 1) if n > 1 else 0.0)


def weighted_interval(
    parts: Sequence[tuple[float, ClassMean]], level: float, limits: tuple[float, float] = (0.0, math.inf)
) -> Interval:
    """Normal interval of a weighted sum of class means, cut to what the figure can be."""
    z = normal_deviate(level)
    parts = [(weight, mean) for weight, mean in parts if weight > 0.0]
    if any(mean.n < 2 for _, mean in parts):
        raise UndefinedMetricError("the variance of a mean needs two trials of each class", "too_few")
    value = sum(weight * mean.mean for weight, mean in parts)
    error = math.hypot(*(weight * math.sqrt(mean.variance / mean.n) for weight, mean in parts))
    if not math.isfinite(value + error):
        raise UndefinedMetricError("the variance exceeds the largest double", "infinite_end")
    low, high = max(value - z * error, limits[0]), min(value + z * error, limits[1])
    if not low < high:
        raise UndefinedMetricError("all trials of a class cost the same: their variance says nothing", "degenerate")
    return Interval(low=low, high=high, level=level, method=METHOD)

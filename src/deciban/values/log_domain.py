"""Logarithms of odds and of 1 + odds that neither overflow nor lose digits: the formulas every cost is made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LN10: Final = math.log(10.0)
LN2: Final = math.log(2.0)

CHUNK: Final = 1 << 16
"""Elements worked on at a time: 512 KiB of doubles stay in the processor's cache between steps."""


def softplus(x: Floats) -> Floats:
    """ln(1 + e^x) for any x: max(x, 0) + log1p(exp(−|x|)), 0 at −inf and inf at inf."""
    if x.size and x.max() <= 0.0:  # to look costs a tenth of what follows, and scores in order are mostly of one sign
        return np.asarray(np.log1p(np.exp(x)))
    return np.asarray(np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x))))


def expit(log_odds: Floats) -> Floats:
    """1 / (1 + e^−x), the probability at a log-odds, without overflow."""
    return expit_pair(log_odds)[0]


def expit_pair(log_odds: Floats) -> tuple[Floats, Floats]:
    """The probability at a log-odds and its complement, both with all their digits."""
    small = np.exp(-np.abs(log_odds))
    large = 1.0 + small
    np.divide(small, large, out=small)
    np.divide(1.0, large, out=large)
    if log_odds.size == 0 or log_odds.max() <= 0.0:
        return small, large
    if log_odds.min() >= 0.0:
        return large, small
    above = log_odds >= 0.0
    return np.where(above, large, small), np.where(above, small, large)


def logit(probability: Floats) -> Floats:
    """ln(p / (1 − p)), infinite at 0 and 1."""
    with np.errstate(divide="ignore"):
        # 1 − p is exact from one half on; below, its rounding is one of the quotient, which the logarithm takes whole.
        return np.asarray(np.log(probability / (1.0 - probability)))


def log_odds(probability: float) -> float:
    """ln(p / (1 − p)) of one probability strictly between 0 and 1."""
    return math.log(probability) - math.log1p(-probability)


def binary_entropy(probability: float) -> float:
    """Entropy of a yes/no question in bits: 0 at 0 and 1, 1 at a half."""
    terms = (probability, 1.0 - probability)
    return -sum(p * math.log2(p) for p in terms if p > 0.0)


def share_of_mean(cost: Callable[[Floats], Floats], x: Floats, weight: NDArray[Any], total: float) -> float:
    """Σ w·cost(x) / total over the cells with weight: no 0·inf arises, and it is finite where costs and mean are."""
    members = np.flatnonzero(weight > 0)  # picking by index is 1.5 × faster than by mask
    if members.size < weight.size:
        x, weight = x[members], weight[members]
    each = cost(x)
    with np.errstate(over="ignore"):
        share = float((weight * each).sum()) / total
    if np.isinf(share) and np.isfinite(each).all():
        # Costs near the largest double: their sum overflows, their mean does not.
        share = float((weight / total * each).sum())
    return share


def prior_weights(log_odds: float) -> tuple[float, float]:
    """π and 1 − π at a prior log-odds, each exact to the last digit however small."""
    small = math.exp(-abs(log_odds))
    large, little = 1.0 / (1.0 + small), small / (1.0 + small)
    return (large, little) if log_odds >= 0 else (little, large)


def chunks(size: int) -> Iterator[slice]:
    """Slices that cover ``range(size)`` in order, each at most :data:`CHUNK` long."""
    return (slice(start, start + CHUNK) for start in range(0, size, CHUNK))

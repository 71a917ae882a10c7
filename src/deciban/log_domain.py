"""Logarithms of odds and of 1 + odds that neither overflow nor lose digits: the formulas every cost is made of."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LN10: Final = math.log(10.0)
LN2: Final = math.log(2.0)

CHUNK: Final = 1 << 16
"""Elements worked on at a time: 512 KiB of doubles stay in the processor's cache between steps."""


def softplus(x: Floats) -> Floats:
    """ln(1 + e^x) for any x: max(x, 0) + log1p(exp(−|x|)), 0 at −inf and inf at inf."""
    return np.asarray(np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x))))


def expit(log_odds: Floats) -> Floats:
    """1 / (1 + e^−x), the probability at a log-odds, without overflow."""
    small = np.exp(-np.abs(log_odds))
    return np.asarray(np.where(log_odds >= 0, 1.0, small) / (1.0 + small))


def logit(probability: Floats) -> Floats:
    """ln(p / (1 − p)), infinite at 0 and 1."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(probability) - np.log1p(-probability))


def log_odds(probability: float) -> float:
    """ln(p / (1 − p)) of one probability strictly between 0 and 1."""
    return math.log(probability) - math.log1p(-probability)


def binary_entropy(probability: float) -> float:
    """Entropy of a yes/no question in bits: 0 at 0 and 1, 1 at a half."""
    terms = (probability, 1.0 - probability)
    return -sum(p * math.log2(p) for p in terms if p > 0.0)


def prior_weights(log_odds: float) -> tuple[float, float]:
    """π and 1 − π at a prior log-odds, each exact to the last digit however small."""
    small = math.exp(-abs(log_odds))
    large, little = 1.0 / (1.0 + small), small / (1.0 + small)
    return (large, little) if log_odds >= 0 else (little, large)


def chunks(size: int) -> Iterator[slice]:
    """Slices that cover ``range(size)`` in order, each at most :data:`CHUNK` long."""
    return (slice(start, start + CHUNK) for start in range(0, size, CHUNK))

"""Seeded trials: calibrated log-likelihood ratios of two normal classes, 10 % targets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

PRIOR = 0.1
VARIANCE = 4.0
"""Of ln LR in each class; means of ± half of it make the ratios calibrated (EER about 16 %)."""


@dataclass(frozen=True)
class Arrays:
    """What a user would have in hand: scores in one unit, labels, and what the unit is."""

    scores: NDArray[np.float64]
    labels: NDArray[Any]
    scale: str
    prior: float | None = None

    @property
    def title(self) -> str:
        return self.scale if self.prior is None else f"{self.scale} with prior"

    @property
    def nbytes(self) -> int:
        return self.scores.nbytes + self.labels.nbytes

    def rounded(self, decimals: int = 3) -> Arrays:
        """Scores of a few decimals: thousands of distinct scores instead of millions."""
        return replace(self, scores=np.round(self.scores, decimals))


def ln_lr_arrays(n: int, seed: int = 20) -> Arrays:
    """Natural-log likelihood ratios, practically all distinct; labels as booleans."""
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < PRIOR
    scores = rng.standard_normal(n)
    scores *= VARIANCE**0.5
    scores += np.where(labels, VARIANCE / 2, -VARIANCE / 2)
    return Arrays(scores, labels, "ln_lr")


def probability_arrays(arrays: Arrays, prior: float | None = None) -> Arrays:
    """The same trials with the posterior probabilities at the prior of the data."""
    odds = np.exp(arrays.scores) * (PRIOR / (1.0 - PRIOR))
    return Arrays(odds / (1.0 + odds), arrays.labels, "probability", prior)


def all_scales(arrays: Arrays) -> list[Arrays]:
    """The four kinds of input that differ in which metrics apply, the richest first."""
    return [
        arrays,
        probability_arrays(arrays, PRIOR),
        probability_arrays(arrays),
        replace(arrays, scale="score"),
    ]

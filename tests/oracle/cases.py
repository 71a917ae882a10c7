"""Small awkward data: heavy ties, infinities, subnormals, one trial of a class, every scale."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

import deciban as db
from tests.oracle.ranking import Trial, Trials

INF = math.inf
PRIOR = 0.3

LOGARITHMS = [-INF, -1e307, -800.0, -40.0, -2.0, -1.0, -1e-17, -5e-324, -0.0, 0.0, 1e-300, 0.5, 1.0, 2.0, 800.0, INF]
SCORES = {
    "score": [-INF, -1e308, -5.0, -1.0, -5e-324, -0.0, 0.0, 5e-324, 1e-300, 1.0, 1 + 2**-52, 5.0, 1e308, INF],
    "probability": [0.0, 5e-324, 1e-300, 0.1, 0.25, 0.3, 0.5, 0.6, 0.7, 1 - 2**-53, 1.0],
    "lr": [0.0, 5e-324, 1e-10, 0.1, 0.5, 1.0, 1 + 2**-52, 2.0, 10.0, 1e300, INF],
    "ln_lr": LOGARITHMS,
    "log2_lr": LOGARITHMS,
    "log10_lr": LOGARITHMS,
    "deciban": [*LOGARITHMS, 10.0, -10.0, 20.0],
}
LR_SCALES = [scale for scale in SCORES if scale != "score"]
"""Scales that carry likelihood ratios (probabilities with :data:`PRIOR`)."""

MILD = {
    "probability": [0.0, 0.05, 0.1, 0.2, 0.3, 0.31, 0.5, 0.6, 0.65, 0.7, 0.75, 0.9, 1.0],
    "lr": [0.01, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 10.0, 100.0],
}


def cases(scale: str, seed: int, number: int, weights: bool = False, mild: bool = False) -> Iterator[Trials]:
    """Random trials; with ``mild`` no extreme scores, with ``weights`` a weight for each."""
    random = np.random.default_rng([seed, number, len(scale)])
    values = MILD.get(scale, [-3.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0]) if mild else SCORES[scale]
    for _ in range(number):
        n1, n0 = (int(random.choice([1, 1, 2, 3, 5, 8])) for _ in range(2))
        palette = random.choice(values, size=int(random.integers(1, len(values) + 1)), replace=False)
        scores = random.choice(palette, size=n1 + n0).tolist()
        drawn = _weights(random, n1 + n0) if weights else [Fraction(1)] * (n1 + n0)
        yield [Trial(score, i < n1, w) for i, (score, w) in enumerate(zip(scores, drawn, strict=True))]


def _weights(random: np.random.Generator, n: int) -> list[Fraction]:
    """Doubles as weights, zeros among them but not in every trial of a class."""
    drawn = random.choice([0.0, 0.1, 0.5, 1.0, 2.0, 3.7, 1 / 3], size=n)
    drawn[[0, -1]] = random.uniform(0.1, 3, size=2)
    return [Fraction(w) for w in drawn.tolist()]


def counts(trials: Trials, scale: str = "score", prior: float | None = None, weighted: bool = False) -> db.Counts:
    """The library's counts of the same trials."""
    weight = [float(t.weight) for t in trials] if weighted else None
    labels = [int(t.is_target) for t in trials]
    return db.Counts.from_arrays(
        [t.score for t in trials], labels, target=1, nontarget=0, scale=scale, prior=prior, weight=weight
    )


def prior_of(scale: str) -> float | None:
    return PRIOR if scale == "probability" else None


def close(got: float, want: float | Fraction, tolerance: float = 1e-12) -> bool:
    """Equal up to a relative tolerance; results too small for a normal double need not agree in their digits."""
    want = float(want)
    return got == want if math.isinf(want) or math.isinf(got) else abs(got - want) <= tolerance * abs(want) + 1e-305

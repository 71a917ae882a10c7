"""Leave one unit out at a time: how skewed the influence of single trials or sources on a figure is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deciban.uncertainty.bootstrap.repeat import Progress, repeat
from deciban.uncertainty.bootstrap.replicate import Statistic
from deciban.uncertainty.bootstrap.resample import Resampling
from deciban.values.arrays import Floats

LIMIT = 1000
"""Units of a stratum that are left out in turn; of more, as many stand for their neighbours."""


@dataclass(frozen=True, slots=True, eq=False)
class LeftOut:
    """Units of one stratum to leave out in turn, and how many units each of them stands for."""

    unit: NDArray[np.intp]
    times: Floats


def left_out(resampling: Resampling) -> list[LeftOut]:
    """Choose the units of each stratum.

    Trials of one class at one score are alike: one stands for them. Where a stratum has more than :data:`LIMIT` units
    that differ, that many, evenly spread in the order of the scores, stand for all.
    """
    return [_chosen(np.asarray(units, dtype=np.float64)) for units in resampling.strata()]


def evaluations(strata: Sequence[LeftOut]) -> int:
    """How often a figure is computed."""
    return sum(chosen.unit.size for chosen in strata)


def acceleration(
    resampling: Resampling,
    strata: Sequence[LeftOut],
    statistic: Statistic,
    width: int,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> Floats:
    """Compute the acceleration of BCa for each figure: ⅙ Σ_k Σ_i U³/n_k³ / (Σ_k Σ_i U²/n_k²)^{3/2}.

    U_i = (n_k − 1)(mean − figure without unit i), for the n_k units of each stratum k (class, or pool of sources).
    Exact when every unit is left out; an approximation when some stand for others, which matters little, since the
    acceleration shrinks like 1/√n. Figures that are undefined or infinite without some unit use the others.

    Returns
    -------
    array of float
        One for each figure; 0 where no unit makes a difference.
    """
    rounds = [(number, unit) for number, chosen in enumerate(strata) for unit in chosen.unit.tolist()]
    values = repeat(
        _Without(resampling, statistic, rounds),
        len(rounds),
        width,
        workers=workers,
        progress=progress,
    )
    cubes, squares = np.zeros(width), np.zeros(width)
    begin = 0
    # The skew has no unit: of figures as large or as small as doubles go, cubes must neither overflow nor vanish.
    sizes = np.abs(np.where(np.isfinite(values), values, 0.0)).max(axis=0, initial=0.0)
    values = values / np.where(sizes > 0.0, sizes, 1.0)
    for chosen in strata:
        influence = _influence(values[begin : begin + chosen.unit.size], chosen.times)
        cubes += (chosen.times[:, np.newaxis] * influence**3).sum(axis=0)
        squares += (chosen.times[:, np.newaxis] * influence**2).sum(axis=0)
        begin += chosen.unit.size
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(squares > 0, cubes / (6.0 * squares**1.5), 0.0)


@dataclass(frozen=True, slots=True)
class _Without:
    """The figures without a unit, given the number of the round."""

    resampling: Resampling
    statistic: Statistic
    rounds: list[tuple[int, int]]

    def __call__(self, number: int) -> Sequence[float]:
        return self.statistic(self.resampling.without(*self.rounds[number]))


def _influence(values: Floats, times: Floats) -> Floats:
    """U_i / n of each figure (column); 0 for units without which it has no finite value."""
    known = np.isfinite(values)
    values = np.where(known, values, 0.0)
    weight = np.where(known, times[:, np.newaxis], 0.0)
    n = weight.sum(axis=0)
    mean = (weight * values).sum(axis=0) / np.maximum(n, 1.0)
    return np.where(known, (mean - values) * ((n - 1.0) / np.maximum(n, 1.0)), 0.0)


def _chosen(units: Floats) -> LeftOut:
    """All units, or those in the middle of equal shares of them."""
    if units.size <= LIMIT:
        return LeftOut(np.arange(units.size), units)
    total = units.sum()
    ranks = (np.arange(LIMIT) + 0.5) / LIMIT * total
    unit, shares = np.unique(np.searchsorted(np.cumsum(units), ranks, side="right"), return_counts=True)
    return LeftOut(unit, shares * (total / LIMIT))

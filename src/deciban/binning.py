"""Bins of stated probabilities: of equal width, or of equal mass without parting trials that are equal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from deciban.arrays import AnyArray, Floats
from deciban.errors import OptionError
from deciban.forecasts import Forecasts

Starts = NDArray[np.intp]


def equal_width_starts(probability: Floats, n_bins: int) -> Starts:
    """Where each bin of equal width starts among the sorted probabilities, the empty ones included.

    Edge k is the double k / n_bins (other routes to it give other doubles, and 0.3 would fall a bin too low); bins are
    closed below, the last one also above.
    """
    _check_number(n_bins)
    return np.searchsorted(probability, np.arange(n_bins) / n_bins, side="left")


def equal_width_bins(probability: Floats, n_bins: int) -> Starts:
    """Where the bins of equal width that hold anything start among the sorted probabilities."""
    starts = np.unique(equal_width_starts(probability, n_bins))
    return starts[starts < probability.size]


def equal_mass_bins(forecast: Forecasts, n_bins: int) -> Starts:
    """Where the bins of as nearly as possible equal mass start; those that would be empty vanish.

    Cuts lie at the ranks of ``numpy.array_split``; one that falls inside a block of equal probabilities moves to the
    nearer end of it, the lower when both are equally near.
    """
    _check_number(n_bins)
    p = forecast.probability
    # Different LRs can state one probability: those belong together.
    block = np.flatnonzero(np.concatenate([[True], p[1:] != p[:-1]]))
    mass = forecast.n_target + forecast.n_nontarget
    upto = np.concatenate([mass[:1] * 0, np.cumsum(np.add.reduceat(mass, block))])
    cut = _ranks(forecast.total, n_bins)
    above = np.searchsorted(upto, cut, side="left").clip(max=block.size)
    below = np.maximum(above - 1, 0)
    nearest = np.where(cut - upto[below] <= upto[above] - cut, below, above)
    starts = np.append(block, p.size)[np.unique(np.append(0, nearest))]
    return np.asarray(starts[starts < p.size])


def _ranks(total: int | float, n_bins: int) -> AnyArray:
    """The inner cuts: how many trials lie below each."""
    k = np.arange(1, n_bins)
    if isinstance(total, int):
        each, over = divmod(total, n_bins)
        return k * each + np.minimum(k, over)
    return k / n_bins * total


def _check_number(n_bins: int) -> None:
    if n_bins < 1:
        raise OptionError(f"n_bins: expected at least 1, found {n_bins}")

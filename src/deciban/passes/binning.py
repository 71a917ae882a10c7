"""Bins of stated probabilities: equal width, equal mass, one for each probability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deciban.passes.forecasts import Probabilities, whole_trials
from deciban.values.arrays import AnyArray, Floats
from deciban.values.option_checks import check_whole

BINNINGS: Final = ("equal-width", "equal-mass", "unique")
"""Ways to put forecasts into bins; the last makes one of each stated probability."""

Positions = NDArray[np.intp]
Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """What lies in each bin that is not empty, in increasing order, shape (b,).

    Attributes
    ----------
    starts
        Which distinct score the bin begins at.
    n, n_target
        Trials and targets.
    stated
        Sum over the trials of the stated probability.
    """

    starts: Positions
    n: AnyArray
    n_target: AnyArray
    stated: Floats

    @property
    def excess(self) -> Floats:
        """Stated minus observed number of targets."""
        return np.asarray(self.stated - self.n_target)


def bins(forecast: Probabilities, binning: str, n_bins: int) -> Bins:
    """Put the forecasts into bins, by one of :data:`BINNINGS`."""
    check_number(n_bins)
    if binning == "equal-width":
        return filled(forecast, equal_width(forecast.probability, n_bins))
    if binning == "equal-mass":
        target, nontarget = whole_trials(forecast.counts, "equal-mass binning")
        middle = None if forecast.counts.one_each else middles(target + nontarget)
        return filled(forecast, equal_mass(middle, int(forecast.total), n_bins))
    p = forecast.probability
    return filled(forecast, np.flatnonzero(np.append(True, p[1:] != p[:-1])))


def check_number(n_bins: int) -> None:
    """Raise :class:`OptionError` unless there is a bin."""
    check_whole("n_bins", n_bins, 1, "at least 1")


def filled(forecast: Probabilities, starts: Positions) -> Bins:
    """The bins that begin at these scores."""
    n_target = np.add.reduceat(forecast.n_target, starts)
    if forecast.counts.one_each:
        n = np.diff(starts, append=forecast.probability.size)
        return Bins(starts, n, n_target, np.add.reduceat(forecast.probability, starts))
    total = forecast.n_target + forecast.n_nontarget
    stated = np.add.reduceat(forecast.probability * total, starts)
    return Bins(starts, np.add.reduceat(total, starts), n_target, stated)


def equal_width_all(probability: Floats, n_bins: int) -> Positions:
    """Where each bin of equal width starts among the sorted probabilities, the empty ones included.

    Edge k is the double k / n_bins (other routes to it give other doubles, and 0.3 would fall a bin too low); bins are
    closed below, the last one also above.
    """
    return np.searchsorted(probability, np.arange(n_bins) / n_bins, side="left")


def equal_width(probability: Floats, n_bins: int) -> Positions:
    """Where the bins of equal width that hold anything start."""
    starts = np.unique(equal_width_all(probability, n_bins))
    return starts[starts < probability.size]


def equal_mass(middle: Whole | None, total: int, n_bins: int) -> Positions:
    """Where the non-empty bins of equal mass start among scores with these :func:`middles`; None: of one trial each.

    Trials are cut at the ranks of ``numpy.array_split``; a cut between trials of one score moves to the nearer end of
    them, the lower when both are as near.
    """
    n_bins = min(n_bins, total)
    starts = cuts(total, n_bins, np.arange(n_bins))
    if middle is None:
        return starts
    starts = np.searchsorted(middle, starts, side="left")
    first = np.append(True, starts[1:] != starts[:-1])
    return starts[first & (starts < middle.size)]


def middles(n: Whole) -> Whole:
    """The highest rank inside each score from which a cut moves down to its lower end; ``n`` trials at each."""
    middle = np.cumsum(n)
    middle -= n - n // 2
    return middle


def cuts(total: int, n_bins: Whole | int, k: Whole) -> Whole:
    """Trials below cut ``k`` of ``n_bins``: the first ``total % n_bins`` bins hold one trial more than the others."""
    return np.asarray(k * (total // n_bins) + np.minimum(k, total % n_bins))

"""The largest number of equal-mass bins whose observed shares still increase, found without forming every binning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deciban.passes.binning import Positions, Whole, cuts, equal_mass, middles

FEW: Final = 64
"""Numbers of bins up to this are simply tried; most sweeps end there."""

AT_ONCE: Final = 1 << 17
"""Cuts that are looked at together."""


def sweep(n_target: Whole, n_nontarget: Whole) -> Positions:
    """Where the bins start when 1, 2, … bins of equal mass are tried until the share of targets first decreases.

    Without any decrease the sweep ends where more bins change nothing: with one for each score.
    """
    total = int(n_target.sum()) + int(n_nontarget.sum())
    # With one trial at each score, ranks are positions, and need no column of their own to be looked up in.
    middle = None if total == n_target.size else middles(n_target + n_nontarget)
    found = _among_few(n_target, n_nontarget, middle, total)
    if found is not None:
        return found
    n = n_target + n_nontarget
    ranks = _Ranks(middles(n), _running(n), _running(n_target))
    is_suspect = _suspects(n_target / n)
    if not is_suspect.any():
        return np.arange(n.size)
    last, search = FEW, _Search(ranks, is_suspect, np.flatnonzero(is_suspect))
    while True:
        tried = search.next(last)
        failed = search.failures(tried)
        if failed.size:
            return ranks.bins(int(failed.min()) - 1)
        last = int(tried[-1])


def _among_few(n_target: Whole, n_nontarget: Whole, middle: Whole | None, total: int) -> Positions | None:
    """The bins where the sweep ends when it does so early, else None; trials are added up between all cuts at once."""
    tried = [equal_mass(middle, total, n_bins) for n_bins in range(1, min(FEW, total) + 1)]
    places = np.unique(np.concatenate(tried))
    below = [np.append(0, np.cumsum(np.add.reduceat(n, places))) for n in (n_target, n_nontarget)]
    for starts, before in zip(tried[1:], tried, strict=False):
        at = np.append(np.searchsorted(places, starts), places.size)
        k, m = (np.diff(sums[at]) for sums in below)
        if (k[:-1] * m[1:] > k[1:] * m[:-1]).any():
            return before
    return None


def _running(n: Whole) -> Whole:
    """How many lie below each boundary between scores."""
    below = np.zeros(n.size + 1, dtype=np.int64)
    np.cumsum(n, out=below[1:])
    return below


def _suspects(share: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Boundaries between scores where bins that meet can decrease: a share below is larger than one above.

    At any other boundary they cannot, however wide they are.
    """
    found = np.zeros(share.size + 1, dtype=bool)
    least_above = np.minimum.accumulate(share[::-1])[::-1]
    np.greater(np.maximum.accumulate(share)[:-1], least_above[1:], out=found[1:-1])
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Ranks:
    """Scores as stretches of the trials in order: their middles, and trials and targets below each end."""

    middle: Whole
    below: Whole
    target_below: Whole

    @property
    def total(self) -> int:
        return int(self.below[-1])

    def bins(self, n_bins: int) -> Positions:
        return equal_mass(self.middle, self.total, n_bins)

    def inside(self, start: Positions, stop: Positions) -> tuple[Whole, Whole]:
        """Targets and nontargets between two boundaries."""
        k = self.target_below[stop] - self.target_below[start]
        return k, self.below[stop] - self.below[start] - k


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """Many numbers of bins at a time, looking only at cuts that fall on a suspect boundary."""

    ranks: _Ranks
    is_suspect: NDArray[np.bool_]
    suspects: Positions

    def next(self, last: int) -> Whole:
        """The numbers of bins to try after ``last``: a quarter more, within what memory likes."""
        at_once = max(1, AT_ONCE // min(last + 1, self.suspects.size))
        return np.arange(last + 1, min(last + 1 + min(8 + last // 4, at_once), self.ranks.total + 1))

    def failures(self, tried: Whole) -> Whole:
        """Those of ``tried`` at which the share decreases somewhere; one that does so at several cuts is repeated."""
        n_bins, place = self._on_suspects(tried)
        before = self._place(n_bins, self._cuts_up_to(self.ranks.middle[place - 1], n_bins))
        after = self._place(n_bins, self._cuts_up_to(self.ranks.middle[place], n_bins) + 1)
        (k1, m1), (k2, m2) = self.ranks.inside(before, place), self.ranks.inside(place, after)
        return n_bins[k1 * m2 > k2 * m1]

    def _on_suspects(self, tried: Whole) -> tuple[Whole, Positions]:
        """Pairs of a number of bins and a suspect on which one of its cuts falls, by whichever way is shorter."""
        middle = self.ranks.middle
        if self.suspects.size < tried[-1]:
            n_bins, place = np.repeat(tried, self.suspects.size), np.tile(self.suspects, tried.size)
            hit = self._cuts_up_to(middle[place], n_bins) > self._cuts_up_to(middle[place - 1], n_bins)
        else:
            first = self._cuts_up_to(middle[self.suspects[0] - 1], tried) + 1
            number = self._cuts_up_to(middle[self.suspects[-1]], tried) + 1 - first
            n_bins = np.repeat(tried, number)
            k = np.arange(n_bins.size) + np.repeat(first - (np.cumsum(number) - number), number)
            place = self._place(n_bins, k)
            hit = self.is_suspect[place]
        return n_bins[hit], place[hit]

    def _cuts_up_to(self, rank: Whole, n_bins: Whole) -> Whole:
        """The last cut of ``n_bins`` with at most ``rank`` trials below it."""
        size, longer = self.ranks.total // n_bins, self.ranks.total % n_bins
        in_longer = longer * (size + 1)
        return np.where(rank < in_longer, rank // (size + 1), longer + (rank - in_longer) // size)

    def _place(self, n_bins: Whole, k: Whole) -> Positions:
        """The boundary between scores that cut ``k`` moves to."""
        return np.searchsorted(self.ranks.middle, cuts(self.ranks.total, n_bins, k), side="left")

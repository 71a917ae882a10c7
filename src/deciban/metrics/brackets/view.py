"""What buckets say about the scores in them: their edges, and the orders of trials that they leave possible."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from deciban.counts.buckets import edges_of
from deciban.counts.counts import Counts
from deciban.passes.forecasts import as_trials
from deciban.values.arrays import Bools, Floats, locked


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Counts with the edges of their buckets.

    Attributes
    ----------
    counts
        Whole numbers of trials in buckets.
    low, high
        The smallest and largest score that trials of each bucket can have had, shape (u,).
    wide
        Where the two differ, so that different scores may be in one bucket.
    """

    counts: Counts
    low: Floats
    high: Floats
    wide: Bools

    @property
    def settled(self) -> bool:
        """Whether every score is known after all."""
        return not self.wide.any()

    def at_low(self) -> Counts:
        """Every trial at the lower edge of its bucket; where all is settled, the trials themselves."""
        return replace(self.counts, score=self.low, resolution=None)

    def at_high(self) -> Counts:
        """Every trial at the upper edge of its bucket."""
        return replace(self.counts, score=self.high, resolution=None)

    def arranged(self, *, best: bool) -> Counts:
        """Trials in the best or worst order: in each bucket all targets above all nontargets, or the reverse.

        Whatever the scores were, their ROC curve (points joined by straight lines, of which ties make diagonals) goes
        in each bucket from the same lower left corner of a rectangle to the same upper right one. It lies nowhere above
        that of the best order, which runs along the left and upper sides, and nowhere below that of the worst.
        Buckets of one known score stay ties. The scores of what is returned are ranks.
        """
        counts = self.counts
        split = self.wide & (counts.n_target > 0) & (counts.n_nontarget > 0)
        each = np.where(split, 2, 1)
        upper = np.cumsum(each)[split] - 1
        n_target, n_nontarget = np.repeat(counts.n_target, each), np.repeat(counts.n_nontarget, each)
        above, below = (n_target, n_nontarget) if best else (n_nontarget, n_target)
        above[upper - 1] = 0
        below[upper] = 0
        rank = np.arange(n_target.size, dtype=np.float64)
        return Counts(locked(rank), locked(n_target), locked(n_nontarget))


def view_of(counts: Counts) -> View:
    """Look at bucketed counts; :class:`UndefinedMetricError` with ``weighted`` unless weights are whole numbers.

    Sums of other weights are rounded, and what is left open by that depends on how many trials they are sums of.
    """
    whole = as_trials(counts, "a bracket")
    low, high = edges_of(whole)
    return View(whole, low, high, low < high)

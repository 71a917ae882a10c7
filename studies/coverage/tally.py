"""How often the intervals of one figure by one method held the truth."""

from __future__ import annotations

import math
from dataclasses import dataclass

import deciban as db

ROUNDING = 1e-12


@dataclass(slots=True)
class Tally:
    """What became of the intervals of many data sets.

    Attributes
    ----------
    made, missing
        Data sets with an interval, and without one.
    held, below, above
        Intervals that held the truth; that lay below it; that lay above it.
    width
        Sum of the widths.
    """

    made: int = 0
    missing: int = 0
    held: int = 0
    below: int = 0
    above: int = 0
    width: float = 0.0

    def add(self, interval: db.Interval | None, truth: float) -> None:
        """Count one more."""
        if interval is None:
            self.missing += 1
            return
        self.made += 1
        self.width += interval.high - interval.low
        if interval.high < truth - ROUNDING:
            self.below += 1
        elif interval.low > truth + ROUNDING:
            self.above += 1
        else:
            self.held += 1

    @property
    def coverage(self) -> float:
        """Share of the intervals that held the truth; NaN where there is none."""
        return self.held / self.made if self.made else math.nan

    @property
    def error(self) -> float:
        """Standard error of the coverage, of a binomial number with two more of either kind (never 0)."""
        share = (self.held + 2.0) / (self.made + 4.0)
        return math.sqrt(share * (1.0 - share) / (self.made + 4.0))

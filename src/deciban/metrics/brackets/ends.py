"""The two ends of a bracket, and their rounding outward."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from deciban.errors import UndefinedMetricError

ROUNDING: Final = 2.0**-38
"""Relative error of a figure in doubles, generously: a logarithm or exponential has a few units in the last place
(2⁻⁵³) times at most 745, the largest argument for which it matters; sums are made of parts of 65 536 terms, so that
adding up takes one unit for each of at most some thousand parts. The same bounds the error of the figure of the scores
themselves, which therefore lies in the bracket as computed, too."""

FEW_UNITS: Final = 2.0**-50
"""What the sum of two ratios of counts may miss in doubles, so that a figure as computed lies in its bracket, too."""

TINY: Final = 1e-300
"""What sums of numbers below the smallest normal double may miss."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """A range that provably holds the exact value of bucketed scores.

    Attributes
    ----------
    low, high
        Both ends, rounded outward; equal when the buckets leave nothing open.
    """

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Ends:
    """The ends before rounding: fractions are exact, doubles have an error.

    Attributes
    ----------
    low, high
        Smallest and largest value that scores in these buckets can have.
    settled
        Whether the two are one, which then is the value.
    relative, absolute
        The error of doubles.
    """

    low: float | Fraction
    high: float | Fraction
    settled: bool
    relative: float = 0.0
    absolute: float = TINY

    def bracket(self, limits: tuple[float, float]) -> Bracket:
        """Round outward, within what the figure can be at all."""
        if self.settled:
            return Bracket(low=float(self.low), high=float(self.high))
        low, high = self._outward(self.low, -math.inf), self._outward(self.high, math.inf)
        return Bracket(low=max(low, limits[0]), high=min(high, limits[1]))

    def _outward(self, end: float | Fraction, towards: float) -> float:
        if isinstance(end, Fraction) and self.relative == 0.0:
            nearest = float(end)
            inside = Fraction(nearest) > end if towards < 0.0 else Fraction(nearest) < end
            return math.nextafter(nearest, towards) if inside else nearest
        end = float(end)
        if math.isinf(end):
            return end
        return math.nextafter(end + math.copysign(abs(end) * self.relative + self.absolute, towards), towards)


def exactly(low: float | Fraction, high: float | Fraction) -> Ends:
    """Ends without any error: fractions, or infinities."""
    return Ends(low, high, settled=low == high)


def roughly(low: float, high: float, *, relative: float = ROUNDING, absolute: float = TINY) -> Ends:
    """Ends in doubles of what buckets leave open; infinite on both sides it is settled all the same."""
    return Ends(low, high, low == high and math.isinf(low), relative, absolute)


def bucketed(what: str, why: str) -> UndefinedMetricError:
    """The error of a figure that buckets leave without a bracket."""
    return UndefinedMetricError(
        f"{what}: {why}; count the trials without resolution= (--resolution) to have it", "bucketed"
    )

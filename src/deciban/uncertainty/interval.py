"""The one shape of an interval, whatever method made it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A confidence interval.

    Attributes
    ----------
    low, high
        The limits, in the unit of the value.
    level
        Confidence level, e.g. 0.95.
    method
        How it was made, by name.
    resampled
        What a bootstrap drew: "trials", "sources", or None for a closed form.
    replicates, undefined
        How many replicates, and how many of them had no value.
    """

    low: float
    high: float
    level: float
    method: str
    resampled: Literal["trials", "sources"] | None = None
    replicates: int | None = None
    undefined: int | None = None

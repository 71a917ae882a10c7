"""The one shape of an interval, whatever method made it."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

from deciban.values.option_checks import check_level


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


def normal_deviate(level: float) -> float:
    """How many standard errors a two-sided interval reaches to each side: 1.96 at 95 %."""
    return -NormalDist().inv_cdf((1.0 - check_level(level)) / 2.0)

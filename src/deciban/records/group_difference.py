"""How a figure differs between two groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from deciban.uncertainty.interval import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupDifference:
    """The figure of one group less that of another of the same grouping.

    Attributes
    ----------
    group, other
        The value of each condition in the two groups.
    metric
        Expression of the figure; one at a threshold names it.
    difference
        Figure of ``group`` − figure of ``other``.
    interval, interval_reason
        Its uncertainty, or why there is none.
    """

    group: Mapping[str, str]
    other: Mapping[str, str]
    metric: str
    difference: float
    interval: Interval | None = None
    interval_reason: str | None = None

    @property
    def pair(self) -> str:
        """The two groups in words: ``f - m``."""
        return " - ".join(",".join(values.values()) for values in (self.group, self.other))

    @property
    def clear(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.interval is not None and not self.interval.low <= 0.0 <= self.interval.high

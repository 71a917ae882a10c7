"""The headline figures of a page, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Gauge:
    """Where a value and its interval lie between no information (0) and perfect (1)."""

    value: float
    low: float
    high: float
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Card:
    """A headline figure."""

    label: str
    target: str
    value: str
    unit: str
    level: str
    interval: str
    note: str
    gauge: Gauge | None


@dataclass(frozen=True, slots=True)
class Cards:
    """The headline figures side by side."""

    cards: tuple[Card, ...]
    kind: ClassVar[str] = "cards"

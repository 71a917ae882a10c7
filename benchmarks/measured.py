"""What was measured of one way to count so many trials."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from memory import high_water

GIB = 2**30


@dataclass(frozen=True)
class Measured:
    """Time, peak memory and what was found; ``figures`` are the ends of each, where they are compared."""

    way: str
    power: int
    seconds: float
    peak: int
    engine: str
    n_distinct: int
    figures: dict[str, list[float]] = field(default_factory=dict)


def spent_since(started: float) -> dict[str, float]:
    """Seconds since a moment of ``time.perf_counter``, and the peak of this process."""
    return {"seconds": time.perf_counter() - started, "peak": high_water()}

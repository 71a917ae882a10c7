"""How far axes reach, and which values an axis can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deciban.errors import InputError
from deciban.values.arrays import AnyArray, Floats

FARTHEST: Final = 1e305
"""Between ticks beyond this, matplotlib computes with infinite distances."""


def drawable(values: AnyArray) -> Floats:
    """Values with gaps where there is none or it is infinite."""
    filled = np.ma.filled(np.ma.masked_array(values, dtype=np.float64), np.nan)
    return np.where(np.isfinite(filled), filled, np.nan)


def unjoined(x: Floats, y: Floats, steps: bool) -> NDArray[np.intp]:
    """The points with a place that no stroke of a line reaches: neighbours are absent or at the same place."""
    there = np.isfinite(x) & np.isfinite(y)
    repeated = there & (x == np.append(np.nan, x[:-1])) & (y == np.append(np.nan, y[:-1]))
    rows = np.flatnonzero(~repeated)
    there, x = there[rows], x[rows]
    # A step begins at the place of the point before it, whether that has a value or not.
    stroke = there[1:] & (there[:-1] | (np.isfinite(x[:-1]) & (x[1:] != x[:-1]) & steps))
    reached = np.append(False, stroke)[: there.size] | np.append(stroke & there[:-1], False)[: there.size]
    return np.asarray(rows[there & ~reached])


def check_reach(low: float, high: float, axis: str) -> None:
    """Refuse values that matplotlib has no ticks for."""
    if max(-low, high) > FARTHEST:
        found = f"{low:g}" if low == high else f"values from {low:g} to {high:g}"
        raise InputError(
            f"axis {axis!r}: expected values within ±1e305, which is as far as an axis reaches, found {found}; "
            "draw the others without these, or make them infinite if that is what they stand for"
        )


def padded(values: Floats, share: float = 0.05, around: tuple[float, float] = (-1.0, 1.0)) -> tuple[float, float]:
    """Limits that hold all finite values with a margin; ``around`` where there is none, one unit where all agree."""
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        return around
    low, high = float(finite.min()), float(finite.max())
    if max(-low, high) > FARTHEST:
        return low, high
    if low == high:
        half = max(1.0, abs(low) * 0.05)
        return low - half, high + half
    return low - share * (high - low), high + share * (high - low)


def at_infinity(ends: Mapping[str, float]) -> str:
    """How many trials lie where no axis reaches: ``(2 at LR = 0, 1 at LR = ∞)``, or nothing."""
    said = [f"{_whole(count)} at {where}" for where, count in ends.items() if count > 0]
    return f" ({', '.join(said)})" if said else ""


def _whole(count: float) -> str:
    return f"{count:,.0f}" if float(count).is_integer() or not math.isfinite(count) else f"{count:.4g}"

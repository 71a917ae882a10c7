"""What bands surround: some columns of a curve at a few places, as functions of re-weighted counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from deciban.counts.counts import Counts
from deciban.curves.thinning import LIMIT, Indices
from deciban.values.arrays import Floats

Ends = tuple[float, float]
Closed = Callable[[float], Sequence[Ends | None]]
"""Limits at each place, given the level; None where there are none."""

NONE: Final = (float("nan"), float("nan"))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Column:
    """A column of a curve with a band.

    Attributes
    ----------
    name
        Which column.
    values
        Its values at the places, in the counts of the data or of a replicate; NaN where it has none.
    closed, form
        Limits for independent trials where there is a closed form, and what that is called.
    at_least
        Limits for independent trials that those from replicates are widened to.
    method
        How limits are read from replicates: ``percentile``, or ``basic`` where resampling shifts the values.
    limits
        What limits that were read as ``basic`` are cut to, at each place.
    """

    name: str
    values: Callable[[Counts], Floats]
    closed: Closed | None = None
    form: str = "wilson"
    at_least: Closed | None = None
    method: Literal["percentile", "basic"] = "percentile"
    limits: tuple[Floats | float, Floats | float] = (-np.inf, np.inf)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plan:
    """What the bands of one curve surround.

    Attributes
    ----------
    held
        What is held fixed, one value for each point of the curve; points with one value share their limits.
    places
        Its values at which limits are computed, increasing, the least and the greatest of ``held`` among them.
    columns
        What is surrounded, the main column first.
    fixed
        What ``held`` is called where it is not the threshold or the prior of the point.
    next_above
        Whether a point between two places has the limits of the upper one rather than of the lower: those of the place
        that the curve, drawn in steps, is near to.
    """

    held: Floats
    places: Floats
    columns: tuple[Column, ...]
    fixed: str = ""
    next_above: bool = False

    def at_points(self, ends: Sequence[Ends]) -> tuple[Floats, Floats]:
        """Limits at every point of the curve."""
        low, high = np.array(ends).T
        if self.next_above:
            at = np.searchsorted(self.places, self.held, side="left")
        else:
            at = np.searchsorted(self.places, self.held, side="right") - 1
        return low[at], high[at]


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A curve and what it was made of."""

    record: Any
    counts: Counts
    options: Mapping[str, Any]


def places(held: Floats, rows: Indices | None = None) -> Floats:
    """Where limits are computed: at the given rows, else at all, but at no more than :data:`LIMIT` values."""
    found = np.unique(held if rows is None else held[rows])
    return found if found.size <= LIMIT else found[np.linspace(0, found.size - 1, LIMIT).astype(np.intp)]

"""What is drawn: one record, or several by name, and points at given thresholds looked up in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

import numpy as np

from deciban.curves.curve import Band, Curve
from deciban.errors import OptionError
from deciban.plots.looks import MOST
from deciban.values.arrays import Floats, undefined_where

R = TypeVar("R")
Records: TypeAlias = R | Mapping[str, R]

Marks: TypeAlias = Mapping[str, float | Mapping[str, float]]
"""Operating points by the name that the legend gives them: a threshold, or one for each system by its name."""


class Unseen(dict[str, Any]):
    """Records that are drawn for the limits of their axes, on a sheet that nobody sees: there may be many."""


def by_name(plot: str, records: Any, kind: type[R], maker: str) -> dict[str, R]:
    """The records by name, one alone under the empty name; anything else is refused with what would make them."""
    found = dict(records) if isinstance(records, Mapping) else {"": records}
    if not found:
        raise OptionError(f"{plot}: expected at least one record, found none")
    if len(found) > MOST and not isinstance(records, Unseen):
        raise OptionError(
            f"{plot}: expected at most {MOST} systems on one set of axes, found {len(found)}: no more can be told "
            "apart; draw a panel for each (deciban.plots.multiples, or --panels)"
        )
    for name, record in found.items():
        if not isinstance(record, kind):
            where = f" under {name!r}" if isinstance(records, Mapping) else ""
            raise OptionError(
                f"{plot}: expected {kind.__name__} (what deciban.{maker} returns), found {type(record).__name__}{where}"
            )
    return {str(name): record for name, record in found.items()}


def band_around(record: Curve, column: str, main: str) -> Band | None:
    """The band around one column of a record; one that does not say which is around the ``main`` column."""
    if record.band is not None and (record.band.column or main) == column:
        return record.band
    return record.other_bands.get(column)


def changed(band: Band, change: Callable[[Floats], Floats]) -> Band:
    """A band whose limits were mapped, turned round where the map falls; not masked arithmetic, which hides inf."""
    ends = [change(np.asarray(end)) for end in (band.low, band.high)]
    missing = np.ma.getmaskarray(band.low)
    low, high = (undefined_where(missing, outer(*ends)) for outer in (np.minimum, np.maximum))
    return replace(band, low=low, high=high)


def marked(mark: Marks | None, names: Mapping[str, object]) -> Iterator[tuple[str, dict[str, float]]]:
    """Each operating point with its threshold for every system it is given for."""
    for label, given in (mark or {}).items():
        thresholds = dict(given) if isinstance(given, Mapping) else dict.fromkeys(names, float(given))
        if not thresholds:
            raise OptionError(f"mark: {label!r} has no threshold")
        unknown = [name for name in thresholds if name not in names]
        if unknown:
            raise OptionError(f"mark: {label!r} names {unknown[0]!r}, which is not among {', '.join(map(repr, names))}")
        if any(np.isnan(threshold) for threshold in thresholds.values()):
            raise OptionError(f"mark: {label!r} is no number")
        yield str(label), thresholds


def row_at(threshold: Floats, value: float) -> int:
    """The row of a decreasing column of thresholds that says what accepting at ``value`` does.

    A threshold between two scores accepts what the higher one does.
    """
    at = threshold.size - int(np.searchsorted(threshold[::-1], value, side="left")) - 1
    return max(at, 0)

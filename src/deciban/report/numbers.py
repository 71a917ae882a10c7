"""The numbers behind a drawing as CSV, and files that lie in the page as links to download."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from deciban.curves.curve import Curve, columns
from deciban.records.display import harmless
from deciban.records.figures import MetricValue

SAFE: Final = " !$()*,-./:;=?@[]^_{|}~+"
"""Signs that stand for themselves in the address of a file within the page; quotes and percent signs do not."""


def curve_csv(curves: Mapping[str, Curve]) -> str:
    """The columns of curves, one row per point; of several systems each row begins with the system's name.

    No two columns have one name: where a curve has a column ``system`` itself, that of the names is ``name``.
    """
    several = list(curves) != [""]
    held = {name: columns(curve) for name, curve in curves.items()}
    names = list(dict.fromkeys(column for one in held.values() for column in one))
    rows = []
    for name, one in held.items():
        cells = [one[column].tolist() if column in one else [None] * _length(one) for column in names]
        rows += [((name,) if several else ()) + row for row in zip(*cells, strict=True)]
    first = "name" if "system" in names else "system"
    return table_csv([first, *names] if several else names, rows)


def figures_csv(figures: Mapping[str, MetricValue]) -> str:
    """Figures with their intervals by name."""
    rows = [
        (name, f.value, f.interval.low if f.interval else None, f.interval.high if f.interval else None)
        for name, f in figures.items()
    ]
    return table_csv(["name", "value", "low", "high"], rows)


def table_csv(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows as CSV: every digit, no formula where a spreadsheet would see one, nothing for no value."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(harmless, head))
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def as_link(text: str, media_type: str) -> str:
    """The address of a file whose content is the text itself."""
    return f"data:{media_type};charset=utf-8,{quote(text, safe=SAFE)}"


def _length(held: Mapping[str, Any]) -> int:
    return next(iter(held.values())).size if held else 0


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        return harmless(value)
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else repr(value) if isinstance(value, float) else value

"""Tables of the page from figures of records, and from the tables that a record has already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from deciban.records.figures import MetricValue
from deciban.records.tables import Table
from deciban.report.naming import short_title, target_of, title_of
from deciban.report.section import Cell, TableBlock
from deciban.report.wording import (
    NO_BREAK,
    capital,
    exact_or_reason,
    interval_text,
    method_text,
    null_text,
    reason_text,
    value_text,
)

ACROSS: Final = 6
"""Columns of figures with intervals for which a sheet of paper has room."""


def figure_table(id_: str, caption: str, figures: Mapping[str, MetricValue]) -> TableBlock:
    """One figure a row: value, unit, interval, what calibrated LRs give, how the interval was made."""
    level = next((f"{100 * f.interval.level:g}\u202f% interval" for f in figures.values() if f.interval), "Interval")
    rows = [_full_row(key, figure) for key, figure in figures.items()]
    return TableBlock(id_, caption, ("Figure", "Value", level, "Interval made by"), tuple(rows), worded=(3,))


def _full_row(key: str, figure: MetricValue) -> tuple[Cell, ...]:
    interval = figure.interval
    sought = interval is None and figure.value is not None and figure.interval_reason != "not_computed"
    made = [method_text(interval)] if interval else [reason_text(figure.interval_reason)] if sought else []
    made += [f"if calibrated: {null_text(figure.null_band)}"] if figure.null_band else []
    unit = f"{NO_BREAK}{figure.unit}" if figure.unit and (figure.value, figure.bracket) != (None, None) else ""
    return (
        named(key),
        Cell(f"{value_text(figure)}{unit}", exact_or_reason(figure)),
        Cell(interval_text(interval)),
        Cell("", "; ".join(made)),
    )


def named(key: str) -> Cell:
    """The head of a row: a figure in words and as programs know it."""
    return Cell(title_of(key), code=key, target=target_of(key))


def with_interval(figure: MetricValue | None) -> Cell:
    """A value with its interval below, for a table of several systems or groups."""
    if figure is None:
        return Cell("")
    return Cell(value_text(figure), interval_text(figure.interval) or exact_or_reason(figure))


def in_columns(
    id_: str, caption: str, keys: Sequence[str], columns: Mapping[str, Mapping[str, MetricValue]]
) -> Iterator[TableBlock]:
    """Figures down the page, systems across, a few at a time."""
    names = list(columns)
    for start in range(0, len(names), ACROSS):
        part = names[start : start + ACROSS]
        rows = tuple((named(key), *(with_interval(columns[name].get(key)) for name in part)) for key in keys)
        yield TableBlock(f"{id_}-{start // ACROSS + 1}", _part(caption, start), ("Figure", *part), rows)


def in_rows(
    id_: str, caption: str, keys: Sequence[str], rows: Mapping[str, Mapping[str, MetricValue]], of: str
) -> Iterator[TableBlock]:
    """Groups down the page, figures across, a few at a time."""
    for start in range(0, len(keys), ACROSS):
        part = keys[start : start + ACROSS]
        cells = tuple(
            (Cell(name), *(with_interval(figures.get(key)) for key in part)) for name, figures in rows.items()
        )
        yield TableBlock(f"{id_}-{start // ACROSS + 1}", _part(caption, start), (of, *map(short_title, part)), cells)


def _part(caption: str, start: int) -> str:
    return f"{caption} (continued)" if start else caption


def of_record(id_: str, table: Table) -> TableBlock:
    """A table that the record has already."""
    head = table.head if any(table.head) else ("",) * len(table.head)
    rows = tuple(tuple(map(Cell, row)) for row in table.rows)
    return TableBlock(id_, table.title, tuple(map(capital, head)), rows)


def of_record_in_parts(id_: str, table: Table) -> Iterator[TableBlock]:
    """A table that the record has already with a column per system, a few at a time after the first one, of words."""
    names = range(1, len(table.head))
    for start in range(0, len(names), ACROSS):
        kept = (0, *names[start : start + ACROSS])
        rows = [tuple(row[at] for at in kept) for row in table.rows]
        part = Table(_part(table.title, start), tuple(table.head[at] for at in kept), rows)
        yield of_record(id_ if not start else f"{id_}-{start // ACROSS + 1}", part)

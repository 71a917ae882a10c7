"""The record for people and for other programs: text, Markdown, HTML, CSV and ``name value`` lines."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final, Protocol

from deciban.records.display import harmless, number, printable
from deciban.records.tables import Row, Table, full_findings, short_findings

if TYPE_CHECKING:
    from deciban.records.finding import Finding

PAGE: Final = 100
"""Width beyond which a table of text continues below; fixed, so that the same record gives the same text anywhere."""

_MARKUP: Final = re.compile(r"[\\`*\[\]<&|~$]|(?<!\w)_|_(?!\w)|#(?=#*\s*$)")
"""Signs that Markdown may take as markup; an underscore inside a word is none, number signs are where they end a line.

An ampersand begins an entity, which would show another name than the data hold; a dollar sign a formula.
"""


class Printed(Protocol):
    """A record that people read as tables with findings, and programs as rows."""

    @property
    def COLUMNS(self) -> tuple[str, ...]:  # noqa: N802 - a constant of the class
        """Names of the columns of the rows."""

    def tables(self) -> Iterator[Table]:
        """Return every table but the findings."""

    def all_findings(self) -> Sequence[Finding]:
        """Return what a reader must know beside the numbers."""

    def to_rows(self) -> list[dict[str, Any]]:
        """Return the record as rows."""

    def lines(self) -> Iterator[str]:
        """Return the record as ``name value`` lines."""


def as_text(result: Printed) -> str:
    """Aligned text, one table after another."""
    tables = list(result.tables())
    findings = result.all_findings()
    if findings:
        tables.append(Table("Findings", ("", "", ""), short_findings(findings)))
    return text_of(tables)


def text_of(tables: Iterable[Table]) -> str:
    """Aligned text of the tables of any record."""
    return "\n\n".join(_text(table) for table in tables) + "\n"


def as_markdown(result: Printed) -> str:
    """Markdown tables with headings."""
    return markdown_of(_with_findings(result))


def markdown_of(tables: Iterable[Table]) -> str:
    """Markdown of the tables of any record."""
    return "\n\n".join(_markdown(table) for table in tables) + "\n"


def as_html(result: Printed) -> str:
    """Escaped HTML tables without style or script, for notebooks."""
    return html_of(_with_findings(result))


def html_of(tables: Iterable[Table]) -> str:
    """HTML of the tables of any record."""
    return "\n".join(_html(table) for table in tables)


def as_csv(result: Printed) -> str:
    """One line per figure, every digit: the rows of the record.

    Control characters of the data are written as escapes, and a text that starts like a formula gets an apostrophe in
    front, as spreadsheets want it.
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=result.COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _cell(value) for key, value in row.items()} for row in result.to_rows())
    return out.getvalue()


def as_plain(result: Printed) -> str:
    """``name value`` lines: counts as whole numbers, the rest with six decimals, ``-`` for no value."""
    return "".join(f"{printable(line)}\n" for line in result.lines())


def plain_lines(values: Iterable[tuple[str, float | None]]) -> str:
    """``name value`` lines of numbers as small as 1/N: six significant digits, ``-`` for no value."""
    return "".join(f"{name} {number(value)}\n" for name, value in values)


def _cell(value: object) -> object:
    if isinstance(value, str):
        return harmless(value)
    return "" if value is None else repr(value) if isinstance(value, float) else value


def _with_findings(result: Printed) -> Iterator[Table]:
    yield from result.tables()
    yield from findings_table(result.all_findings())


def findings_table(findings: Sequence[Finding]) -> Iterator[Table]:
    """Every finding with its advice beside it; nothing where there is none."""
    if findings:
        yield Table("Findings", ("severity", "code", "what was found", "what to do"), full_findings(findings))


def _text(table: Table) -> str:
    lines = [tuple(map(printable, line)) for line in ([table.head] if any(table.head) else []) + table.rows]
    title = printable(table.title)
    blocks = [_aligned(block) for block in (_blocks(lines) if table.splits else [lines])]
    return "\n".join([title, "-" * len(title), "\n\n".join(blocks)])


def _blocks(lines: list[Row]) -> Iterator[list[Row]]:
    """Columns that fit on the page side by side, each block with the first column again."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    start = 1
    while start < len(widths):
        end, used = start + 1, widths[0] + 2 + widths[start]
        while end < len(widths) and used + 2 + widths[end] <= PAGE:
            used += 2 + widths[end]
            end += 1
        yield [(line[0], *line[start:end]) for line in lines]
        start = end


def _aligned(lines: list[Row]) -> str:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def _markdown(table: Table) -> str:
    lines = [table.head, tuple("---" for _ in table.head), *table.rows]
    return "\n".join(
        [f"## {_md(table.title)}", "", *("| " + " | ".join(_md(cell) for cell in line) + " |" for line in lines)]
    )


def _md(cell: str) -> str:
    """A heading, or a cell of a table, in Markdown; what data hold is shown and never taken as markup."""
    return _MARKUP.sub(r"\\\g<0>", printable(cell))


def _html(table: Table) -> str:
    top = ""
    if any(table.head):
        top = "<tr>" + "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.head) + "</tr>"
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>' + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:]) + "</tr>"
        for row in table.rows
    )
    return f"<table><caption>{escape(table.title)}</caption>{top}{body}</table>"

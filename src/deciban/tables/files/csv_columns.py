"""Columns added to a comma-separated file whose own text is copied as it stands: quotes, blanks, digits, line ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from deciban.errors import InputError
from deciban.tables.files.csv_files import CsvFile
from deciban.tables.files.dialect import records
from deciban.tables.files.text_lines import text_lines
from deciban.values.arrays import AnyArray


def append_cells(part: CsvFile, added: Mapping[str, AnyArray], path: Path) -> None:
    """Write a comma-separated file with more columns at its end.

    Parameters
    ----------
    part
        The file, separated by commas.
    added
        Float64 or Boolean columns, as long as the file; masked entries are empty cells.
    path
        Where to write.

    Raises
    ------
    InputError
        When the file cannot be read, or has another number of rows.
    QuoteError
        When a quote is written in a way that only DuckDB understands.
    OSError
        When the new file cannot be written.
    """
    n = len(next(iter(added.values())))
    rows = _rows(part)
    with path.open("w", encoding="utf-8", newline="") as out:
        if part.dialect.header:
            before, end = next(rows)
        else:
            before, end = ",".join(part.names), "\n"
        out.write(f"{before},{','.join(map(_quoted, added))}{end}")
        found = 0
        cells = zip(*map(_cells, added.values()), strict=True)
        for values, (text, end) in zip(cells, rows, strict=False):
            out.write(f"{text},{','.join(values)}{end}")
            found += 1
        if found != n or next(rows, None) is not None:
            raise InputError(f"{part.file.name}: it changed while it was read: expected {n} rows")


def _rows(part: CsvFile) -> Iterator[tuple[str, str]]:
    """The text of each record, and the line end after it."""
    lines: list[str] = []

    def noted() -> Iterator[str]:
        for line in text_lines(part.file):
            lines.append(line)
            yield line

    for _ in records(noted(), part.dialect.delimiter):
        text = "".join(lines)
        lines.clear()
        # Blank lines before a record are no part of it, and the reader has passed over them.
        text = text.lstrip("\r\n")
        body = text.rstrip("\r\n")
        yield body, text[len(body) :] or "\n"


def _cells(column: AnyArray) -> Iterator[str]:
    """Values as text: the shortest that give the same number again."""
    values = np.ma.getdata(column).tolist()
    texts = ("true" if value else "false" for value in values) if column.dtype.kind == "b" else map(repr, values)
    if not np.ma.is_masked(column):
        return iter(texts)
    absent = np.ma.getmaskarray(column).tolist()
    return ("" if gone else text for text, gone in zip(texts, absent, strict=True))


def _quoted(name: str) -> str:
    special = any(mark in name for mark in ',"\r\n') or name != name.strip()
    return '"' + name.replace('"', '""') + '"' if special else name

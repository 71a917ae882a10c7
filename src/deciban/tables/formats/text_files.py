"""Text files of a format: which layout one has, told from its first lines, and on which line a row is."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from deciban.errors import InputError
from deciban.tables.files.csv_files import CsvFile
from deciban.tables.files.dialect import Dialect, QuoteError, Record, records
from deciban.tables.files.inputs import InputFile
from deciban.tables.files.json_files import JsonLines
from deciban.tables.files.text_lines import sample, text_lines
from deciban.tables.formats.layout import LOOKED_AT, Fit, Layout, fit

SEPARATORS: Final = ("\t", " ", None, ",", ";", "|")
"""What may stand between columns, in the order in which they are tried; None is any run of blanks."""

Looked = list[tuple[Fit, Dialect]]
"""For each layout how well a file fits it, and how the file is then written."""


def look(file: InputFile, layouts: Iterable[Layout]) -> Looked:
    """Compare the first lines of a file with layouts, each with the separator that suits it best."""
    text, complete = sample(file)
    lines = list(io.StringIO(text, newline=""))
    split = [(separator, found) for separator in SEPARATORS if (found := _records(lines, separator))]
    best: Looked = []
    for layout in layouts:
        tried = [(fit(layout, found), separator, found) for separator, found in split]
        if tried:
            fitted, separator, found = max(tried, key=lambda one: one[0].near)
            best.append((fitted, _dialect(fitted, separator, found, complete)))
    return best


def _suits(one: tuple[Fit, Dialect]) -> tuple[bool, int, float]:
    """What makes a layout the better one: most lines fit, its header names more columns, more lines fit."""
    fitted, _ = one
    return fitted.share >= 0.5, len(fitted.layout.columns) * fitted.layout.header, fitted.share


def widths(file: InputFile) -> set[int]:
    """How many columns the lines of a file may have: as many as most have, for each separator."""
    lines = list(io.StringIO(sample(file)[0], newline=""))
    split = [found for separator in SEPARATORS if (found := _records(lines, separator))]
    return {Counter(len(cells) for _, cells in found).most_common(1)[0][0] for found in split}


def open_text(file: InputFile, looked: Looked, reader: str) -> tuple[Layout, CsvFile]:
    """The file under the layout that fits best; raises with its first line that fits none when few lines do.

    Labels that are none of the words of a layout fit, since their meaning may be declared; else they are told later.
    """
    if not looked:
        raise InputError(f"{file.name}: line 1: expected lines for the reader {reader}, found only blank ones")
    fitted, dialect = max(looked, key=_suits)
    if fitted.share < 0.5:
        fitted, dialect = max(looked, key=lambda one: (one[0].shaped, one[0].wide))
    if fitted.shaped < 0.5:
        others = {str(one.layout): None for one, _ in looked}
        raise InputError(
            f"{file.name}: {fitted.fault}; the reader {reader} takes {' or '.join(map(repr, others))} here"
        )
    return fitted.layout, CsvFile(file, (), dialect)


def first_rows(part: object) -> list[list[str]]:
    """The cells of the first rows of a text file."""
    if not isinstance(part, CsvFile):
        return []
    found = _records(list(io.StringIO(sample(part.file)[0], newline="")), part.dialect.delimiter)
    return [cells for _, cells in found[part.dialect.header :] if len(cells) == len(part.names)]


def line_numbers(part: object, rows: Sequence[int]) -> list[int]:
    """The lines of a text file that rows are on, both counted in the order of the file; rows from 0."""
    wanted, found = set(rows), dict[int, int]()
    if isinstance(part, CsvFile):
        numbered: Iterable[Record] = records(text_lines(part.file), part.dialect.delimiter)
        before = int(part.dialect.header)
    elif isinstance(part, JsonLines):
        numbered = ((line, [text]) for line, text in enumerate(text_lines(part.file), 1) if text.strip())
        before = 0
    else:
        return [row + 1 for row in rows]
    for row, (line, _) in enumerate(numbered, -before):
        if row in wanted:
            found[row] = line
        if len(found) == len(wanted):
            break
    return [found[row] for row in rows]


def _records(lines: Sequence[str], separator: str | None) -> list[Record]:
    """The first records; none where quotes do not pair, which another separator may mend."""
    found: list[Record] = []
    try:
        found.extend(islice(records(lines, separator), LOOKED_AT))
    except QuoteError as fault:
        # The end of the sample may cut a quoted field.
        return found if "never closed" in fault.message else []
    return found


def _dialect(fitted: Fit, separator: str | None, found: Sequence[Record], complete: bool) -> Dialect:
    header = fitted.layout.header
    return Dialect(
        delimiter=separator,
        names=fitted.names,
        header=header,
        blank_lines=found[0][0] - 1,
        only_header=header and complete and len(found) == 1,
        first_line=found[1][0] if header and len(found) > 1 else found[0][0] + header,
    )

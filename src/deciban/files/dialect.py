"""How a delimited text file is written: its delimiter and header, settled by rule on its first lines.

A guess that skips lines, or takes a header for data, changes every figure without a word. So the delimiter must split
all lines alike, no line is skipped, and whether there is a header follows from the column names that were asked for.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from deciban.columns import USUAL_LABEL, USUAL_SCORE
from deciban.errors import InputError

DELIMITERS: Final = ("\t", ";", "|", ",", " ")
SAID: Final = {"\t": "tab", " ": "space", None: "white space"}
_NUMBER = re.compile(r"\s*[+-]?(\d+([.,]\d*)?([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf|infinity|nan)\s*", re.IGNORECASE)
_POSITIONAL = re.compile(r"column\d+")

Record = tuple[int, list[str]]
"""The line a record starts on, from 1, and its fields."""


class QuoteError(Exception):
    """A record whose quotes do not pair; ``line`` is where it starts."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line, self.message = line, message


@dataclass(frozen=True, slots=True)
class Dialect:
    """What is needed to read a delimited file: ``delimiter`` None is any run of white space."""

    delimiter: str | None
    names: tuple[str, ...]
    header: bool
    blank_lines: int
    only_header: bool


def records(lines: Iterable[str], delimiter: str | None) -> Iterator[Record]:
    """The records of a file with the line each starts on; blank lines are passed over, as DuckDB does.

    Raises :class:`QuoteError` for a quote that does not end, or that does not end its field.
    """
    if delimiter is None:
        yield from ((number, line.split()) for number, line in enumerate(lines, 1) if line.strip())
        return
    # A quote after a blank opens a quoted field for DuckDB, so it must for us.
    reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=delimiter != " ")
    start = 1
    try:
        for record in reader:
            if record:
                yield start, record
            start = reader.line_num + 1
    except csv.Error as error:
        raise QuoteError(start, _said(str(error))) from None


def _said(error: str) -> str:
    if "unexpected end" in error:
        return "a quote is opened and never closed"
    if "field limit" in error:
        return f"a field is longer than {csv.field_size_limit()} characters (is a quote never closed?)"
    return f"a quote inside a quoted field must be doubled ({error})"


def find_dialect(sample: str, complete: bool, given: Sequence[str], what: str) -> Dialect:
    """Settle delimiter and header from the start of a file.

    Parameters
    ----------
    sample, complete
        The first lines, and whether they are the whole file.
    given
        Column names that were asked for: they decide whether the first line is a header.
    what
        How the file is called in errors.
    """
    lines = list(io.StringIO(sample, newline=""))
    if not any(line.strip() for line in lines):
        raise InputError(f"{what}: the file holds only blank lines")
    candidates: list[tuple[float, int, int, str | None, list[Record]]] = []
    ragged: list[tuple[int, str, list[Record], int]] = []
    for rank, delimiter in enumerate(DELIMITERS):
        found = _records_of_sample(lines, delimiter, complete)
        width, share = Counter(len(record) for _, record in found).most_common(1)[0]
        if share == len(found) and width > 1:
            candidates.append((_numeric_share(found), width, -rank, delimiter, found))
        elif width > 1:
            ragged.append((share, delimiter, found, width))
    if not candidates and '"' not in sample:
        found = list(records(lines, None))
        width = len(found[0][1])
        if width > 1 and all(len(record) == width for _, record in found):
            candidates.append((1.0, width, 0, None, found))
    if not candidates:
        raise InputError(f"{what}: {_no_delimiter(ragged, lines)}")
    *_, chosen, found = max(candidates, key=lambda candidate: candidate[:3])
    names, header = _header(found[0][1], given)
    blank = found[0][0] - 1
    return Dialect(chosen, names, header, blank, only_header=header and complete and len(found) == 1)


def _records_of_sample(lines: list[str], delimiter: str, complete: bool) -> list[Record]:
    """The whole records of the sample; one that the end of the sample cuts is left out, a broken one is empty."""
    found: list[Record] = []
    try:
        # Not a comprehension: what was read before a fault is kept.
        found.extend(records(lines, delimiter))
    except QuoteError as fault:
        if complete or "never closed" not in fault.message:
            found.append((fault.line, []))
    return found or [(1, [])]


def _numeric_share(found: list[Record]) -> float:
    cells = [cell for _, record in found[1:200] or found for cell in record]
    return sum(_NUMBER.fullmatch(cell) is not None for cell in cells) / len(cells)


def _no_delimiter(ragged: list[tuple[int, str, list[Record], int]], lines: list[str]) -> str:
    """Why no delimiter splits the lines alike: the first line that differs from most, or that there is one column."""
    if not ragged:
        shown = lines[0].strip()[:60]
        return (
            f"expected columns of scores and labels, found one column only (line 1: {shown!r}); separate the columns "
            "with commas, semicolons, tabs or spaces"
        )
    _, delimiter, found, width = max(ragged, key=lambda item: item[0])
    line, record = next((line, record) for line, record in found if len(record) != width)
    if not record:
        return f"line {line}: a quote is opened and never closed, or stands inside a quoted field without being doubled"
    return field_count(line, width, record, delimiter)


def field_count(line: int, width: int, record: Sequence[str], delimiter: str | None) -> str:
    """The message about a line with too many or too few fields."""
    shown = (delimiter or " ").join(record)
    shown = shown if len(shown) <= 60 else shown[:60] + "…"
    separator = SAID.get(delimiter, repr(delimiter))
    return (
        f"line {line}: expected {width} fields separated by {separator}, found {len(record)} ({shown!r}); every line "
        "needs the same number, titles and comments included; quote a field that holds the separator"
    )


def _header(first: Sequence[str], given: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """Column names, and whether the first record holds them: decided by the names that were asked for."""
    names = tuple(cell.strip() or f"column{position}" for position, cell in enumerate(first))
    positions = tuple(f"column{position}" for position in range(len(first)))
    if any(name in names for name in given):
        return names, True
    if given and all(_POSITIONAL.fullmatch(name) for name in given):
        return positions, False
    folded = {name.casefold() for name in names}
    usual = not folded.isdisjoint(USUAL_SCORE) and not folded.isdisjoint(USUAL_LABEL)
    if usual or not any(_NUMBER.fullmatch(cell) for cell in first):
        return names, True
    return positions, False

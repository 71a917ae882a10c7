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

from deciban.errors import InputError, listing
from deciban.tables.column_names import USUAL_LABEL, USUAL_SCORE

DELIMITERS: Final = ("\t", ";", "|", ",", " ")
_NUMBER = re.compile(r"\s*[+-]?(\d+([.,]\d*)?([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf|infinity|nan)\s*", re.IGNORECASE)
_POSITIONAL = re.compile(r"column\d+")

Record = tuple[int, list[str]]
"""The line a record starts on, from 1, and its fields."""


class QuoteError(Exception):
    """A record whose quotes do not pair; ``line`` is where it starts."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line, self.message = line, message


class RaggedError(Exception):
    """No delimiter splits all lines alike; ``delimiter`` splits most of them, into ``width`` fields."""

    def __init__(self, delimiter: str, width: int) -> None:
        super().__init__(delimiter, width)
        self.delimiter, self.width = delimiter, width


@dataclass(frozen=True, slots=True)
class Dialect:
    """What is needed to read a delimited file: ``delimiter`` None is any run of white space.

    ``empty`` are the columns whose cell in the header is empty, and ``first_line`` is the line of the first row.
    """

    delimiter: str | None
    names: tuple[str, ...]
    header: bool
    blank_lines: int = 0
    only_header: bool = False
    empty: tuple[str, ...] = ()
    first_line: int = 1

    @property
    def naming(self) -> str:
        """Which names are positions, and why; empty when all are the file's own."""
        if not self.header:
            return "named by position: no header was found"
        if self.empty:
            return f"{listing(map(repr, self.empty))}: named by position, the header has no name there"
        return ""


def records(lines: Iterable[str], delimiter: str | None, *, blanks: bool = False) -> Iterator[Record]:
    """The records of a file with the line each starts on; blank lines are passed over, as DuckDB does.

    Blanks at the start of a field are left out, or kept with ``blanks``, when a quote after one is like any other
    letter. Raises :class:`QuoteError` for a quote that does not end, or that does not end its field.
    """
    if delimiter is None:
        yield from ((number, line.split()) for number, line in enumerate(lines, 1) if line.strip())
        return
    # A quote after a blank opens a quoted field for DuckDB, so it must for us.
    reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=delimiter != " " and not blanks)
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

    Raises
    ------
    RaggedError
        When the lines have different numbers of fields.
    """
    lines = list(io.StringIO(sample, newline=""))
    if not any(line.strip() for line in lines):
        raise InputError(f"{what}: the file holds only blank lines")
    candidates: list[tuple[float, int, int, str | None, list[Record]]] = []
    ragged: list[tuple[int, int, str]] = []
    for rank, delimiter in enumerate(DELIMITERS):
        found = _records_of_sample(lines, delimiter, complete)
        width, share = Counter(len(record) for _, record in found).most_common(1)[0]
        if share == len(found) and width > 1:
            candidates.append((_numeric_share(found), width, -rank, delimiter, found))
        elif width > 1:
            ragged.append((share, width, delimiter))
    if not candidates and '"' not in sample:
        found = list(records(lines, None))
        width = len(found[0][1])
        if width > 1 and all(len(record) == width for _, record in found):
            candidates.append((1.0, width, 0, None, found))
    if not candidates and ragged:
        _, width, delimiter = max(ragged, key=lambda item: item[0])
        raise RaggedError(delimiter, width)
    if not candidates and _names_a_column(lines, given):
        # Cases to be calibrated may be scores and nothing else.
        candidates.append((1.0, 1, 0, DELIMITERS[0], _records_of_sample(lines, DELIMITERS[0], complete)))
    if not candidates:
        raise InputError(
            f"{what}: expected columns of scores and labels, found one column only (line 1: "
            f"{lines[0].strip()[:60]!r}); separate the columns with commas, semicolons, tabs or spaces"
        )
    *_, chosen, found = max(candidates, key=lambda candidate: candidate[:3])
    names, header = _header(found[0][1], given)
    empty = [name for name, cell in zip(names, found[0][1], strict=True) if header and not cell.strip()]
    return Dialect(
        delimiter=chosen,
        names=names,
        header=header,
        blank_lines=found[0][0] - 1,
        only_header=header and complete and len(found) == 1,
        empty=tuple(empty),
        first_line=found[1][0] if header and len(found) > 1 else found[0][0] + header,
    )


def _names_a_column(lines: list[str], given: Sequence[str]) -> bool:
    """Whether the first line, all of it, is the name of a column that was asked for or of scores."""
    first = next(line for line in lines if line.strip()).strip()
    return first in given or first.casefold() in USUAL_SCORE


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


def _header(first: Sequence[str], given: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """Column names, and whether the first record holds them: decided by the names that were asked for.

    A header's empty cell is a column named by its position.
    """
    cells = {cell.strip() for cell in first if cell.strip()}
    names = tuple(cell.strip() or f"column{position}" for position, cell in enumerate(first))
    positions = tuple(f"column{position}" for position in range(len(first)))
    numeric = any(_NUMBER.fullmatch(cell) for cell in first)
    if not cells.isdisjoint(given) or (not numeric and not set(names).isdisjoint(given)):
        return names, True
    if given and all(_POSITIONAL.fullmatch(name) for name in given):
        return positions, False
    folded = {name.casefold() for name in names}
    usual = not folded.isdisjoint(USUAL_SCORE) and not folded.isdisjoint(USUAL_LABEL)
    if usual or not numeric:
        return names, True
    return positions, False

"""Files as one table: each read by what its content says it is, several joined under each other."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from deciban.counts.tally import too_many_trials
from deciban.errors import InputError, listing
from deciban.tables.engines import LARGE, scores_repeat
from deciban.tables.files.array_files import ParquetFile, array_columns, arrow_table, naming_of, npy_array, npz_columns
from deciban.tables.files.csv_files import CsvFile
from deciban.tables.files.duck import Fetched, Grouping, Role, TooManyRowsError, literal
from deciban.tables.files.inputs import Input, InputFile, input_files, recorded_name
from deciban.tables.files.json_files import JsonLines, holds_json, json_array
from deciban.tables.frames import FrameSource, MappingSource
from deciban.trials.labels import value_text
from deciban.values.arrays import AnyArray, as_column
from deciban.values.coded import Coded, Column, whole

MOST_READ: Final = 200_000_000
"""Rows of files that are read one by one: about 6 GB of memory."""

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

FILE_COLUMN = "file"
"""The column that several files get, to tell their rows apart."""

_ROWS: Final = re.compile(r"\brows? \d")


class Part(Protocol):
    """One source of columns: names at once, values when asked.

    ``naming`` says which names are positions (empty: none). ``first_line`` is the line of a text file that row 1 is on,
    0 where there are no lines.
    """

    names: tuple[str, ...]
    naming: str
    first_line: int

    def fetch(self, wanted: Sequence[tuple[str, Role]]) -> Mapping[tuple[str, Role], object]:
        """The wanted columns for what each is read."""
        ...

    def give_all(self, db: DuckDBPyConnection, view: str) -> None:
        """Give a database all columns, as they are, as ``c0``, ``c1``, … of a view or table, in order."""
        ...


CountingPart = CsvFile | ParquetFile | JsonLines
"""Files whose rows DuckDB can count instead of handing them over: read as a stream, they may be larger than memory."""


class ArrowFile:
    """One Arrow IPC file, whose columns go the way of a PyArrow table."""

    naming = ""
    first_line = 0

    def __init__(self, file: InputFile) -> None:
        self.file = file
        self.names = FrameSource(arrow_table(file), file.name).names

    def fetch(self, wanted: Sequence[tuple[str, Role]]) -> Mapping[tuple[str, Role], object]:
        """The wanted columns."""
        table = arrow_table(self.file, list(dict.fromkeys(name for name, _ in wanted)))
        return FrameSource(table, self.file.name).fetch(wanted)

    def give_all(self, db: DuckDBPyConnection, view: str) -> None:
        """Give a database all columns, with the types that it takes them for."""
        db.register(view, arrow_table(self.file, self.names).rename_columns([f"c{i}" for i in range(len(self.names))]))


class FileSource:
    """One file or several as one table."""

    engine = "duckdb"

    def __init__(self, source: object, given: Sequence[str]) -> None:
        self.files = input_files(source)
        self.parts = [_part(file, given) for file in self.files]
        paths = [file.name for file in self.files]
        self.what = paths[0] if len(paths) == 1 else f"{len(paths)} files ({listing(paths)})"
        self.names = self._common_names()
        self.naming = self.parts[0].naming
        self.inputs: tuple[Input, ...] = ()

    def _common_names(self) -> tuple[str, ...]:
        first = self.parts[0].names
        known = set(first)
        for file, part in zip(self.files, self.parts, strict=True):
            own = set(part.names)
            lacking = [name for name in first if name not in own]
            beyond = [name for name in part.names if name not in known]
            if lacking or beyond:
                differs = [f"lacks {listing(map(repr, lacking))}"] if lacking else []
                differs += [f"has {listing(map(repr, beyond))} more"] if beyond else []
                raise InputError(
                    f"{file.name}: several files are read as one table and need the same columns; this one "
                    f"{' and '.join(differs)}, compared with {self.files[0].name}"
                )
        several = len(self.files) > 1 and FILE_COLUMN not in first
        return (*first, FILE_COLUMN) if several else first

    @property
    def fits(self) -> bool:
        """Whether trials can be read one by one into memory."""
        return self._rows <= MOST_READ

    @cached_property
    def _rows(self) -> int:
        """About how many rows there are in the files that say so; 0 where they are too small to hold many."""
        if sum(file.size for file in self.files) < LARGE // 8:
            return 0
        return sum(part.rows() for part in self._counting)

    @property
    def _counting(self) -> list[CountingPart]:
        """The files whose rows can be counted where they are."""
        return [part for part in self.parts if isinstance(part, CountingPart)]

    def counts(self, score: str, *, in_buckets: bool) -> bool:
        """Whether the files are better counted where they are: they are large, and their scores or buckets repeat."""
        if self._rows <= LARGE or not all(isinstance(part, CountingPart) for part in self.parts):
            return False
        looked_at, different = self._sampled(score)
        return looked_at > 0 if in_buckets else scores_repeat(self._rows, looked_at, different)

    def repeats(self, score: str) -> bool:
        """Whether there are far fewer scores than rows."""
        return scores_repeat(self._rows, *self._sampled(score))

    def _sampled(self, score: str) -> tuple[int, int]:
        """How many scores of the largest file were looked at, and how many are different."""
        return max(self._counting, key=lambda part: part.file.size).sampled(score)

    def tally(self, wanted: Sequence[tuple[str, Role]], grouping: Grouping) -> Fetched:
        """The wanted columns of rows that differ, with how many trials each stands for; ``inputs`` is filled."""
        found = self.fetch(wanted, grouping)
        if grouping.key is not None and found.resolution is None:
            # Whole numbers in one of the files are counted as they are, and so must all be.
            return self.fetch(wanted, Grouping(grouping.most))
        return found

    def fetch(self, wanted: Sequence[tuple[str, Role]], grouping: Grouping | None = None) -> Fetched:
        """The wanted columns of all files; with ``grouping``, rows that are alike as one. ``inputs`` is filled."""
        if grouping is None and not self.fits:
            raise InputError(too_many_trials(self.what, self._rows, MOST_READ))
        added = len(self.names) > len(self.parts[0].names)
        inner = [(name, role) for name, role in wanted if not (added and name == FILE_COLUMN)]
        with ThreadPoolExecutor(1) as pool:
            # Hashing leaves the interpreter free, and a damaged archive is better named by it than by a reader.
            prints = [pool.submit(file.fingerprint) for file in self.files]
            read = [
                _columns(part, inner, file.name, grouping) for part, file in zip(self.parts, self.files, strict=True)
            ]
            digests = [digest.result() for digest in prints]
        tables: list[Fetched] = []
        for table in read:
            if isinstance(table, InputError):
                raise table
            tables.append(table)
        sizes = [next(iter(table.values())).shape[0] if table else 0 for table in tables]
        trials = [
            size if table.times is None else int(table.times.sum()) for table, size in zip(tables, sizes, strict=True)
        ]
        self.inputs = tuple(
            Input(recorded_name(file), digest, file.size, rows)
            for file, digest, rows in zip(self.files, digests, trials, strict=True)
        )
        if sum(sizes) == 0:
            raise InputError(f"{self.what}: there are column names but no rows")
        filled = [table for table, size in zip(tables, sizes, strict=True) if size]
        joined = Fetched({key: join([table[key] for table in filled]) for key in inner})
        # Names of files are long and rows many: they are repeated for each row only where that was asked for.
        joined |= {key: np.repeat([file.name for file in self.files], sizes) for key in wanted if key not in inner}
        if grouping is not None:
            widths = {table.resolution for table in filled}
            joined.resolution = widths.pop() if len(widths) == 1 else None
            joined.times = np.concatenate([table.times for table in filled if table.times is not None])
            if joined.times.size > grouping.most:
                raise TooManyRowsError(grouping.most, joined.times.size)
        before = np.cumsum([0, *sizes]).tolist()
        for rows_before, table in zip(before, tables, strict=False):
            joined.faults += [fault.moved(rows_before) for fault in table.faults]
            joined.notes += [note for note in table.notes if note not in joined.notes]
        return joined

    def give_all(self, db: DuckDBPyConnection) -> str:
        """Give a database every column of all files; the SQL that yields them, as ``c0``, ``c1``, … in order."""
        selects = []
        for number, (file, part) in enumerate(zip(self.files, self.parts, strict=True)):
            part.give_all(db, f"part{number}")
            place = {name: f"c{position}" for position, name in enumerate(part.names)}
            shown = [place.get(name, literal(file.name)) for name in self.names]
            columns = ", ".join(f"{value} AS c{position}" for position, value in enumerate(shown))
            selects.append(f"SELECT {columns} FROM part{number}")
        return " UNION ALL ".join(selects)

    def where_rows_are(self, message: str) -> str:
        """A clause for a message that names rows: which line row 1 is on, or which rows each of several files has."""
        if _ROWS.search(message) is None:
            return ""
        if len(self.inputs) > 1:
            end = np.cumsum([file.rows for file in self.inputs]).tolist()
            spans = [f"{file.path} {last - file.rows + 1}–{last}" for file, last in zip(self.inputs, end, strict=True)]
            return f"\n  rows are counted through the files: {listing(spans)}"
        line = self.parts[0].first_line
        where = f"row 1 is line {line}"
        return "" if line <= 1 else f"\n  {where}" if "\n" in message else f" ({where})"


def _part(file: InputFile, given: Sequence[str]) -> Part:
    """The reader of one file."""
    if file.kind == "hdf5":
        raise InputError(
            f"{file.name}: this is an HDF5 file: matrices of BOSARIS are read with reader='bosaris-hdf5' and a key= "
            "(--reader, --key); export other tables as CSV or Parquet"
        )
    if file.kind == "parquet":
        return ParquetFile(file)
    if file.kind == "arrow":
        return ArrowFile(file)
    if file.kind == "npy":
        array = npy_array(file)
        return MappingSource(array_columns(array, file.name), file.name, naming_of(array))
    if file.kind == "npz":
        return MappingSource(npz_columns(file), file.name)
    if file.kind == "json" or holds_json(file):
        columns = json_array(file)
        return JsonLines(file) if columns is None else MappingSource(columns, file.name)
    return CsvFile(file, given)


def _columns(
    part: Part, wanted: Sequence[tuple[str, Role]], what: str, grouping: Grouping | None
) -> Fetched | InputError:
    """The columns of one file, or what is wrong with them: damage that its fingerprint finds is told first."""
    try:
        found = part.fetch(wanted, grouping) if isinstance(part, CountingPart) else part.fetch(wanted)
        columns = Fetched({key: fetched_column(column, key[0]) for key, column in found.items()})
    except InputError as error:
        return error
    if isinstance(found, Fetched):
        columns.faults, columns.notes, columns.times = found.faults, found.notes, found.times
        columns.resolution = found.resolution
    sizes = {name: column.shape[0] for (name, _), column in columns.items()}
    if len(set(sizes.values())) > 1:
        shown = ", ".join(f"{name} {size}" for name, size in sizes.items())
        return InputError(f"{what}: expected columns of one length, found {shown}")
    if grouping is not None and columns.times is None:
        columns.times = np.ones(next(iter(sizes.values()), 0), dtype=np.int64)
    return columns


def fetched_column(values: object, name: str) -> Column:
    """One dimension of values, or few of them that are coded."""
    return values if isinstance(values, Coded) else as_column(values, name)


def join(parts: Sequence[Column]) -> Column:
    """The same column of several files, one under the other; kinds that differ meet as text or objects."""
    if len(parts) == 1:
        return parts[0]
    coded = [part for part in parts if isinstance(part, Coded)]
    if len(coded) == len(parts):
        before = np.cumsum([0, *(part.values.size for part in coded)])
        codes = [part.codes + start for part, start in zip(coded, before, strict=False)]
        return Coded(_joined([part.values for part in coded]), np.concatenate(codes))
    return _joined([whole(part) for part in parts])


def _joined(parts: Sequence[AnyArray]) -> AnyArray:
    kinds = {part.dtype.kind for part in parts}
    if kinds <= set("U") or len({part.dtype for part in parts}) == 1:
        masked = any(isinstance(part, np.ma.MaskedArray) for part in parts)
        joined: AnyArray = np.ma.concatenate(parts) if masked else np.concatenate(parts)  # type: ignore[no-untyped-call]
        return joined
    objects = np.concatenate([part.astype(object) for part in parts])
    if kinds <= set("iuf"):
        return objects
    return np.array([value if value is None else value_text(value) for value in objects], dtype=object)

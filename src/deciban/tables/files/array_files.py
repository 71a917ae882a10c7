"""Parquet through DuckDB, Arrow IPC through PyArrow, .npy and .npz through NumPy."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from deciban.errors import InputError, MissingExtraError, listing
from deciban.tables.columns import refuse_duplicates
from deciban.tables.files.duck import Fetched, Grouping, Role, connect, exact_path, fetch, identifier, literal, sampled
from deciban.tables.files.inputs import InputFile
from deciban.values.arrays import AnyArray

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_PARQUET: Final = "read_parquet(?, hive_partitioning=false)"


class ParquetFile:
    """One Parquet file, read with the types it declares.

    ``declared`` are the names that the file has, where DuckDB calls columns otherwise.
    """

    naming = ""
    first_line = 0

    def __init__(self, file: InputFile) -> None:
        self.file = file
        path = exact_path(file.path)
        with self._read() as db:
            declared = db.execute("SELECT name, num_children FROM parquet_schema(?)", [path]).fetchall()
            names = self.declared = _top_level(declared)
            refuse_duplicates(names, file.name)
            if len({name.casefold() for name in names}) < len(names):
                # DuckDB renames the second of two names that differ in case only. Asked for always, its own names
                # would cost the square of their number.
                described = db.execute(f"DESCRIBE SELECT * FROM {_PARQUET}", [path])
                names = tuple(str(row[0]) for row in described.fetchall())
        self.names = names

    def fetch(self, wanted: Sequence[tuple[str, Role]], grouping: Grouping | None = None) -> Fetched:
        """The wanted columns; with ``grouping``, rows that are alike as one."""
        if any(not name for name, _ in wanted):
            raise InputError(f"{self.file.name}: a column without a name cannot be read; give it one")
        expressions = {(name, role): identifier(name) for name, role in wanted}
        with self._read() as db:
            return fetch(db, expressions, _PARQUET, [exact_path(self.file.path)], grouping)

    def rows(self) -> int:
        """How many rows the file says it has."""
        with self._read() as db:
            found = db.execute("SELECT num_rows FROM parquet_file_metadata(?)", [exact_path(self.file.path)]).fetchall()
        return int(found[0][0])

    def sampled(self, name: str) -> tuple[int, int]:
        """How many rows were looked at, and how many different values the column has there."""
        with self._read() as db:
            return sampled(db, identifier(name), _PARQUET, [exact_path(self.file.path)])

    @contextmanager
    def _read(self) -> Iterator[DuckDBPyConnection]:
        import duckdb

        try:
            with connect() as db:
                yield db
        except duckdb.Error as error:
            raise InputError(_damaged(self.file.name, "Parquet", error)) from None

    def give_all(self, db: DuckDBPyConnection, view: str) -> None:
        """Give a database all columns, with the types that it reads them as."""
        import duckdb

        # By position: a column may have no name.
        columns = ", ".join(f"c{position}" for position in range(len(self.names)))
        place = literal(exact_path(self.file.path))
        wide = "SELECT name, precision FROM parquet_schema(?) WHERE precision > 38 LIMIT 1"
        try:
            for name, digits in db.execute(wide, [exact_path(self.file.path)]).fetchall():
                raise InputError(
                    f"{self.file.name}: {name!r} has decimals of {digits} digits, which would be rounded; "
                    "store it as text or with at most 38"
                )
            db.execute(
                f"CREATE TEMP VIEW {view} AS SELECT {columns} FROM "
                f"read_parquet({place}, hive_partitioning=false) AS given({columns})"
            )
        except duckdb.Error as error:
            raise InputError(_damaged(self.file.name, "Parquet", error)) from None

    def notes(self) -> tuple[str, ...]:
        """What DuckDB does not read to the last digit, in words."""
        import duckdb

        old = "SELECT name FROM parquet_schema(?) WHERE type = 'INT96'"
        try:
            with connect() as db:
                found = [str(name) for (name,) in db.execute(old, [exact_path(self.file.path)]).fetchall()]
        except duckdb.Error as error:
            raise InputError(_damaged(self.file.name, "Parquet", error)) from None
        if not found:
            return ()
        return (f"{self.file.name}: {listing(map(repr, found))}: timestamps of type INT96, written in microseconds",)


def _top_level(elements: Sequence[tuple[str, int | None]]) -> tuple[str, ...]:
    """Names of the columns in a list of schema elements, where each is followed by its children; the root is first."""
    names: list[str] = []
    inside = 0
    for name, children in elements[1:]:
        if not inside:
            names.append(str(name))
        inside += (children or 0) - (inside > 0)
    return tuple(names)


def arrow_table(file: InputFile, names: Sequence[str] | None = None) -> Any:
    """A PyArrow table of an Arrow IPC file or stream, with the named columns only (none: just the schema)."""
    try:
        import pyarrow as pa
        import pyarrow.ipc
    except ImportError:
        raise MissingExtraError('reading Arrow IPC files needs PyArrow: pip install "deciban[arrow]"') from None

    try:
        with pa.memory_map(file.path) as source:
            is_file = source.read(6) == b"ARROW1"
            source.seek(0)
            reader = pa.ipc.open_file(source) if is_file else pa.ipc.open_stream(source)
            if names is None:
                return reader.schema.empty_table()
            return reader.read_all().select(list(names))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(_damaged(file.name, "Arrow IPC", error)) from None


def npy_array(file: InputFile) -> AnyArray:
    """The structured or two-dimensional array of a .npy file."""
    with file.open() as stream:
        try:
            array: AnyArray = np.lib.format.read_array(stream, allow_pickle=False)
        except (ValueError, EOFError, OSError) as error:
            raise InputError(_numpy_fault(file.name, error)) from None
    return array


def npz_columns(file: InputFile) -> dict[str, AnyArray]:
    """The named one-dimensional arrays of a .npz file."""
    try:
        with file.open() as stream, np.load(stream, allow_pickle=False) as archive:
            columns = {name: archive[name] for name in archive.files}
    except (ValueError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise InputError(_numpy_fault(file.name, error)) from None
    # Arrays of another shape may lie beside the trials; they are just no columns.
    flat = {name: array for name, array in columns.items() if array.ndim == 1}
    if not flat:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in columns.items()) or "no array"
        raise InputError(f"{file.name}: expected one-dimensional arrays by name (score=…, label=…), found {shapes}")
    return flat


def naming_of(array: AnyArray) -> str:
    """Why the columns of an array are named by position; empty when they have names."""
    return "" if array.dtype.names is not None else "named by position: an array has no column names"


def array_columns(array: AnyArray, what: str) -> dict[str, AnyArray]:
    """A structured array's fields, or the columns of a two-dimensional array as ``column0``, ``column1``."""
    if array.dtype.names is not None and array.ndim == 1:
        return {name: array[name] for name in array.dtype.names}
    if array.ndim == 2:
        return {f"column{position}": array[:, position] for position in range(array.shape[1])}
    raise InputError(
        f"{what}: expected a structured array or a two-dimensional one (a row for each trial), found "
        f"shape {array.shape}"
    )


def _numpy_fault(name: str, error: Exception) -> str:
    if "allow_pickle" in str(error) or "Object arrays" in str(error):
        return (
            f"{name}: holds Python objects, which are never loaded (loading them can run any code); save numbers and "
            "text: np.save(path, np.rec.fromarrays([scores, labels], names='score,label'))"
        )
    return _damaged(name, "NumPy", error)


def _damaged(name: str, kind: str, error: Exception) -> str:
    first = (str(error).strip() or type(error).__name__).splitlines()[0]
    return f"{name}: not a readable {kind} file, or damaged ({first})"

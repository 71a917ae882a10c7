"""A table of files with columns added, as CSV or Parquet, by the ending of its name.

One comma-separated file is copied character for character; all else goes through DuckDB, with the types that it has.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from deciban.errors import InputError
from deciban.tables.columns import refuse_duplicates
from deciban.tables.files.array_files import ParquetFile
from deciban.tables.files.csv_columns import append_cells
from deciban.tables.files.csv_files import CsvFile
from deciban.tables.files.dialect import QuoteError
from deciban.tables.files.duck import connect, identifier, interruptible, literal, register
from deciban.tables.files.source import FileSource
from deciban.values.arrays import AnyArray

FORMATS: Final = {".csv": "FORMAT csv, HEADER", ".parquet": "FORMAT parquet"}


_AS_LONG: Final = (
    "CASE WHEN t.here AND added.here THEN true "
    "ELSE error('it changed while it was read: it has another number of rows') END"
)
"""A condition that stops when one side has rows beyond the end of the other."""


def check_table_place(path: str | Path) -> None:
    """Raise :class:`InputError` unless the ending of a file's name says in which format it is to be written."""
    ending = Path(path).suffix.lower()
    if ending not in FORMATS:
        raise InputError(
            f"{path}: expected a name that ends in {' or '.join(FORMATS)}, found {ending or 'no ending'!r}"
        )


def write_with(source: FileSource, added: Mapping[str, AnyArray], path: Path, like: Path) -> tuple[str, ...]:
    """Write every column of a table as it is, and columns that are added; what is kept in part only, in words.

    Parameters
    ----------
    source
        The table, which has been read once.
    added
        Float64 or Boolean columns, as long as the table; masked entries are missing.
    path
        Where to write.
    like
        The name whose ending says the format, as ``path`` may be a temporary name.

    Raises
    ------
    InputError
        When a file cannot be read or written.
    OSError
        When the new file cannot be written.

    Notes
    -----
    One comma-separated file to CSV: its text is kept, quotes and line ends included. From other delimited text and
    JSON each cell is kept as text, in Parquet too: whether ``007`` is a number is not for deciban to say; a cell with
    nothing in it is null. From Parquet columns keep their values and the types that DuckDB has: numbers, text,
    decimals, dates, times, lists, structures, maps, UUIDs. Timestamps of type INT96 become microseconds, which is said;
    those of a zone are the same instants in UTC. What only the Arrow schema in a file tells (dictionaries, durations,
    zones, lists of one length, an index of pandas) becomes the type that the file stores it in: text, numbers.
    """
    check_table_place(like)
    ending = Path(like).suffix.lower()
    with interruptible():
        if len(source.parts) == 1:
            (part,) = source.parts
            if ending == ".csv" and isinstance(part, CsvFile) and part.dialect.delimiter == ",":
                with suppress(QuoteError):
                    append_cells(part, added, path)
                    return ()
        _through_duckdb(source, added, path, like)
        return tuple(note for part in source.parts if isinstance(part, ParquetFile) for note in part.notes())


def _through_duckdb(source: FileSource, added: Mapping[str, AnyArray], path: Path, like: Path) -> None:
    import duckdb

    for part in source.parts:
        names = part.declared if isinstance(part, ParquetFile) else source.names
        refuse_duplicates([name.casefold() for name in names], f"{source.what}, whatever the case of its letters")
        if not all(names):
            raise InputError(f"{source.what}: column {names.index('') + 1} has no name; give it one")
    columns = [*source.names, *added]
    try:
        with connect(threads=1) as db:
            register(db, "added", list(added.values()))
            relation = source.give_all(db)
            sides = [("t", len(source.names)), ("added", len(added))]
            places = [f"{side}.c{position}" for side, width in sides for position in range(width)]
            shown = ", ".join(f"{place} AS {identifier(name)}" for place, name in zip(places, columns, strict=True))
            db.execute(
                f"COPY (SELECT {shown} FROM (SELECT *, true AS here FROM ({relation})) t "
                f"POSITIONAL JOIN (SELECT *, true AS here FROM added) added WHERE {_AS_LONG}) "
                f"TO {literal(str(path))} ({FORMATS[Path(like).suffix.lower()]})"
            )
    except duckdb.Error as error:
        raise InputError(f"{like}: cannot be written: {str(error).splitlines()[0]}") from None

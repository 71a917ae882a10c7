"""What a source is: a table of a database, files of a format, a table of files, or a dataframe."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from deciban.counts.groups import by_columns
from deciban.errors import InputError, OptionError
from deciban.tables.addresses import is_address, read_address
from deciban.tables.blanks import Found
from deciban.tables.databases import DuckTable, PostgresTable, database_source
from deciban.tables.files.csv_files import CsvFile
from deciban.tables.files.duck import Role, interruptible
from deciban.tables.files.inputs import InputFile, input_files
from deciban.tables.files.source import FileSource
from deciban.tables.files.standard_input import refuse_stdin_twice
from deciban.tables.formats.catalogue import nearly, open_format
from deciban.tables.formats.reader import FormatFiles
from deciban.tables.frames import FrameSource, MappingSource, frame_source

Source = FileSource | FormatFiles | FrameSource | MappingSource | DuckTable | PostgresTable

Made = TypeVar("Made")


def open_source(
    source: object,
    given: Sequence[str],
    *,
    recognise: bool,
    query: str | None = None,
    key: str | os.PathLike[str] | None = None,
    reader: str | None = None,
    unmatched: str = "refuse",
) -> tuple[Source, str]:
    """Open a table whose columns are not read yet, and say what it is called in messages.

    Parameters
    ----------
    source, query, key, reader, unmatched
        As in :func:`deciban.scan`.
    given
        The columns that were given by name.
    recognise
        Whether files may be taken for those of a format by their first lines, unless the columns given are those of a
        table without a header (``column0``).

    Raises
    ------
    InputError
        When the source cannot be opened.
    OptionError
        When an option does not go with it.
    """
    if isinstance(source, (list, tuple)) and len(source) == 1 and is_address(source[0]):
        source = source[0]
    of_files = _names_files(source)
    if not of_files and (key is not None or reader is not None):
        raise OptionError("key, reader: expected files beside them, since a format is read from files")
    if is_address(source):
        with interruptible():
            database = database_source(read_address(str(source), query))
        return database, database.what
    if query is not None:
        raise OptionError(
            "query (--query): only databases are asked, as in duckdb:///FILE or postgresql://HOST/DATABASE"
        )
    if not of_files:
        return frame_source(source), "table"
    refuse_stdin_twice([("the scores", source), ("the key", key)])
    with interruptible():
        files = input_files(source)
        asked = key is not None or reader is not None
        format_ = open_format(files, key, reader, unmatched) if asked or recognise else None
        if format_ is not None and (asked or _has(format_.names, given)):
            return format_, format_.what
        table = FileSource(files, tuple(given))
        if format_ is not None and not _has(table.names, given):
            # Neither has them, and the names of the format say what could be meant.
            return format_, format_.what
    return table, table.what


@contextmanager
def nearest_format(source: Source, *, recognise: bool) -> Iterator[None]:
    """Say in an error about columns of which format files would be, and on which line they are not.

    ``recognise`` is whether they could have been recognised.
    """
    try:
        yield
    except InputError as error:
        if not recognise or not isinstance(source, FileSource):
            raise
        part = source.parts[0]
        near = nearly(source.files[0], header=part.dialect.header) if isinstance(part, CsvFile) else ""
        raise InputError(f"{error}{near}", error.problems) from None


def read_columns(source: Source, wanted: Sequence[tuple[str, Role]], make: Callable[[Found], Made]) -> Made:
    """Read columns and make something of them; an error that names rows says where these are."""
    try:
        with interruptible():
            return make(source.fetch(wanted))
    except InputError as error:
        raise InputError(f"{error}{where_rows_are(source, str(error))}", error.problems) from None


def where_rows_are(source: Source, message: str) -> str:
    """A clause for a message that names rows: where row 1 is, or which rows each of several files has."""
    return source.where_rows_are(message) if isinstance(source, (FileSource, FormatFiles)) else ""


def _has(names: Sequence[str], given: Sequence[str]) -> bool:
    """Whether every column given is there; ``"a,b"`` are two."""
    return {part for name in given for part in by_columns(name, names)} <= set(names)


def _names_files(source: object) -> bool:
    if is_address(source):
        return False
    if isinstance(source, (str, os.PathLike)):
        return True
    if isinstance(source, (list, tuple)) and any(map(is_address, source)):
        raise OptionError("expected one table of a database by itself, found several: evaluate each, or UNION them")
    paths = (str, os.PathLike, InputFile)
    return isinstance(source, (list, tuple)) and all(isinstance(item, paths) for item in source)

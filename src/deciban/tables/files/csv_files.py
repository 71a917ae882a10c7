"""Delimited text through DuckDB, with every part of the dialect told to it, and line numbers when it is refused."""

from __future__ import annotations

import codecs
import csv
import re
from typing import TYPE_CHECKING, Final

from deciban.errors import InputError
from deciban.tables.columns import refuse_duplicates
from deciban.tables.files.coding import first_values
from deciban.tables.files.csv_faults import refuse_broken_lines
from deciban.tables.files.dialect import Dialect, QuoteError, RaggedError, find_dialect, records
from deciban.tables.files.duck import Fetched, Grouping, Role, Wanted, connect, exact_path, fetch, literal, sampled
from deciban.tables.files.inputs import InputFile
from deciban.tables.files.plain_text import fetch_plain
from deciban.tables.files.scratch import Scratch
from deciban.tables.files.text_lines import estimated_rows, sample, text_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection

WIDE: Final = 1000
"""Columns beyond which Python picks out the wanted ones: the time DuckDB takes grows with the square of all columns."""

_FIXED = (
    "auto_detect=false, quote='\"', escape='\"', comment='', strict_mode=true, null_padding=false, "
    "ignore_errors=false, hive_partitioning=false"
)

_LINE_FEEDS = "new_line='\\n', "
"""What rewritten files have: DuckDB would take a line end in the first quoted field for theirs."""


class CsvFile:
    """One delimited file, whose columns are read by position.

    ``naming`` says which names are positions, ``first_line`` the line that its first row of data is on. How the file is
    written is found out, unless ``dialect`` says it.
    """

    def __init__(self, file: InputFile, given: Sequence[str], dialect: Dialect | None = None) -> None:
        self.file = file
        self.dialect = _found_dialect(file, given) if dialect is None else dialect
        self.names = self.dialect.names
        self.naming = self.dialect.naming
        self.first_line = self.dialect.first_line
        refuse_duplicates(self.names, file.name)

    def fetch(self, wanted: Sequence[tuple[str, Role]], grouping: Grouping | None = None) -> Fetched:
        """The wanted columns; with ``grouping``, rows that are alike as one. A fault raises with its lines."""
        if self.dialect.only_header:
            return Fetched()
        if grouping is None and (read := fetch_plain(self.file, self.dialect, wanted)) is not None:
            return read
        import duckdb

        if self.dialect.delimiter is not None and len(self.names) <= WIDE:
            try:
                relation = _relation(self.dialect, self.file.compression)
                found = self._read(self.file.path, relation, self.names, wanted, grouping)
                if next(iter(found.values())).shape[0]:
                    return found
                # There is a row: a blank line that ends in another way than the others hides all of them from DuckDB.
            except duckdb.Error:
                # DuckDB refuses more than must be refused (mixed line ends), and its messages speak of its options.
                pass
        names = tuple(dict.fromkeys(name for name, _ in wanted))
        plain = self._rewritten(names)
        try:
            relation = _relation(_plain(names), "none", _LINE_FEEDS)
            return self._read(plain.path, relation, names, wanted, grouping)
        except duckdb.Error as error:
            raise InputError(f"{self.file.name}: could not be read: {str(error).splitlines()[0]}") from None

    def give_all(self, db: DuckDBPyConnection, view: str) -> None:
        """Give a database all columns as text, each cell as it is written; a fault of the file raises with its lines.

        A cell of which nothing is written is null; one that is quoted and empty is an empty text.
        """
        import duckdb

        make = f"CREATE TEMP TABLE {view} AS SELECT * FROM "
        if self.dialect.delimiter is not None and len(self.names) <= WIDE:
            try:
                relation = _relation(self.dialect, self.file.compression, "allow_quoted_nulls=false, ")
                db.execute(make + relation, [exact_path(self.file.path)])
                if self.dialect.only_header or db.execute(f"SELECT count(*) FROM {view}").fetchall()[0][0]:
                    return
                db.execute(f"DROP TABLE {view}")
            except duckdb.Error:
                pass  # as in fetch
        quote_after_blank = re.compile(f'(^|{re.escape(self.dialect.delimiter or " ")}) +"')
        plain = self._rewritten(self.names, blanks=not any(map(quote_after_blank.search, text_lines(self.file))))
        try:
            db.execute(make + _relation(_plain(self.names), "none", _LINE_FEEDS), [exact_path(plain.path)])
        except duckdb.Error as error:
            raise InputError(f"{self.file.name}: could not be read: {str(error).splitlines()[0]}") from None

    def rows(self) -> int:
        """About how many rows the file has."""
        return estimated_rows(self.file)

    def sampled(self, name: str) -> tuple[int, int]:
        """How many rows were looked at, and how many different values the column has there; (0, 0) when unreadable."""
        import duckdb

        if self.dialect.delimiter is None or len(self.names) > WIDE:
            return 0, 0
        relation = _relation(self.dialect, self.file.compression)
        try:
            with connect() as db:
                return sampled(db, f"c{self.names.index(name)}", relation, [exact_path(self.file.path)])
        except duckdb.Error:
            return 0, 0

    def _read(
        self,
        path: str,
        relation: str,
        names: Sequence[str],
        wanted: Sequence[tuple[str, Role]],
        grouping: Grouping | None,
    ) -> Fetched:
        position = {name: f"c{index}" for index, name in enumerate(names)}
        expressions: Wanted = {(name, role): position[name] for name, role in wanted}
        texts = [position[name] for name, role in wanted if role in ("label", "group", "name")]
        with connect() as db:
            usual = first_values(db, texts, relation, [exact_path(path)])
            return fetch(db, expressions, relation, [exact_path(path)], grouping, usual)

    def _rewritten(self, names: Sequence[str], *, blanks: bool = False) -> Scratch:
        """The wanted columns in plain form in a temporary file; raises when a line cannot be read."""
        scratch = Scratch(self.file.name)
        width, delimiter = len(self.names), self.dialect.delimiter
        place = {name: index for index, name in enumerate(self.names)}
        taken = [place[name] for name in names]
        writer = csv.writer(codecs.getwriter("utf-8")(scratch.file), lineterminator="\n", quoting=csv.QUOTE_ALL)
        sound = True
        try:
            for index, (_, record) in enumerate(records(text_lines(self.file), delimiter, blanks=blanks)):
                if len(record) != width:
                    sound = False
                    break
                if index or not self.dialect.header:
                    writer.writerow([record[at] for at in taken])
            scratch.file.flush()
        except QuoteError:
            sound = False
        except OSError as error:
            raise scratch.unwritable(error) from None
        if not sound:
            refuse_broken_lines(self.file, delimiter, width)
        return scratch


def _found_dialect(file: InputFile, given: Sequence[str]) -> Dialect:
    """How a file is written, by its first lines."""
    text, complete = sample(file)
    try:
        return find_dialect(text, complete, given, file.name)
    except RaggedError as ragged:
        fault = ragged
    refuse_broken_lines(file, fault.delimiter, fault.width)
    raise InputError(f"{file.name}: no separator splits all lines into the same number of fields")


def _plain(names: Sequence[str]) -> Dialect:
    """How a rewritten file is written."""
    return Dialect(",", tuple(names), header=False)


def _relation(dialect: Dialect, compression: str, more: str = "") -> str:
    """The SQL of a delimited file, whose path is a parameter; its columns are called by their positions."""
    columns = ", ".join(f"'c{position}': 'VARCHAR'" for position in range(len(dialect.names)))
    return (
        f"read_csv(?, {_FIXED}, {more}delim={literal(dialect.delimiter or ',')}, header={dialect.header}, "
        f"skip={dialect.blank_lines}, compression={literal(compression)}, columns={{{columns}}})"
    )

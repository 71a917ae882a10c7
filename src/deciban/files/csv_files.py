"""Delimited text through DuckDB, with every part of the dialect told to it, and line numbers when it is refused."""

from __future__ import annotations

import csv
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from deciban.arrays import AnyArray
from deciban.columns import refuse_duplicates
from deciban.errors import InputError
from deciban.files.dialect import Dialect, QuoteError, field_count, find_dialect, records
from deciban.files.duck import Role, Wanted, connect, exact_path, fetch, literal
from deciban.files.inputs import InputFile
from deciban.files.text_lines import sample, text_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

_FIXED = (
    "auto_detect=false, quote='\"', escape='\"', comment='', strict_mode=true, null_padding=false, "
    "ignore_errors=false, hive_partitioning=false"
)


class CsvFile:
    """One delimited file, whose columns are read by position."""

    def __init__(self, file: InputFile, given: Sequence[str]) -> None:
        self.file = file
        text, complete = sample(file)
        self.dialect = find_dialect(text, complete, given, file.name)
        self.names = self.dialect.names
        refuse_duplicates(self.names, file.name)

    def fetch(self, wanted: Sequence[tuple[str, Role]]) -> dict[tuple[str, Role], AnyArray]:
        """The wanted columns; a fault of the file raises with its line."""
        import duckdb

        if self.dialect.only_header:
            return {}
        if self.dialect.delimiter is not None:
            try:
                return self._read(self.file.path, self.file.compression, self.dialect, wanted)
            except duckdb.Error:
                # DuckDB refuses more than must be refused (mixed line ends), and its messages speak of its options.
                pass
        plain = self._rewrite()
        try:
            comma = Dialect(",", self.names, header=False, blank_lines=0, only_header=False)
            return self._read(plain, "none", comma, wanted)
        except duckdb.Error as error:
            raise InputError(f"{self.file.name}: could not be read: {str(error).splitlines()[0]}") from None
        finally:
            Path(plain).unlink()

    def _read(
        self, path: str, compression: str, dialect: Dialect, wanted: Sequence[tuple[str, Role]]
    ) -> dict[tuple[str, Role], AnyArray]:
        position = {name: f"c{index}" for index, name in enumerate(self.names)}
        expressions: Wanted = {(name, role): position[name] for name, role in wanted}
        columns = ", ".join(f"'{column}': 'VARCHAR'" for column in position.values())
        relation = (
            f"read_csv(?, {_FIXED}, delim={literal(dialect.delimiter or ',')}, header={dialect.header}, "
            f"skip={dialect.blank_lines}, compression={literal(compression)}, columns={{{columns}}})"
        )
        with connect() as db:
            return fetch(db, expressions, relation, [exact_path(path)], self.file.name)

    def _rewrite(self) -> str:
        """Write the records in plain form to a temporary file, raising at the first that cannot be read."""
        handle, path = tempfile.mkstemp(prefix="deciban-", suffix=".csv")
        width, delimiter, name = len(self.names), self.dialect.delimiter, self.file.name
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
                writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
                rows = records(text_lines(self.file), delimiter)
                for index, (line, record) in enumerate(rows):
                    if len(record) != width:
                        raise InputError(f"{name}: {field_count(line, width, record, delimiter)}")
                    if index or not self.dialect.header:
                        writer.writerow(record)
        except QuoteError as fault:
            Path(path).unlink()
            raise InputError(f"{name}: line {fault.line}: {fault.message}") from None
        except InputError:
            Path(path).unlink()
            raise
        return path

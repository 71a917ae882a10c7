"""JSON lines through DuckDB, and a JSON array of objects through Python's own reader."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from deciban.errors import SHOWN, InputError, Problems
from deciban.tables.files.duck import Fetched, Grouping, Role, connect, exact_path, fetch, identifier, literal, sampled
from deciban.tables.files.inputs import InputFile
from deciban.tables.files.text_lines import estimated_rows, sample, start_of, text_lines, whole_text
from deciban.values.spelled import spelled_float

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_JSON: Final = re.compile(r'\{\s*["}]|\[\s*[\[{\]]|\{$')
"""How JSON starts, and a header of delimited text hardly ever."""


class JsonLines:
    """One file with a JSON object on each line; a key that an object lacks is missing there."""

    naming = ""
    first_line = 0

    def __init__(self, file: InputFile) -> None:
        self.file = file
        text, _ = sample(file)
        names: dict[str, None] = {}
        fault = ""
        for line in filter(str.strip, text.split("\n")):
            try:
                names.update(dict.fromkeys(_object(line)))
            except ValueError as error:
                fault = str(error)
                break
        if fault:
            _refuse_broken_lines(file)
            raise InputError(f"{file.name}: {fault}")
        if not names:
            raise InputError(f"{file.name}: the file holds no JSON object")
        self.names = tuple(names)

    def expression(self, name: str) -> tuple[str, str]:
        """The SQL that yields a column, and the key of the objects that it is made of."""
        return identifier(name), name

    def fetch(self, wanted: Sequence[tuple[str, Role]], grouping: Grouping | None = None) -> Fetched:
        """The wanted columns; with ``grouping``, rows that are alike as one. A fault raises with its line."""
        relation = self._relation(dict.fromkeys(self.expression(name)[1] for name, _ in wanted))
        expressions = {(name, role): self.expression(name)[0] for name, role in wanted}
        with self._faults(), connect() as db:
            return fetch(db, expressions, relation, [exact_path(self.file.path)], grouping)

    def rows(self) -> int:
        """About how many rows the file has."""
        return estimated_rows(self.file)

    def sampled(self, name: str) -> tuple[int, int]:
        """How many rows were looked at, and how many different values the column has there; (0, 0) when unreadable."""
        import duckdb

        try:
            with connect() as db:
                return sampled(db, identifier(name), self._relation([name]), [exact_path(self.file.path)])
        except duckdb.Error:
            return 0, 0

    def give_all(self, db: DuckDBPyConnection, view: str) -> None:
        """Give a database all columns, as the text that JSON has for each value."""
        columns = ", ".join(f"{identifier(name)} AS c{position}" for position, name in enumerate(self.names))
        with self._faults():
            db.execute(
                f"CREATE TEMP TABLE {view} AS SELECT {columns} FROM {self._relation(self.names)}",
                [exact_path(self.file.path)],
            )

    def _relation(self, names: Iterable[str]) -> str:
        columns = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in names)
        # DuckDB's JSON reader has another word for it than its CSV reader.
        packing = "uncompressed" if self.file.compression == "none" else self.file.compression
        return (
            f"read_json(?, format='newline_delimited', columns={{{columns}}}, ignore_errors=false, "
            f"hive_partitioning=false, compression={literal(packing)})"
        )

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Name the lines that DuckDB could not read."""
        import duckdb

        try:
            yield
        except duckdb.Error as error:
            fault = str(error).splitlines()[0]
        else:
            return
        _refuse_broken_lines(self.file)
        raise InputError(f"{self.file.name}: could not be read: {fault}")


def holds_json(file: InputFile) -> bool:
    """Whether the text starts like JSON lines or an array of objects, whatever the file is called."""
    return _JSON.match(start_of(file)) is not None


def json_array(file: InputFile) -> dict[str, list[object]] | None:
    """The columns of a file that is one JSON array of objects; None when it is not an array at all."""
    if not start_of(file).startswith("["):
        return None
    try:
        items = json.loads(whole_text(file), object_pairs_hook=_without_duplicates, parse_float=spelled_float)
    except ValueError as error:
        raise InputError(f"{file.name}: not valid JSON: {error}") from None
    except RecursionError:
        raise InputError(f"{file.name}: not a table: the JSON is nested too deeply") from None
    if not items or not all(isinstance(item, dict) for item in items):
        raise InputError(f"{file.name}: expected a JSON array of objects, one for each trial")
    names = dict.fromkeys(name for item in items for name in item)
    return {name: [item.get(name) for item in items] for name in names}


def _refuse_broken_lines(file: InputFile) -> None:
    """Read a whole file and raise with its first five broken lines and how many there are; a sound file passes.

    DuckDB counts lines differently; what Python cannot read is named.
    """
    problems = Problems(file.name, "lines cannot be read")
    try:
        for number, line in enumerate(text_lines(file), 1):
            try:
                if line.strip():
                    _object(line)
            except ValueError as error:
                if len(problems.found) < SHOWN:
                    problems.add(f"line {number}: {error}")
                else:
                    problems.more += 1
    except InputError as error:
        if not problems.found:
            raise
        problems.add(str(error).removeprefix(f"{file.name}: "))
    problems.raise_if_any()


def _object(line: str) -> dict[str, Any]:
    """One object; raises ValueError with what is wrong with the line."""
    try:
        item = json.loads(line, object_pairs_hook=_without_duplicates)
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"expected one JSON object, found {_shown(line)} ({error})") from None
    if not isinstance(item, dict):
        raise ValueError(f"expected one JSON object, found {_shown(line)}")
    return item


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    item = dict(pairs)
    if len(item) != len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise ValueError(f"key {twice!r} occurs more than once")
    return item


def _shown(line: str) -> str:
    text = line.strip()
    return repr(text if len(text) <= 60 else text[:60] + "…")

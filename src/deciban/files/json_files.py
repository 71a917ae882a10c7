"""JSON lines through DuckDB, and a JSON array of objects through Python's own reader."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from deciban.arrays import AnyArray
from deciban.errors import InputError
from deciban.files.duck import Role, connect, exact_path, fetch, identifier, literal
from deciban.files.inputs import InputFile
from deciban.files.text_lines import sample, starts_with, text_lines, whole_text


class JsonLines:
    """One file with a JSON object on each line; a key that an object lacks is missing there."""

    def __init__(self, file: InputFile) -> None:
        self.file = file
        text, _ = sample(file)
        names: dict[str, None] = {}
        for _, item in _objects(text.split("\n"), file.name):
            names.update(dict.fromkeys(item))
        if not names:
            raise InputError(f"{file.name}: the file holds no JSON object")
        self.names = tuple(names)

    def fetch(self, wanted: Sequence[tuple[str, Role]]) -> dict[tuple[str, Role], AnyArray]:
        """The wanted columns; a fault of the file raises with its line."""
        import duckdb

        names = dict.fromkeys(name for name, _ in wanted)
        columns = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in names)
        # DuckDB's JSON reader has another word for it than its CSV reader.
        packing = "uncompressed" if self.file.compression == "none" else self.file.compression
        relation = (
            f"read_json(?, format='newline_delimited', columns={{{columns}}}, ignore_errors=false, "
            f"hive_partitioning=false, compression={literal(packing)})"
        )
        expressions = {(name, role): identifier(name) for name, role in wanted}
        try:
            with connect() as db:
                return fetch(db, expressions, relation, [exact_path(self.file.path)], self.file.name)
        except duckdb.Error as error:
            fault = str(error).splitlines()[0]
        for _ in _objects(text_lines(self.file), self.file.name):
            # DuckDB counts lines differently; the first line that Python cannot read is the one to name.
            pass
        raise InputError(f"{self.file.name}: could not be read: {fault}")


def json_array(file: InputFile) -> dict[str, list[object]] | None:
    """The columns of a file that is one JSON array of objects; None when it is not an array at all."""
    if not starts_with(file, "["):
        return None
    try:
        items = json.loads(whole_text(file), object_pairs_hook=_without_duplicates)
    except ValueError as error:
        raise InputError(f"{file.name}: not valid JSON: {error}") from None
    except RecursionError:
        raise InputError(f"{file.name}: not a table: the JSON is nested too deeply") from None
    if not items or not all(isinstance(item, dict) for item in items):
        raise InputError(f"{file.name}: expected a JSON array of objects, one for each trial")
    names = dict.fromkeys(name for item in items for name in item)
    return {name: [item.get(name) for item in items] for name in names}


def _objects(lines: Iterable[str], name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            item = json.loads(line, object_pairs_hook=_without_duplicates)
        except RecursionError:
            raise InputError(f"{name}: line {number}: the JSON is nested too deeply") from None
        except ValueError as error:
            raise InputError(
                f"{name}: line {number}: expected one JSON object, found {_shown(line)} ({error})"
            ) from None
        if not isinstance(item, dict):
            raise InputError(f"{name}: line {number}: expected one JSON object, found {_shown(line)}")
        yield number, item


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    item = dict(pairs)
    if len(item) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"key {twice!r} occurs more than once")
    return item


def _shown(line: str) -> str:
    text = line.strip()
    return repr(text if len(text) <= 60 else text[:60] + "…")

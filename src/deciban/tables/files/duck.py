"""One way to DuckDB: closed connections, quoted names, and columns fetched as the arrays the validator takes."""

from __future__ import annotations

import glob
import os
import tempfile
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from deciban.errors import InputError
from deciban.tables.files.coding import coded, note_of_blanks
from deciban.tables.files.number_faults import NumberFault, note_faults
from deciban.values.arrays import AnyArray
from deciban.values.coded import Column

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from deciban.tables.bucket_keys import Key

Role = Literal["number", "label", "group", "name", "key"]
"""What a column is read for: a score or weight; labels; groups; sources and ids, whose text is never converted; ids to
find the same ones by, as hashes of their text."""

Wanted = Mapping[tuple[str, Role], str]
"""For each column and role, the SQL expression that yields it."""


@dataclass(frozen=True, slots=True)
class Grouping:
    """How rows are counted where they are: at most how many different ones, and in which buckets of scores."""

    most: int
    key: Key | None = None


class TooManyRowsError(InputError):
    """More rows differ than may be fetched; ``most`` is how many may."""

    def __init__(self, most: int, found: int | None = None) -> None:
        super().__init__(f"{found or f'more than {most}'} different rows, and at most {most} are fetched")
        self.most, self.found = most, found


class Fetched(dict[tuple[str, Role], Column]):
    """Columns for what each was read.

    Attributes
    ----------
    faults
        What is wrong with their values. Such a value is not missing but a number that stands in for it, so that the
        validator can find what else is wrong.
    notes
        What was done to values that a reader should know.
    times
        How many rows of the table each row here stands for, where they were counted; None: one each.
    resolution
        Width of the buckets that scores were counted in.
    """

    def __init__(self, columns: Mapping[tuple[str, Role], Column] = MappingProxyType({})) -> None:
        super().__init__(columns)
        self.faults: list[NumberFault] = []
        self.notes: list[str] = []
        self.times: AnyArray | None = None
        self.resolution: float | None = None


EXACT: Final = 2**53 - 1
"""Up to here float64 holds every integer."""

_TYPED: Final = frozenset(
    {
        *("BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"),
        *("FLOAT", "DOUBLE", "DATE", "TIMESTAMP"),
    }
)
"""Types that NumPy holds as they are; all others are read as text."""

SAMPLED: Final = 100_000
"""First rows that are looked at to see whether scores repeat."""

_WHOLE: Final = frozenset({kind for kind in _TYPED if "INT" in kind} | {"BOOLEAN", "DATE", "TIMESTAMP"})
"""Types that have few values or are refused, and are not counted in buckets where they are."""

_ORDINARY: Final = f"{{value}} <> 0 AND {{value}} BETWEEN -{EXACT} AND {EXACT}"
"""Numbers whose text needs no second look."""


def connect(path: str | None = None, threads: int | None = None) -> DuckDBPyConnection:
    """A fresh in-memory database, or one in a file that is only read.

    It fetches nothing from anywhere, keeps the order of rows and writes points in time as those of UTC, wherever it
    runs. With one thread a positional join keeps that order, too, which DuckDB does not promise otherwise. What does
    not fit in memory goes to a folder of its own among temporary files, which is there while it is needed: versions of
    DuckDB before 2 mix up what two programs put in one.
    """
    import duckdb

    db = duckdb.connect(
        path or ":memory:",
        read_only=path is not None,
        config={
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "allow_community_extensions": "false",
            "preserve_insertion_order": "true",
            "temp_directory": os.path.join(tempfile.gettempdir(), f"deciban-{uuid.uuid4().hex}"),
            **({} if threads is None else {"threads": str(threads)}),
        },
    )
    db.execute("SET TimeZone = 'UTC'; SET lock_configuration = true")
    return db


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C during a query be KeyboardInterrupt, as anywhere else in Python."""
    try:
        yield
    except RuntimeError as error:
        if "interrupted" in str(error).casefold():
            raise KeyboardInterrupt from None
        raise


def identifier(name: str) -> str:
    """A column name quoted for SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text quoted for SQL, where a parameter is not allowed."""
    return "'" + text.replace("'", "''") + "'"


def register(db: DuckDBPyConnection, view: str, columns: Sequence[AnyArray]) -> None:
    """Give the database arrays of one length as the columns ``c0``, ``c1``, … of a view; masked entries are null."""
    held: dict[str, AnyArray] = {}
    shown: list[str] = []
    for position, column in enumerate(columns):
        # Text as objects: DuckDB would take an array of text for an enumeration.
        plain = np.ma.getdata(column)
        held[f"c{position}"] = plain.astype(object) if plain.dtype.kind == "U" else plain
        value = f"c{position}"
        if np.ma.is_masked(column):
            # As a column of its own: older versions of DuckDB do not look at a mask.
            held[f"m{position}"] = np.ma.getmaskarray(column)
            value = f"CASE WHEN m{position} THEN NULL ELSE c{position} END AS c{position}"
        shown.append(value)
    db.register(f"{view}_arrays", held)
    db.execute(f"CREATE TEMP VIEW {view} AS SELECT {', '.join(shown)} FROM {view}_arrays")


def exact_path(path: str) -> str:
    """A path that DuckDB takes as one file, whatever characters its name has."""
    return glob.escape(path)


NOTHING: Final = 0
"""What an id that is not there has instead of a hash."""


def hash_of(text: str) -> str:
    """The SQL of the hash by which a text is found again."""
    return f"CASE WHEN nullif({text}, '') IS NULL THEN {NOTHING}::UBIGINT ELSE hash({text}) END"


def fetch(
    db: DuckDBPyConnection,
    wanted: Wanted,
    relation: str,
    parameters: Sequence[object],
    grouping: Grouping | None = None,
    usual: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Fetched:
    """Read columns of a relation in one pass into a table, then out of it as arrays.

    A number column that holds text, or numbers that float64 does not hold, is among the ``faults``. With ``grouping``,
    rows that are alike are counted on the way, so that the table never holds them all; too many that differ raise
    :class:`TooManyRowsError`. ``usual`` are texts that an expression is known to have (:func:`coding.first_values`):
    they are looked for while a column is read, which spares the table its texts.
    """
    types = _types(db, wanted, relation, parameters)
    inner: list[str] = []
    outer: list[str] = []
    for position, ((_, role), expression) in enumerate(wanted.items()):
        taken, kept = _stored(expression, role, types[position], f"v{position}", usual.get(expression))
        inner += taken
        outer += kept
    key = None if grouping is None or types[0] in _WHOLE else grouping.key
    if key is not None:
        outer[0] = f"{_in_buckets(key, types[0])} AS v0"
        if types[0].startswith("DECIMAL"):
            outer[1] = "NULL::VARCHAR AS v0_text"
    taken_from = f"FROM (SELECT {', '.join(inner)} FROM {relation})"
    columns = Fetched()
    if grouping is None:
        db.execute(f"CREATE TEMP TABLE t AS SELECT {', '.join(outer)} {taken_from}", parameters)
    else:
        grouped = f"SELECT {', '.join(outer)}, count(*) AS n {taken_from} GROUP BY ALL LIMIT {grouping.most + 1}"
        db.execute(f"CREATE TEMP TABLE t AS {grouped}", parameters)
        columns.times = db.execute("SELECT n FROM t").fetchnumpy()["n"]
        if columns.times.size > grouping.most:
            raise TooManyRowsError(grouping.most)
    for position, ((name, role), expression) in enumerate(wanted.items()):
        known = usual.get(expression)
        columns[name, role] = _column(db, f"v{position}", types[position], (name, role), known, columns)
    if key is not None:
        columns.resolution = key.resolution
        if types[0] not in _TYPED:
            first = next(iter(wanted))
            second = db.execute("SELECT v0_text IS NOT NULL AS second FROM t").fetchnumpy()["second"]
            columns[first] = _second_ones_too(key, np.ma.asarray(columns[first]), second)
    return columns


def _column(
    db: DuckDBPyConnection, value: str, kind: str, read: tuple[str, Role], usual: Sequence[str] | None, columns: Fetched
) -> Column:
    """One column of the table ``t``; what is to be said of its values goes to ``columns``."""
    name, role = read
    if kind in _TYPED or role == "key":
        column: AnyArray = db.execute(f"SELECT {value} FROM t").fetchnumpy()[value]
        return column
    texts: Column
    if role == "name" and usual is None:
        texts, trimmed = _names(db, value)
    elif role == "number":
        return note_faults(db, value, kind, name, db.execute(f"SELECT {value} FROM t").fetchnumpy()[value], columns)
    else:
        texts, trimmed = coded(db, value, usual or (), role)
    # Of a column that is read for two things it is said once.
    if trimmed and note_of_blanks(name) not in columns.notes:
        columns.notes.append(note_of_blanks(name))
    return texts


def _in_buckets(key: Key, kind: str) -> str:
    """Where a score is counted; of texts only where they are ordinary numbers, others are told from their digits.

    Decimals that one double stands for are in one bucket, whichever of them it is.
    """
    if kind in _TYPED or kind.startswith("DECIMAL"):
        return key.sql("CAST(v0 AS DOUBLE)")
    return f"CASE WHEN {_ORDINARY.format(value='v0')} THEN {key.sql('v0')} ELSE v0 END"


def _second_ones_too(key: Key, score: AnyArray, second: AnyArray) -> AnyArray:
    """The scores with those whose text had to be looked at put in their buckets, too."""
    counted = np.ma.MaskedArray(score, copy=True)
    counted[second] = key.of_array(np.ma.filled(counted[second], np.nan))
    return counted


def sampled(db: DuckDBPyConnection, expression: str, relation: str, parameters: Sequence[object]) -> tuple[int, int]:
    """How many of the first rows of a relation were looked at, and how many different values they have."""
    first = f"SELECT {expression} AS v FROM {relation} LIMIT {SAMPLED}"
    found = db.execute(f"SELECT count(*), count(DISTINCT v) FROM ({first})", parameters).fetchall()
    return int(found[0][0]), int(found[0][1])


def _types(db: DuckDBPyConnection, wanted: Wanted, relation: str, parameters: Sequence[object]) -> list[str]:
    described = db.execute(f"DESCRIBE SELECT {', '.join(wanted.values())} FROM {relation}", parameters).fetchall()
    return [str(row[1]) for row in described]


def _stored(
    expression: str, role: Role, kind: str, value: str, usual: Sequence[str] | None
) -> tuple[list[str], list[str]]:
    """What is taken from the relation for one wanted column, and what of that the table holds."""
    if kind in _TYPED:
        return [f"{expression} AS {value}"], [value]
    text = expression if kind == "VARCHAR" else f"CAST({expression} AS VARCHAR)"
    if kind == "BLOB":
        # Bytes are their text; the escapes of a cast are for those that are none.
        text = f"coalesce(try(decode({expression})), {text})"
    if role == "key":
        return [f"{hash_of(f'trim({text})')} AS {value}"], [value]
    if role == "name" and usual is None:
        return [f"{text} AS {value}"], [value]
    if role != "number":
        among = ", ".join(map(literal, usual or ()))
        place = f"nullif(list_position([{among}], {text}), 0)" if usual else "NULL::INTEGER"
        kept = f"CASE WHEN {value} IS NULL THEN {value}_text END AS {value}_text"
        return [f"{place} AS {value}", f"{text} AS {value}_text"], [value, kept]
    # DuckDB takes 1_000 for a number; whoever wrote it may have meant something else.
    number = f"CASE WHEN contains({text}, '_') THEN NULL ELSE TRY_CAST({text} AS DOUBLE) END"
    # The text is kept only where it needs a second look: no number, zero, infinite, or too large for every integer;
    # of decimals where their double does not lead back to them.
    ordinary = _ORDINARY.format(value=value)
    if kind.startswith("DECIMAL"):
        ordinary = f"CAST(TRY_CAST({value} AS {kind}) AS VARCHAR) IS NOT DISTINCT FROM {value}_text"
    return (
        [f"{number} AS {value}", f"{text} AS {value}_text"],
        [value, f"CASE WHEN {ordinary} THEN NULL ELSE {value}_text END AS {value}_text"],
    )


def _names(db: DuckDBPyConnection, value: str) -> tuple[AnyArray, bool]:
    """Text of each row without the blanks around it, and whether there were any."""
    bare = f"trim({value})"
    trimmed = bool(db.execute(f"SELECT 1 FROM t WHERE {value} <> {bare} AND {bare} <> '' LIMIT 1").fetchall())
    column: AnyArray = db.execute(f"SELECT nullif({bare}, '') AS {value} FROM t").fetchnumpy()[value]
    if isinstance(column, np.ma.MaskedArray):
        held = np.asarray(column)
        held[np.ma.getmaskarray(column)] = None
        return held, trimmed
    return column, trimmed

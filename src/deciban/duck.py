"""One way to DuckDB: closed connections, quoted names, and columns fetched as the arrays the validator takes."""

from __future__ import annotations

import glob
import math
import re
import tempfile
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from deciban.arrays import AnyArray
from deciban.errors import InputError, rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Role = Literal["number", "label", "group", "name"]
"""What a column is read for: a score or weight; labels; groups; sources and ids, whose text is never converted."""

Wanted = Mapping[tuple[str, Role], str]
"""For each column and role, the SQL expression that yields it."""

MISSING_TEXT: Final = ("", "-", "na", "nan", "null", "none")
"""Spellings of a missing number, in lower case."""

_INFINITE_TEXT: Final = "[+-]?inf(inity)?"
_TYPED: Final = frozenset(
    {
        *("BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"),
        *("FLOAT", "DOUBLE", "DATE", "TIMESTAMP"),
    }
)
"""Types that NumPy holds as they are; all others are read as text."""

_LONGEST = 32
"""Characters up to which a text column is held as one block; longer texts are held as objects."""


def connect() -> DuckDBPyConnection:
    """A fresh in-memory database that fetches nothing from anywhere and keeps the order of rows."""
    import duckdb

    return duckdb.connect(
        ":memory:",
        config={
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "allow_community_extensions": "false",
            "enable_external_file_cache": "false",
            "preserve_insertion_order": "true",
            "temp_directory": tempfile.gettempdir(),
            "lock_configuration": "true",
        },
    )


def identifier(name: str) -> str:
    """A column name quoted for SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text quoted for SQL, where a parameter is not allowed."""
    return "'" + text.replace("'", "''") + "'"


def exact_path(path: str) -> str:
    """A path that DuckDB takes as one file, whatever characters its name has."""
    return glob.escape(path)


def fetch(
    db: DuckDBPyConnection, wanted: Wanted, relation: str, parameters: Sequence[object], what: str
) -> dict[tuple[str, Role], AnyArray]:
    """Read columns of a relation in one pass into a table, then out of it as arrays.

    Raises
    ------
    InputError
        When a number column holds text, or numbers that float64 does not hold.
    """
    types = _types(db, wanted, relation, parameters)
    stored: list[str] = []
    for position, ((_, role), expression) in enumerate(wanted.items()):
        stored += _stored(expression, role, types[position], f"v{position}")
    db.execute(f"CREATE TEMP TABLE t AS SELECT {', '.join(stored)} FROM {relation}", parameters)
    columns: dict[tuple[str, Role], AnyArray] = {}
    for position, (name, role) in enumerate(wanted):
        value = f"v{position}"
        as_text = types[position] not in _TYPED
        if as_text and role == "number":
            _refuse_faults(db, value, f"{what}: {name}")
        if as_text and role in ("label", "group"):
            columns[name, role] = typed_text(*_coded(db, value), role)
        elif as_text and role == "name":
            columns[name, role] = _names(db, value)
        else:
            columns[name, role] = db.execute(f"SELECT {value} FROM t").fetchnumpy()[value]
    return columns


def _types(db: DuckDBPyConnection, wanted: Wanted, relation: str, parameters: Sequence[object]) -> list[str]:
    described = db.execute(f"DESCRIBE SELECT {', '.join(wanted.values())} FROM {relation}", parameters).fetchall()
    return [str(row[1]) for row in described]


def _stored(expression: str, role: Role, kind: str, value: str) -> list[str]:
    """The columns of the table that hold one wanted column; for text numbers also the texts that are none."""
    if kind in _TYPED:
        return [f"{expression} AS {value}"]
    text = expression if kind == "VARCHAR" else f"CAST({expression} AS VARCHAR)"
    if role != "number":
        return [f"trim({text}, ' \t') AS {value}"]
    number, bare = f"TRY_CAST({text} AS DOUBLE)", f"lower(trim({text}, ' \t'))"
    missing = ", ".join(map(literal, MISSING_TEXT))
    # Beyond the text that is no number: overflow to infinity, underflow to zero, integers that would be rounded.
    # The first case lets ordinary numbers pass without a look at their text.
    fault = (
        f"CASE WHEN {number} <> 0 AND {number} BETWEEN -9007199254740991 AND 9007199254740991 THEN NULL "
        f"WHEN {number} IS NULL THEN CASE WHEN {bare} NOT IN ({missing}) THEN {text} END "
        f"WHEN isinf({number}) THEN CASE WHEN NOT regexp_full_match({bare}, '{_INFINITE_TEXT}') THEN {text} END "
        f"WHEN {number} = 0 THEN CASE WHEN regexp_matches({bare}, '^[^e]*[1-9]') THEN {text} END "
        f"WHEN abs({number}) >= 9007199254740992 AND regexp_full_match({bare}, '[+-]?[0-9]+') THEN CASE "
        f"WHEN TRY_CAST({bare} AS HUGEINT) IS NULL "
        f"OR TRY_CAST({bare} AS HUGEINT) <> TRY_CAST({number} AS HUGEINT) THEN {text} END END"
    )
    return [f"{number} AS {value}", f"{fault} AS {value}_fault"]


def _refuse_faults(db: DuckDBPyConnection, value: str, what: str) -> None:
    """Raise when texts of a number column are not numbers, or not ones that float64 holds."""
    for is_text in (True, False):
        where = f"{value}_fault IS NOT NULL AND {value} IS {'' if is_text else 'NOT '}NULL"
        counted = db.execute(f"SELECT count(*) FROM t WHERE {where}").fetchone()
        total = 0 if counted is None else int(counted[0])
        if not total:
            continue
        found = db.execute(f"SELECT rowid, {value}_fault FROM t WHERE {where} ORDER BY rowid LIMIT 5").fetchall()
        raise InputError(
            f"{what}: {number_fault([row[1] for row in found], [row[0] for row in found], total, is_text)}"
        )


def number_fault(texts: Sequence[str], indices: Sequence[int], total: int, is_text: bool) -> str:
    """The message about texts that are no numbers, or numbers too large, too small or too long for float64."""
    shown = ", ".join(dict.fromkeys(repr(text if len(text) <= 40 else text[:40] + "…") for text in texts))
    at = f"{rows(list(indices))}" if total <= len(indices) else f"{rows(list(indices))}, … ({total} in all)"
    if not is_text:
        return (
            f"expected numbers that float64 can hold, found {shown} at {at}: two different scores could become equal; "
            "rescale them first"
        )
    text = f"expected numbers, found {shown} at {at}"
    if all(re.fullmatch(r"\s*[+-]?[\d. ']*\d,\d+\s*", item) for item in texts):
        text += "; these look like numbers with a decimal comma: write them with a decimal point"
    return text


def _coded(db: DuckDBPyConnection, value: str) -> tuple[AnyArray, AnyArray]:
    """The distinct texts of a column, and for each row which it is (masked: none)."""
    # A type of its own gives codes in the database, so that no text object per row is ever made.
    db.execute(f"CREATE TYPE e_{value} AS ENUM (SELECT DISTINCT {value} FROM t WHERE {value} IS NOT NULL)")
    texts = [row[0] for row in db.execute(f"SELECT unnest(enum_range(NULL::e_{value}))").fetchall()]
    codes = db.execute(f"SELECT enum_code({value}::e_{value}) AS c FROM t").fetchnumpy()["c"]
    return np.array(texts, dtype=object), codes


def _names(db: DuckDBPyConnection, value: str) -> AnyArray:
    """Text of each row as it stands."""
    column: AnyArray = db.execute(f"SELECT {value} FROM t").fetchnumpy()[value]
    if isinstance(column, np.ma.MaskedArray):
        return _with_nulls(np.asarray(column), np.ma.getmaskarray(column))
    return column


def typed_text(texts: AnyArray, codes: AnyArray, role: Role) -> AnyArray:
    """A text column as booleans or numbers if all of its values are such, else as text.

    For groups a number must be written as we would write it: ``01`` stays text, since it may be a name.
    """
    values = _as_booleans(texts)
    if values is None:
        values = _as_numbers(texts, canonical=role == "group")
    if values is None:
        longest = max(map(len, texts), default=0)
        values = texts.astype(str) if texts.size and longest <= _LONGEST else texts
    if texts.size == 0:
        return np.full(codes.shape, None, dtype=object)
    if isinstance(codes, np.ma.MaskedArray):
        return _with_nulls(values[codes.filled(0)], np.ma.getmaskarray(codes))
    return values[codes]


def _with_nulls(column: AnyArray, absent: AnyArray) -> AnyArray:
    if not absent.any():
        return column
    held = column.astype(object)
    held[absent] = None
    return held


def _as_booleans(texts: AnyArray) -> AnyArray | None:
    lower = [text.lower() for text in texts]
    if not lower or not all(text in ("true", "false") for text in lower):
        return None
    return np.array([text == "true" for text in lower])


def _as_numbers(texts: AnyArray, *, canonical: bool) -> AnyArray | None:
    try:
        floats = [float(text) for text in texts]
    except ValueError:
        return None
    if any("_" in text or math.isnan(number) for text, number in zip(texts, floats, strict=True)):
        return None
    if all(number.is_integer() for number in floats):
        if any(abs(number) >= 2.0**53 for number in floats):
            return None
        if not canonical or all(text == str(int(number)) for text, number in zip(texts, floats, strict=True)):
            return np.array([int(number) for number in floats], dtype=np.int64)
        return None
    if canonical and not all(text in (str(number), f"{number:g}") for text, number in zip(texts, floats, strict=True)):
        return None
    return np.array(floats)

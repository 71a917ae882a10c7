"""What is wrong with a column of numbers that came as text, row by row."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from deciban.errors import SHOWN, counted, rows
from deciban.values.arrays import AnyArray, Bools

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from deciban.tables.files.duck import Fetched

MISSING_TEXT: Final = ("", "-", ".", "?", "na", "n/a", "#n/a", "<na>", "nan", "null", "none")
"""Spellings of a missing number, in lower case."""

_LONGEST_MISSING: Final = max(map(len, MISSING_TEXT))

MISSING_SAID: Final = "nothing, -, ., ?, NA, N/A, #N/A, <NA>, NaN, null or None"


@dataclass(frozen=True, slots=True)
class NumberFault:
    """Values of one column that are no numbers (``is_text``), or no numbers that float64 holds.

    ``texts`` are the first of them, ``indices`` all of their rows from 0; ``many`` is how many rows they are where rows
    were counted and have no numbers.
    """

    column: str
    texts: tuple[str, ...]
    indices: AnyArray
    is_text: bool
    many: int | None = None

    def moved(self, rows_before: int) -> NumberFault:
        """The same, with rows counted through the files that come before."""
        return replace(self, indices=self.indices + rows_before)

    def __str__(self) -> str:
        shown = ", ".join(dict.fromkeys(repr(text if len(text) <= 40 else text[:40] + "…") for text in self.texts))
        where = rows(self.indices.tolist()) if self.many is None else counted(self.many, "row")
        if not self.is_text:
            return (
                f"{self.column}: expected numbers that float64 can hold, found {shown} at {where}: two different "
                "scores could become equal; rescale them first"
            )
        return f"{self.column}: expected numbers, found {shown} at {where}; {self._advice()}"

    def _advice(self) -> str:
        if all(re.fullmatch(r"\s*[+-]?[\d. ']*\d,\d+\s*", text) for text in self.texts):
            return "these look like numbers with a decimal comma: write them with a decimal point"
        if any(re.fullmatch(r"\s*[+-]?\d+(_\d+)+(\.\d*)?\s*", text) for text in self.texts):
            return "write numbers without underscores"
        if self.indices.size > 2 and len(set(self.texts)) <= 2:
            return "if these are labels, the score and label columns are swapped"
        return f"a missing number is written as {MISSING_SAID}"


def note_faults(
    db: DuckDBPyConnection, value: str, kind: str, name: str, column: AnyArray, fetched: Fetched
) -> AnyArray:
    """Note texts of a number column that are not numbers, or not ones that float64 holds, and put numbers there.

    The table ``t`` holds the numbers as ``value``, and as ``value_text`` the texts that need a second look. Decimals
    are such a fault where two different ones are nearest to one double, as in dataframes; of texts that are no whole
    numbers the nearest double is taken, since most that are written have a digit or two more than a double needs.
    """
    if not db.execute(f"SELECT count({value}_text) FROM t").fetchall()[0][0]:
        return column
    # Rows that were counted come in no order: the texts themselves are in one.
    order = "rowid" if fetched.times is None else f"{value}_text"
    faults = (
        ((False, _merged(value)),)
        if kind.startswith("DECIMAL")
        else ((True, _no_number(value)), (False, _changed(value)))
    )
    for is_text, fault in faults:
        where = f"{value}_text IS NOT NULL AND {fault}"
        indices: AnyArray = db.execute(f"SELECT rowid AS r FROM t WHERE {where} ORDER BY r").fetchnumpy()["r"]
        if indices.size == 0:
            continue
        found = db.execute(f"SELECT {value}_text FROM t WHERE {where} ORDER BY {order} LIMIT {SHOWN}").fetchall()
        many = None if fetched.times is None else int(fetched.times[indices].sum())
        fetched.faults.append(NumberFault(name, tuple(str(row[0]) for row in found), indices, is_text, many))
        column = _standing_in(column, indices)
    return column


def _bare(value: str) -> str:
    return f"lower(trim({value}_text, ' \t'))"


def _no_number(value: str) -> str:
    """Where a text is neither a number nor a spelling of a missing one."""
    missing = ", ".join(f"'{text}'" for text in MISSING_TEXT)
    return f"{value} IS NULL AND {_bare(value)} NOT IN ({missing})"


def _changed(value: str) -> str:
    """Where a text is a number that overflows to infinity, or underflows to zero, or a whole one that is rounded."""
    bare = _bare(value)
    whole = f"TRY_CAST({bare} AS HUGEINT)"
    return (
        f"CASE WHEN {value} = 0 THEN regexp_matches({bare}, '^[^e]*[1-9]') "
        f"WHEN isinf({value}) THEN NOT regexp_full_match({bare}, '[+-]?inf(inity)?') "
        # Beyond 128 bits there is no whole number to compare with, and none is then the same.
        f"ELSE regexp_full_match({bare}, '[+-]?[0-9]+') "
        f"AND ({whole} IS NULL OR {whole} IS DISTINCT FROM TRY_CAST({value} AS HUGEINT)) END"
    )


def _merged(value: str) -> str:
    """Where a decimal is not what its double leads back to, and another decimal has the same double."""
    different = f"count(DISTINCT coalesce({value}_text, ''))"
    return f"{value} IN (SELECT {value} FROM t GROUP BY {value} HAVING {different} > 1)"


def _standing_in(column: AnyArray, indices: AnyArray) -> AnyArray:
    """The column with numbers, legal on every scale and all different, at the faulty rows."""
    filled = np.ma.MaskedArray(column, copy=True)
    filled[indices] = 0.5 + np.arange(indices.size) * 2.0**-40
    return filled


def says_nothing(texts: AnyArray) -> Bools:
    """Which texts are ways to write that there is none."""
    found = np.zeros(texts.size, dtype=bool)
    # Nearly all texts of a block are too long, which is seen without making an object of each.
    rows = (
        np.flatnonzero(np.char.str_len(texts) <= _LONGEST_MISSING) if texts.dtype.kind == "U" else np.arange(texts.size)
    )
    values = texts[rows].tolist()
    nothing = {value for value in set(values) if value is None or str(value).lower() in MISSING_TEXT}
    if nothing:
        found[rows] = [value in nothing for value in values]
    return found

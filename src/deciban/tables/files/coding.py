"""Text columns of few different values as codes, made in the database, so that no text object per row is ever made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from deciban.values.arrays import AnyArray
from deciban.values.coded import Coded
from deciban.values.texts import booleans_of, numbers_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

BLANKS: Final = "\t \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
"""What does not belong to a text value that it surrounds: tabs, and what DuckDB's ``trim`` takes off."""

FIRST: Final = 2048
"""First rows whose values are looked at before a column is read."""

_FEW: Final = 64
"""Values at most that are looked for while a column is read."""

LONGEST: Final = 32
"""Characters up to which a text column is held as one block; longer texts are held as objects."""


def first_values(
    db: DuckDBPyConnection, expressions: Sequence[str], relation: str, parameters: Sequence[object]
) -> dict[str, list[str]]:
    """For each expression the texts that its first rows have, or no texts where those are many or long.

    An expression of which nearly every row has a text of its own is left out: it is better read as it stands.
    """
    if not expressions:
        return {}
    columns = ", ".join(f"{expression} AS v{position}" for position, expression in enumerate(expressions))
    lists = ", ".join(f"list(DISTINCT v{position})" for position in range(len(expressions)))
    query = f"SELECT count(*), {lists} FROM (SELECT {columns} FROM {relation} LIMIT {FIRST})"
    ((rows, *found),) = db.execute(query, parameters).fetchall()
    texts = [[text for text in values or () if text is not None] for values in found]
    return {
        one: values if len(values) <= _FEW and max(map(len, values), default=0) <= LONGEST else []
        for one, values in zip(expressions, texts, strict=True)
        if repeats(len(values), rows)
    }


def repeats(different: int, rows: int) -> bool:
    """Whether a column has, in its first rows, few enough different values to be better read as codes."""
    return different <= 7 * rows // 8


def coded(
    db: DuckDBPyConnection, value: str, usual: Sequence[str], role: Literal["label", "group", "name"]
) -> tuple[Coded, bool]:
    """A column of the table ``t``, and whether blanks were taken off its texts.

    The table holds as ``value`` the place of a text among the usual ones, from 1, and as ``value_text`` what is none of
    these.
    """
    place, further = f"{value} - 1", list[str]()
    if db.execute(f"SELECT count({value}_text) FROM t").fetchall()[0][0]:
        others = f"SELECT DISTINCT {value}_text FROM t WHERE {value}_text IS NOT NULL"
        db.execute(f"CREATE TEMP TYPE e_{value} AS ENUM ({others})")
        further = [row[0] for row in db.execute(f"SELECT unnest(enum_range(NULL::e_{value}))").fetchall()]
        place = f"{value} - 1, {len(usual)} + enum_code({value}_text::e_{value})"
    whole = [*usual, *further]
    if db.execute(f"SELECT 1 FROM t WHERE {value} IS NULL AND {value}_text IS NULL LIMIT 1").fetchall():
        place, whole = f"{place}, {len(whole)}", [*whole, ""]
    kind = "UTINYINT" if len(whole) < 2**8 else "USMALLINT" if len(whole) < 2**16 else "UINTEGER"
    codes = db.execute(f"SELECT CAST(coalesce({place}) AS {kind}) AS c FROM t").fetchnumpy()["c"]
    return of_texts(whole, codes, role)


def of_texts(whole: Sequence[str], codes: AnyArray, role: Literal["label", "group", "name"]) -> tuple[Coded, bool]:
    """The column that has the texts ``whole`` in the places ``codes``, and whether blanks were taken off them."""
    texts = [text.strip(blanks_of(role)) for text in whole]
    trimmed = any(text and text != before for text, before in zip(texts, whole, strict=True))
    return Coded(typed_texts(texts, role), codes), trimmed


def blanks_of(role: str) -> str:
    """What is taken off the texts of a column that is read for ``role``: of names what DuckDB takes off them."""
    return BLANKS.strip("\t") if role == "name" else BLANKS


def note_of_blanks(name: str) -> str:
    """What is said of a column off whose texts blanks were taken."""
    return f"blanks around values of column {name!r} are not part of them"


def typed_texts(texts: Sequence[str], role: Literal["label", "group", "name"]) -> AnyArray:
    """Texts as booleans or numbers if all of them are such, else as text; an empty text is None.

    For groups a number must be written as programs write it: ``01`` stays text, since it may be a name. Names are text.
    """
    known = [text for text in texts if text]
    values = None if role == "name" else booleans_of(known)
    if values is None and role != "name":
        values = numbers_of(known, names=role == "group")
    if values is None:
        short = max(map(len, known), default=0) <= LONGEST
        values = np.array(known, dtype=str if short else object)
    if len(known) == len(texts):
        return values
    held: AnyArray = np.full(len(texts), None, dtype=object)
    held[[bool(text) for text in texts]] = values.astype(object)
    return held

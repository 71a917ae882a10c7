"""What makes two values of id and source columns the same thing, whatever types the columns have.

A number is its value, so that 3 and 3.0 are one; text is what is written, ``007`` included, and bytes are their text.
Source columns written from numbers with gaps hold ``3.0`` for 3: as a source such text is the number, lest one speaker
pass for two and be in the fit and out of it. Ids are left as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

import numpy as np

from deciban.trials.labels import value_text
from deciban.values.arrays import AnyArray

EXACT: Final = 2**53
"""Whole numbers beyond this are not all doubles."""

_WHOLE: Final = re.compile(r"(0|-?[1-9][0-9]*)\.0")
"""How a double that is whole is written."""


def value_key(value: object) -> str:
    """A value of any type as the text that it is known by."""
    if isinstance(value, bytes):
        return value_text(value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Decimal) and value.is_finite():
        return str(int(value)) if value == value.to_integral_value() else str(value.normalize())
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value_text(value)


def one_kind(columns: Sequence[AnyArray]) -> list[AnyArray]:
    """Columns of ids that can be compared with one another: as numbers where all hold numbers, else as text."""
    plain = [np.asarray(column) for column in columns]
    kinds = {column.dtype.kind for column in plain}
    alike = kinds == {"U"} or (len({column.dtype for column in plain}) == 1 and not kinds & set("OS"))
    if alike or (kinds <= set("iuf") and all(map(_meets_doubles, plain))):
        return plain
    return list(map(_keyed, plain))


def source_keys(columns: Sequence[AnyArray]) -> list[AnyArray]:
    """The key of each value of source columns, as text: equal keys are one source, in one column or in several."""
    return [_whole_numbers(_keyed(np.asarray(column))) for column in columns]


def comparable(columns: Sequence[AnyArray]) -> list[AnyArray]:
    """Source columns in which equal values are one source: numbers where all hold numbers, else their keys."""
    found = one_kind(columns)
    return [_whole_numbers(column) if column.dtype.kind == "U" else column for column in found]


def _meets_doubles(column: AnyArray) -> bool:
    """Whether numbers lose nothing where they meet those of another type."""
    if column.dtype.kind == "f" or not column.size:
        return column.dtype.itemsize <= 8
    return int(column.min()) >= -EXACT and int(column.max()) <= EXACT


def _keyed(column: AnyArray) -> AnyArray:
    """The key of each value of a column."""
    if column.dtype.kind == "U":
        return column
    if column.dtype.kind == "O":
        return np.array([value_key(value) for value in column.tolist()], dtype=np.str_)
    distinct, codes = np.unique(column, return_inverse=True)
    return np.asarray(np.array([value_key(value) for value in distinct.tolist()], dtype=np.str_)[codes])


def _whole_numbers(column: AnyArray) -> AnyArray:
    """The same text, with 3 for 3.0."""
    if not np.char.endswith(column, ".0").any():
        return column
    distinct, codes = np.unique(column, return_inverse=True)
    keys = [_WHOLE.sub(r"\1", text) if _WHOLE.fullmatch(text) else text for text in distinct.tolist()]
    return np.asarray(np.array(keys, dtype=np.str_)[codes])

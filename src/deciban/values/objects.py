"""Columns of Python objects as numbers: what is missing, what no double can hold, what two doubles would merge."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from deciban.errors import Problems, counted, listing

PLAIN: Final = (bool, int, float, np.bool_, np.integer, np.float64, np.float32, np.float16)
"""Types whose values are doubles or are refused one by one; of others (Decimal, Fraction) two may become equal."""

CAST: Final = "cast the column to numbers first (in a database with query=)"
"""What to do with numbers that are texts."""

LONGEST: Final = 80
"""Characters of a value that an error shows."""


def is_null(value: object) -> bool:
    """Whether one object stands for a missing value: None, NaN, pandas' NA and NaT, a masked entry."""
    if value is None or value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def is_container(value: object) -> bool:
    """Whether one object holds several values: a list or array in a column that should hold one value per trial."""
    return hasattr(value, "__len__") and not isinstance(value, (str, bytes))


def floats_of_objects(array: NDArray[Any], name: str, problems: Problems) -> NDArray[np.float64]:
    """Objects as float64, missing ones as NaN; what is not a number, or would merge with another, is a problem."""
    numbers = [math.nan if is_null(value) else _as_double(value) for value in array]
    bad = [index for index, number in enumerate(numbers) if number is None]
    if bad:
        shown = listing([_shown(array[index]) for index in bad[:5]], len(bad))
        why = " (which float64 cannot hold)" if all(_is_number(array[index]) for index in bad) else ""
        advice = f"; {CAST}" if all(is_number_text(array[index]) for index in bad) else ""
        problems.add(f"{name}: expected numbers, found {shown}{why} at {problems.places.rows(bad)}{advice}")
    elif not all(isinstance(value, PLAIN) or is_null(value) for value in array):
        _refuse_merged(array, numbers, name, problems)
    return np.array([0.0 if number is None else number for number in numbers], dtype=np.float64)


def _shown(value: object) -> str:
    """A value for an error: whole numbers may have thousands of digits, more than Python agrees to write."""
    try:
        text = repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 20]}…{text[-12:]}"


def is_number_text(value: object) -> bool:
    """Whether one object is the text of a number."""
    if not isinstance(value, str):
        return False
    try:
        float(value)
    except ValueError:
        return False
    return True


def _is_number(value: object) -> bool:
    no_number = (str, bytes, complex, np.complexfloating, np.datetime64, np.timedelta64)
    return hasattr(value, "__float__") and not isinstance(value, no_number) and not is_container(value)


def _as_double(value: Any) -> float | None:
    """The double nearest to a number; None for no number, for one out of range, and for a whole number it misses."""
    if not _is_number(value):
        return None
    try:
        number = float(value)
    except (OverflowError, TypeError, ValueError):  # 10**400; what only looks like a number; a signalling NaN
        return None
    if isinstance(value, (int, np.integer)):
        return number if int(number) == int(value) else None
    lost = (math.isinf(number) or number == 0.0) and value != number
    return None if lost else number


def _refuse_merged(array: NDArray[Any], numbers: list[float | None], name: str, problems: Problems) -> None:
    """Add a problem where two different decimals or fractions are nearest to one double."""
    first: dict[float | None, int] = {}
    merged = [
        index
        for index, number in enumerate(numbers)
        if number == number and array[first.setdefault(number, index)] != array[index]  # noqa: PLR0124 - NaN is missing
    ]
    if merged:
        pairs = [(first[numbers[index]], index) for index in merged[:5]]
        numbered = problems.places.times is None
        shown = listing(
            [
                f"{_shown(array[a])} and {_shown(array[b])}" + (f" (rows {a + 1} and {b + 1})" if numbered else "")
                for a, b in pairs
            ],
            len(merged),
        )
        many = counted(problems.places.many(merged), "value")
        problems.add(
            f"{name}: {many} would become equal to a different one as float64: {shown}; rescale or round them first"
        )

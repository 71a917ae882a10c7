"""Options that must be a number, a whole number, a flag or one of some words: one error each for anything else."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real

import numpy as np

from deciban.errors import OptionError, did_you_mean


def check_choice(name: str, value: object, allowed: Iterable[str]) -> None:
    """Raise :class:`OptionError` unless the value is one of the words allowed."""
    words = tuple(allowed)
    if not isinstance(value, str) or value not in words:
        raise OptionError(f"{name}: expected one of {', '.join(words)}, found {value!r}")


def check_known(name: str, value: object, known: Iterable[str]) -> None:
    """Raise :class:`OptionError` with the nearest name unless the value is one of the names known."""
    names = tuple(known)
    if value not in names:
        raise OptionError(f"{name}: {value!r} is unknown; {did_you_mean(str(value), names)}")


def check_flag(name: str, value: object) -> None:
    """Raise :class:`OptionError` unless the value is True or False: any text, even ``"no"``, would count as True."""
    if not isinstance(value, (bool, np.bool_)):
        raise OptionError(f"{name}: expected True or False, found {value!r}")


def check_number(name: str, value: object, expected: str = "a number") -> float:
    """Return a number other than NaN as a float, or raise :class:`OptionError`."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise OptionError(f"{name}: expected {expected}, found {value!r}")
    try:
        number = float(value)
    except OverflowError:
        raise OptionError(f"{name}: expected {expected}, found one beyond what float64 holds") from None
    if number != number:  # noqa: PLR0124 - NaN alone differs from itself
        raise OptionError(f"{name}: expected {expected}, found {value!r}")
    return number


def check_whole(name: str, value: object, least: int, expected: str | None = None) -> int:
    """Return a whole number of at least ``least``, or raise :class:`OptionError`."""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
        raise OptionError(f"{name}: expected {expected or f'a whole number >= {least}'}, found {value!r}")
    return int(value)


def check_text(name: str, value: object, expected: str) -> str:
    """Return a text, or raise :class:`OptionError`."""
    if not isinstance(value, str):
        raise OptionError(f"{name}: expected {expected}, found {spoken(value)}")
    return value


def spoken(value: object) -> str:
    """A value as an error shows it; a function, such as a metric where its name was meant, by its name."""
    named = getattr(value, "__name__", None)
    return f"the function {named} (write its name in quotes)" if callable(value) and named else repr(value)


def check_level(level: object) -> float:
    """Return a confidence level strictly between 0 and 1, or raise :class:`OptionError`."""
    expected = "a confidence level strictly between 0 and 1"
    number = check_number("level", level, expected)
    if not 0.0 < number < 1.0:
        raise OptionError(f"level: expected {expected}, found {level!r}")
    return number

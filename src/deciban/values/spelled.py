"""Numbers that people write as text in options and labels, held to the same rules as scores in files."""

from __future__ import annotations

import math
import re
from typing import Final

_DIGITS: Final = re.compile(r"\s*[+-]?\d+\s*", re.ASCII)


def spelled_float(text: str) -> float:
    """Read a number; raise ValueError for underscores and for what float64 would turn into infinity or zero.

    >>> spelled_float("1e3"), spelled_float("-inf")
    (1000.0, -inf)
    >>> spelled_float("1e400")
    Traceback (most recent call last):
    ...
    ValueError: expected a number that float64 can hold, found '1e400'
    """
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"expected a number, found {text!r}") from None
    if "_" in text:
        raise ValueError(f"expected a number without underscores, found {text!r}")
    mantissa = text.lower().partition("e")[0]
    overflow = math.isinf(value) and "inf" not in text.lower()
    if overflow or (value == 0.0 and re.search(r"[1-9]", mantissa)):
        raise ValueError(f"expected a number that float64 can hold, found {text!r}")
    return value


def spelled_int(text: str) -> int:
    """Read a whole number; raise ValueError for anything else, underscores included.

    >>> spelled_int(" 12")
    12
    """
    if not _DIGITS.fullmatch(text):
        raise ValueError(f"expected a whole number, found {text!r}")
    return int(text)

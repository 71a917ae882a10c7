"""What texts and bytes of a table stand for: numbers and booleans are such however they come, bytes are their text."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from deciban.values.arrays import AnyArray

_POINT: Final = r"(\.0|\.[0-9]*[1-9])"
_NUMBER: Final = re.compile(rf"-?(0|[1-9][0-9]*)({_POINT}?[eE][+-][0-9]+|{_POINT}([eE][0-9]+)?)?|-?inf")
"""How programs write numbers: without zeros at either end, but for the ``.0`` of doubles that are whole.

An exponent has a sign, or a point before it: ``1E5`` is a name, too.
"""


def bytes_text(value: bytes) -> str:
    """The text that bytes are in UTF-8; where they are none, letters and escapes, as DuckDB shows them."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        plain = (chr(byte) if 32 <= byte < 127 and chr(byte) not in "\\'\"" else f"\\x{byte:02X}" for byte in value)
        return "".join(plain)


def booleans_of(texts: Sequence[str]) -> AnyArray | None:
    """The truth values that all of the texts are, in any case; None where one is something else."""
    lower = [text.lower() for text in texts]
    if not lower or not all(text in ("true", "false") for text in lower):
        return None
    return np.array([text == "true" for text in lower])


def numbers_of(texts: Sequence[str], *, names: bool) -> AnyArray | None:
    """The numbers that all of the texts are; None where one is something else.

    Of ``names`` each number must be written as programs write it, and none in two ways: ``01`` may be a name, and so
    may ``1`` beside ``1.0``.
    """
    try:
        floats = [float(text) for text in texts]
    except ValueError:
        return None
    if any("_" in text or math.isnan(number) for text, number in zip(texts, floats, strict=True)):
        return None
    if names and not (all(map(_NUMBER.fullmatch, texts)) and len(set(floats)) == len(set(texts))):
        return None
    if all(number.is_integer() for number in floats):
        if any(abs(number) >= 2.0**53 for number in floats):
            return None
        return np.array([int(number) for number in floats], dtype=np.int64)
    return np.array(floats)

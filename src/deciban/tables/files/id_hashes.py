"""Ids as numbers by which the same ones are found, whichever of two readers has read them.

A column of ids is read as DuckDB's hashes of its texts or, where these are short, as the texts themselves, which are
hashed here in a quarter of the time. Both sides of a join must then have been read so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from deciban.tables.files.duck import connect, register
from deciban.values.arrays import AnyArray

_ODD: Final = np.uint64(0x9E3779B97F4A7C15)
"""2⁶⁴ divided by the golden ratio, the usual multiplier of such hashes: products with it spread over all upper bits."""

_AT_ONCE: Final = 1 << 15
"""Rows that are hashed at once, so that what is between two steps stays near the processor: half the time."""


def alike(columns: Sequence[AnyArray]) -> list[AnyArray]:
    """Columns of the same id from several files: all as texts of one width, or all as DuckDB's hashes."""
    texts = [column for column in columns if column.dtype.kind == "S"]
    if len(texts) == len(columns):
        width = max(column.dtype.itemsize for column in columns)
        return [column.astype(f"S{width}", copy=False) for column in columns]
    return [_hashed_by_duckdb(column) if column.dtype.kind == "S" else column for column in columns]


def hashed(ids: Sequence[AnyArray]) -> AnyArray:
    """One hash for each row, from all its ids; the order of ids matters."""
    found: AnyArray = np.empty(ids[0].size, dtype=np.uint64)
    for start in range(0, found.size, _AT_ONCE):
        rows = slice(start, start + _AT_ONCE)
        first, *others = (_hashed(column[rows]) if column.dtype.kind == "S" else column[rows] for column in ids)
        found[rows] = first
        for one in others:
            found[rows] *= _ODD
            found[rows] ^= one
    return found


def _hashed(texts: AnyArray) -> AnyArray:
    """Hashes of texts of one width: eight letters at a time are mixed in, and each step can be undone.

    Texts of eight letters or fewer therefore never share one.
    """
    width = texts.dtype.itemsize
    words = np.zeros((texts.size, -(-width // 8)), dtype=np.uint64)
    words.view(np.uint8)[:, :width] = texts.view(np.uint8).reshape(texts.size, width)
    found: AnyArray = np.zeros(texts.size, dtype=np.uint64)
    for word in words.T:
        found ^= word
        found *= _ODD
        found ^= found >> np.uint64(32)
    return found


def _hashed_by_duckdb(texts: AnyArray) -> AnyArray:
    with connect() as db:
        register(db, "ids", [texts.astype(np.str_)])
        found: AnyArray = db.execute("SELECT hash(c0) AS h FROM ids").fetchnumpy()["h"]
    return found

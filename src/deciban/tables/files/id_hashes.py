"""Ids as numbers by which the same ones are found, whichever of two readers has read them.

A column of ids is read as DuckDB's hashes of its texts or, where these are short, as the texts themselves, which are
hashed here in a quarter of the time. Both sides of a join must then have been read so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from deciban.tables.files.duck import connect, hash_of, register
from deciban.values.arrays import AnyArray

_MIXING: Final = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
"""Steps of SplitMix64 (Steele, Lea and Flood, 2014), which spread every bit over all others: shift, then multiplier."""

_LAST_SHIFT: Final = np.uint64(31)

_AT_ONCE: Final = 1 << 15
"""Rows that are hashed at once, so that what is between two steps stays near the processor: half the time."""


def alike(columns: Sequence[AnyArray]) -> list[AnyArray]:
    """Columns of the same id from several files: all as texts of one width, or all as DuckDB's hashes."""
    if all(column.dtype.kind == "S" for column in columns):
        width = max(column.dtype.itemsize for column in columns)
        return [column.astype(f"S{width}", copy=False) for column in columns]
    return [_hashed_by_duckdb(column) if column.dtype.kind == "S" else column for column in columns]


def hashed(ids: Sequence[AnyArray]) -> AnyArray:
    """One hash for each row, from all its ids; the order of ids matters."""
    found: AnyArray = np.empty(ids[0].size, dtype=np.uint64)
    for start in range(0, found.size, _AT_ONCE):
        rows = slice(start, start + _AT_ONCE)
        found[rows] = 0
        for column in ids:
            found[rows] ^= _hashed(column[rows]) if column.dtype.kind == "S" else column[rows]
            _mix(found[rows])
    return found


def _hashed(texts: AnyArray) -> AnyArray:
    """Hashes of texts of one width, into which eight letters at a time are mixed.

    Each step can be undone: texts of eight letters or fewer never share a hash.
    """
    width = texts.dtype.itemsize
    words = np.zeros((texts.size, -(-width // 8)), dtype=np.uint64)
    words.view(np.uint8)[:, :width] = texts.view(np.uint8).reshape(texts.size, width)
    found: AnyArray = np.zeros(texts.size, dtype=np.uint64)
    for word in words.T:
        found ^= word
        _mix(found)
    return found


def _mix(hashes: AnyArray) -> None:
    """Spread the bits of each hash, in place."""
    for shift, multiplier in _MIXING:
        hashes ^= hashes >> np.uint64(shift)
        hashes *= np.uint64(multiplier)
    hashes ^= hashes >> _LAST_SHIFT


def _hashed_by_duckdb(texts: AnyArray) -> AnyArray:
    with connect() as db:
        register(db, "ids", [texts.astype(np.str_)])
        found: AnyArray = db.execute(f"SELECT {hash_of('c0')} AS h FROM ids").fetchnumpy()["h"]
    return found

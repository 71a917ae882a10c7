"""Which row of the scores belongs to which row of the key, by the values of ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from deciban.values.arrays import AnyArray

_ROUNDS: Final = 12
"""Rounds of :func:`one_to_one`; each leaves about a tenth of the rows, so that a million need six."""


def combined(hashes: Sequence[AnyArray]) -> AnyArray:
    """One hash of each row, from those of its ids; the order of ids matters."""
    whole = hashes[0].copy()
    for one in hashes[1:]:
        whole *= np.uint64(0x9E3779B97F4A7C15)
        whole ^= one
    return whole


def one_to_one(left: AnyArray, right: AnyArray) -> AnyArray | None:
    """For each row on the right the one row on the left that has its hash; None unless every row has just one.

    Different ids may have one hash, in one of about ten million files of a million rows: then a row has two partners,
    and this is None as it is for ids that recur or are on one side only. :func:`codes` tells those apart.
    """
    if left.size != right.size:
        return None
    # Half the bytes of 64-bit places: what is waited for here is memory.
    places = np.int32 if left.size < 2**31 else np.int64
    found = np.zeros(right.size, dtype=places)
    rows = open_rows = np.arange(left.size, dtype=places)
    for turn in range(_ROUNDS):
        # A table of places that rows on the left are put into by some bits of their hash; of those that meet in one
        # place the last stays, and the others wait for the next round, where other bits decide.
        bits = max(int(rows.size).bit_length() + 1, 8)
        shift, mask = np.uint64((turn * 5) % (64 - bits)), np.uint64(2**bits - 1)
        table = np.full(2**bits, -1, dtype=places)
        table[((left >> shift) & mask).view(np.int64)] = np.arange(left.size, dtype=places)
        candidate = table[((right >> shift) & mask).view(np.int64)]
        hit = (candidate >= 0) & (left[candidate] == right)
        partner = candidate[hit]
        waiting = np.ones(left.size, dtype=bool)
        waiting[partner] = False
        if left.size - np.count_nonzero(waiting) < partner.size:
            return None
        found[open_rows[hit]] = rows[partner]
        left, rows = left[waiting], rows[waiting]
        right, open_rows = right[~hit], open_rows[~hit]
        if rows.size == 0:
            return found
    return None


def codes(ids: Sequence[AnyArray]) -> AnyArray:
    """A number for each row, the same for rows of the same ids and no others."""
    hashes = [np.fromiter(map(hash, column), np.int64, len(column)).view(np.uint64) for column in ids]
    _, first, inverse = np.unique(combined(hashes), return_index=True, return_inverse=True)
    if all(np.array_equal(column[first][inverse], column) for column in ids):
        return np.asarray(inverse)
    # Two different ids with one hash: next to never, and then counted one by one.
    known: dict[tuple[object, ...], int] = {}
    return np.array([known.setdefault(row, len(known)) for row in zip(*ids, strict=True)])

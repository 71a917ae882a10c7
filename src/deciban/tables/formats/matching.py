"""Which row of the scores belongs to which row of the key, by the values of ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import DTypeLike

from deciban.values.arrays import AnyArray

_ROUNDS: Final = 12
"""Turns of :func:`one_to_one`; each leaves about a tenth of the rows, so that a million need six."""


def combined(hashes: Sequence[AnyArray]) -> AnyArray:
    """One hash of each row, from those of its ids; the order of ids matters."""
    whole = hashes[0].copy()
    for one in hashes[1:]:
        whole *= np.uint64(0x9E3779B97F4A7C15)
        whole ^= one
    return whole


def one_to_one(left: AnyArray, right: AnyArray, turn: int = 0) -> AnyArray | None:
    """For each row on the right the one row on the left that has its hash; None unless every row has just one.

    Different ids may have one hash, in one of about ten million files of a million rows: then a row has two partners,
    and this is None as it is for ids that recur or are on one side only. :func:`codes` tells those apart.
    """
    if left.size != right.size or turn == _ROUNDS:
        return None
    # A table of places that rows on the left are put into by some bits of their hash; of those that meet in one place
    # the last stays, and the others wait for the next turn, where other bits decide. Memory is what takes time here.
    places: DTypeLike = np.int32 if left.size < 2**31 else np.int64
    bits = max(int(left.size).bit_length() + 2, 8)
    shift, mask = np.uint64((turn * 5) % (64 - bits)), np.uint64(2**bits - 1)
    table = np.zeros(2**bits, dtype=places)
    table[((left >> shift) & mask).view(np.int64)] = np.arange(left.size, dtype=places)
    candidate = table[((right >> shift) & mask).view(np.int64)]
    hit = left[candidate] == right
    partner = candidate[hit]
    waiting = np.ones(left.size, dtype=bool)
    waiting[partner] = False
    if left.size - np.count_nonzero(waiting) < partner.size:
        return None
    found = np.zeros(right.size, dtype=places)
    found[hit] = partner
    if waiting.any():
        rows, open_rows = np.flatnonzero(waiting), np.flatnonzero(~hit)
        rest = one_to_one(left[rows], right[open_rows], turn + 1)
        if rest is None:
            return None
        found[open_rows] = rows[rest]
    return found


def codes(ids: Sequence[AnyArray]) -> AnyArray:
    """A number for each row, the same for rows of the same ids and no others."""
    hashes = [np.fromiter(map(hash, column), np.int64, len(column)).view(np.uint64) for column in ids]
    _, first, inverse = np.unique(combined(hashes), return_index=True, return_inverse=True)
    if all(np.array_equal(column[first][inverse], column) for column in ids):
        return np.asarray(inverse)
    # Two different ids with one hash: next to never, and then counted one by one.
    known: dict[tuple[object, ...], int] = {}
    return np.array([known.setdefault(row, len(known)) for row in zip(*ids, strict=True)])

"""Rows that belong together by the hashes of their ids, held against looking each of them up."""

from __future__ import annotations

import string
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deciban.tables.files.id_hashes import alike, hashed
from deciban.tables.formats.matching import Ordered, one_to_one


def ordered(hashes):
    return Ordered.of(np.array(hashes, dtype=np.uint64))


@given(
    left=st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 5), min_size=1, max_size=40),
    order=st.randoms(use_true_random=False),
    other=st.none() | st.integers(0, 5),
    shift=st.sampled_from([0, 30, 58]),
)
def test_each_row_meets_the_one_with_its_hash(left, order, other, shift):
    left = [hash_ << shift & 2**64 - 1 for hash_ in left]
    right = order.sample(left, len(left))
    if other is not None:
        right[0] = other
    found = one_to_one(ordered(left), ordered(right))
    if len(set(left)) == len(left) and sorted(left) == sorted(right):
        assert found is not None
        assert found.tolist() == [left.index(hash_) for hash_ in right]
    else:
        assert found is None


def test_sides_of_different_size_do_not_meet():
    assert one_to_one(ordered([1, 2]), ordered([1])) is None


@given(hashes=st.lists(st.integers(0, 2**64 - 1) | st.integers(2**40, 2**40 + 9), min_size=1, max_size=40))
def test_rows_are_in_the_order_of_their_hashes(hashes):
    found = ordered(hashes)
    assert found.hashes.tolist() == sorted(hashes)
    assert [hashes[row] for row in found.rows] == sorted(hashes)
    assert sorted(found.rows.tolist()) == list(range(len(hashes)))


IDS = {
    "hexadecimal counters": [f"{a:08x}{b:04x}{c:04x}" for a in range(32) for b in range(64) for c in range(64)],
    "three counters": [f"spkr{a:03d}_s{b:03d}_t{c:03d}" for a in range(50) for b in range(50) for c in range(50)],
    "letters far apart": [f"REC0001{a}.SE{b}.UT{c}" for a, b, c in product(string.ascii_uppercase, repeat=3)],
    "short numbers": [f"{number:06d}" for number in range(200_000)],
    "numbers of any length": [str(number) for number in range(200_000)],
}


@pytest.mark.parametrize("ids", IDS.values(), ids=IDS)
def test_ids_that_differ_have_different_hashes(ids):
    texts = np.array(ids, dtype="S")
    assert np.unique(hashed([texts])).size == len(ids)
    assert np.unique(hashed([texts, texts[::-1].copy()])).size == len(ids)


def test_hashes_are_spread_whichever_letter_differs():
    bits = np.unpackbits(hashed([np.array([f"utt_{row:012d}" for row in range(4096)], dtype="S")]).view(np.uint8))
    share = bits.reshape(4096, 64).mean(axis=0)
    assert 0.45 < share.min() <= share.max() < 0.55


def test_texts_read_in_two_ways_are_alike():
    short, long = np.array([b"a", b"bc"]), np.array([b"bc", b"abcdefghi"])
    one, other = alike([short, long])
    assert hashed([one])[1] == hashed([other])[0]
    by_duckdb, same = alike([short, alike([long, np.zeros(1, dtype=np.uint64)])[0]])
    assert by_duckdb.dtype == same.dtype == np.uint64
    assert by_duckdb[1] == same[0]
    assert by_duckdb[0] != same[1]

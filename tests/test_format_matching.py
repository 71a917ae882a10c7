"""Rows that belong together by the hashes of their ids, held against looking each of them up."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

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

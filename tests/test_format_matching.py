"""Rows that belong together by the hashes of their ids, held against looking each of them up."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from deciban.tables.formats.matching import one_to_one


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
    found = one_to_one(np.array(left, dtype=np.uint64), np.array(right, dtype=np.uint64))
    if len(set(left)) == len(left) and sorted(left) == sorted(right):
        assert found is not None
        assert found.tolist() == [left.index(hash_) for hash_ in right]
    else:
        assert found is None


def test_sides_of_different_size_do_not_meet():
    assert one_to_one(np.array([1, 2], dtype=np.uint64), np.array([1], dtype=np.uint64)) is None

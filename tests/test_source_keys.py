"""One source is one, whatever type the column has that names it."""

from decimal import Decimal

import numpy as np
import pytest

import deciban as db
from deciban.calibration.training import digests_of
from deciban.trials.source_keys import comparable, one_kind, source_keys
from deciban.uncertainty.bootstrap.sources import number_sources

ONE = [
    np.array([7, 12], dtype=np.int64),
    np.array([7.0, 12.0]),
    np.array([7, 12], dtype=np.float32),
    np.array([7, 12], dtype=np.uint8),
    np.array(["7", "12"]),
    np.array(["7.0", "12.0"]),
    np.array([b"7", b"12"]),
    np.array([7, 12.0], dtype=object),
    np.array([np.float64(7), "12"], dtype=object),
    np.array([Decimal("7.00"), Decimal(12)], dtype=object),
]


@pytest.mark.parametrize("other", ONE, ids=lambda column: f"{column.dtype}{column[0]!r}")
@pytest.mark.parametrize("one", ONE, ids=lambda column: f"{column.dtype}{column[0]!r}")
def test_sources_of_any_types_are_one(one, other):
    assert digests_of([one]) == digests_of([other]) == digests_of([one, other])
    trials = db.Trials.from_arrays([1, 2], [0, 1], sources=(one, other[::-1]))
    assert number_sources(trials).pools == (2,)


def test_text_is_what_is_written():
    texts = np.array(["007", "7", "1.10", "1.1", "-0.0", "0", "1e3", "1000", "7.00"])
    assert source_keys([texts])[0].tolist() == texts.tolist()
    # Ids are left as they are written.
    assert one_kind([np.array(["7.0"]), np.array(["7"])])[0].tolist() == ["7.0"]


def test_whole_numbers_that_doubles_do_not_hold_stay_apart():
    one, other = np.array([2**53 + 1]), np.array([2.0**53])
    first, second = comparable([one, other])
    assert first[0] != second[0]
    assert comparable([np.array([2**53]), other])[0] == comparable([other, other])[0]
    assert source_keys([np.array([1e16])])[0].tolist() == source_keys([np.array([10**16])])[0].tolist()


def test_sources_of_trials_of_weight_0_are_absent():
    trials = db.Trials.from_arrays([1, 3, 2, 0, 9], [1, 1, 0, 0, 1], sources=list("abcde"), weight=[1, 1, 1, 1, 0])
    bounded = db.BoundedCalibrator(db.GaussianCalibrator(), "sources").fit(trials)
    assert bounded.bounds.upper == 4.0
    assert bounded.training.sources == digests_of([np.array(list("abcd"))])
    assert bounded.training.high == 3.0

"""Calibration error over bins: exact values, brute force in fractions, the sweep on data that make it long."""

import math
import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deciban as db
from deciban.metrics import sweep as sweep_module
from deciban.metrics.sweep import sweep
from deciban.passes.binning import equal_mass, middles
from tests import probability_brute as brute

few = settings(max_examples=200, deadline=None)
sixteenths = st.builds(lambda k: Fraction(k, 16), st.integers(0, 16))
any_rows = st.lists(st.tuples(sixteenths, st.integers(0, 1)), min_size=1, max_size=14)


def counted(rows: brute.Rows) -> db.Counts:
    return db.Counts.from_arrays([float(p) for p, _ in rows], [y for _, y in rows], scale="probability")


@given(any_rows, st.integers(1, 20), st.sampled_from(["equal-width", "equal-mass"]))
@few
def test_norms_against_fractions(rows, n_bins, binning):
    bins = (brute.equal_width if binning == "equal-width" else brute.equal_mass)(rows, n_bins)
    gaps = brute.gaps(bins)
    want = {
        "l1": float(sum(weight * abs(gap) for weight, gap in gaps)),
        "l2": math.sqrt(sum(weight * gap**2 for weight, gap in gaps)),
        "max": float(max(abs(gap) for _, gap in gaps)),
    }
    counts = counted(rows)
    for norm, value in want.items():
        found = db.calibration_error(counts, n_bins=n_bins, binning=binning, norm=norm)
        assert found == pytest.approx(value, abs=1e-15)
    if all(len(found) > 1 for found in bins):
        found = db.calibration_error_debiased(counts, n_bins=n_bins, binning=binning)
        assert found == pytest.approx(float(brute.debiased(bins)), abs=1e-15)
    else:
        with pytest.raises(db.UndefinedMetricError, match="hold one trial") as caught:
            db.calibration_error_debiased(counts, n_bins=n_bins, binning=binning)
        assert caught.value.reason == "single_trial_bin"


@given(any_rows)
@few
def test_sweep_against_fractions(rows):
    bins = brute.sweep(rows)
    found = db.calibration_sweep(counted(rows))
    assert found.bins == len(bins)
    assert found.error == pytest.approx(float(sum(w * abs(gap) for w, gap in brute.gaps(bins))), abs=1e-15)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=12), st.integers(1, 70))
@few
def test_cuts_are_those_of_array_split(sizes, n_bins):
    n = np.array(sizes)
    ends = np.append(0, np.cumsum(n))
    cuts = np.cumsum([part.size for part in np.array_split(np.arange(n.sum()), n_bins)])[:-1]
    places = {0, *(int(np.argmin(np.abs(ends - cut))) for cut in cuts)} - {n.size}
    assert equal_mass(middles(n), int(n.sum()), n_bins).tolist() == sorted(places)


def test_a_cut_halfway_moves_down():
    # Four trials at one score between one and one: two bins are cut after three, halfway through the four.
    n = np.array([1, 4, 1])
    assert equal_mass(middles(n), 6, 2).tolist() == [0, 1]
    # Three at one score after two: the cut after three is nearer their lower end; bins left empty vanish.
    assert equal_mass(middles(np.array([2, 3, 1])), 6, 2).tolist() == [0, 1]
    assert equal_mass(middles(np.array([6])), 6, 3).tolist() == [0]


def test_bins_by_hand():
    # p 0.1 0.2 | 0.3 0.9 with classes 0 1 | 0 1: gaps 0.15 − 0.5 and 0.6 − 0.5.
    counts = db.Counts.from_arrays([0.1, 0.2, 0.3, 0.9], [0, 1, 0, 1], scale="probability")
    errors = {
        norm: db.calibration_error(counts, n_bins=2, binning="equal-mass", norm=norm) for norm in ("l1", "l2", "max")
    }
    assert errors == pytest.approx({"l1": 0.225, "l2": math.sqrt(0.06625), "max": 0.35}, abs=1e-15)
    # Less ½·½/(2 − 1) in both.
    assert db.calibration_error_debiased(counts, n_bins=2) == pytest.approx(0.06625 - 0.25, abs=1e-15)


def test_the_default_is_what_it_was():
    rng = np.random.default_rng(3)
    p = rng.random(1000)
    counts = db.Counts.from_arrays(p, rng.random(1000) < p, scale="probability")
    starts = np.unique(np.searchsorted(counts.score, np.arange(10) / 10))
    stated = np.add.reduceat(counts.score * (counts.n_target + counts.n_nontarget), starts)
    want = float(np.abs(stated - np.add.reduceat(counts.n_target, starts)).sum() / 1000)
    assert db.calibration_error(counts) == want
    assert db.calibration_error.spec.complete({}) == {
        "p_target": None,
        "n_bins": 10,
        "binning": "equal-width",
        "norm": "l1",
    }


def plain_sweep(n_target: Any, n_nontarget: Any) -> Any:
    """Every number of bins in turn."""
    n = n_target + n_nontarget
    last = np.array([0])
    for n_bins in range(2, int(n.sum()) + 1):
        starts = equal_mass(middles(n), int(n.sum()), n_bins)
        k, m = np.add.reduceat(n_target, starts), np.add.reduceat(n_nontarget, starts)
        if (k[:-1] * m[1:] > k[1:] * m[:-1]).any():
            return last
        last = starts
    return last


@pytest.mark.parametrize("few_bins", [1, 64])
@pytest.mark.parametrize("kind", ["separated", "ties", "distinct"])
def test_long_sweeps_end_where_the_plain_one_does(monkeypatch, few_bins, kind):
    monkeypatch.setattr(sweep_module, "FEW", few_bins)
    rng = np.random.default_rng(7)
    lengths = []
    for _ in range(60):
        size = int(rng.integers(2, 120))
        share = np.linspace(0, 1, size)
        if kind == "separated":
            share = np.clip((share - 0.5) * 20 + 0.5, 0, 1)
        n = np.ones(size, dtype=np.int64) if kind == "distinct" else rng.integers(1, 30, size)
        n_target = rng.binomial(n, share).astype(np.int64)
        found = sweep(n_target, n - n_target)
        assert found.tolist() == plain_sweep(n_target, n - n_target).tolist()
        lengths.append(found.size)
    assert max(lengths) > 10 or kind == "distinct"


def test_a_million_trials():
    n = 1_000_000
    labels = (np.arange(n) >= n // 2).astype(np.int64)
    start = time.perf_counter()
    assert sweep(labels, 1 - labels).size == n
    labels[[n // 2 - 1, n // 2]] = labels[[n // 2, n // 2 - 1]]
    # One pair in the wrong order: only bins of single trials show it.
    assert sweep(labels, 1 - labels).size > n // 2
    # No timing test: without the search this takes hours.
    assert time.perf_counter() - start < 60

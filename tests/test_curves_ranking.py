"""Curves over thresholds: brute force, agreement with the scalar metrics, and the corners."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

import deciban as db
from tests.curve_data import DEGENERATE, UNHURRIED, at_or_above, below, classes, ln_lrs

FIVE = db.Counts.from_classes([0.9, 0.5], [0.8, 0.7, 0.1])


def area(x: list[int], y: list[int]) -> Fraction:
    """Trapezoids in fractions."""
    points = list(zip(map(Fraction, x), map(Fraction, y), strict=True))
    return sum(((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(points)), Fraction(0))


def crossing(curve: db.Rocch) -> Fraction:
    """Where the hull meets p_miss = p_fa, in fractions."""
    n1, n0 = curve.n_target, curve.n_nontarget
    points = [
        (Fraction(int(fn), n1), Fraction(int(fp), n0))
        for fn, fp in zip(curve.fn.tolist(), curve.fp.tolist(), strict=True)
    ]
    for (m0, f0), (m1, f1) in pairwise(points):
        if m1 <= f1:
            t = (m0 - f0) / ((m0 - f0) - (m1 - f1))
            return m0 + t * (m1 - m0)
    raise ValueError("no crossing")


@UNHURRIED
@given(classes())
def test_roc_area_is_auc_in_fractions(data):
    counts = ln_lrs(data)
    curve = db.roc(counts)
    pairs = area(curve.fp.tolist(), curve.tp.tolist())
    assert pairs / (len(data[0]) * len(data[1])) == db.auc(counts, exact=True)


@UNHURRIED
@given(classes())
def test_roc_and_det_are_shares_at_or_above(data):
    counts = ln_lrs(data)
    roc, det = db.roc(counts), db.det(counts)
    assert (roc.p_fa[0], roc.recall[0], roc.p_fa[-1], roc.recall[-1]) == (0, 0, 1, 1)
    for i, t in enumerate(roc.threshold.tolist()[1:], 1):
        assert roc.recall[i] == at_or_above(data[0], t)
        assert roc.p_fa[i] == at_or_above(data[1], t)
        assert det.p_miss[i] == below(data[0], t)
        assert det.p_fa[i] == roc.p_fa[i]


@UNHURRIED
@given(classes())
def test_step_sum_of_precision_recall_is_average_precision(data):
    counts = ln_lrs(data)
    curve = db.precision_recall(counts)
    steps = float((np.diff(curve.recall) * curve.precision[1:]).sum())
    assert steps == pytest.approx(db.average_precision(counts), rel=1e-12)


def test_hull_of_five_trials():
    hull = db.rocch(FIVE)
    assert hull.fn.tolist() == [2, 1, 0, 0]
    assert hull.fp.tolist() == [0, 0, 2, 3]
    assert hull.p_miss.tolist() == [1, 0.5, 0, 0]
    assert hull.p_fa.tolist() == [0, 0, 2 / 3, 1]
    assert hull.threshold.tolist() == [math.inf, 0.9, 0.5, 0.1]
    assert crossing(hull) == Fraction(2, 7)


@UNHURRIED
@given(classes())
def test_hull_crosses_at_the_equal_error_rate(data):
    counts = ln_lrs(data)
    hull = db.rocch(counts)
    assert crossing(hull) == db.eer(counts, exact=True)
    assert (hull.p_miss[0], hull.p_fa[0], hull.p_miss[-1], hull.p_fa[-1]) == (1, 0, 0, 1)
    for t, fn, fp in list(zip(hull.threshold.tolist(), hull.fn.tolist(), hull.fp.tolist(), strict=True))[1:]:
        assert fn == sum(x < t for x in data[0])
        assert fp == sum(x >= t for x in data[1])


def test_hull_corners_are_exact_with_weights():
    g = np.random.default_rng(1)
    trials = db.Trials.from_arrays(
        g.normal(size=200), g.integers(0, 2, 200), target=1, weight=g.uniform(0.1, 1, 200), scale="ln_lr"
    )
    hull = db.rocch(db.count(trials))
    assert (hull.p_miss[0], hull.p_fa[-1]) == (1, 1)


@UNHURRIED
@given(classes())
def test_pav_map_pools_to_the_ratio_of_shares(data):
    counts = ln_lrs(data)
    blocks = db.pav_map(counts)
    assert (np.diff(blocks.ln_lr) > 0).all()
    assert (blocks.low[0], blocks.high[-1]) == (counts.score[0], counts.score[-1])
    for i in range(blocks.low.size):
        inside = [[blocks.low[i] <= x <= blocks.high[i] for x in column] for column in data]
        k1, k0 = (sum(column) for column in inside)
        assert (blocks.n_target[i], blocks.n_nontarget[i]) == (k1, k0)
        lr = math.inf if k0 == 0 else (k1 / len(data[0])) / (k0 / len(data[1]))
        assert math.exp(blocks.ln_lr[i]) == pytest.approx(lr, rel=1e-12)
    assert blocks.scale == "ln_lr"


def test_gains_and_their_area():
    curve = db.pr_gain(db.Counts.from_classes([8, 7, 5, 3], [6, 4, 2, 1, 0, -1]))
    # tp 1.6 of 4 at the start, between the two highest targets; then 2, 2, 3, 3, 4, 4, 4, 4, 4.
    assert curve.tp.tolist() == [1.6, 2, 2, 3, 3, 4, 4, 4, 4, 4]
    assert curve.interpolated.tolist() == [True] + [False] * 9
    assert curve.threshold.tolist() == [7, 7, 6, 5, 4, 3, 2, 1, 0, -1]
    assert (curve.precision_gain[3], curve.recall_gain[3]) == pytest.approx((7 / 9, 7 / 9))
    assert np.trapezoid(curve.precision_gain, curve.recall_gain) == pytest.approx(64 / 81, abs=1e-12)


def test_gain_that_starts_on_a_point():
    # N1²/N = 1: the first target alone has recall gain 0.
    curve = db.pr_gain(db.Counts.from_classes([4, 2], [3, 1]))
    assert curve.recall_gain.tolist() == [0, 0, 1, 1]
    assert curve.precision_gain.tolist() == [1, 0, 0.5, 0]
    assert not curve.interpolated.any()


@UNHURRIED
@given(classes())
def test_gains_are_the_harmonic_scale_of_precision_and_recall(data):
    curve = db.pr_gain(ln_lrs(data))
    n1, n0 = len(data[0]), len(data[1])
    share1 = Fraction(n1, n1 + n0)
    assert curve.recall_gain[0] == pytest.approx(0, abs=1e-12)
    assert curve.recall_gain[-1] == 1
    assert curve.precision_gain[-1] == pytest.approx(0, abs=1e-12)
    assert (curve.recall_gain >= -1e-12).all()
    for i in range(int(curve.interpolated[0]), curve.tp.size):
        tp, fp = sum(x >= curve.threshold[i] for x in data[0]), sum(x >= curve.threshold[i] for x in data[1])
        for got, value in ((curve.precision_gain[i], Fraction(tp, tp + fp)), (curve.recall_gain[i], Fraction(tp, n1))):
            assert got == pytest.approx(float((value - share1) / ((1 - share1) * value)), abs=1e-9)


def test_tippett_by_hand():
    counts = db.Counts.from_classes([2, 1, 0, -1], [-2, -1, 0, 1, -1], scale="log10_lr")
    curve = db.tippett(counts)
    at = [curve.log10_lr.tolist().index(x) for x in (-1, 0, 1)]
    assert curve.target[at].tolist() == [1, 0.75, 0.5]
    assert curve.nontarget[at].tolist() == [0.8, 0.4, 0.2]


@UNHURRIED
@given(classes())
def test_tippett_is_monotone_and_at_or_above(data):
    counts = ln_lrs(data)
    first, second = db.tippett(counts), db.tippett(counts, type=2)
    assert (np.diff(first.target) <= 0).all()
    assert (np.diff(first.nontarget) <= 0).all()
    assert (first.target[0], first.nontarget[0]) == (1, 1)
    for i, t in enumerate(counts.score.tolist()):
        assert first.target[i] == at_or_above(data[0], t)
        assert first.nontarget[i] == second.nontarget[i] == at_or_above(data[1], t)
        assert second.target[i] == below(data[0], t)
        assert np.isinf(first.log10_lr[i]) == math.isinf(t)


@UNHURRIED
@given(classes())
def test_tippett_type_2_crosses_where_the_error_rates_do(data):
    counts = ln_lrs(data)
    curve, det = db.tippett(counts, type=2), db.det(counts)
    assert curve.target.tolist() == det.p_miss[-2:0:-1].tolist()
    assert curve.nontarget.tolist() == det.p_fa[-2:0:-1].tolist()


@pytest.mark.parametrize("scale", ["lr", "ln_lr", "log2_lr", "log10_lr", "deciban", "probability"])
def test_tippett_is_in_base_10_whatever_the_unit(scale):
    units = {
        "lr": [0.1, 10.0],
        "ln_lr": [-math.log(10), math.log(10)],
        "log2_lr": [-math.log2(10), math.log2(10)],
        "log10_lr": [-1.0, 1.0],
        "deciban": [-10.0, 10.0],
        "probability": [1 / 11, 10 / 11],
    }
    prior = 0.5 if scale == "probability" else None
    curve = db.tippett(db.Counts.from_classes(units[scale][1:], units[scale][:1], scale=scale, prior=prior))
    assert curve.log10_lr.tolist() == pytest.approx([-1, 1], rel=1e-14)


def test_tippett_needs_likelihood_ratios():
    with pytest.raises(db.ScaleError, match="scale="):
        db.tippett(FIVE)
    with pytest.raises(db.OptionError, match="expected 1 or 2"):
        db.tippett(FIVE, type=3)


@pytest.mark.parametrize("data", DEGENERATE.values(), ids=DEGENERATE)
def test_degenerate_data_have_curves(data):
    counts = ln_lrs(data)
    for name in ("roc", "det", "precision_recall", "rocch", "pr_gain", "tippett", "pav_map"):
        curve = getattr(db, name)(counts)
        for column in curve.to_frame("pyarrow").columns:
            assert not any(isinstance(x, float) and math.isnan(x) for x in column.to_pylist()), name
    assert db.roc(counts).reject_all_reachable == (math.inf not in data[0] + data[1])
    roc = db.roc(counts)
    assert area(roc.fp.tolist(), roc.tp.tolist()) / (len(data[0]) * len(data[1])) == db.auc(counts, exact=True)


@pytest.mark.parametrize("name", ["roc", "det", "precision_recall", "rocch", "pr_gain", "tippett", "pav_map"])
def test_an_empty_class_is_refused(name):
    counts = db.Counts(score=[1.0], n_target=[3], n_nontarget=[0], scale="ln_lr")
    with pytest.raises(db.SingleClassError):
        getattr(db, name)(counts)

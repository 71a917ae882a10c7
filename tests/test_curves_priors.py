"""Curves over priors: against the scalar metrics, sums in buckets against sums over every LR, and the ends."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings

import deciban as db
from deciban.curves import cost_sums
from deciban.curves.cost_sums import bucketed_costs
from deciban.passes.evidence import UNIT, ClassCosts, class_costs
from deciban.passes.pool import pool
from tests.curve_data import DEGENERATE, UNHURRIED, classes, ln_lrs

WIDE = [-1000, -30, -3, -1, -0.3, 0, 0.2, 1, 2.5, 40, 1000]


def bucketed(counts: db.Counts, thetas: list[float]) -> list[ClassCosts]:
    part = (counts.ln_lr(), counts.n_target, counts.n_nontarget)
    return bucketed_costs(iter([part]), counts.total_target, counts.total_nontarget, np.asarray(thetas, dtype=float))


def test_default_priors_have_both_ends_and_an_exact_zero():
    curve = db.empirical_cross_entropy_curve(ln_lrs(([1.0], [0.0])))
    assert curve.log10_odds.size == 121
    assert [curve.log10_odds[i] for i in (0, 60, 120)] == [-3, 0, 3]
    assert curve.p_target[60] == 0.5


def test_neutral_is_the_entropy_of_the_prior():
    curve = db.empirical_cross_entropy_curve(ln_lrs(([1.0], [0.0])), log10_odds=[0, 0.5, -0.5, 1, 2, 3])
    assert curve.neutral.tolist() == pytest.approx(
        [1, 0.795461, 0.795461, 0.439497, 0.0801361, 0.0113978], abs=1e-6, rel=1e-5
    )
    quarter = db.empirical_cross_entropy_curve(ln_lrs(([1.0], [0.0])), log10_odds=[-math.log10(3)])
    assert quarter.neutral[0] == pytest.approx(0.8112781244591329, rel=1e-14)


def test_system_of_four_trials():
    counts = db.Counts.from_classes([1 / 3, 1 / 9], [1 / 3, 1.0], scale="lr")
    curve = db.empirical_cross_entropy_curve(counts, log10_odds=[0, -math.log10(3)])
    assert curve.system.tolist() == pytest.approx([1.6842413985415514, 1.2288005993895807], rel=1e-13)


@UNHURRIED
@given(classes())
def test_curve_is_the_scalar_at_every_prior(data):
    counts = ln_lrs(data)
    curve = db.empirical_cross_entropy_curve(counts, log10_odds=[*WIDE, -math.inf, math.inf])
    expected = [db.empirical_cross_entropy(counts, log10_odds=x) for x in curve.log10_odds.tolist()]
    assert curve.system.tolist() == expected
    middle = WIDE.index(0)
    assert curve.system[middle] == db.cllr(counts)
    assert curve.pav[middle] == db.cllr_min(counts)
    assert curve.neutral[middle] == 1
    ends = np.array([curve.system[-2:], curve.pav[-2:], curve.neutral[-2:]])
    assert (ends == 0).all()


@UNHURRIED
@given(classes())
def test_pav_is_never_above_the_others(data):
    counts = ln_lrs(data)
    curve = db.empirical_cross_entropy_curve(counts, log10_odds=np.linspace(-5, 5, 41))
    assert (curve.pav <= np.minimum(curve.system, curve.neutral) + 1e-12).all()


@settings(UNHURRIED, max_examples=200)
@given(classes(most=60))
def test_buckets_agree_with_every_lr(data):
    counts = ln_lrs(data)
    thetas = [-2302.0, -60.0, -7.0, -0.1, 0.0, 0.37, 5.0, 90.0, 2302.0]
    for theta, got in zip(thetas, bucketed(counts, thetas), strict=True):
        expected = class_costs(counts, theta)
        assert got.target == pytest.approx(expected.target, rel=1e-12, abs=0)
        assert got.nontarget == pytest.approx(expected.nontarget, rel=1e-12, abs=0)


def exact_softplus(x: float) -> Decimal:
    return (1 + Decimal(x).exp()).ln() if x < 60 else Decimal(x) + Decimal(-x).exp()


@pytest.mark.parametrize("offset", [-700.0, -45.0, -3.0, -0.6, 0.0, 0.4, 2.0, 39.97])
def test_the_bound_of_the_expansion(offset):
    # Everything at one edge of a bucket, where the remainder is largest, against forty digits.
    edge = math.nextafter(math.floor(offset) + 1 / 16, -math.inf)
    for value in (edge, float(math.floor(offset))):
        counts = ln_lrs(([value], [value]))
        got = bucketed(counts, [0.0])[0]
        with localcontext() as context:
            context.prec = 400
            for cost, x in ((got.target * UNIT, -value), (got.nontarget * UNIT, value)):
                truth = exact_softplus(x)
                # 1.4e-13 of expansion, and the rounding of the argument itself (and of the unit).
                assert abs(Decimal(cost) - truth) <= truth * Decimal(1.4e-13 + abs(x) * 2.3e-16)


@pytest.mark.parametrize(
    ("middle", "spread"), [(0.0, 3.0), (0.0, 300.0), (0.0, 1e7), (0.0, 1e17), (900.0, 1.0), (0.0, 1e-12), (5e5, 1e-3)]
)
def test_many_lrs_of_any_spread(middle, spread, monkeypatch):
    monkeypatch.setattr(cost_sums, "DIRECT", 0)
    g = np.random.default_rng(7)
    counts = ln_lrs((g.normal(middle + spread, spread, 30_000), g.normal(middle - spread, spread, 50_000)))
    x = [-1000.0, -3.0, -0.5, 0.0, 1.0, 3.0, 1000.0]
    curve = db.empirical_cross_entropy_curve(counts, log10_odds=x)
    expected = [db.empirical_cross_entropy(counts, log10_odds=odds) for odds in x]
    np.testing.assert_allclose(curve.system, expected, rtol=1e-12, atol=0)
    assert (curve.pav <= np.minimum(curve.system, curve.neutral) + 1e-12).all()


def test_infinite_and_enormous_lrs_in_buckets(monkeypatch):
    monkeypatch.setattr(cost_sums, "DIRECT", 0)
    right = ln_lrs(([math.inf, 1.7e308, 2.0], [-math.inf, -1.7e308, 1.0]))
    wrong = ln_lrs(([-math.inf, 2.0], [1.0, 0.5]))
    huge = ln_lrs(([-1.7e308] * 3 + [2.0], [1.7e308] * 3 + [1.0]))
    for counts in (right, wrong, huge):
        curve = db.empirical_cross_entropy_curve(counts, log10_odds=WIDE)
        expected = [db.empirical_cross_entropy(counts, log10_odds=x) for x in WIDE]
        np.testing.assert_allclose(curve.system, expected, rtol=1e-12, atol=0)


@UNHURRIED
@given(classes())
def test_far_priors_give_nothing_to_learn(data):
    finite = [[x for x in column if math.isfinite(x)] or [0.0] for column in data]
    curve = db.empirical_cross_entropy_curve(ln_lrs(finite), log10_odds=[-1000, 1000])
    assert np.array([curve.system, curve.pav, curve.neutral]).max() == 0


@UNHURRIED
@given(classes())
def test_bayes_error_curve_is_the_metric_at_every_prior(data):
    counts = ln_lrs(data)
    for normalise in (False, True):
        curve = db.bayes_error_curve(counts, log10_odds=WIDE, normalise=normalise)
        assert curve.actual is not None
        for i, x in enumerate(WIDE):
            assert curve.actual[i] == db.bayes_error(counts, log10_odds=x, normalise=normalise)
            least = db.bayes_error_min(counts, log10_odds=x, normalise=normalise)
            assert curve.minimum[i] == pytest.approx(least, rel=1e-12, abs=0)
            small = 1 / (1 + 10.0 ** abs(x)) if abs(x) < 300 else 0.0
            assert curve.default[i] == pytest.approx(1 if normalise else small, rel=1e-12, abs=1e-300)
        assert (curve.minimum <= curve.default * (1 + 1e-12)).all()
        assert (curve.minimum <= curve.actual * (1 + 1e-12)).all()


@UNHURRIED
@given(classes())
def test_greatest_minimum_is_the_equal_error_rate(data):
    counts = ln_lrs(data)
    hull = db.rocch(counts)
    # The maximum lies at a prior where two vertices cost the same: the LR of a block.
    blocks = pool(counts).ln_lr
    odds = -blocks[np.isfinite(blocks)] / math.log(10)
    if odds.size:
        curve = db.bayes_error_curve(counts, log10_odds=odds)
        assert curve.minimum.max() == pytest.approx(db.eer(counts), abs=1e-12)
    else:
        assert db.eer(counts) == 0
        assert (0, 0) in zip(hull.p_miss, hull.p_fa, strict=True)


def test_raw_scores_have_no_actual_bayes_error():
    counts = db.Counts.from_classes([2.0, 3.0], [1.0, 2.5])
    curve = db.bayes_error_curve(counts)
    assert curve.actual is None
    assert curve.minimum[60] == db.bayes_error_min(counts, log10_odds=0)
    assert "actual" not in curve.to_frame("polars").columns
    with pytest.raises(db.ScaleError):
        db.empirical_cross_entropy_curve(counts)


@pytest.mark.parametrize("data", DEGENERATE.values(), ids=DEGENERATE)
def test_degenerate_data_have_curves(data):
    counts = ln_lrs(data)
    cross, bayes = db.empirical_cross_entropy_curve(counts), db.bayes_error_curve(counts)
    assert not np.isnan([cross.system, cross.pav, cross.neutral]).any()
    assert cross.system[60] == db.cllr(counts)
    assert bayes.actual is not None
    assert not np.isnan([bayes.actual, bayes.minimum]).any()


@pytest.mark.parametrize("odds", [[], [math.nan], ["a"], 0.5, [[0.0]]])
def test_priors_that_are_no_column_of_numbers_are_refused(odds):
    counts = ln_lrs(([1.0], [0.0]))
    for curve in (db.empirical_cross_entropy_curve, db.bayes_error_curve):
        with pytest.raises((db.OptionError, db.InputError), match="log10_odds"):
            curve(counts, log10_odds=odds)


def test_infinite_log_odds_are_no_threshold():
    with pytest.raises(db.OptionError, match="log10_odds"):
        db.bayes_error_curve(ln_lrs(([1.0], [0.0])), log10_odds=[math.inf])


def test_weights_are_repetition():
    g = np.random.default_rng(3)
    scores, labels, weight = g.normal(size=50), np.arange(50) % 2, g.integers(1, 4, 50)
    weighted = db.count(db.Trials.from_arrays(scores, labels, target=1, scale="ln_lr", weight=weight.astype(float)))
    repeated = db.Counts.from_arrays(np.repeat(scores, weight), np.repeat(labels, weight), target=1, scale="ln_lr")
    for name in ("system", "pav"):
        one, other = (getattr(db.empirical_cross_entropy_curve(c), name) for c in (weighted, repeated))
        np.testing.assert_allclose(one, other, rtol=1e-12)

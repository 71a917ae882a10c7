"""Scores far from 0, one far from the others, tiny and enormous ones: the right LRs, or an error that says why none."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

import deciban as db
from deciban.calibration.beta import rise_of_softplus
from deciban.errors import UndefinedMetricError
from tests.calibrators import PLAIN

INF = math.inf
LARGEST = np.finfo(float).max
HUNT = settings().max_examples > 100
few = settings(max_examples=500 if HUNT else 25)

AFFINE = [one for one in PLAIN if one.kind in ("logistic", "gaussian", "kde", "isotonic", "bigaussian")]
AFFINE.remove(db.KDECalibrator(bandwidth=0.5))
affine = pytest.mark.parametrize("calibrator", AFFINE, ids=lambda one: repr(one)[:60])
every = pytest.mark.parametrize("calibrator", PLAIN, ids=lambda one: repr(one)[:60])

SIXTEENTHS = st.lists(st.integers(-400, 400).map(lambda n: n / 16), min_size=2, max_size=15)


def lrs(calibrator: Any, targets: Any, nontargets: Any, at: Any, scale: Any = "score") -> Any:
    """ln LRs at ``at`` by a calibration, after it has been saved and loaded; findings are made of it, too."""
    calibration = calibrator.fit(db.Counts.from_classes(targets, nontargets, scale=scale))
    db.calibration_findings(calibration)
    return db.Calibration.from_json(calibration.to_json()).transform(at)


def lrs_or_error(*given: Any) -> Any:
    """The same and None, or nothing and why there are none."""
    try:
        return lrs(*given), None
    except UndefinedMetricError as error:
        return np.zeros(0), error


@affine
@few
@given(targets=SIXTEENTHS, nontargets=SIXTEENTHS, shift=st.sampled_from([2.0**40, 1e12, -1e12, 1e9 + 0.5]))
def test_a_shift_that_rounds_nothing_changes_no_digit(calibrator, targets, nontargets, shift):
    targets, nontargets = np.array(targets), np.array(nontargets)
    at = np.linspace(-32, 32, 65)
    want, why = lrs_or_error(calibrator, targets, nontargets, at)
    got, why_not = lrs_or_error(calibrator, targets + shift, nontargets + shift, at + shift)
    assert (got.tolist(), why_not and why_not.reason) == (want.tolist(), why and why.reason)


@affine
@pytest.mark.parametrize(
    ("scale", "shift"), [(1.0, 1e12), (-1.0, 1e12), (1e12, -1e24), (1e-12, 1.0), (-1e-12, 1e-9), (1e-6, 1e4)]
)
def test_an_affine_map_costs_no_more_than_the_rounding_of_scores(calibrator, scale, shift):
    generator = np.random.default_rng(8)
    x = np.concatenate([generator.normal(1, 1, 80), generator.normal(-1, 1.5, 120)])
    mapped = x * scale + shift
    # What rounding has left of the scores: a difference of two doubles within a factor of 2 is exact.
    left = mapped - shift
    assert np.unique(left).size > 50
    want = lrs(calibrator, left[:80], left[80:], left)
    assert lrs(calibrator, mapped[:80], mapped[80:], mapped) == pytest.approx(want, rel=1e-9, abs=1e-9)


@affine
@few
@given(
    targets=st.lists(st.integers(-9, 9), min_size=2, max_size=12),
    nontargets=st.lists(st.integers(-9, 9), min_size=2, max_size=12),
    power=st.one_of(st.integers(-1074, -1000), st.integers(1000, 1020), st.integers(-1074, 1020)),
)
def test_any_unit_gives_the_same_lrs_or_says_that_scores_need_another(calibrator, targets, nontargets, power):
    targets, nontargets, at = np.array(targets), np.array(nontargets), np.arange(-9.0, 10.0)
    want, why = lrs_or_error(calibrator, targets, nontargets, at)
    # Between two blocks PAV takes half of every score, which the smallest double has none of.
    assume(why is None and (power > -1074 or calibrator.kind != "isotonic"))
    unit = 2.0**power
    got, error = lrs_or_error(calibrator, targets * unit, nontargets * unit, at * unit)
    if error is not None:
        assert error.reason == "not_converged"
        assert "rescale them" in str(error)
        # A slope of 1 per unit, and a spread of a few, are doubles at these.
        assert not -1010 <= power <= 1010
        return
    assert got == pytest.approx(want, rel=1e-9, abs=1e-9)


@every
@pytest.mark.parametrize("unit", [5e-324, 1e-310, 2.3e-308, 1e-160, 1e160, 1e300, 3e307])
def test_tiny_and_enormous_scores_give_numbers_or_an_error(calibrator, unit):
    targets, nontargets = np.array([-1, 0, 1, 2, 3, 5]) * unit, np.array([-3, -1, 0, 1, 2, 3]) * unit
    at = np.concatenate([targets, [0.0, 5e-324, -LARGEST, LARGEST, -INF, INF]])
    got, error = lrs_or_error(calibrator, targets, nontargets, at, "ln_lr")
    if error is not None:
        assert error.reason == "not_converged"
        assert "rescale them" in str(error)
        assert not 1e-200 < unit < 1e300
        return
    assert not np.isnan(got).any()
    if calibrator != db.IsotonicCalibrator():
        assert np.isfinite(got[:-2]).all()
    if calibrator.kind in ("logistic", "temperature", "beta") or calibrator == db.GaussianCalibrator():
        assert (np.diff(got[:6]) > 0).all()


@every
@pytest.mark.parametrize("far", [1e16, 1e100, 1e154, 1e300, 1.7e308])
@pytest.mark.parametrize("of_target", [True, False])
@pytest.mark.parametrize("sign", [1, -1])
def test_one_score_very_far_away_gives_numbers_or_an_error(calibrator, far, of_target, sign):
    targets, nontargets = [-0.5, 1, 2, 3, 0], [-1, 0, 1, 2, -1.5]
    (targets if of_target else nontargets).append(sign * far)
    at = [*targets, *nontargets, 0.5, -LARGEST, LARGEST, -INF, INF]
    got, error = lrs_or_error(calibrator, targets, nontargets, at, "ln_lr")
    if error is not None:
        assert error.reason == ("degenerate" if calibrator.kind == "temperature" else "not_converged")
        assert error.reason == "degenerate" or "leave it out" in str(error) or "leave outliers out" in str(error)
        return
    assert not np.isnan(got).any()


@every
@pytest.mark.parametrize("end", [1e154, 1.7e308])
def test_scores_at_both_ends_and_in_the_middle_give_numbers_or_an_error(calibrator, end):
    targets, nontargets = [end, end, -end, 1, 2], [-end, -end, end, 1, 0]
    got, error = lrs_or_error(calibrator, targets, nontargets, [-end, 0.5, end, -INF, INF], "ln_lr")
    assert not np.isnan(got).any()
    assert error is None or (error.reason == "not_converged" and ("rescale" in str(error) or "leave" in str(error)))


@pytest.mark.parametrize("far", [1e9, 1e16, 1e30, 1e100, 1e140])
def test_beta_is_the_optimum_beside_a_log_odds_very_far_away(far):
    targets, nontargets = np.array([1, 2, 3, 0.0]), np.array([-1, 0, 1, 2, -1.0])

    def cost(line: Any) -> float:
        """Of the others: the far one is certain, and costs nothing."""
        a, b, c = line
        t, n = (-a * np.logaddexp(0, -x) + b * np.logaddexp(0, x) + c for x in (targets, nontargets))
        return float((np.logaddexp(0, -t).sum() + np.logaddexp(0, n).sum()) / 10)

    model = db.BetaCalibrator().fit(db.Counts.from_classes([*targets, far], nontargets, scale="ln_lr")).model
    best = minimize(cost, [1, 1, 0], bounds=[(0, None), (0, None), (None, None)], method="L-BFGS-B",
                    options={"ftol": 1e-16, "gtol": 1e-12})  # fmt: skip
    assert cost([model.a, model.b, model.c]) <= best.fun + 1e-14
    assert [model.a, model.b, model.c] == pytest.approx(best.x, abs=1e-4)


@pytest.mark.parametrize("middle", [0.0, 4.0, -4.0])
@pytest.mark.parametrize("step", [2.0**-45, 2.0**-49])
def test_beta_of_log_odds_close_together_is_the_line_through_them(middle, step):
    """So near together both logarithms are straight: what is best for them is best for a line."""
    targets, nontargets = np.array([0, 1, 2, 3]) * step + middle, np.array([-1, 0, 1, 2]) * step + middle
    at = np.arange(-1, 4) * step + middle
    want = lrs(db.LogisticCalibrator(), targets, nontargets, at, "ln_lr")
    assert lrs(db.BetaCalibrator(), targets, nontargets, at, "ln_lr") == pytest.approx(want, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_beta_is_the_optimum_of_large_log_odds(seed):
    """Where p is 1 to 10^-25, ln p still tells log-odds apart."""
    generator = np.random.default_rng(seed)
    targets, nontargets = generator.normal(40, 60, 15).round(), generator.normal(-60, 120, 25).round()
    counts = db.Counts.from_classes(targets, nontargets, scale="ln_lr")
    model = db.BetaCalibrator().fit(counts).model
    # The gradient in both coefficients: 0 where they are above 0, else not above it.
    p = 1 / (1 + np.exp(-np.clip(model.ln_lr(counts.score), -700, 700)))
    for_larger, against = counts.n_target / 15 * (1 - p), counts.n_nontarget / 25 * p
    for coefficient, feature in (
        (model.a, -rise_of_softplus(-counts.score, -model.high)),
        (model.b, rise_of_softplus(counts.score, model.low)),
        (1.0, np.ones(counts.n_distinct)),
    ):
        rise, size = (for_larger - against) @ feature, (for_larger + against) @ np.abs(feature)
        assert rise <= 1e-7 * size
        assert coefficient == 0 or abs(rise) <= 1e-7 * size


def test_gaussian_beside_a_score_very_far_away():
    targets, nontargets = np.array([1, 2, 3, 0, 1e16]), np.array([-1, 0, 1, 2, -1.0])
    got = lrs(db.GaussianCalibrator(equal_variance=False), targets, nontargets, [0.0, 1.0, 2.0])
    # Targets have mean 0.2 · 10^16 and variance 0.2 · 10^32, nontargets 0.2 and 1.7; x/10^16 adds nothing.
    of_target = -0.1 - 0.5 * math.log(0.2e32)
    of_nontarget = -((np.array([0.0, 1.0, 2.0]) - 0.2) ** 2) / 3.4 - 0.5 * math.log(1.7)
    assert got == pytest.approx(of_target - of_nontarget, rel=1e-12)


def test_a_penalised_line_beside_a_score_very_far_away():
    """Its distance alone makes the standard deviation, so that the line is the same however far it is."""
    targets, nontargets = [-1, 0, 1, 2], [-1, -1, 0, 1, 2]
    want = lrs(db.LogisticCalibrator(penalty=0.1), [*targets, -1e20], nontargets, [0.0, -1e20])
    assert abs(want[1]) > 1
    for far in (1e155, 1e300, 1.7e308):
        got = lrs(db.LogisticCalibrator(penalty=0.1), [*targets, -far], nontargets, [0.0, -far])
        assert got == pytest.approx(want, rel=1e-9)


def test_scores_at_both_ends_of_the_doubles():
    """Three of four on one side: each end says ln 3, and the middle nothing."""
    m = 1.7e308
    counts = db.Counts([-m, m], [1, 3], [3, 1])
    line = db.LogisticCalibrator().fit(counts).transform([-m, 0.0, m])
    assert line == pytest.approx([-math.log(3), 0, math.log(3)], abs=1e-12)
    # Means are m/2 and −m/2, squares of distances from them 3m² in each class: the variance is 6m²/6.
    half = db.Counts([-m / 2, m / 2], [1, 3], [3, 1])
    assert db.GaussianCalibrator().fit(half).transform([-m / 2, 0, m / 2]) == pytest.approx([-1, 0, 1], abs=1e-12)
    with pytest.raises(UndefinedMetricError, match="too far apart; rescale them") as error:
        db.GaussianCalibrator().fit(counts)
    assert error.value.reason == "not_converged"


def test_a_score_has_the_same_kernels_in_any_company():
    generator = np.random.default_rng(12)
    calibration = db.KDECalibrator().fit(
        db.Counts.from_classes(generator.normal(1, 1, 3000), generator.normal(-1, 1.5, 4000))
    )
    at = np.concatenate([generator.normal(0, 2, 700), generator.normal(0, 300, 50)])
    together = calibration.transform(at)
    assert [float(calibration.transform([x])[0]) for x in at] == together.tolist()
    for size in (2, 3, 250):
        parts = [calibration.transform(at[start : start + size]) for start in range(0, at.size, size)]
        assert np.concatenate(parts).tolist() == together.tolist()


@pytest.mark.parametrize(("n_target", "n_nontarget"), [(1, 1), (3, 3), (3, 30)])
def test_isotonic_lrs_where_the_share_of_targets_rises_nowhere(n_target, n_nontarget):
    counts = db.Counts([1, 2, 3], [3 * n_target, 2 * n_target, n_target], [n_nontarget] * 3)
    assert db.IsotonicCalibrator().fit(counts).transform([0, 2, 9]).tolist() == [0.0] * 3
    with_extra = math.log((1 + 1 / (6 * n_target)) / (1 + 1 / (3 * n_nontarget)))
    assert db.IsotonicCalibrator(laplace=True).fit(counts).transform([0, 2, 9]) == pytest.approx([with_extra] * 3)

"""Intervals of rates and ratios of rates, and the numbers of trials they need."""

import itertools
import math
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import deciban as db
from deciban.errors import InputError, OptionError, UndefinedMetricError
from deciban.passes.simulate import calibrated_cost, calibrated_ln_lrs
from deciban.uncertainty.delong.newcombe import newcombe_ends
from deciban.uncertainty.planning.visible import expected_auc, expected_cllr
from deciban.uncertainty.proportion import METHODS, clopper_pearson, jeffreys, wilson

each_method = pytest.mark.parametrize("method", METHODS)
levels = st.floats(0.5, 0.9999)


@st.composite
def shares(draw: Any) -> tuple[int, int]:
    n = draw(st.one_of(st.integers(1, 50), st.integers(1, 10**9)))
    return draw(st.one_of(st.integers(0, n), st.sampled_from([0, 1, n - 1, n]).filter(lambda k: 0 <= k <= n))), n


def reason(call: Any) -> str:
    with pytest.raises(UndefinedMetricError) as caught:
        call()
    return caught.value.reason


@pytest.mark.parametrize(("k", "n"), [(0, 1), (1, 1), (0, 20), (3, 20), (19, 20), (20, 20), (7, 10**6), (10**6, 10**6)])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_agrees_with_scipy(k, n, level):
    names: tuple[tuple[Any, Literal["wilson", "exact"]], ...] = ((wilson, "wilson"), (clopper_pearson, "exact"))
    for function, name in names:
        found, want = function(k, n, level), stats.binomtest(k, n).proportion_ci(level, method=name)
        assert found.low == pytest.approx(want.low, rel=1e-9, abs=1e-12)
        assert found.high == pytest.approx(want.high, rel=1e-9)
    posterior, found = stats.beta(k + 0.5, n - k + 0.5), jeffreys(k, n, level)
    assert found.low == (0.0 if k == 0 else pytest.approx(posterior.ppf((1 - level) / 2), rel=1e-9))
    assert found.high == (1.0 if k == n else pytest.approx(posterior.isf((1 - level) / 2), rel=1e-9))


@each_method
@given(shares(), levels)
def test_range_width_and_value(method, share, level):
    k, n = share
    found = db.proportion_interval(k, n, level, method)
    assert 0.0 <= found.low <= k / n <= found.high <= 1.0
    assert found.low < found.high
    assert (found.low == 0.0) == (k == 0)
    assert (found.high == 1.0) == (k == n)
    assert (found.level, found.method, found.resampled) == (level, method, None)


@each_method
@given(shares(), levels)
def test_what_did_not_happen_mirrors_what_did(method, share, level):
    k, n = share
    one, other = db.proportion_interval(k, n, level, method), db.proportion_interval(n - k, n, level, method)
    assert (one.low, one.high) == pytest.approx((1.0 - other.high, 1.0 - other.low), abs=1e-12)


@each_method
@given(shares(), levels, levels)
def test_more_confidence_is_wider(method, share, one, other):
    k, n = share
    inner, outer = (db.proportion_interval(k, n, level, method) for level in sorted((one, other)))
    assert outer.low <= inner.low
    assert inner.high <= outer.high


def test_small_rates_keep_their_digits():
    """The root of the quadratic in exact arithmetic: the textbook formula has lost all digits here."""
    k, n, z = 1, 10**12, Fraction(1.959963984540054)
    low = Fraction(wilson(k, n).low)
    residual = (Fraction(k, n) - low) ** 2 - z**2 * low * (1 - low) / n
    assert abs(residual) < Fraction(1, 10**12) * Fraction(k, n) ** 2


def test_rule_of_three_is_one_sided():
    assert clopper_pearson(0, 300, level=0.9).high == pytest.approx(db.zero_error_bound(300), rel=1e-12)
    assert clopper_pearson(0, 300).high == pytest.approx(3.69 / 300, rel=2e-2)


@pytest.mark.parametrize(("k", "n"), [(2, 1), (-1, 3), (math.nan, 3), (1, math.inf)])
def test_illegal_counts(k, n):
    with pytest.raises(OptionError, match="k <= n"):
        db.proportion_interval(k, n)


def test_refusals():
    assert reason(lambda: db.proportion_interval(0, 0)) == "undefined_ratio"
    assert reason(lambda: db.proportion_interval(0.5, 3)) == "weighted"
    assert reason(lambda: db.proportion_interval(1, 3.5)) == "weighted"
    assert db.proportion_interval(1.0, 3.0) == db.proportion_interval(1, 3)
    assert db.proportion_interval(np.int64(1), np.int64(3)) == db.proportion_interval(1, 3)
    for level in (0, 1, math.nan, -0.5, True):
        with pytest.raises(OptionError, match="level"):
            db.proportion_interval(1, 3, level)
    with pytest.raises(OptionError, match="did you mean 'wilson'"):
        db.proportion_interval(1, 3, method="wilsn")


def test_lr_positive():
    counts = {"tp": 231, "fp": 32, "n1": 258, "n0": 86}
    found = db.lr_positive_interval(**counts)
    assert math.sqrt(found.low * found.high) == pytest.approx((231 / 258) / (32 / 86), rel=1e-14)
    other = db.lr_positive_interval(tp=32, fp=231, n1=86, n0=258)
    assert (other.low, other.high) == pytest.approx((1 / found.high, 1 / found.low), rel=1e-14)
    assert reason(lambda: db.lr_positive_interval(0, 0, 3, 3)) == "undefined_ratio"
    assert reason(lambda: db.lr_positive_interval(0, 0, 0, 3)) == "undefined_ratio"
    assert reason(lambda: db.lr_positive_interval(3, 0, 3, 3)) == "infinite_end"
    assert reason(lambda: db.lr_positive_interval(0, 2, 3, 3)) == "infinite_end"
    assert reason(lambda: db.lr_positive_interval(3, 4, 3, 4)) == "degenerate"
    assert reason(lambda: db.lr_positive_interval(1.5, 1, 3, 3)) == "weighted"
    with pytest.raises(OptionError):
        db.lr_positive_interval(4, 1, 3, 3)


def test_subjects():
    independent = db.subject_rate_variance([0, 1, 0, 0, 1], [1] * 5)
    assert independent.variance == pytest.approx(independent.binomial_variance * 5 / 4, rel=1e-15)
    blocks = db.subject_rate_variance([0, 10, 0, 0, 10], [10] * 5)
    assert (blocks.rate, blocks.variance) == (independent.rate, pytest.approx(independent.variance, rel=1e-15))
    assert blocks.design_effect == pytest.approx(12.5, rel=1e-15)
    alike = db.subject_rate_variance([1, 2, 3], [3, 6, 9])
    assert (alike.variance, alike.design_effect) == (0.0, 0.0)
    assert db.subject_rate_variance([0, 0], [3, 4]).design_effect is None
    assert reason(lambda: db.subject_rate_variance([1], [3])) == "too_few"
    for errors, attempts in (([1, 4], [3, 3]), ([0, 0], [0, 3]), ([0.5, 1], [3, 3]), ([0, math.nan], [3, 3])):
        with pytest.raises(InputError):
            db.subject_rate_variance(errors, attempts)
    with pytest.raises(InputError, match="one length"):
        db.subject_rate_variance([1], [3, 3])


@pytest.mark.parametrize("rate", [0.0, 1e-4, 0.01, 0.3, 0.5, 1.0])
@pytest.mark.parametrize("width", [0.3, 0.01])
def test_trials_for_a_rate_are_the_fewest(rate, width):
    def wide(n: int) -> float:
        z2 = stats.norm.ppf(0.975) ** 2
        return 2 * math.sqrt(z2 * (n * rate * (1 - rate) + z2 / 4)) / (n + z2)

    n = db.trials_for_rate(rate, width)
    assert wide(n) <= width < (wide(n - 1) if n > 1 else 1.0)


@pytest.mark.parametrize(("auc", "ratio"), list(itertools.product([0.5, 0.9, 1.0, 0.1], [1.0, 9.0, 0.3])))
def test_trials_for_an_auc(auc, ratio):
    found = db.trials_for_auc(auc, 0.1, ratio=ratio)
    assert found.n_nontarget == math.ceil(found.n_target * ratio)
    z = stats.norm.isf(0.025)
    n1 = found.n_target - 1
    low, high = newcombe_ends(auc, 1.0 - auc, n1, math.ceil(n1 * ratio), z)
    assert found.width <= 0.1 < high - low
    if auc == 1.0:
        counts = db.Counts.from_classes([1] * found.n_target, [0] * found.n_nontarget)
        assert 1.0 - db.auc_interval(counts).low == pytest.approx(found.width, rel=1e-12)


def test_calibrated_cost():
    """Against adaptive quadrature, and at no information."""
    from scipy.integrate import quad

    for sigma in (0.5, 2.0, 6.0):
        middle = sigma**2 / 2
        want = [
            quad(lambda x, s=sigma, m=middle, p=p: stats.norm.pdf(x, m, s) * math.log2(1 + math.exp(-x)) ** p, -60, 80)[
                0
            ]
            for p in (1, 2)
        ]
        mean, variance = calibrated_cost(sigma)
        assert mean == pytest.approx(want[0], abs=1e-9)
        assert variance == pytest.approx(want[1] - want[0] ** 2, abs=1e-8)
    assert calibrated_cost(0.0) == pytest.approx((1.0, 0.0), abs=1e-12)


def test_trials_for_cllr_give_the_width():
    planned = db.trials_for_cllr(0.5, 0.1)
    generator = np.random.default_rng(5)
    widths = []
    for _ in range(50):
        drawn = calibrated_ln_lrs(planned.n_target, planned.n_nontarget, sigma=2.04354, generator=generator)
        counts = db.Counts.from_classes(*drawn, scale="ln_lr")
        interval = db.cllr_interval(counts)
        widths.append(interval.high - interval.low)
    assert np.mean(widths) == pytest.approx(planned.width, rel=0.03)
    assert planned.width <= 0.1
    assert db.trials_for_cllr(0.5, 10.0).n_target == 2


def test_rule_of_30():
    assert db.trials_for_rule_of_30(0.0003) == 100_000
    assert db.trials_for_rule_of_30(0.7) == 43
    assert db.trials_for_rule_of_30(1.0, errors=7) == 7


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize("rate", [1e-9, 0.0003, 0.01, 0.05, 0.3, 0.7])
def test_rule_of_3_is_the_fewest_trials_whose_bound_is_below(rate, level):
    n = db.trials_for_rule_of_3(rate, level)
    assert db.zero_error_bound(n, level) <= rate * (1 + 1e-9)
    assert n == 1 or db.zero_error_bound(n - 1, level) > rate


def test_rule_of_3_is_whole_where_it_is_but_for_rounding():
    assert db.trials_for_rule_of_3(0.95) == 1
    assert db.trials_for_rule_of_3(0.5, level=0.875) == 3


def test_expected_intervals_are_those_the_numbers_of_trials_are_planned_by():
    planned = db.trials_for_auc(0.9, 0.1, ratio=3)
    assert expected_auc(0.9, planned.n_target, planned.n_nontarget).width == planned.width
    sigma = 2.0
    planned = db.trials_for_cllr(db.bigaussian_figures(sigma).cllr, 0.1, ratio=2)
    assert expected_cllr(sigma, planned.n_target, planned.n_nontarget).width == pytest.approx(planned.width, rel=1e-6)


def test_expected_cllr_is_the_interval_of_drawn_trials():
    drawn = calibrated_ln_lrs(40_000, 90_000, sigma=2.0, generator=np.random.default_rng(5))
    seen = db.cllr_interval(db.Counts.from_classes(*drawn, scale="ln_lr"))
    assert expected_cllr(2.0, 40_000, 90_000).width == pytest.approx(seen.high - seen.low, rel=0.02)
    assert expected_cllr(6.0, 2, 2).low == 0.0


@pytest.mark.parametrize(
    "call",
    [
        lambda: db.trials_for_rule_of_30(0.0),
        lambda: db.trials_for_rule_of_30(1e-300),
        lambda: db.trials_for_rule_of_30(0.1, errors=0),
        lambda: db.trials_for_rule_of_3(0.0),
        lambda: db.trials_for_rule_of_3(1.0),
        lambda: db.trials_for_rule_of_3(math.nan),
        lambda: db.trials_for_rule_of_3("0.1"),
        lambda: db.trials_for_rule_of_3(1e-300),
        lambda: db.trials_for_rule_of_3(0.1, level=1.0),
        lambda: db.trials_for_rate(1.5, 0.1),
        lambda: db.trials_for_rate(0.5, 1e-12),
        lambda: db.trials_for_rate(0.5, 0.0),
        lambda: db.trials_for_auc(math.nan, 0.1),
        lambda: db.trials_for_auc(0.9, 1.0),
        lambda: db.trials_for_auc(0.9, 0.1, ratio=0.0),
        lambda: db.trials_for_cllr(0.0, 0.1),
        lambda: db.trials_for_cllr(0.5, -1.0),
        lambda: db.trials_for_rate("0.1", 0.1),
        lambda: db.trials_for_auc(True, 0.1),
        lambda: db.trials_for_auc(0.9, 0.1, ratio=1e308),
        lambda: db.trials_for_cllr(0.5, "wide"),
        lambda: db.trials_for_cllr(0.5, 0.1, ratio=math.inf),
        lambda: db.what_can_be_seen(0, 10),
        lambda: db.what_can_be_seen(10, 2.5),
        lambda: db.what_can_be_seen(10, 10, level=1.0),
    ],
)
def test_illegal_plans_are_refused(call):
    with pytest.raises(OptionError):
        call()


def test_what_can_be_seen():
    seen = db.what_can_be_seen(20, 3000)
    assert (seen.p_miss.smallest, seen.p_miss.rule_of_30, seen.p_fa.rule_of_30) == (0.05, None, 0.01)
    assert seen.p_fa.bound_without_errors == db.zero_error_bound(3000)
    assert seen.p_fa.two_sided_bound == pytest.approx(
        db.proportion_interval(0, 3000, method="clopper-pearson").high, rel=1e-12
    )
    for rate, at in zip((0.001, 0.01, 0.05, 0.1, 0.5), seen.p_fa.intervals, strict=True):
        want = wilson(round(rate * 3000), 3000)
        assert (at.value, at.low, at.high) == (rate, pytest.approx(want.low), pytest.approx(want.high))
        assert at.width == at.high - at.low

"""Intervals of Cllr, cross-entropy, Brier score and log loss, against terms of every trial."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

import deciban as db
from deciban.counts.counts import Counts
from deciban.errors import OptionError, ScaleError, SingleClassError, UndefinedMetricError
from deciban.passes.simulate import calibrated_ln_lrs
from deciban.uncertainty.class_means import unskewed

few = settings(max_examples=60)
Z = stats.norm.ppf(0.975)
ln_lr = st.one_of(st.sampled_from([-2.0, 0.0, 1.0, 700.0, -1e5]), st.floats(-30, 30))
sample = st.lists(ln_lr, min_size=2, max_size=8)
probability = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1))


def reason(call: Any) -> str:
    with pytest.raises(UndefinedMetricError) as caught:
        call()
    return caught.value.reason


def by_hand(parts: list[tuple[float, Any]], high: float = math.inf) -> tuple[float, float]:
    """Ends from all terms of each class, by Hall's transformation."""
    value = sum(w * np.mean(x) for w, x in parts)
    error = math.sqrt(sum(w**2 * np.var(x, ddof=1) / len(x) for w, x in parts))
    skew = sum(w**3 * np.mean((x - np.mean(x)) ** 3) / len(x) ** 2 for w, x in parts) / error**3
    t_high, t_low = (z if abs(skew) < 1e-9 else inverse(z, skew) for z in (Z, -Z))
    return max(value - t_high * error, 0.0), min(value - t_low * error, high)


def inverse(z: float, skew: float) -> float:
    """Where Hall's transformation is z, found by halving."""
    return float(
        optimize.brentq(lambda t: t + skew * t * t / 3 + skew**2 * t**3 / 27 + skew / 6 - z, -99, 99, xtol=1e-13)
    )


def bits(x: Any) -> Any:
    return np.logaddexp(0.0, x) / math.log(2.0)


def ends(interval: db.Interval) -> Any:
    return pytest.approx((interval.low, interval.high), rel=1e-9, abs=1e-9)


def spread(values: Any) -> bool:
    return float(np.ptp(values)) > 1e-6


@given(sample, sample, st.floats(-3, 3))
@few
def test_costs(targets, nontargets, log10_odds):
    counts = Counts.from_classes(targets, nontargets, scale="ln_lr")
    t, n = np.array(targets), np.array(nontargets)
    if spread(bits(-t)) and spread(bits(n)):
        assert by_hand([(0.5, bits(-t)), (0.5, bits(n))]) == ends(db.cllr_interval(counts))
        assert by_hand([(1.0, bits(-t))]) == ends(db.cllr_interval(counts, half="target"))
        assert by_hand([(1.0, bits(n))]) == ends(db.cllr_interval(counts, half="nontarget"))
    theta = log10_odds * math.log(10.0)
    if spread(bits(-t - theta)) or spread(bits(n + theta)):
        prior = 1 / (1 + math.exp(-theta))
        want = by_hand([(prior, bits(-t - theta)), (1 - prior, bits(n + theta))])
        assert want == ends(db.cross_entropy_interval(counts, log10_odds))


@given(st.lists(probability, min_size=2, max_size=8), st.lists(probability, min_size=2, max_size=8))
@few
def test_losses(targets, nontargets):
    counts = Counts.from_classes(targets, nontargets, scale="probability")
    t, n = np.array(targets), np.array(nontargets)
    share = t.size / (t.size + n.size)
    if spread((1 - t) ** 2) or spread(n**2):
        want = by_hand([(share, (1 - t) ** 2), (1 - share, n**2)], 1.0)
        found = db.brier_interval(counts)
        assert want == ends(found)
        assert 0.0 <= found.low <= db.brier(counts) <= found.high <= 1.0
        assert found.low < found.high
    if 0.0 in t or 1.0 in n:
        assert reason(lambda: db.log_loss_interval(counts)) == "infinite_end"
    elif spread(np.log(t)) or spread(np.log1p(-n)):
        assert by_hand([(share, -np.log(t)), (1 - share, -np.log1p(-n))]) == ends(db.log_loss_interval(counts))


@given(sample, sample, st.floats(0.5, 0.999), st.floats(0.5, 0.999))
@few
def test_value_width_and_level(targets, nontargets, one, other):
    counts = Counts.from_classes(targets, nontargets, scale="ln_lr")
    if not (spread(bits(-np.array(targets))) or spread(bits(np.array(nontargets)))):
        return
    inner, outer = (db.cllr_interval(counts, level) for level in sorted((one, other)))
    value = db.cllr(counts)
    assert 0.0 <= outer.low <= inner.low <= value * (1 + 1e-15)
    assert value <= inner.high * (1 + 1e-15) <= outer.high * (1 + 3e-15)
    assert inner.low < inner.high
    plain = db.cllr_interval(counts, method="class-means")
    assert plain.low + plain.high == pytest.approx(2 * value) or plain.low == 0.0
    assert inner.method == "class-means-hall"


@given(sample, sample)
@few
def test_other_class_and_reversed_scores(targets, nontargets):
    counts = Counts.from_classes(targets, nontargets, scale="ln_lr")
    other = Counts.from_classes([-s for s in nontargets], [-s for s in targets], scale="ln_lr")
    try:
        want = db.cllr_interval(counts)
    except UndefinedMetricError:
        return
    assert (want.low, want.high) == ends(db.cllr_interval(other))


def test_every_chunk_counts():
    generator = np.random.default_rng(0)
    targets, nontargets = calibrated_ln_lrs(100_000, 150_000, sigma=3.0, generator=generator)
    counts = Counts.from_classes(targets, nontargets, scale="ln_lr")
    assert by_hand([(0.5, bits(-targets)), (0.5, bits(nontargets))]) == ends(db.cllr_interval(counts))


def test_large_offsets_do_not_cancel():
    """Costs that differ by little beside their size."""
    targets = -1e8 + np.arange(5.0)
    counts = Counts.from_classes(targets, [0.0, 0.0], scale="ln_lr")
    want = Z * math.sqrt(2.5 / 5) / math.log(2.0)
    found = db.cllr_interval(counts, half="target", method="class-means")
    assert found.high - found.low == pytest.approx(2 * want, rel=1e-6)


def test_posteriors():
    counts = Counts.from_classes([1.0, 3.0, -0.5], [-2.0, 0.3], scale="ln_lr")
    shifted = Counts.from_classes(
        [1 / (1 + math.exp(-x - math.log(1.5))) for x in (1.0, 3.0, -0.5)],
        [1 / (1 + math.exp(-x - math.log(1.5))) for x in (-2.0, 0.3)],
        scale="probability",
    )
    for interval in (db.brier_interval, db.log_loss_interval):
        found, want = interval(counts), interval(shifted)
        assert (found.low, found.high) == pytest.approx((want.low, want.high), rel=1e-12)
        named = interval(counts, p_target=0.6)
        assert (named.low, named.high) == pytest.approx((want.low, want.high), rel=1e-12)


def test_one_class_is_enough_for_losses():
    counts = Counts.from_classes([0.2, 0.7, 0.9], [], scale="probability")
    assert by_hand([(1.0, (1 - np.array([0.2, 0.7, 0.9])) ** 2)], 1.0) == ends(db.brier_interval(counts))


def test_no_value():
    neutral = Counts.from_classes([1.0] * 3, [1.0] * 4, scale="lr")
    assert reason(lambda: db.cllr_interval(neutral)) == "degenerate"
    perfect = Counts.from_classes([math.inf] * 3, [-math.inf] * 4, scale="ln_lr")
    assert reason(lambda: db.cllr_interval(perfect)) == "degenerate"
    assert reason(lambda: db.log_loss_interval(perfect)) == "degenerate"
    wrong = Counts.from_classes([math.inf, -math.inf], [0.0, 1.0], scale="ln_lr")
    assert reason(lambda: db.cllr_interval(wrong)) == "infinite_end"
    assert reason(lambda: db.cross_entropy_interval(wrong, 0.5)) == "infinite_end"
    assert db.cllr_interval(wrong, half="nontarget").low > 0
    assert reason(lambda: db.cross_entropy_interval(wrong, math.inf)) == "degenerate"
    huge = Counts.from_classes([-1e300, 1.0], [0.0, 1.0], scale="ln_lr")
    assert reason(lambda: db.cllr_interval(huge)) == "infinite_end"
    single = Counts.from_classes([1.0], [0.0, 1.0], scale="ln_lr")
    assert reason(lambda: db.cllr_interval(single)) == "too_few"
    assert db.cllr_interval(single, half="nontarget").high > 1
    assert reason(lambda: db.brier_interval(single)) == "too_few"
    weighted = db.Counts([0.0, 1.0], [0.5, 1.0], [1.0, 0.5], "ln_lr", weighted=True)
    assert reason(lambda: db.cllr_interval(weighted)) == "weighted"
    assert reason(lambda: db.brier_interval(weighted)) == "weighted"
    with pytest.raises(SingleClassError):
        db.cllr_interval(Counts.from_classes([1.0], [], scale="ln_lr"))
    with pytest.raises(ScaleError):
        db.cllr_interval(Counts.from_classes([1.0, 2.0], [0.0, 1.0]))
    with pytest.raises(ScaleError):
        db.brier_interval(Counts.from_classes([1.0, 2.0], [0.0, 1.0]))
    with pytest.raises(OptionError, match="half"):
        db.cllr_interval(neutral, half="both")
    with pytest.raises(OptionError, match="method"):
        db.cllr_interval(perfect, half="target", method="hall")
    with pytest.raises(OptionError, match="NaN"):
        db.cross_entropy_interval(neutral, math.nan)
    with pytest.raises(OptionError, match="level"):
        db.cllr_interval(single, 0.0, half="nontarget")


def test_skew_that_only_just_matters():
    """The series for a small skew and the root for a larger one meet."""
    for deviate in (-1.96, 0.3, 1.96):
        for skew in (1e-9, 4e-4, 5.2e-4, 0.5, 1.0, -0.7):
            t = unskewed(deviate, skew)
            assert t + skew * t * t / 3 + skew**2 * t**3 / 27 + skew / 6 == pytest.approx(deviate, rel=1e-9)


def test_skew_of_costs_near_the_largest_double():
    counts = Counts.from_classes([-1e150, 1.0, 2.0], [-3.0, -1e140, -5.0], scale="ln_lr")
    found = db.cllr_interval(counts)
    assert 0.0 <= found.low < db.cllr(counts) < found.high < math.inf


def test_coverage():
    """A nominal 95 % on calibrated LRs; the seed is fixed, the limits are three standard errors wide."""
    generator = np.random.default_rng(2)
    inside = 0
    for _ in range(400):
        drawn = calibrated_ln_lrs(100, 100, sigma=2.0, generator=generator)
        found = db.cllr_interval(Counts.from_classes(*drawn, scale="ln_lr"))
        inside += found.low <= 0.514056 <= found.high
    assert 0.91 <= inside / 400 <= 0.985

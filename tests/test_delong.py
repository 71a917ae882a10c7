"""Intervals of AUCs and of differences of them, against fractions from every pair."""

import csv
import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import deciban as db
from deciban.errors import InputError, OptionError, SingleClassError, UndefinedMetricError
from deciban.uncertainty.delong.newcombe import hanley_mcneil_variance, newcombe_ends
from deciban.uncertainty.delong.single import AucMethod
from tests.shared_data import shared

METHODS: tuple[AucMethod, ...] = ("delong-logit", "delong", "newcombe", "hanley-mcneil")

few = settings(max_examples=60)
score = st.one_of(st.sampled_from([-math.inf, 0.0, 1.0, 2.0, math.inf]), st.integers(-3, 3).map(float))
one_class = st.lists(score, min_size=1, max_size=8)
at_least_two = st.lists(score, min_size=2, max_size=8)
levels = st.floats(0.5, 0.9999)


def placed(targets: list[float], nontargets: list[float]) -> tuple[list[Fraction], list[Fraction]]:
    def won(t: float, n: float) -> Fraction:
        return Fraction(1) if t > n else Fraction(1, 2) if t == n else Fraction(0)

    of_targets = [sum((won(t, n) for n in nontargets), Fraction(0)) / len(nontargets) for t in targets]
    return of_targets, [sum((won(t, n) for t in targets), Fraction(0)) / len(targets) for n in nontargets]


def covariance(x: list[Fraction], y: list[Fraction]) -> Fraction:
    mean_x, mean_y = sum(x, Fraction(0)) / len(x), sum(y, Fraction(0)) / len(y)
    return sum(((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)), Fraction(0)) / (len(x) - 1)


def brute(one: Any, other: Any) -> Fraction:
    """Covariance of two AUCs, each given as its classes."""
    return sum(
        (covariance(x, y) / len(x) for x, y in zip(placed(*one), placed(*other), strict=True)),
        Fraction(0),
    )


def reason(call: Any) -> str:
    with pytest.raises(UndefinedMetricError) as caught:
        call()
    return caught.value.reason


@given(at_least_two, at_least_two)
@few
def test_variance_is_that_of_every_pair(targets, nontargets):
    found = db.delong_variance(db.Counts.from_classes(targets, nontargets))
    want = brute((targets, nontargets), (targets, nontargets))
    assert found.variance == pytest.approx(float(want), rel=1e-13)
    assert (found.variance == 0.0) == (want == 0)
    assert found.auc == float(sum(placed(targets, nontargets)[0], Fraction(0)) / len(targets))


def test_variance_of_many_trials():
    """More scores than one chunk holds, against midranks; and near a perfect AUC, where rates lose digits."""
    generator = np.random.default_rng(3)
    for shift, digits in ((1.0, 3), (5.5, 12)):
        targets = np.round(generator.normal(shift, 1.0, 30_000), digits)
        nontargets = np.round(generator.normal(0.0, 1.0, 150_000), digits)
        ranks = stats.rankdata(np.concatenate([targets, nontargets]))
        below = ranks[: targets.size] - stats.rankdata(targets)
        above = targets.size - (ranks[targets.size :] - stats.rankdata(nontargets))
        want = np.var(below, ddof=1) / targets.size / nontargets.size**2
        want += np.var(above, ddof=1) / nontargets.size / targets.size**2
        counts = db.Counts.from_classes(targets, nontargets)
        assert db.delong_variance(counts).variance == pytest.approx(want, rel=1e-9)


@pytest.mark.parametrize("method", METHODS)
@given(one_class, one_class, levels)
@few
def test_range_width_and_value(method, targets, nontargets, level):
    counts = db.Counts.from_classes(targets, nontargets)
    found = db.auc_interval(counts, level, method)
    assert 0.0 <= found.low <= db.auc(counts) <= found.high <= 1.0
    assert found.low < found.high
    assert found.level == level
    single = min(len(targets), len(nontargets)) == 1
    flat = method != "hanley-mcneil" and not single and not db.delong_variance(counts).variance
    fallback = flat or (single and method.startswith("delong")) or db.auc(counts) in (0.0, 1.0)
    assert found.method == ("newcombe" if fallback else method)


@pytest.mark.parametrize("method", METHODS)
@given(one_class, one_class, levels, levels)
@few
def test_more_confidence_is_wider(method, targets, nontargets, one, other):
    counts = db.Counts.from_classes(targets, nontargets)
    inner, outer = (db.auc_interval(counts, level, method) for level in sorted((one, other)))
    assert outer.low <= inner.low
    assert inner.high <= outer.high


@pytest.mark.parametrize("method", METHODS)
@given(one_class, one_class)
@few
def test_other_class_and_reversed_scores(method, targets, nontargets):
    found = db.auc_interval(db.Counts.from_classes(targets, nontargets), 0.95, method)
    reversed_ = db.Counts.from_classes([-s for s in nontargets], [-s for s in targets])
    other = db.auc_interval(reversed_, 0.95, method)
    if method != "hanley-mcneil":  # whose exponential model tells the classes apart
        assert (other.low, other.high) == pytest.approx((found.low, found.high), abs=1e-12)
    swapped = db.auc_interval(db.Counts.from_classes(nontargets, targets), 0.95, method)
    if method != "hanley-mcneil":
        assert (swapped.low, swapped.high) == pytest.approx((1 - found.high, 1 - found.low), abs=1e-12)


@pytest.mark.parametrize(
    ("marker", "method", "low", "high"),
    [
        ("s100b", "delong", 0.6301182118, 0.8326189156),
        ("wfns", "delong", 0.7485348878, 0.8988228358),
        ("ndka", "delong", 0.5012449993, 0.7226709899),
        ("s100b", "delong-logit", 0.61921693899, 0.82008574991),  # in 40 digits
        ("wfns", "delong-logit", 0.73576409665, 0.88684184433),
    ],
)
def test_published_intervals(marker, method, low, high):
    markers, event = asah()
    found = db.auc_interval(db.Counts.from_arrays(markers[marker], event), method=method)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-10)


def asah() -> tuple[dict[str, list[float]], list[bool]]:
    with shared("data/asah.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    markers = {name: [float(row[name]) for row in rows] for name in ("wfns", "s100b", "ndka")}
    return markers, [row["outcome"] == "Poor" for row in rows]


@pytest.mark.parametrize(
    ("first", "second", "z", "p"),
    [
        ("wfns", "s100b", 2.20898359144091, 0.0271757822291882),
        ("wfns", "ndka", 2.79777591868904, 0.00514557970691098),
        ("ndka", "s100b", -1.39077002573558, None),
        ("ndka", "ndka", 0.0, 1.0),
    ],
)
def test_published_comparisons(first, second, z, p):
    markers, event = asah()
    found = db.delong_test(markers[first], markers[second], event)
    assert found.z == pytest.approx(z, abs=1e-12)
    assert p is None or found.p_value == pytest.approx(p, abs=1e-12)


@given(st.data(), st.integers(2, 5), st.integers(2, 5))
@few
def test_covariance_is_that_of_every_pair(draw, n1, n0):
    labels = [1] * n1 + [0] * n0
    systems = [draw.draw(st.lists(score, min_size=n1 + n0, max_size=n1 + n0)) for _ in range(3)]
    found = db.delong_covariance(systems, labels)
    classes = [(scores[:n1], scores[n1:]) for scores in systems]
    for (i, one), (j, other) in itertools.product(enumerate(classes), repeat=2):
        assert found.covariance[i, j] == pytest.approx(float(brute(one, other)), rel=1e-12, abs=1e-16)
    assert found.auc.tolist() == [db.auc(db.Counts.from_classes(*of_class)) for of_class in classes]


@given(st.data(), st.integers(2, 6), st.integers(2, 6), levels)
@few
def test_paired_test(draw, n1, n0, level):
    labels = [1] * n1 + [0] * n0
    order = draw.draw(st.permutations(range(n1 + n0)))
    a, b = (draw.draw(st.lists(score, min_size=n1 + n0, max_size=n1 + n0)) for _ in range(2))
    one, other = (a[:n1], a[n1:]), (b[:n1], b[n1:])
    variance = brute(one, one) + brute(other, other) - 2 * brute(one, other)
    difference = sum(placed(*one)[0], Fraction(0)) / n1 - sum(placed(*other)[0], Fraction(0)) / n1
    columns = [[values[at] for at in order] for values in (a, b, labels)]
    if variance == 0 and difference != 0:
        assert reason(lambda: db.delong_test(*columns, level=level)) == "zero_variance"
        return
    found = db.delong_test(*columns, level=level)
    assert found.difference == pytest.approx(float(difference), abs=1e-15)
    assert found.variance == pytest.approx(float(variance), rel=1e-12)
    if variance == 0:
        assert (found.variance, found.z, found.p_value, found.interval) == (0.0, 0.0, 1.0, None)
        return
    z = float(difference) / math.sqrt(variance)
    assert found.z == pytest.approx(z, rel=1e-12, abs=1e-15)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-9)
    interval = found.interval
    assert interval is not None
    assert -1.0 <= interval.low <= found.difference <= interval.high <= 1.0
    assert interval.low < interval.high
    back = db.delong_test(columns[1], columns[0], columns[2], level=level)
    assert (back.z, back.p_value) == (-found.z, found.p_value)


def test_two_perfect_systems_do_not_differ():
    found = db.delong_test([4, 5, 1, 2], [9, 7, 3, 6], [1, 1, 0, 0])
    assert (found.first, found.second, found.z, found.p_value) == (1.0, 1.0, 0.0, 1.0)


def test_contrasts():
    labels = [1, 1, 1, 1, 0, 0, 0, 0]
    a, b, c = [9, 8, 7, 3, 6, 4, 2, 1], [5, 9, 3, 8, 4, 6, 7, 1], [2, 8, 5, 4, 7, 1, 3, 6]
    pair, paired = db.delong_contrast([a, b], labels), db.delong_test(a, b, labels)
    assert (pair.chi2, pair.df) == (pytest.approx(paired.z**2, rel=1e-12), 1)
    assert pair.p_value == pytest.approx(paired.p_value, rel=1e-12)
    three = db.delong_contrast([a, b, c], labels)
    assert three.df == 2
    again = db.delong_contrast([c, a, b], labels, [[1, -1, 0], [1, 0, -1]])
    assert again.chi2 == pytest.approx(three.chi2, rel=1e-10)
    # A system that is there twice, and a contrast that follows from the others, add nothing.
    assert db.delong_contrast([a, a, b], labels).chi2 == pytest.approx(pair.chi2, rel=1e-10)
    assert db.delong_contrast([a, a, b], labels).df == 1
    redundant = db.delong_contrast([a, b, c], labels, [[1, -1, 0], [0, 1, -1], [1, 0, -1]])
    assert (redundant.chi2, redundant.df) == (pytest.approx(three.chi2, rel=1e-9), 2)
    same = db.delong_contrast([a, a, a], labels)
    assert (same.chi2, same.df, same.p_value) == (0.0, 0, 1.0)
    up, down = [4, 5, 1, 2], [1, 2, 4, 5]
    assert reason(lambda: db.delong_contrast([up, down], [1, 1, 0, 0])) == "zero_variance"
    for contrast in ([[1, 1]], [[1, -1, 0]], [1, -1], [[math.nan, 1]]):
        with pytest.raises(InputError, match="contrast"):
            db.delong_contrast([up, down], [1, 1, 0, 0], contrast)
    with pytest.raises(InputError, match="at least one"):
        db.delong_contrast([], [1, 1, 0, 0])


def test_labels_may_be_words():
    scores, words = [9, 8, 3, 1], ["a", "a", "b", "b"]
    with pytest.raises(InputError, match="target="):
        db.delong_test(scores, scores, words)
    assert db.delong_test(scores, scores, words, target="a").first == 1.0
    assert db.delong_test(scores, scores, words, target="b").first == 0.0


def test_refusals():
    weighted = db.Counts([0, 1], [0.5, 1.0], [1.0, 0.5], weighted=True)
    assert reason(lambda: db.auc_interval(weighted)) == "weighted"
    assert reason(lambda: db.delong_variance(weighted)) == "weighted"
    assert reason(lambda: db.delong_variance(db.Counts.from_classes([1], [0, 2]))) == "too_few"
    assert reason(lambda: db.delong_test([1, 0, 2], [1, 0, 2], [1, 0, 0])) == "too_few"
    with pytest.raises(SingleClassError):
        db.auc_interval(db.Counts.from_classes([1, 2], []))
    with pytest.raises(SingleClassError):
        db.delong_test([1, 2], [1, 2], [1, 1], target=1)
    with pytest.raises(OptionError, match="did you mean 'delong'"):
        db.auc_interval(db.Counts.from_classes([1], [0]), method="delon")
    with pytest.raises(OptionError, match="level"):
        db.auc_interval(db.Counts.from_classes([1], [0]), 1.0)
    with pytest.raises(InputError, match="system 2"):
        db.delong_test([1, 2], [1, math.nan], [1, 0])
    with pytest.raises(InputError, match="missing"):
        db.midranks([1.0, math.nan])
    assert db.midranks([]).tolist() == []


@given(st.lists(score, min_size=1, max_size=12))
@few
def test_midranks(scores):
    assert db.midranks(scores).tolist() == stats.rankdata(scores).tolist()


@given(st.floats(0, 1), st.integers(1, 10**6), st.integers(1, 10**6), levels)
@few
def test_newcombe_ends_solve_the_equation(auc, n1, n0, level):
    z = stats.norm.isf((1 - level) / 2)
    half = (n1 + n0) / 2 - 1

    def excess(x: float) -> float:
        bracket = 1 + half * ((1 - x) / (2 - x) + x / (1 + x))
        return float((auc - x) ** 2 - z**2 * x * (1 - x) * bracket / (n1 * n0))

    low, high = newcombe_ends(auc, 1 - auc, n1, n0, z)
    assert 0.0 <= low <= auc <= high <= 1.0
    for end, outwards in ((low, -1), (high, 1)):
        if 0 < end < 1:
            step = 1e-9 * min(end, 1 - end, abs(end - auc)) * outwards
            assert excess(end - step) <= 1e-16
            assert excess(end + step) >= -1e-16


def test_a_width_that_doubles_would_not_show():
    """AUC 1 − 5e-19 rounds to 1, and so would both ends of DeLong's interval."""
    counts = db.Counts([0.0, 1.0, 2.0], [0, 1, 10**9], [10**9, 1, 0])
    for method in METHODS:
        found = db.auc_interval(counts, method=method)
        assert found.low < found.high == 1.0


def test_hanley_mcneil():
    """The textbook form, exactly."""
    for a, n1, n0 in ((Fraction(3, 4), 10, 20), (Fraction(999, 1000), 3, 10**6), (Fraction(1, 7), 1, 1)):
        q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
        want = (a * (1 - a) + (n1 - 1) * (q1 - a * a) + (n0 - 1) * (q2 - a * a)) / (n1 * n0)
        assert hanley_mcneil_variance(float(a), n1, n0) == pytest.approx(float(want), rel=1e-12)
    for wrong in ((1.5, 3, 3), (math.nan, 3, 3), (0.5, 0, 3)):
        with pytest.raises(OptionError):
            hanley_mcneil_variance(*wrong)


def test_coverage():
    """A nominal 95 % on independent normal scores; the seed is fixed, the limits are three standard errors wide."""
    generator = np.random.default_rng(11)
    truth = stats.norm.cdf(1.5 / math.sqrt(2))
    inside = 0
    for _ in range(400):
        counts = db.Counts.from_classes(generator.normal(1.5, 1, 30), generator.normal(0, 1, 40))
        found = db.auc_interval(counts)
        inside += found.low <= truth <= found.high
    assert 0.92 <= inside / 400 <= 0.985

"""deciban.pan against brute force in exact fractions, and properties that hold for all data."""

import math
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deciban.errors import UndefinedMetricError
from deciban.pan import auc, brier, c_at_1, cllr, compute_pan_report, ece, f05u, tippett

Column = list[float]

# Few distinct values, so that most trials are tied and many lie on an edge of a bin or margin.
TIED = st.integers(0, 20).map(lambda k: k / 20)
DYADIC = st.integers(0, 16).map(lambda k: k / 16)  # p and 1 − p both exact
PROBS = st.one_of(TIED, st.integers(0, 100).map(lambda k: k / 100), st.floats(0, 1))
LRS = st.one_of(st.integers(-3, 3).map(float), st.floats(-300, 300), st.sampled_from([-math.inf, math.inf]))
MARGINS = st.sampled_from([0.0, 1e-9, 0.05, 0.1, 0.15, 0.25, 0.3, 0.45, 0.49])
LABELS = st.booleans()


def trials(values: st.SearchStrategy[float], *, both: bool = False) -> st.SearchStrategy[Any]:
    rows = st.lists(st.tuples(values, LABELS), min_size=1, max_size=30)
    if both:
        rows = st.tuples(values, values, rows).map(lambda t: [(t[0], True), (t[1], False), *t[2]])
    return rows.map(lambda pairs: ([value for value, _ in pairs], [int(label) for _, label in pairs]))


def split(values: Column, y: list[int]) -> tuple[Column, Column]:
    return [v for v, label in zip(values, y, strict=True) if label], [
        v for v, label in zip(values, y, strict=True) if not label
    ]


def outcomes(p: Column, y: list[int], margin: float) -> tuple[int, ...]:
    """(tp, fp, fn, tn, unanswered), trial by trial, with Python's own correctly rounded round()."""
    counts = dict.fromkeys(("tp", "fp", "fn", "tn", "u"), 0)
    for value, label in zip(p, y, strict=True):
        unanswered = value == 0.5 if margin == 0 else round(abs(value - 0.5), 12) <= margin
        answer = ("tp" if label else "fp") if value > 0.5 else ("fn" if label else "tn")
        counts["u" if unanswered else answer] += 1
    return tuple(counts.values())


@given(trials(st.one_of(TIED, st.floats(allow_nan=False)), both=True))
def test_auc_is_the_share_of_pairs(data):
    targets, nontargets = split(*data)
    score = sum(Fraction(2 * (t > n) + (t == n), 2) for t in targets for n in nontargets)
    assert auc(*data) == float(score / (len(targets) * len(nontargets)))


@given(trials(PROBS), MARGINS)
def test_c_at_1_counts_answers(data, margin):
    tp, _, _, tn, unanswered = outcomes(data[0], data[1], margin)
    n = len(data[0])
    expected = Fraction(1, n) * (tp + tn + unanswered * Fraction(tp + tn, n))
    assert c_at_1(*data, unanswered_margin=margin) == float(expected)


@given(trials(PROBS), MARGINS)
def test_f05u_counts_answers(data, margin):
    tp, fp, fn, _, unanswered = outcomes(data[0], data[1], margin)
    below = Fraction(5, 4) * tp + Fraction(1, 4) * (fn + unanswered) + fp
    if below == 0:
        with pytest.raises(UndefinedMetricError):
            f05u(*data, unanswered_margin=margin)
    else:
        assert f05u(*data, unanswered_margin=margin) == float(Fraction(5, 4) * tp / below)


@given(trials(PROBS))
def test_brier_is_the_mean_square(data):
    expected = sum((Fraction(p) - y) ** 2 for p, y in zip(*data, strict=True)) / len(data[0])
    assert brier(*data) == pytest.approx(float(expected), rel=1e-14, abs=1e-300)


@given(trials(PROBS), st.sampled_from([1, 2, 3, 7, 10, 15, 20, 100]))
def test_ece_bin_by_bin(data, n_bins):
    bins: dict[int, list[tuple[Fraction, int]]] = {}
    for p, y in zip(*data, strict=True):
        edge = max(k for k in range(n_bins) if k / n_bins <= p)
        bins.setdefault(edge, []).append((Fraction(p), y))
    expected = Fraction(0)
    for members in bins.values():
        n_b = len(members)
        observed, mean = Fraction(sum(y for _, y in members), n_b), Fraction(sum(p for p, _ in members), n_b)
        expected += Fraction(n_b, len(data[0])) * abs(observed - mean)
    assert ece(*data, n_bins=n_bins) == pytest.approx(float(expected), abs=1e-14)


@given(trials(LRS, both=True))
def test_tippett_counts_at_or_above(data):
    curves = tippett(*data)
    assert curves["thresholds"].tolist() == sorted(set(data[0]))
    for values, name in zip(split(*data), ("target_cdf", "nontarget_cdf"), strict=True):
        expected = [sum(v >= threshold for v in values) / len(values) for threshold in curves["thresholds"]]
        assert curves[name].tolist() == expected


EXACT = Context(prec=340, Emin=-99999, Emax=99999)


def bits(x: float) -> Fraction:
    """log2(1 + 10^x) with 340 digits; above 400, 10^−x is nothing beside x."""
    ln10 = EXACT.ln(Decimal(10))
    ln = EXACT.multiply(Decimal(x), ln10)
    if x <= 400:
        ln = EXACT.ln(EXACT.add(Decimal(1), EXACT.exp(ln)))
    return Fraction(EXACT.divide(ln, EXACT.ln(Decimal(2))))


@given(st.data())
def test_cllr_to_the_last_digits(data):
    value = st.one_of(st.integers(-3, 3).map(float), st.floats(-300, 300), st.floats(0, 1e305))
    # Beyond −300 the true cost of a right answer leaves the normal doubles, so only wrong answers go further.
    targets = [-v for v in data.draw(st.lists(value, min_size=1, max_size=6))]
    nontargets = data.draw(st.lists(value, min_size=1, max_size=6))
    expected = sum(bits(-v) for v in targets) / len(targets) + sum(bits(v) for v in nontargets) / len(nontargets)
    y = [1] * len(targets) + [0] * len(nontargets)
    assert cllr(targets + nontargets, y) == pytest.approx(float(expected / 2), rel=1e-12, abs=0)


@given(trials(PROBS, both=True), MARGINS, st.randoms(use_true_random=False))
def test_order_of_rows_and_repetition_change_nothing(data, margin, random):
    p, y = data
    log_lrs = [8 * v - 4 for v in p]
    options: dict[str, Any] = {"c_at_1_margin": margin, "f05u_margin": margin, "ece_bins": 7}
    report = compute_pan_report(p, y, log_lrs=log_lrs, **options).to_dict()
    sizes = {"n_target": 2 * sum(y), "n_nontarget": 2 * (len(y) - sum(y))}
    order = list(range(len(p)))
    random.shuffle(order)
    moved = [[column[i] for i in order] for column in (p, y, log_lrs)]
    assert compute_pan_report(moved[0], moved[1], log_lrs=moved[2], **options).to_dict() == report
    twice = compute_pan_report(p + p, y + y, log_lrs=log_lrs + log_lrs, **options).to_dict()
    assert twice == pytest.approx(report | sizes)


@given(trials(DYADIC, both=True), MARGINS)
def test_complement_symmetry(data, margin):
    p, y = np.array(data[0]), np.array(data[1])
    assert auc(1 - p, 1 - y) == auc(p, y)
    assert auc(-p, y) == pytest.approx(1 - auc(p, y), abs=1e-15)
    assert c_at_1(1 - p, 1 - y, unanswered_margin=margin) == c_at_1(p, y, unanswered_margin=margin)
    assert brier(1 - p, 1 - y) == pytest.approx(brier(p, y), rel=1e-14)
    assert cllr(-p, 1 - y) == pytest.approx(cllr(p, y), rel=1e-14)
    # 3 bins: no dyadic value but 0 and 1 lies on an edge, so bins mirror exactly.
    assert ece(1 - p, 1 - y, n_bins=3) == pytest.approx(ece(p, y, n_bins=3), abs=1e-14)


@given(trials(PROBS, both=True), MARGINS)
def test_ranges_and_inputs_unchanged(data, margin):
    p, y = np.array(data[0]), np.array(data[1])
    before = p.tobytes(), y.tobytes()
    for column in (p, y):
        column.flags.writeable = False
    report = compute_pan_report(p, y, log_lrs=p, c_at_1_margin=margin, f05u_margin=margin)
    assert all(0 <= value <= 1 for value in (report.auc, report.c_at_1, report.f05u, report.brier, report.ece))
    curves = tippett(p, y)
    curves["thresholds"][:] = 7.0
    assert (p.tobytes(), y.tobytes()) == before


@given(trials(LRS, both=True))
def test_cllr_is_infinite_only_by_a_wrong_infinity(data):
    targets, nontargets = split(*data)
    value = cllr(*data)
    assert value >= 0
    assert math.isinf(value) == (-math.inf in targets or math.inf in nontargets)


def test_large_sums_keep_their_digits():
    p = np.full(1_000_000, 0.1)
    y = np.arange(p.size) % 10 == 0
    assert ece(p, y) == pytest.approx(0, abs=1e-15)
    assert brier(p, y) == pytest.approx(0.09, rel=1e-15)
    distinct = np.linspace(0, 1, 1_000_001)[1:-1]
    assert ece(distinct, np.zeros(distinct.size)) == pytest.approx(0.5, rel=1e-14)

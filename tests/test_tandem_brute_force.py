"""Tandem figures equal what the formulas say, worked out pair by pair in exact fractions on random three-class data."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import deciban as db
from deciban.errors import UndefinedMetricError

SCORE = st.one_of(st.integers(-3, 3).map(float), st.sampled_from([-math.inf, math.inf, 0.5]))
SOME = st.lists(SCORE, min_size=1, max_size=7)
THREE = st.tuples(SOME, SOME, SOME)
RATE = st.integers(0, 20).map(lambda n: n / 20)

PRIORS = {"p_target": "0.9405", "p_nontarget": "0.0095", "p_spoof": "0.05"}
NEW = {key: Fraction(value) for key, value in PRIORS.items()}
NEW |= {"c_miss": Fraction(1), "c_fa": Fraction(10), "c_fa_spoof": Fraction(10)}
PAPER = {"p_target": Fraction("0.9"), "p_nontarget": Fraction("0.05"), "p_spoof": Fraction("0.05")}
PAPER |= {"c_miss": Fraction(1), "c_fa": Fraction(10), "c_fa_spoof": Fraction(20)}


def thresholds(*classes):
    """Every distinct score in increasing order, and one place above all of them."""
    return [*sorted({score for scores in classes for score in scores}), None]


def below(scores, threshold):
    return Fraction(sum(threshold is None or score < threshold for score in scores), len(scores))


def above(scores, threshold):
    return 1 - below(scores, threshold)


def asv_at(asv, threshold):
    target, nontarget, spoof = asv
    return below(target, threshold), above(nontarget, threshold), above(spoof, threshold)


def asvspoof_threshold(target, nontarget):
    """The organisers' rule: trials one by one, targets first among equal scores, the first least difference."""
    trials = sorted([(s, 0) for s in target] + [(s, 1) for s in nontarget])
    best, at = None, None
    for k in range(len(trials) + 1):
        miss = Fraction(sum(kind == 0 for _, kind in trials[:k]), len(target))
        fa = Fraction(sum(kind == 1 for _, kind in trials[k:]), len(nontarget))
        if best is None or abs(miss - fa) < best:
            best, at = abs(miss - fa), -math.inf if k == 0 else trials[k - 1][0]
    return at


def new_weights(rates, cost=NEW):
    miss, fa, spoof = rates
    c0 = cost["p_target"] * cost["c_miss"] * miss + cost["p_nontarget"] * cost["c_fa"] * fa
    return c0, cost["p_target"] * cost["c_miss"] - c0, cost["p_spoof"] * cost["c_fa_spoof"] * spoof


def old_weights(rates):
    miss, fa, spoof = rates
    return 0, NEW["p_target"] * (1 - miss) - NEW["p_nontarget"] * 10 * fa, 10 * NEW["p_spoof"] * spoof


def t_dcfs(weights, genuine, spoof):
    c0, c1, c2 = weights
    norm = c0 + min(c1, c2)
    return [(c0 + c1 * below(genuine, t) + c2 * above(spoof, t)) / norm for t in thresholds(genuine, spoof)]


def counts_of(asv=None, cm=None, sasv=None):
    three = {k: db.ThreeClassCounts.from_classes(*v) for k, v in (("asv", asv), ("sasv", sasv)) if v is not None}
    return db.TandemCounts(**three, cm=None if cm is None else db.Counts.from_classes(*cm))


def close(found, wanted):
    assert found == pytest.approx(float(wanted), rel=1e-12, abs=1e-13)


@given(THREE, SOME, SOME)
def test_t_dcf(asv, genuine, spoof):
    counts = counts_of(asv, (genuine, spoof))
    threshold = asvspoof_threshold(*asv[:2])
    rates = asv_at(asv, threshold)
    found = db.asv_rates(counts)
    assert found.threshold == threshold
    assert (Fraction(found.p_miss).limit_denominator(99), Fraction(found.p_fa).limit_denominator(99)) == rates[:2]
    for name, weights in (("asvspoof2021", new_weights(rates)), ("asvspoof2019", old_weights(rates))):
        if min(weights[1:]) <= 0:
            if min(weights[1:]) < -1e-12 or weights[2] == 0:
                with pytest.raises(UndefinedMetricError, match="C1 = "):
                    db.min_t_dcf(counts, cost=name)
            continue
        costs = t_dcfs(weights, genuine, spoof)
        close(db.min_t_dcf(counts, cost=name), min(costs))
        curve = db.t_dcf_curve(counts, cost=name)
        assert curve.t_dcf[::-1][1:] == pytest.approx([float(cost) for cost in costs], abs=1e-12)
        for at, cost in zip(thresholds(genuine, spoof)[:-1], costs, strict=False):
            close(db.act_t_dcf(counts, threshold=at, cost=name), cost)


@given(SOME, SOME, RATE, RATE, RATE)
def test_t_dcf_of_given_rates(genuine, spoof, miss, fa, fa_spoof):
    asv = db.AsvRates(p_miss=miss, p_fa=fa, p_fa_spoof=fa_spoof)
    weights = new_weights(tuple(Fraction(str(rate)) for rate in (miss, fa, fa_spoof)))
    counts = counts_of(cm=(genuine, spoof))
    if min(weights[1:]) < Fraction(1, 10**12):
        with pytest.raises(UndefinedMetricError):
            db.min_t_dcf(counts, cost="asvspoof2021", asv=asv)
        return
    close(db.min_t_dcf(counts, cost="asvspoof2021", asv=asv), min(t_dcfs(weights, genuine, spoof)))


@given(THREE)
def test_a_dcf(sasv):
    target, nontarget, spoof = sasv
    counts = counts_of(sasv=sasv)
    for name, cost in (("a-dcf", PAPER), ("asvspoof5", NEW)):
        fa, fa_spoof = cost["c_fa"] * cost["p_nontarget"], cost["c_fa_spoof"] * cost["p_spoof"]
        miss = cost["c_miss"] * cost["p_target"]
        costs = [
            (miss * below(target, t) + fa * above(nontarget, t) + fa_spoof * above(spoof, t)) / min(fa + fa_spoof, miss)
            for t in thresholds(*sasv)
        ]
        close(db.min_a_dcf(counts, cost=name), min(costs))
        for at, expected in zip(thresholds(*sasv)[:-1], costs, strict=False):
            close(db.act_a_dcf(counts, threshold=at, cost=name), expected)


def t_eer_by_pairs(asv, genuine, attack):
    """Every pair of thresholds in exact fractions: O(n²)."""
    found = []
    for s in thresholds(*asv):
        miss, fa, spoof = asv_at(asv, s)
        if not miss < (fa + spoof) / 2:
            continue
        pairs = []
        for t in thresholds(genuine, attack):
            cm_miss, cm_fa = below(genuine, t), above(attack, t)
            total = cm_miss + (1 - cm_miss) * miss, (1 - cm_miss) * fa, cm_fa * spoof
            pairs.append((abs(total[0] - (total[1] + total[2]) / 2), total, cm_miss, cm_fa))
        _, total, cm_miss, cm_fa = min(pairs, key=lambda pair: pair[0])
        if spoof and cm_miss < 1:
            found.append((abs(fa / spoof - cm_fa / (1 - cm_miss)), total))
    return min(found, key=lambda pair: pair[0])[1] if found else None


@given(THREE, SOME, SOME)
def test_t_eer(asv, genuine, attack):
    counts, wanted = counts_of(asv, (genuine, attack)), t_eer_by_pairs(asv, genuine, attack)
    if wanted is None:
        with pytest.raises(UndefinedMetricError, match="t-EER"):
            db.t_eer(counts)
        return
    found = db.t_eer(counts)
    assert (found.p_miss, found.p_fa_nontarget, found.p_fa_spoof) == tuple(map(float, wanted))
    assert found.value == found.p_fa_spoof
    # The thresholds that are returned give these rates.
    rates = db.asv_rates(counts, threshold=found.asv_threshold)
    if not (math.isinf(found.asv_threshold) and math.inf in asv[0] + asv[1] + asv[2]):
        close((1 - below(genuine, found.cm_threshold)) * Fraction(rates.p_fa), wanted[1])


@given(THREE, SOME, SOME, st.randoms(use_true_random=False))
def test_rows_in_any_order_and_any_increasing_map_give_the_same(asv, genuine, attack, random):
    rows = [(kind, score) for kind, scores in enumerate(asv) for score in scores]
    random.shuffle(rows)
    names = ["target", "nontarget", "spoof"]
    trials = db.TandemTrials.from_arrays([names[kind] for kind, _ in rows], asv=[score for _, score in rows])
    mapped = tuple([math.atan(score) for score in scores] for scores in asv)
    counts, other = counts_of(asv, (genuine, attack)), counts_of(mapped, (genuine, attack))
    shuffled = db.TandemCounts(asv=db.count_tandem(trials).asv, cm=counts.cm)
    for figure in (db.t_eer, lambda c: db.min_t_dcf(c, cost="asvspoof2021")):
        values = []
        for each in (counts, shuffled, other):
            try:
                value = figure(each)
                values.append(getattr(value, "value", value))
            except UndefinedMetricError:
                values.append(None)
        assert values[0] == values[1] == values[2]

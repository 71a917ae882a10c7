"""Reliability, histogram, net benefit and ratios against the threshold: brute force and the scalar metrics."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deciban as db
from deciban.curves.thresholds import RATIOS
from deciban.metrics.catalogue import AT_THRESHOLD
from tests.curve_data import DEGENERATE, PROBABILITIES, UNHURRIED, classes, ln_lrs, probabilities


@UNHURRIED
@given(classes(PROBABILITIES), st.integers(1, 12))
def test_bins_of_equal_width(data, n_bins):
    counts = probabilities(data)
    curve = db.reliability(counts, n_bins=n_bins)
    assert curve.n.size == n_bins
    assert curve.low.tolist() == [k / n_bins for k in range(n_bins)]
    assert curve.high.tolist() == [(k + 1) / n_bins for k in range(n_bins)]
    trials = [(p, 1) for p in data[0]] + [(p, 0) for p in data[1]]
    for b in range(n_bins):
        inside = [(p, y) for p, y in trials if curve.low[b] <= p < curve.high[b] or (b == n_bins - 1 and p == 1)]
        assert (curve.n[b], curve.n_target[b]) == (len(inside), sum(y for _, y in inside))
        if inside:
            assert curve.stated[b] == pytest.approx(sum(p for p, _ in inside) / len(inside), abs=1e-15)
            assert curve.observed[b] == sum(y for _, y in inside) / len(inside)
        else:
            assert curve.stated[b] is curve.observed[b] is np.ma.masked
    distance = float(np.ma.sum(np.abs(curve.stated - curve.observed) * curve.n)) / len(trials)
    assert distance == pytest.approx(db.calibration_error(counts, n_bins=n_bins), abs=1e-14)


@UNHURRIED
@given(classes(PROBABILITIES), st.integers(1, 12))
def test_bins_of_equal_mass_are_those_of_array_split_without_parting_ties(data, n_bins):
    curve = db.reliability(probabilities(data), bins="equal-mass", n_bins=n_bins)
    p = np.sort([*data[0], *data[1]])
    cuts = {0, p.size}
    for part in np.array_split(np.arange(p.size), n_bins)[1:]:
        rank = part[0] if part.size else p.size
        if 0 < rank < p.size and p[rank - 1] == p[rank]:
            lower, upper = np.searchsorted(p, p[rank], "left"), np.searchsorted(p, p[rank], "right")
            rank = lower if rank - lower <= upper - rank else upper
        cuts.add(int(rank))
    edges = sorted(cuts)
    assert curve.n.tolist() == np.diff(edges).tolist()
    assert curve.low.tolist() == p[edges[:-1]].tolist()
    assert curve.high.tolist() == p[np.array(edges[1:]) - 1].tolist()
    assert (curve.n > 0).all()
    assert (curve.low[1:] > curve.high[:-1]).all()


@UNHURRIED
@given(classes(PROBABILITIES))
def test_corp_bins_are_the_pooled_blocks(data):
    counts = probabilities(data)
    curve, blocks = db.reliability(counts, bins="corp"), db.pav_map(counts)
    assert curve.low.tolist() == blocks.low.tolist()
    assert curve.high.tolist() == blocks.high.tolist()
    assert curve.n_target.tolist() == blocks.n_target.tolist()
    assert (np.diff(curve.observed) > 0).all()


def test_lrs_become_posteriors_at_the_prior():
    counts = db.Counts.from_classes([math.inf, 3.0], [0.0, 1.0], scale="lr")
    curve = db.reliability(counts, n_bins=4)
    assert curve.p_target == 0.5
    assert curve.n.tolist() == [1, 0, 1, 2]
    assert curve.stated.tolist() == [0.0, None, 0.5, 0.875]
    assert db.reliability(counts, n_bins=1, p_target=0.1).p_target == 0.1
    assert db.reliability(probabilities(([0.2], [0.1]))).p_target is None


def test_blocks_are_scores_even_where_different_lrs_state_one_probability():
    counts = ln_lrs(([800.0, 900.0, 1000.0], [-800.0]))
    assert db.reliability(counts, bins="equal-mass", n_bins=4, p_target=0.5).n.tolist() == [1, 1, 1, 1]


def test_reliability_of_one_class_and_of_none():
    counts = db.Counts(score=[0.2, 0.7], n_target=[1, 2], n_nontarget=[0, 0], scale="probability")
    assert db.reliability(counts, n_bins=2).observed.tolist() == [1, 1]
    with pytest.raises(db.SingleClassError):
        db.reliability(counts, bins="corp")
    with pytest.raises(db.OptionError, match="equal-width"):
        db.reliability(counts, bins="equal_width")
    with pytest.raises(db.OptionError, match="n_bins"):
        db.reliability(counts, n_bins=0)
    with pytest.raises(db.ScaleError):
        db.reliability(db.Counts.from_classes([1], [2]))


@UNHURRIED
@given(classes(), st.one_of(st.none(), st.integers(1, 9)))
def test_histogram_holds_every_trial(data, bins):
    counts = ln_lrs(data)
    curve = db.score_histogram(counts, bins=bins)
    for name, column in zip(("target", "nontarget"), data, strict=True):
        n = getattr(curve, f"n_{name}")
        assert getattr(curve, f"{name}_at_inf") == column.count(math.inf)
        assert getattr(curve, f"{name}_at_minus_inf") == column.count(-math.inf)
        finite = [x for x in column if math.isfinite(x)]
        assert n.sum() == len(finite)
        for i in range(n.size):
            last = i == n.size - 1
            assert n[i] == sum(curve.low[i] <= x < curve.high[i] or (last and x == curve.high[i]) for x in finite)
    assert (curve.low[1:] == curve.high[:-1]).all()
    assert (curve.low < curve.high).all()


def test_histogram_edges():
    counts = ln_lrs(([0.0, 1.0, 2.0], [1.0, 3.0]))
    curve = db.score_histogram(counts, bins=[-1, 1, 3])
    assert (curve.n_target.tolist(), curve.n_nontarget.tolist()) == ([1, 2], [0, 2])
    g = np.random.default_rng(0)
    normal = db.Counts.from_classes(g.normal(size=900), g.normal(size=100))
    ours = db.score_histogram(normal)
    assert 20 <= ours.low.size <= 100
    assert abs(ours.low.size - len(np.histogram_bin_edges(normal.score, "fd")) + 1) <= 1
    cauchy = db.Counts.from_classes(g.standard_cauchy(size=900), g.standard_cauchy(size=100))
    assert db.score_histogram(cauchy).low.size == 100
    assert db.score_histogram(db.Counts.from_classes([1.0] * 9, [1.0, 5.0])).low.size == 20


@pytest.mark.parametrize("bins", [0, True, [1], [0, 1], [3, 2, -9], [-math.inf, 9], [], [0, math.nan], "fd"])
def test_histogram_bins_that_cannot_be(bins):
    with pytest.raises((db.OptionError, db.InputError), match="bins"):
        db.score_histogram(ln_lrs(([0.0, 1.0, 2.0], [1.0, 3.0])), bins=bins)


@pytest.mark.parametrize("scores", [[-1.7e308, 1.7e308], [1e300, 1e300], [0.0, 5e-324], [1.0, 1 + 2**-52]])
def test_histogram_of_extreme_scores(scores):
    curve = db.score_histogram(db.Counts.from_classes(scores, scores))
    assert (curve.low < curve.high).all()
    assert curve.n_target.sum() == 2


@pytest.mark.parametrize("data", DEGENERATE.values(), ids=DEGENERATE)
def test_degenerate_data_have_curves(data):
    counts = ln_lrs(data)
    curve = db.score_histogram(counts)
    assert curve.n_target.sum() + curve.target_at_inf + curve.target_at_minus_inf == len(data[0])
    for bins in ("equal-width", "equal-mass", "corp"):
        assert db.reliability(counts, bins=bins).n.sum() == counts.total
    assert not np.isnan(db.net_benefit_curve(counts).benefit).any()
    db.threshold_curve(counts, RATIOS)


@UNHURRIED
@given(classes(PROBABILITIES))
def test_net_benefit_is_the_metric_at_every_threshold(data):
    counts = probabilities(data)
    curve = db.net_benefit_curve(counts)
    assert curve.threshold.tolist() == [k / 100 for k in range(1, 100)]
    trials = len(data[0]) + len(data[1])
    for i in (0, 19, 49, 98):
        t = float(curve.threshold[i])
        tp, fp = sum(p >= t for p in data[0]), sum(p >= t for p in data[1])
        assert curve.benefit[i] == (tp - fp * (t / (1 - t))) / trials
        assert curve.benefit[i] == db.net_benefit(counts, threshold=t)
        assert curve.treat_all[i] == db.net_benefit_all(counts, threshold=t)


def test_net_benefit_by_hand():
    counts = db.Counts(score=[0.1, 0.9], n_target=[20, 30], n_nontarget=[100, 50], scale="probability")
    curve = db.net_benefit_curve(counts, thresholds=[0.2])
    assert curve.benefit.tolist() == pytest.approx([7 / 80])
    assert curve.treat_all.tolist() == pytest.approx([1 / 16])
    for bad in ([0.0], [1.0], [math.nan], [-0.1]):
        with pytest.raises((db.OptionError, db.InputError), match="thresholds"):
            db.net_benefit_curve(counts, thresholds=bad)


def scalar(counts: db.Counts, name: str, threshold: float) -> float | None:
    try:
        return float(getattr(db.confusion(counts, threshold=threshold), name))
    except db.UndefinedMetricError:
        return None


@UNHURRIED
@given(classes(most=12))
def test_every_ratio_is_the_scalar_at_every_threshold(data):
    counts = ln_lrs(data)
    default = db.threshold_curve(counts, RATIOS)
    given_ones = db.threshold_curve(counts, RATIOS, thresholds=[0.0, math.inf, -2.5, 7.0, -math.inf])
    for curve in (default, given_ones):
        for i, threshold in enumerate(curve.threshold.tolist()):
            table = db.confusion(counts, threshold=threshold)
            assert (curve.tp[i], curve.fp[i]) == (table.tp, table.fp)
            for name, column in curve.values.items():
                expected = scalar(counts, name, threshold)
                assert column.tolist()[i] == (None if expected is None else pytest.approx(expected, rel=1e-13)), name


@UNHURRIED
@given(classes(st.integers(0, 3).map(float), most=6))
def test_ratios_of_one_class(data):
    for n1, n0 in (([1, 2], [0, 0]), ([0, 0], [3, 1])):
        counts = db.Counts(score=[0.0, 1.0], n_target=n1, n_nontarget=n0)
        curve = db.threshold_curve(counts, RATIOS, thresholds=data[0])
        for name, column in curve.values.items():
            assert column.tolist() == [scalar(counts, name, t) for t in data[0]], name


@pytest.mark.parametrize(
    "counts",
    [
        db.Counts.from_classes([math.inf, 2.0, 2.0, -math.inf], [-math.inf, 2.0, 0.5]),
        db.Counts.from_classes([], [math.inf, 0.0]),
        db.Counts(score=[-math.inf, 3.0], n_target=[0.0, 0.0], n_nontarget=[0.1, 0.2], weighted=True),
        db.count(db.Trials.from_arrays([0.3, 0.2, 0.1, -math.inf], [1, 0, 1, 0], weight=[0.1, 0.2, 0.7, 0.3])),
        db.Counts.from_classes(range(40_000), range(20_000, 60_000)),
    ],
)
def test_all_thresholds_accept_what_the_same_ones_given_do(counts):
    names = ("precision", "recall", "lr_positive", "mcc")
    every = db.threshold_curve(counts, names)
    assert every == db.threshold_curve(counts, names, thresholds=every.threshold)
    assert every.threshold[0] == math.inf
    assert every.threshold[-1] == -math.inf
    assert every.threshold.size == 2 + np.isfinite(counts.score).sum()


def test_products_of_counts_do_not_overflow():
    counts = db.Counts(score=[0.0, 1.0], n_target=[1, 10**6], n_nontarget=[4 * 10**12, 5])
    curve = db.threshold_curve(counts, RATIOS)
    for name, column in curve.values.items():
        for t, value in zip(curve.threshold.tolist(), column.tolist(), strict=True):
            expected = scalar(counts, name, t)
            assert value == (None if expected is None else pytest.approx(expected, rel=1e-9)), name


def test_ratios_are_those_of_the_catalogue():
    assert set(RATIOS) == {metric.__name__ for metric in AT_THRESHOLD}


def test_perfect_tables_have_mcc_exactly_1():
    for n1, n0 in ((3, 7), (12_345, 678_901), (10**6 + 3, 17)):
        counts = db.Counts(score=[0.0, 1.0], n_target=[0, n1], n_nontarget=[n0, 0])
        assert db.threshold_curve(counts, ["mcc"], thresholds=[1.0]).values["mcc"].tolist() == [1.0]


def test_unknown_ratios_are_refused():
    counts = ln_lrs(([1.0], [0.0]))
    with pytest.raises(db.OptionError, match="'precision'"):
        db.threshold_curve(counts, ["precison"])
    with pytest.raises(db.OptionError, match="at least one"):
        db.threshold_curve(counts, [])
    assert list(db.threshold_curve(counts, "mcc").values) == ["mcc"]

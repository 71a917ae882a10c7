"""Figures at the edges of what doubles hold, against values worked out by hand."""

import contextlib
import math
from fractions import Fraction

import numpy as np
import pytest

import deciban as db
from deciban.errors import DecibanError
from deciban.metrics.catalogue import METRICS
from deciban.metrics.presets import PRESETS, Cost
from tests.metric_options import CASES, label

INF = math.inf


@pytest.mark.parametrize("prior", [0.1, 0.2, 0.3, 0.95, 1e-5])
def test_no_test_of_calibration_from_rounding(prior):
    # Every posterior is ½: prior odds and LR cancel.
    even = math.log1p(-prior) - math.log(prior)
    counts = db.Counts([even], [3], [4], scale="ln_lr")
    for given in (counts, db.Counts([0.5], [3], [4], scale="probability")):
        with pytest.raises(db.UndefinedMetricError) as caught:
            db.spiegelhalter(given, **({"p_target": prior} if given is counts else {}))
        assert caught.value.reason == "zero_variance"


def test_f_with_extreme_weights_is_recall_or_precision():
    counts = db.Counts.from_classes([0.9, 0.6, 0.4, 0.7], [0.8, 0.4])
    recall, precision = db.recall(counts, threshold=0.6), db.precision(counts, threshold=0.5)
    for beta in (1e20, 1e153, 1e160, 1e308):
        assert db.f_beta(counts, threshold=0.6, beta=beta) == pytest.approx(recall, rel=1e-15)
        assert db.f_beta(counts, threshold=0.5, beta=1 / beta) == pytest.approx(precision, rel=1e-15)
    alarms = db.Counts.from_classes([0.1], [0.9])
    for beta in (1e160, 1.0, 1e-160):
        assert db.f_beta(alarms, threshold=0.5, beta=beta) == 0.0


def test_presets_are_the_decimals_they_are_written_as():
    assert PRESETS["asvspoof5"][0].beta == 10 / 19
    assert PRESETS["voxsrc"][0].beta == 19.0
    assert [cost.beta for cost in PRESETS["sre16"]] == [99.0, 199.0]
    assert PRESETS["sre08"][0].beta == 9.9
    # An LR of exactly β is accepted: no miss, and one of two nontargets is let in.
    counts = db.Counts([0.1, 10 / 19], [0, 1], [1, 1], scale="lr")
    assert db.act_dcf(counts, preset="asvspoof5") == Fraction(1, 2)


def test_costs_whose_ratio_is_no_double():
    dear = Cost(0.5, 1e-200, 1e200)
    assert dear.threshold("log10_lr", None) == pytest.approx(400.0, rel=1e-15)
    assert dear.threshold("ln_lr", None) == pytest.approx(400 * math.log(10), rel=1e-15)
    assert dear.threshold("lr", None) == INF
    assert db.bayes_threshold(0.5, 1e200, 1e-200) == pytest.approx(-400 * math.log(10), rel=1e-15)
    counts = db.Counts([399.0, 401.0], [1, 3], [1, 0], scale="log10_lr")
    # Accepted from 400 on: one target of four is missed, at what always rejecting costs.
    assert db.act_dcf(counts, p_target=0.5, c_miss=1e-200, c_fa=1e200) == pytest.approx(0.25, rel=1e-15)
    with pytest.raises(db.OptionError, match="too far apart"):
        Cost(1e-200, 1e-200, 1.0)


@pytest.mark.parametrize("odds", [-1e308, -400.0, -324.0, -2.0, 0.0, 324.0, 1e308])
def test_a_certain_error_costs_everything_at_every_finite_prior(odds):
    wrong = db.Counts([-INF, 0.0, INF], [1, 1, 0], [0, 1, 1], scale="ln_lr")
    right = db.Counts([-INF, 0.0, INF], [0, 1, 1], [1, 1, 0], scale="ln_lr")
    assert db.empirical_cross_entropy(wrong, log10_odds=odds) == INF
    assert db.empirical_cross_entropy(right, log10_odds=odds) <= 0.5
    curve = db.empirical_cross_entropy_curve(wrong, log10_odds=[odds, INF, -INF])
    assert curve.system.tolist() == [INF, 0.0, 0.0]
    assert (curve.pav <= curve.neutral).all()
    # A certain error on one side only, whichever weight vanishes.
    for targets, nontargets in (([3, 1, 1], [2, 1, 0]), ([0, 1, 1], [2, 1, 3])):
        one_sided = db.Counts([-INF, 0.0, INF], targets, nontargets, scale="ln_lr")
        with pytest.raises(db.UndefinedMetricError) as caught:
            db.cross_entropy_interval(one_sided, log10_odds=odds)
        assert caught.value.reason == "infinite_end"
    for end in (-INF, INF):
        assert db.empirical_cross_entropy(wrong, log10_odds=end) == 0.0


def test_no_bin_of_overestimation_is_without_width():
    for lrs in ([0.0, 0.5], [0.0, 1.0], [3.0], [-2.0, -1.5, -1.0]):
        curve = db.lr_overestimation(db.Counts(lrs, [5] * len(lrs), [6] * len(lrs), scale="log10_lr"))
        assert (np.diff(curve.edges) > 0).all()
        assert curve.edges[-1] >= lrs[-1]


def test_best_is_at_least_as_good_as_given():
    rng = np.random.default_rng(5)
    for _ in range(30):
        size = 12
        targets, nontargets = rng.integers(0, 4, size), rng.integers(0, 4, size)
        targets[0], nontargets[-1] = 1, 1
        counts = db.Counts(np.arange(size) / 4 - 1.5, targets, nontargets, scale="ln_lr")
        for normalise in (False, True):
            curve = db.bayes_error_curve(counts, normalise=normalise)
            assert curve.actual is not None
            assert (curve.minimum <= curve.actual).all()
            assert (curve.minimum <= curve.default).all()
        cross = db.empirical_cross_entropy_curve(counts)
        assert (cross.pav <= cross.system).all()
        assert (cross.pav <= cross.neutral).all()


@pytest.mark.parametrize("weight", [0.25, 1.0, 3.0, 2.0**-30])
def test_a_rate_equal_to_its_limit_is_within_it(weight):
    # Ten of each class, weights that doubles add exactly: 3/10 is 0.3, however it is weighted.
    n_target, n_nontarget = np.array([1, 2, 7, 0]), np.array([0, 7, 2, 1])
    counts = db.Counts([1, 2, 3, 4], n_target * weight, n_nontarget * weight, weighted=True)
    assert db.p_fa_at(counts, p_miss=0.3) == 0.3
    assert db.p_miss_at(counts, p_fa=0.3) == 0.3
    assert db.p_miss_at(counts, p_fa=0.29) == 1.0


def test_whole_weights_are_trials_that_were_repeated():
    once = db.Counts([0.5, 1.0, 2.0, 4.0], [0, 1, 1, 2], [2, 1, 1, 0], scale="lr")
    thrice = db.merge(once, once, once)
    weighted = db.Counts(once.score, once.n_target * 3.0, once.n_nontarget * 3.0, scale="lr", weighted=True)
    for method in ("asvspoof", "nist"):
        assert db.eer(weighted, method=method) == db.eer(thrice, method=method)
    assert db.decidability(weighted) == db.decidability(thrice) != db.decidability(once)
    assert db.turing(weighted, k=2.0) == db.turing(thrice, k=2.0) != db.turing(once, k=2.0)
    halves = db.Counts(once.score, once.n_target / 2, once.n_nontarget / 2, scale="lr", weighted=True)
    for metric, options in ((db.eer, {"method": "nist"}), (db.decidability, {}), (db.turing, {})):
        with pytest.raises(db.UndefinedMetricError) as caught:
            metric(halves, **options)
        assert caught.value.reason == "weighted"


@pytest.mark.parametrize(("metric", "options"), CASES, ids=[label(m.spec, o) for m, o in CASES])
def test_without_trials_or_a_class_only_the_packages_own_errors(metric, options):
    for scale, prior in (("score", None), ("probability", 0.3), ("lr", None), ("ln_lr", None)):
        for scores, n_target, n_nontarget in (([], [], []), ([0.2, 0.7], [1, 2], [0, 0]), ([0.2, 0.7], [0, 0], [1, 2])):
            for weighted in (False, True):
                counts = db.Counts(scores, n_target, n_nontarget, scale, prior, weighted=weighted)
                for more in ({}, {"exact": True}) if metric.spec.exact else ({},):
                    with contextlib.suppress(DecibanError):
                        metric(counts, **options, **more)


def test_summaries_keep_the_capital_of_a_name():
    summaries = {metric.spec.name: (metric.__doc__ or "").partition("\n")[0] for metric in METRICS}
    assert summaries["mcc"].startswith("Compute the Matthews ")
    assert summaries["kappa"].startswith("Compute the Cohen's ")

"""Values at the ends of what doubles hold, and figures that are known without computing."""

import math
from typing import Any

import numpy as np
import pytest

import deciban as db
from deciban.errors import InputError, OptionError, UndefinedMetricError
from deciban.metrics.catalogue import METRICS
from tests.metric_options import option_sets

INF = math.inf
LARGEST, SMALLEST = np.finfo(float).max, 5e-324


@pytest.mark.parametrize("scale", ["ln_lr", "log10_lr", "log2_lr", "deciban"])
def test_no_information_costs_exactly_one_bit(scale):
    for n in range(1, 600):
        counts = db.Counts([0.0], [n], [n + 1], scale)
        assert db.cllr(counts) == db.cllr_min(counts) == 1.0
        assert db.cllr_cal(counts) == 0.0


@pytest.mark.parametrize("weight", [0.1, 1 / 3, 7.55056122])
def test_no_information_costs_one_bit_with_weights(weight):
    counts = db.Counts.from_arrays([0.0] * 7, [1, 0, 1, 0, 0, 1, 1], scale="ln_lr", weight=[weight] * 7)
    assert db.cllr(counts) == pytest.approx(1.0, rel=1e-15)
    assert db.cllr_min(counts) <= 1.0
    assert db.auc(counts) == 0.5


def test_largest_log_likelihood_ratios():
    wrong = db.Counts.from_classes([-LARGEST, LARGEST], [LARGEST, -LARGEST], scale="ln_lr")
    assert db.cllr(wrong) == pytest.approx(LARGEST / (2 * math.log(2)), rel=1e-12)
    assert db.log_loss(wrong, p_target=0.5) == pytest.approx(LARGEST / 2, rel=1e-12)
    assert db.empirical_cross_entropy(wrong, log10_odds=0) == db.cllr(wrong)
    right = db.Counts.from_classes([LARGEST] * 3, [-LARGEST], scale="ln_lr")
    assert db.cllr(right) == db.log_loss(right) == db.brier(right) == 0


def test_a_finite_log_lr_that_overflows_in_nats_is_refused():
    with pytest.raises(InputError, match="finite log10_lr must lie within"):
        db.Counts.from_classes([1e308], [0], scale="log10_lr")


def test_smallest_scores_are_scores():
    counts = db.Counts.from_classes([SMALLEST, 0.0], [-SMALLEST, -0.0])
    assert counts.score.tolist() == [-SMALLEST, 0.0, SMALLEST]
    assert db.auc(counts) == 0.875
    assert not np.signbit(counts.score[1])


def test_zero_has_one_name_whichever_comes_first():
    one, other = (db.Counts.from_classes([a], [b]) for a, b in ((0.0, -0.0), (-0.0, 0.0)))
    assert one == other
    assert one.sha256() == other.sha256()
    direct = db.Counts([-0.0], [1], [1])
    assert direct.sha256() == one.sha256()
    assert db.merge(direct, direct).sha256() == db.merge(one, one).sha256()


def test_likelihood_ratios_of_0_and_inf_of_one_who_knows_the_truth():
    counts = db.Counts.from_classes([INF] * 3, [0.0] * 5, scale="lr")
    assert db.cllr(counts) == db.cllr_min(counts) == db.cllr_cal(counts) == 0
    for odds in (-INF, -1000, -3, 0, 3, 1000, INF):
        assert db.empirical_cross_entropy(counts, log10_odds=odds) == 0
    assert db.cllr(db.Counts.from_classes([0.0], [0.0], scale="lr")) == INF
    assert db.cllr_cal(db.Counts.from_classes([0.0, 1.0], [0.0], scale="lr")) == INF


def test_certain_probabilities_with_a_prior():
    counts = db.Counts.from_classes([1.0, 1.0], [0.0], scale="probability", prior=0.1)
    assert db.cllr(counts) == db.brier(counts) == db.log_loss(counts, p_target=0.7) == 0
    wrong = db.Counts.from_classes([0.0], [1.0, 0.0], scale="probability", prior=0.1)
    assert db.cllr(wrong) == db.log_loss(wrong) == INF
    assert db.brier(wrong) == pytest.approx(2 / 3)


NEEDS_MORE = {"decidability", "devpav", "calibration_line", "calibration_error_debiased"}


@pytest.mark.parametrize("scale", ["score", "probability", "lr", "ln_lr"])
def test_one_trial_of_each_class_answers_every_question(scale):
    low, high = {"score": (-1.0, 1.0), "probability": (0.2, 0.9), "lr": (0.1, 10.0), "ln_lr": (-2.0, 3.0)}[scale]
    counts = db.Counts.from_classes([high], [low], scale=scale, prior=0.5 if scale == "probability" else None)
    for metric in METRICS:
        if metric.spec.needs != "any" and scale == "score":
            continue
        for options in option_sets(metric.spec):
            try:
                value = metric(counts, **options)
            except UndefinedMetricError:
                # A ratio at a threshold may be 0/0; one trial has no variance; separated classes no map and no line.
                assert "threshold" in options or metric.spec.name in NEEDS_MORE
            else:
                for number in [getattr(value, part) for part in metric.spec.parts] or [value]:
                    assert not math.isnan(number)


def test_the_bayes_threshold_is_the_one_that_costs_use():
    for p_target in np.random.default_rng(0).uniform(0.001, 0.999, 300).tolist():
        threshold = db.bayes_threshold(p_target, 2.0, 3.0)
        counts = db.Counts.from_classes([threshold], [np.nextafter(threshold, -INF)], scale="ln_lr")
        assert db.act_dcf(counts, p_target=p_target, c_miss=2.0, c_fa=3.0) == 0


def test_costs_that_vanish_are_refused():
    counts = db.Counts.from_classes([1.0], [0.0], scale="ln_lr")
    for c_miss, c_fa in ((5e-324, 1.0), (1e-323, 1e300)):
        with pytest.raises(OptionError, match="too far apart"):
            db.act_dcf(counts, p_target=0.1, c_miss=c_miss, c_fa=c_fa)


@pytest.mark.parametrize("scale", ["lr", "probability"])
def test_a_threshold_above_zero_does_not_accept_zero(scale):
    counts = db.Counts.from_classes([0.0, 1.0], [0.0], scale=scale, prior=1e-300 if scale == "probability" else None)
    assert db.bayes_error(counts, log10_odds=400.0, normalise=True) == INF
    assert db.rmed(counts, k=1e300) == 0.5


WRONG: dict[str, dict[str, Any]] = {
    "p_miss_at": {"p_fa": "0.1"},
    "p_fa_at": {"p_miss": None},
    "calibration_error": {"n_bins": 2.5},
    "cllr_min": {"laplace": "false"},
    "eer": {"method": None},
    "rmep": {"k": True},
    "precision": {"threshold": 1j},
}


@pytest.mark.parametrize("name", WRONG)
def test_options_of_the_wrong_kind_are_refused(name):
    counts = db.Counts.from_classes([0.75], [0.25], scale="probability", prior=0.5)
    with pytest.raises(OptionError, match=f"{name}: .* must be .*, found"):
        getattr(db, name)(counts, **WRONG[name])


def test_numbers_of_other_libraries_are_numbers():
    counts = db.Counts.from_classes([0.75], [0.25], scale="probability", prior=0.5)
    assert db.calibration_error(counts, n_bins=np.int64(3)) == db.calibration_error(counts, n_bins=3)
    assert db.rmep(counts, k=np.float32(2)) == db.rmep(counts, k=2) == db.rmep(counts, k=2.0)

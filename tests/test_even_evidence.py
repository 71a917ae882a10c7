"""LR = 1 leaves a prior as it is, to the last bit, by every route: bins, thresholds and decisions begin there."""

import math

import numpy as np
import pytest

import deciban as db
from deciban.passes.forecasts import probabilities
from deciban.values.scale import log10_in_unit, ratios_in_unit, threshold_of_log10_lr, to_ln_lr

PRIORS = [0.2, 0.3, 0.7, 0.9, 0.1, 1 / 3, 5 / 7, 1e-9, 1 - 1e-12]
NEUTRAL = {"lr": 1.0, "ln_lr": 0.0, "log2_lr": 0.0, "log10_lr": 0.0, "deciban": 0.0}


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("scale", NEUTRAL)
def test_the_posterior_at_even_evidence_is_the_prior(scale, prior):
    counts = db.Counts([NEUTRAL[scale]], [1], [1], scale=scale)
    assert probabilities(counts, p_target=prior).probability.tolist() == [prior]
    # Flagged where the probability is at least the threshold: one target and one nontarget of two trials.
    assert db.net_benefit(counts, p_target=prior, threshold=prior) == pytest.approx((1 - prior / (1 - prior)) / 2)


@pytest.mark.parametrize("prior", PRIORS)
def test_a_probability_equal_to_its_prior_is_even_evidence(prior):
    assert to_ln_lr(np.array([prior]), "probability", prior).tolist() == [0.0]
    assert threshold_of_log10_lr(0.0, "probability", prior) == prior
    assert ratios_in_unit(np.array([3.0]), np.array([3.0]), "probability", prior).tolist() == [prior]
    assert log10_in_unit(np.array([0.0]), "probability", prior).tolist() == [prior]
    counts = db.Counts([prior], [1], [1], scale="probability", prior=prior)
    assert probabilities(counts, p_target=0.4).probability.tolist() == [0.4]
    # At even odds LR = 1 is accepted: only the nontarget is wrong.
    assert db.bayes_error(counts, log10_odds=0.0) == 0.5
    assert db.confusion(counts, threshold=threshold_of_log10_lr(0.0, "probability", prior)).tp == 1
    curve = db.bayes_error_curve(counts, log10_odds=[0.0], normalise=True)
    assert curve.actual is not None
    assert curve.actual.tolist() == [1.0]


@pytest.mark.parametrize(("n_target", "n_nontarget"), [(1, 4), (3, 7), (1, 9), (7, 3), (6, 4), (4, 2)])
def test_an_evaluation_and_a_function_fill_the_same_bins(n_target, n_nontarget):
    counts = db.Counts([-1.0, 0.0, 1.0], [0, n_target, 0], [n_nontarget - 1, 0, 1], scale="ln_lr")
    whole = db.evaluate(counts, metrics=["brier_murphy"], interval="none")
    assert whole["calibration_error"].value == db.calibration_error(counts)
    share = counts.total_target / counts.total
    assert db.calibration_error(counts, p_target=share) == db.calibration_error(counts)
    at_share = probabilities(counts).probability
    assert at_share[1] == share
    assert (np.diff(at_share) > 0).all()


def test_posteriors_at_the_ends():
    counts = db.Counts([-math.inf, -800.0, 800.0, math.inf], [1, 1, 1, 1], [1, 1, 1, 1], scale="ln_lr")
    assert probabilities(counts, p_target=0.25).probability.tolist() == [0.0, 0.0, 1.0, 1.0]

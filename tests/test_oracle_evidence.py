"""Figures of likelihood ratios and probabilities against definitions computed to fifty digits."""

import math
from fractions import Fraction
from functools import partial

import pytest

import deciban as db
from deciban.errors import UndefinedMetricError
from deciban.passes.pool import pool, pool_laplace
from tests.oracle import evidence, precise, ranking
from tests.oracle.cases import LR_SCALES, SCORES, cases, close, counts, prior_of

N = 100
SEEDS = range(3)

every_lr_scale = pytest.mark.parametrize("scale", LR_SCALES)
every_seed = pytest.mark.parametrize("seed", SEEDS)


@every_lr_scale
@every_seed
def test_cllr_and_its_halves(scale, seed):
    prior = prior_of(scale)
    for trials in [*cases(scale, seed, N), *cases(scale, seed, N, mild=True)]:
        data = counts(trials, scale, prior)
        target, nontarget = evidence.halves(trials, scale, prior)
        assert close(db.cllr_target_half(data), target)
        assert close(db.cllr_nontarget_half(data), nontarget)
        assert close(db.cllr(data), evidence.cllr(trials, scale, prior))


@every_lr_scale
@every_seed
def test_empirical_cross_entropy(scale, seed):
    prior = prior_of(scale)
    for trials in [*cases(scale, seed, N // 5), *cases(scale, seed, N // 5, mild=True)]:
        data = counts(trials, scale, prior)
        for x in (-math.inf, -250.0, -3.0, -0.5, -0.0, 1e-9, 1.0, 2.5, 250.0, math.inf):
            want = evidence.cross_entropy(trials, scale, x, prior)
            assert close(db.empirical_cross_entropy(data, log10_odds=x), want), x


@pytest.mark.parametrize("laplace", [False, True])
@pytest.mark.parametrize("scale", list(SCORES))
@every_seed
def test_cllr_min_is_that_of_max_min_isotonic_regression(scale, seed, laplace):
    for trials in cases(scale, seed, N // 2):
        data = counts(trials, scale, prior_of(scale))
        assert close(db.cllr_min(data, laplace=laplace), evidence.cllr_min(trials, laplace))
        pooled = (pool_laplace if laplace else pool)(data)
        for score, ratio in zip(data.score, evidence.pav_ratios(trials, laplace), strict=True):
            (block,) = [i for i in range(pooled.low.size) if pooled.low[i] <= score <= pooled.high[i]]
            want = math.inf if ratio is None else -math.inf if ratio == 0 else math.log(ratio)
            assert close(pooled.ln_lr[block], want) or abs(pooled.ln_lr[block] - want) < 1e-15
        assert (pooled.ln_lr[1:] > pooled.ln_lr[:-1]).all()


@every_lr_scale
@every_seed
def test_cllr_cal_is_what_is_left(scale, seed):
    prior = prior_of(scale)
    for trials in cases(scale, seed, N // 2, mild=True):
        whole, best = evidence.cllr(trials, scale, prior), evidence.cllr_min(trials)
        found = db.cllr_cal(counts(trials, scale, prior))
        assert found == math.inf if math.isinf(whole) else abs(found - (whole - best)) <= 1e-12 * max(whole, 1)
        assert found >= 0


@every_lr_scale
@every_seed
def test_misleading_evidence(scale, seed):
    prior = prior_of(scale)
    for trials in [*cases(scale, seed, N), *cases(scale, seed, N, mild=True)]:
        data = counts(trials, scale, prior)
        for k in (1, 2, 3, 10, 100, 1000):
            high = evidence.unit_threshold(Fraction(k), scale, prior)
            low = evidence.unit_threshold(Fraction(1, k), scale, prior)
            for_target = [t for t in trials if not t.is_target and (t.score > high if k == 1 else t.score >= high)]
            for_nontarget = [t for t in trials if t.is_target and (t.score < low if k == 1 else t.score <= low)]
            assert db.rmep(data, k=k, exact=True) == Fraction(len(for_target), data.total_nontarget)
            assert db.rmed(data, k=k, exact=True) == Fraction(len(for_nontarget), data.total_target)


@every_lr_scale
@every_seed
def test_act_dcf_accepts_at_the_bayes_threshold(scale, seed):
    prior = prior_of(scale)
    costs = [(0.5, 1.0, 1.0), (0.25, 1.0, 1.0), (0.01, 10.0, 1.0), (0.75, 1.0, 3.0), (1e-9, 1.0, 1.0)]
    for trials in [*cases(scale, seed, N // 2), *cases(scale, seed, N // 2, mild=True)]:
        for p_target, c_miss, c_fa in costs:
            miss, fa = Fraction(p_target) * Fraction(c_miss), (1 - Fraction(p_target)) * Fraction(c_fa)
            rule = ranking.point(trials, evidence.unit_threshold(fa / miss, scale, prior))
            want = miss * rule.p_miss + fa * rule.p_fa
            found = partial(db.act_dcf, counts(trials, scale, prior), p_target=p_target, c_miss=c_miss, c_fa=c_fa)
            assert close(found(normalise=False), want)
            assert close(found(), want / min(miss, fa))


@every_lr_scale
@every_seed
def test_bayes_error(scale, seed):
    prior = prior_of(scale)
    for trials in [*cases(scale, seed, N // 8), *cases(scale, seed, N // 8, mild=True)]:
        data = counts(trials, scale, prior)
        for x in (-3.0, 0.0, 1.0):
            share = Fraction(float(precise.expit(precise.mul(precise.decimal(x), precise.ln(10)))))
            small = min(share, 1 - share)
            rule = ranking.point(trials, evidence.unit_threshold_of_log10(-x, scale, prior))
            want = share * rule.p_miss + (1 - share) * rule.p_fa
            assert close(db.bayes_error(data, log10_odds=x), want)
            assert close(db.bayes_error(data, log10_odds=x, normalise=True), want / small)
            want = ranking.min_cost(trials, share, 1 - share)
            assert close(db.bayes_error_min(data, log10_odds=x), want)
            assert close(db.bayes_error_min(data, log10_odds=x, normalise=True), want / small)


@pytest.mark.parametrize("scale", [*LR_SCALES, "given"])
@every_seed
def test_brier_and_log_loss(scale, seed):
    known, prior = "probability" if scale == "given" else scale, prior_of(scale)
    for trials in [*cases(known, seed, N // 2), *cases(known, seed, N // 2, mild=True)]:
        data = counts(trials, known, prior)
        share = Fraction(data.total_target, data.total)
        for p_target in (None,) if scale == "given" else (None, 0.3, 0.01):
            stated = partial(evidence.stated, scale=known, p_target=p_target, prior=prior, share=share)
            assert close(db.brier(data, p_target=p_target), evidence.brier(trials, stated))
            assert close(db.log_loss(data, p_target=p_target), evidence.log_loss(trials, stated))


@pytest.mark.parametrize("mild", [False, True])
@every_seed
def test_given_probabilities_in_exact_fractions(seed, mild):
    for trials in cases("probability", seed, 3 * N, mild=mild):
        data = counts(trials, "probability")
        assert close(db.brier(data), evidence.brier_given(trials), 1e-14)
        for n_bins in (1, 2, 3, 7, 10, 15, 100):
            want = evidence.calibration_error(trials, n_bins)
            assert abs(Fraction(db.calibration_error(data, n_bins=n_bins)) - want) < 1e-15
        with pytest.raises(UndefinedMetricError):
            db.cllr(data)

"""Weighted trials: whole weights are repetition, others the same formulas in exact fractions."""

import math
from fractions import Fraction

import pytest

import deciban as db
from deciban.errors import UndefinedMetricError
from tests.oracle import evidence, ranking
from tests.oracle.cases import LR_SCALES, cases, close, counts, prior_of
from tests.test_oracle_ranking import ratios

N = 100
every_seed = pytest.mark.parametrize("seed", range(4))


@every_seed
def test_ranking(seed):
    for trials in cases("score", seed, N, weights=True):
        data = counts(trials, weighted=True)
        wins, ties, losses = ranking.pairs(trials)
        found = db.pair_counts(data)
        assert close(found.wins, wins)
        assert close(found.ties, ties)
        assert abs(found.losses - losses) <= 1e-12 * (wins + ties + losses)
        assert close(db.auc(data), ranking.auc(trials))
        assert close(db.average_precision(data), ranking.average_precision(trials))
        assert close(db.min_dcf(data, p_target=0.5, c_miss=1, c_fa=1), ranking.min_cost(trials, *[Fraction(1)] * 2))


@every_seed
def test_eer(seed):
    for trials in cases("score", seed, N, weights=True):
        data = counts(trials, weighted=True)
        assert close(db.eer(data), ranking.eer_rocch(trials), 1e-11)
        assert close(db.eer(data, method="interpolated"), ranking.eer_interpolated(trials), 1e-11)
        nearest = {float(p.mean) for p in ranking.points(trials) if p.gap < ranking.eer_nearest(trials).gap + 1e-12}
        for method in ("nearest-first", "nearest-last"):
            assert any(close(db.eer(data, method=method), mean) for mean in nearest)
        assert close(db.eer(data, method="fvc"), ranking.eer_fvc(trials)[2])
        for method in ("asvspoof", "nist"):
            with pytest.raises(UndefinedMetricError, match="weights"):
                db.eer(data, method=method)


@every_seed
def test_ratios_at_thresholds(seed):
    for trials in cases("score", seed, N // 2, weights=True):
        data = counts(trials, weighted=True)
        for threshold in {t.score for t in trials}:
            n = ranking.table(trials, threshold)
            for name, (above, below) in ratios(n).items():
                if below != 0:
                    tolerance = 1e-12 if name != "informedness" else 1e-9
                    got = getattr(db, name)(data, threshold=threshold)
                    assert close(got, above / below, tolerance) or abs(got - above / below) < 1e-15, name


@pytest.mark.parametrize("scale", LR_SCALES)
@every_seed
def test_evidence(scale, seed):
    prior = prior_of(scale)
    for trials in [*cases(scale, seed, N // 4, weights=True), *cases(scale, seed, N // 4, weights=True, mild=True)]:
        data = counts(trials, scale, prior, weighted=True)
        assert close(db.cllr(data), evidence.cllr(trials, scale, prior))
        assert close(db.cllr_min(data), evidence.cllr_min(trials))
        assert close(db.cllr_min(data, laplace=True), evidence.cllr_min(trials, laplace=True))
        want = evidence.cross_entropy(trials, scale, -1.5, prior)
        assert close(db.empirical_cross_entropy(data, log10_odds=-1.5), want)
        if scale == "probability":
            assert close(db.brier(data), evidence.brier_given(trials))
            assert abs(Fraction(db.calibration_error(data, n_bins=7)) - evidence.calibration_error(trials, 7)) < 1e-14


EXTREME = [1e-60, 1e-30, 1e30, 1e69]


@pytest.mark.parametrize("unit", EXTREME)
@every_seed
def test_only_the_ratios_of_weights_matter(seed, unit):
    for trials in cases("ln_lr", seed, N // 4, mild=True):
        plain = counts(trials, "ln_lr")
        scaled = counts([t._replace(weight=Fraction(unit)) for t in trials], "ln_lr", weighted=True)
        for metric in (db.auc, db.average_precision, db.eer, db.cllr, db.cllr_min, db.cllr_cal, db.brier, db.log_loss):
            assert abs(metric(scaled) - metric(plain)) <= 1e-12 * max(1, metric(plain)), metric.__name__
        for method in ("interpolated", "nearest-first", "nearest-last", "nearest-max", "fvc"):
            assert 0 <= db.eer(scaled, method=method) <= 1
        for name in ("mcc", "kappa", "informedness", "markedness", "lr_positive", "lr_negative", "f1"):
            metric = getattr(db, name)
            try:
                want = metric(plain, threshold=0.0)
            except UndefinedMetricError:
                with pytest.raises(UndefinedMetricError):
                    metric(scaled, threshold=0.0)
            else:
                got = metric(scaled, threshold=0.0)
                assert got == want or math.isclose(got, want, rel_tol=1e-12, abs_tol=1e-15), name


@pytest.mark.parametrize("weight", [1e-300, 5e-324, 1e300, 1.7e308])
def test_weights_whose_products_overflow_or_vanish_are_refused(weight):
    with pytest.raises(db.InputError, match=r"weight.*rescale"):
        db.Counts.from_arrays([1, 2, 3], [1, 0, 1], target=1, weight=[1.0, 1.0, weight])
    with pytest.raises(db.InputError, match=r"weight.*rescale"):
        db.Counts([1.0, 2.0], [weight, 1.0], [1.0, 1.0], weighted=True)

"""Ranking and threshold figures against exact brute force, on thousands of small awkward cases."""

import math
from fractions import Fraction

import pytest

import deciban as db
from deciban.errors import UndefinedMetricError
from deciban.metrics.eer import EqualError
from deciban.passes.pool import pool
from tests.oracle import ranking
from tests.oracle.cases import cases, close, counts
from tests.oracle.evidence import hull
from tests.oracle.ranking import Point, Trials

N = 80
SCALES = ["score", "probability", "lr", "log10_lr"]
SEEDS = range(3)

pytestmark = [pytest.mark.parametrize("scale", SCALES), pytest.mark.parametrize("seed", SEEDS)]


def test_pairs_auc_and_average_precision(scale, seed):
    for trials in cases(scale, seed, N):
        data = counts(trials, scale)
        assert db.pair_counts(data) == ranking.pairs(trials)
        assert db.auc(data, exact=True) == ranking.auc(trials)
        assert db.average_precision(data, exact=True) == ranking.average_precision(trials)
        assert db.auc(data) == float(ranking.auc(trials))
        assert close(db.average_precision(data), ranking.average_precision(trials))


def test_curves_hold_every_operating_point(scale, seed):
    for trials in cases(scale, seed, N):
        want = ranking.points(trials)
        roc, det, pr = (curve(counts(trials, scale)) for curve in (db.roc, db.det, db.precision_recall))
        thresholds = [math.inf if p.threshold is None else p.threshold for p in want]
        assert roc.threshold.tolist() == det.threshold.tolist() == thresholds
        assert det.p_miss.tolist() == [float(p.p_miss) for p in want]
        assert roc.p_fa.tolist() == det.p_fa.tolist() == [float(p.p_fa) for p in want]
        assert roc.recall.tolist() == [float(1 - p.p_miss) for p in want]
        assert roc.reject_all_reachable == (max(t.score for t in trials) < math.inf)
        tables = [ranking.table(trials, p.threshold) for p in want[1:-1]]
        assert pr.precision.tolist() == [1.0, *(float(n["tp"] / (n["tp"] + n["fp"])) for n in tables)]
        assert pr.recall.tolist() == roc.recall.tolist()[:-1]


def test_hull(scale, seed):
    for trials in cases(scale, seed, N // 4):
        pooled = pool(counts(trials, scale))
        fn, fp = pooled.hull()
        n1, n0 = int(pooled.total_target), int(pooled.total_nontarget)
        vertices = [(Fraction(a, n1), Fraction(b, n0)) for a, b in zip(fn.tolist(), fp.tolist(), strict=True)]
        want = hull(trials)
        reject_all = (Fraction(1), Fraction(0))
        assert vertices == (want if want[0] == reject_all else [reject_all, *want])


def test_eer_is_the_value_of_its_definition(scale, seed):
    for trials in cases(scale, seed, N):
        low, high, mean = ranking.eer_fvc(trials)
        want = {
            "rocch": ranking.eer_rocch(trials),
            "interpolated": ranking.eer_interpolated(trials),
            "nearest-first": ranking.eer_nearest(trials).mean,
            "nearest-last": ranking.eer_nearest(trials, last=True).mean,
            "nearest-max": max(ranking.eer_nearest(trials)[:2]),
            "fvc": mean,
            "asvspoof": ranking.eer_asvspoof(trials).mean,
            "nist": ranking.eer_nist(trials),
        }
        data = counts(trials, scale)
        assert want == {method: db.eer(data, method=method, exact=True) for method in want}
        assert want == {method: db.equal_error(data, method=method).value for method in want}
        assert all(float(value) == db.eer(data, method=method) for method, value in want.items())
        interval = db.eer_fvc(data, exact=True)
        assert (interval.low, interval.high, interval.mean) == (low, high, mean)


def test_rocch_is_the_peak_of_the_bayes_error(scale, seed):
    for trials in cases(scale, seed, N // 8):
        assert db.eer(counts(trials, scale), exact=True) == ranking.bayes_error_peak(trials)


def readings(trials: Trials, threshold: float | None) -> list[Point]:
    """The rule a reported threshold stands for; None is reject-all, which a score of inf leaves no threshold for."""
    if threshold is None:
        assert any(trial.score == math.inf for trial in trials)
    return [ranking.point(trials, threshold)]


def test_eer_thresholds(scale, seed):
    for trials in cases(scale, seed, N):
        data = counts(trials, scale)
        nearest = {"nearest-first": False, "nearest-last": True, "nearest-max": False}
        for method, last in nearest.items():
            rules = readings(trials, db.equal_error(data, method=method).threshold)
            assert ranking.eer_nearest(trials, last)[:2] in [rule[:2] for rule in rules]
        low, high, _ = ranking.eer_fvc(trials)
        rules = readings(trials, db.equal_error(data, method="fvc").threshold)
        assert {low, high} in [{rule.p_miss, rule.p_fa} for rule in rules]
        assert db.equal_error(data, method="asvspoof").threshold == ranking.eer_asvspoof(trials).threshold
        for method in ("rocch", "interpolated"):
            check_crossing(trials, db.equal_error(data, method=method))


def check_crossing(trials: Trials, found: EqualError) -> None:
    """A threshold where both rates are the value if there is one, else two between which a mixture reaches it."""
    if any(p.p_miss == p.p_fa == found.value for p in ranking.points(trials)):
        rule = ranking.point(trials, found.threshold)
        assert rule.p_miss == rule.p_fa == found.value
        assert found.below is None
        assert found.above is None
        return
    assert found.threshold is None
    assert found.below is not None
    assert found.above is None or found.below <= found.above
    ends = [(a, b) for a in readings(trials, found.below) for b in readings(trials, found.above)]
    assert any(
        a.p_miss < a.p_fa
        and b.p_miss > b.p_fa
        and (found.value - a.p_miss) * (b.p_fa - a.p_fa) == (found.value - a.p_fa) * (b.p_miss - a.p_miss)
        for a, b in ends
    )


def test_rates_at_a_rate(scale, seed):
    for trials in cases(scale, seed, N // 2):
        data = counts(trials, scale)
        for rate in (0.0, 0.1, 0.125, 0.2, 0.3, 1 / 3, 0.5, 0.6, 0.7, 0.999, 1.0):
            assert db.p_miss_at(data, p_fa=rate, exact=True) == ranking.p_miss_at(trials, rate)
            assert db.p_fa_at(data, p_miss=rate, exact=True) == ranking.p_fa_at(trials, rate)


def ratios(n: dict[str, Fraction]) -> dict[str, tuple[Fraction, Fraction]]:
    """Every ratio as numerator and denominator."""
    tp, fp, fn, tn = n["tp"], n["fp"], n["fn"], n["tn"]
    n1, n0, total = tp + fn, fp + tn, tp + fp + fn + tn
    chance = ((tp + fp) * n1 + (fn + tn) * n0) / total**2
    return {
        "accuracy": (tp + tn, total),
        "precision": (tp, tp + fp),
        "recall": (tp, n1),
        "specificity": (tn, n0),
        "npv": (tn, tn + fn),
        "p_miss": (fn, n1),
        "p_fa": (fp, n0),
        "f1": (2 * tp, 2 * tp + fp + fn),
        "balanced_accuracy": (tp / n1 + tn / n0, Fraction(2)),
        "kappa": ((tp + tn) / total - chance, 1 - chance),
        "informedness": (tp / n1 - fp / n0, Fraction(1)),
        "lr_positive": (tp / n1, fp / n0),
        "lr_negative": (fn / n1, tn / n0),
        "diagnostic_odds_ratio": (tp * tn, fp * fn),
    }


def test_ratios_at_every_threshold(scale, seed):
    infinite = {"lr_positive", "lr_negative", "diagnostic_odds_ratio"}
    for trials in cases(scale, seed, N // 4):
        data = counts(trials, scale)
        for threshold in [-math.inf, *{t.score for t in trials}, math.inf]:
            n = ranking.table(trials, threshold)
            found = db.confusion(data, threshold=threshold)
            assert (found.tp, found.fp, found.fn, found.tn) == tuple(n.values())
            for name, (above, below) in ratios(n).items():
                metric = getattr(db, name)
                if below != 0:
                    assert metric(data, threshold=threshold, exact=True) == above / below
                    assert close(metric(data, threshold=threshold), above / below, 1e-15)
                elif name in infinite and above > 0:
                    assert metric(data, threshold=threshold, exact=True) == math.inf
                else:
                    with pytest.raises(UndefinedMetricError):
                        metric(data, threshold=threshold)
            check_f_beta_mcc_markedness(data, threshold, n)


def check_f_beta_mcc_markedness(data: db.Counts, threshold: float, n: dict[str, Fraction]) -> None:
    tp, fp, fn, tn = n.values()
    if tp + fn + fp > 0:
        want = Fraction(5, 4) * tp / (Fraction(5, 4) * tp + fn / 4 + fp)
        assert close(db.f_beta(data, threshold=threshold, beta=0.5), want, 1e-15)
    margins = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    if margins == 0:
        with pytest.raises(UndefinedMetricError):
            db.mcc(data, threshold=threshold)
    else:
        mcc = math.copysign(math.sqrt((tp * tn - fp * fn) ** 2 / margins), tp * tn - fp * fn)
        assert close(db.mcc(data, threshold=threshold), mcc, 1e-15)
        assert db.markedness(data, threshold=threshold, exact=True) == tp / (tp + fp) + tn / (tn + fn) - 1


def test_min_dcf(scale, seed):
    costs = [(0.01, 1, 1), (0.5, 1, 1), (0.3, 2.5, 10), (0.99, 1e-6, 3), (1e-9, 1, 1)]
    for trials in cases(scale, seed, N // 2):
        for p_target, c_miss, c_fa in costs:
            options = {"p_target": p_target, "c_miss": c_miss, "c_fa": c_fa}
            miss, fa = Fraction(p_target) * Fraction(c_miss), (1 - Fraction(p_target)) * Fraction(c_fa)
            want = ranking.min_cost(trials, miss, fa)
            assert close(db.min_dcf(counts(trials, scale), normalise=False, **options), want)
            assert close(db.min_dcf(counts(trials, scale), **options), want / min(miss, fa))

"""Thresholds chosen on one set of trials and applied to another: each rule by brute force, and the whole way."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest

import deciban as db
from deciban.errors import InputError, OptionError, SingleClassError, UndefinedMetricError
from deciban.metrics.eer import METHODS
from deciban.records.display import limits

INF = math.inf
A = db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1])


def points(counts):
    """Threshold, p_miss and p_fa of every threshold there is from the top, in fractions.

    An infinite score is accepted by every threshold, so that none rejects all then.
    """
    n1, n0 = counts.total_target, counts.total_nontarget
    for threshold in dict.fromkeys([INF, *counts.score[::-1].tolist(), -INF]):
        kept = counts.score >= threshold
        tp, fp = int(counts.n_target[kept].sum()), int(counts.n_nontarget[kept].sum())
        yield threshold, Fraction(n1 - tp, n1), Fraction(fp, n0)


def first_best(counts, loss):
    """The highest threshold of least loss."""
    return min(points(counts), key=lambda point: loss(point[1], point[2]))[0]


def random_counts(seed):
    generator = np.random.default_rng(seed)
    n1, n0 = generator.choice([1, 2, 4, 8], 2)
    values = np.array([-INF, -2, -1, 0, 1, 2, 3, INF])[
        generator.integers(0 if seed % 3 else 1, 8 if seed % 2 else 7, n1 + n0)
    ]
    return db.Counts.from_classes(values[:n1] + 0.5 * (seed % 5 == 0), values[n1:])


RULES = {
    "youden": lambda miss, fa: miss + fa,
    "min_dcf:c_fa=1,c_miss=8,p_target=0.125": lambda miss, fa: 8 * miss + 7 * fa,
    "cost:c_fa=2,c_hit=-1,c_miss=4,c_reject=0.5,p_target=0.25": lambda miss, fa: (
        Fraction(1, 4) * (4 * miss - (1 - miss)) + Fraction(3, 4) * (2 * fa + Fraction(1, 2) * (1 - fa))
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_least_loss_over_all_thresholds(rule):
    for seed in range(300):
        counts = random_counts(seed)
        chosen = db.choose_threshold(counts, rule, interval="none")
        losses = {threshold: RULES[rule](miss, fa) for threshold, miss, fa in points(counts)}
        # Rates and costs are exact in doubles, so equal losses are equal numbers.
        assert chosen.rule == rule
        assert losses[chosen.threshold] == min(losses.values())
        assert chosen.threshold == first_best(counts, RULES[rule])


def test_f1():
    for seed in range(300):
        counts = random_counts(seed)
        n1, n0 = counts.total_target, counts.total_nontarget
        value = first_best(counts, lambda miss, fa, n1=n1, n0=n0: -2 * (1 - miss) * n1 / ((2 - miss) * n1 + fa * n0))
        assert db.choose_threshold(counts, "f1", interval="none").threshold == value


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.25, 0.3, 1.0])
def test_rates(rate):
    for seed in range(200):
        counts = random_counts(seed)
        low_enough = [threshold for threshold, _, fa in points(counts) if float(fa) <= rate]
        highest = next(threshold for threshold, miss, _ in points(counts) if float(miss) <= rate)
        if low_enough:
            assert db.choose_threshold(counts, f"p_fa={rate}", interval="none").threshold == low_enough[-1]
        else:
            with pytest.raises(UndefinedMetricError, match="a score of inf is accepted by every one"):
                db.choose_threshold(counts, f"p_fa={rate}", interval="none")
        assert db.choose_threshold(counts, f"p_miss={rate}", interval="none").threshold == highest


@pytest.mark.parametrize("method", METHODS)
def test_eer_is_reached_or_the_nearest_point_is_taken(method):
    for seed in range(200):
        counts = random_counts(seed)
        chosen = db.choose_threshold(counts, f"eer:method={method}", interval="none")
        found = db.equal_error(counts, method=method)
        if found.threshold is not None:
            assert found.threshold in {threshold for threshold, _, _ in points(counts)} or method == "asvspoof"
            assert (chosen.threshold, chosen.reached) == (found.threshold, True)
        else:
            nearest = min(abs(miss - fa) for _, miss, fa in points(counts))
            taken = {threshold: abs(miss - fa) for threshold, miss, fa in points(counts)}
            assert taken[chosen.threshold] == nearest
            assert not chosen.reached


def test_rates_of_the_record_and_its_json():
    chosen = db.choose_threshold(A, "eer", interval="none")
    assert (chosen.threshold, chosen.rule, chosen.reached) == (0.6, "eer", True)
    assert chosen.p_miss == chosen.p_fa == 1 / 3
    assert db.ChosenThreshold.from_json(chosen.to_json()) == chosen
    lowest = db.choose_threshold(A, "p_fa=1", interval="none")
    assert lowest.threshold == -INF
    assert db.ChosenThreshold.from_json(lowest.to_json()) == lowest


@pytest.mark.parametrize(
    ("rule", "match"),
    [
        ("eer:method=best", "must be one of"),
        ("ere", "did you mean 'eer'"),
        ("p_fa", "no rule 'p_fa'"),
        ("p_fa=2", r"rate in \[0, 1\]"),
        ("p_fa=x", "must be a number"),
        ("min_dcf", "costs have no default"),
        ("min_dcf:preset=sre16", "2 costs"),
        ("cost:p_target=0.5", "needs c_miss"),
        ("cost:p_target=0.5,c_miss=1,c_fa=1,threshold=2", "leave it out"),
        ("cost:p_target=2,c_miss=1,c_fa=1", "p_target"),
        ("cost:p_target=0.5,c_miss=inf,c_fa=1", "c_miss"),
    ],
)
def test_illegal_rules(rule, match):
    with pytest.raises(OptionError, match=match):
        db.choose_threshold(A, rule, interval="none")


def test_one_class_has_no_threshold():
    with pytest.raises(SingleClassError):
        db.choose_threshold(db.Counts.from_arrays([1, 2], [1, 1]), "eer", interval="none")


def test_applied_to_other_trials():
    chosen = db.choose_threshold(A, "eer", interval="none")
    other = db.Counts.from_classes([0.7, 0.5], [0.9, 0.1, 0.2])
    (row,) = db.evaluate(other, thresholds=[chosen], interval="none").thresholds
    assert (row.threshold, row.origin, row.post_hoc) == (0.6, "eer", False)
    assert (row.tp, row.fp, row.fn, row.tn) == (1, 1, 1, 2)
    assert row.metrics["hter"].value == pytest.approx((1 / 2 + 1 / 3) / 2)
    again = db.evaluate(A, thresholds=[chosen], interval="none")
    assert again.thresholds[0].post_hoc
    (finding,) = [finding for finding in again.findings if finding.code == "POST-HOC"]
    assert finding.data == {"threshold": 0.6, "rule": "eer"}
    assert not [
        finding
        for finding in db.evaluate(other, thresholds=[chosen], interval="none").findings
        if finding.code == "POST-HOC"
    ]
    assert db.Evaluation.from_json(again.to_json()) == again
    with pytest.raises(OptionError, match="chosen on scores of scale 'score'"):
        db.evaluate(db.Counts.from_classes([0.7], [0.1], scale="ln_lr"), thresholds=[chosen], interval="none")


def test_no_bound_for_errors_at_a_threshold_chosen_on_these_trials():
    clean = db.Counts.from_classes([3.0] * 40, [1.0] * 40)
    chosen = db.choose_threshold(clean, "youden", interval="none")
    told = [f for f in db.evaluate(clean, thresholds=[chosen], interval="none").findings if f.code == "ZERO-ERR"]
    assert all("chosen on these trials" in finding.message and "upper_bound" not in finding.data for finding in told)
    fixed = [f for f in db.evaluate(clean, thresholds=[3.0], interval="none").findings if f.code == "ZERO-ERR"]
    assert [finding.data["upper_bound"] for finding in fixed] == [db.zero_error_bound(40)] * 2


def test_auc_within_groups_and_pooling():
    scores, labels, side = [3, 4, 1, 2, 13, 14, 11, 12], [1, 1, 0, 0] * 2, ["a"] * 4 + ["b"] * 4
    trials = db.Trials.from_arrays(scores, labels, conditions={"side": side})
    result = db.evaluate(trials, by="side", exact=True, interval="none")
    assert result["auc"].value == 0.75
    assert (result["auc_within:by=side"].value, result["auc_within:by=side"].exact) == (1.0, "1")
    (finding,) = [finding for finding in result.findings if finding.code == "POOLING"]
    assert finding.data == {"by": "side", "auc": 0.75, "auc_within": 1.0}
    alike = db.Trials.from_arrays([3, 4, 1, 2] * 2, labels, conditions={"side": side})
    assert not [
        finding for finding in db.evaluate(alike, by="side", interval="none").findings if finding.code == "POOLING"
    ]


def test_command_line(deciban, tmp_path):
    development, test = tmp_path / "dev.csv", tmp_path / "eval.csv"
    development.write_text("score,label\n0.9,1\n0.6,1\n0.4,1\n0.8,0\n0.4,0\n0.1,0\n")
    test.write_text("score,label\n0.7,1\n0.5,1\n0.9,0\n0.1,0\n0.2,0\n")
    ended = deciban("threshold", development, "--at", "eer", "--interval", "none", "-o", tmp_path / "thr.json")
    assert ended.status == 0
    assert ended.out == ""
    assert "deciban: threshold 0.6: p_miss 0.333333, p_fa 0.333333 on these trials" in ended.err.splitlines()
    ended = deciban("evaluate", test, "--threshold-from", tmp_path / "thr.json", "--format", "json")
    (row,) = json.loads(ended.out)["thresholds"]
    assert (row["threshold"], row["origin"], row["post_hoc"]) == (0.6, "eer", False)
    ended = deciban("threshold", development, "--at", "eer", "--replicates", 50, "--level", 0.9)
    sure = db.ChosenThreshold.from_json(ended.out).interval
    assert (sure.level, sure.replicates) == (0.9, 50)
    assert f"deciban: threshold 0.6 (90 % interval {limits(sure.low, sure.high)}): p_miss" in ended.err
    ended = deciban("threshold", development, "--at", "eer:method=interpolated")
    assert db.ChosenThreshold.from_json(ended.out).threshold == 0.6


def test_command_line_refuses(deciban, tmp_path):
    scores = tmp_path / "dev.csv"
    scores.write_text("score,label\n0.9,1\n0.1,0\n")
    for content, match in (("{}", "schema deciban.threshold/1"), ("", "schema deciban.threshold/1")):
        (tmp_path / "thr.json").write_text(content)
        ended = deciban("evaluate", scores, "--threshold-from", tmp_path / "thr.json")
        assert (ended.status, ended.out) == (2, "")
        assert match in ended.err
    ended = deciban("evaluate", scores, "--threshold-from", tmp_path / "none.json")
    assert (ended.status, ended.out) == (2, "")
    assert "cannot be read" in ended.err
    ended = deciban("threshold", scores, "--at", "eer", "-o", tmp_path / "no folder" / "thr.json")
    assert ended.status in (0, 2)
    with pytest.raises(InputError):
        db.ChosenThreshold.from_json("[]")


def test_the_threshold_has_an_interval_of_its_own():
    rng = np.random.default_rng(3)
    scores, labels = rng.normal(size=200) + np.arange(200) % 2, np.arange(200) % 2
    trials = db.Trials.from_arrays(scores, labels)
    chosen = db.choose_threshold(trials, "eer", replicates=100, seed=4)
    sure = chosen.interval
    assert sure.low < chosen.threshold < sure.high
    assert (sure.method, sure.resampled, sure.replicates) == ("percentile", "trials", 100)
    assert db.ChosenThreshold.from_json(chosen.to_json()) == chosen
    assert db.choose_threshold(trials, "eer", replicates=100, seed=4) == chosen
    by_speaker = db.Trials.from_arrays(scores, labels, sources=np.arange(200) // 10)
    assert db.choose_threshold(by_speaker, "eer", replicates=20).interval.resampled == "sources"
    none = db.choose_threshold(trials, "eer", interval="none")
    assert (none.interval, none.interval_reason, none.threshold) == (None, "not_computed", chosen.threshold)


def test_a_threshold_that_no_replicate_moves_has_no_interval():
    chosen = db.choose_threshold(db.Counts.from_classes([1.0], [0.0]), "eer", replicates=10)
    assert (chosen.interval, chosen.interval_reason) == (None, "degenerate")
    weighted = db.Trials.from_arrays([1.0, 0.5, 0.0], [1, 1, 0], weight=[0.5, 1.5, 1.0])
    assert db.choose_threshold(weighted, "eer", replicates=10).interval is not None
    assert db.choose_threshold(db.count(weighted), "eer", replicates=10).interval_reason == "weighted"


def test_an_unknown_way_is_refused():
    with pytest.raises(OptionError, match="interval: expected one of auto, bootstrap, none"):
        db.choose_threshold(db.Counts.from_classes([1.0], [0.0]), "eer", interval="closed")

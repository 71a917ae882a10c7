"""Failures to acquire and to enrol beside the errors of comparison: counted, given, by group, with intervals."""

import numpy as np
import pytest

import deciban as db
from deciban.errors import OptionError
from tests.command_line import Program

NAN = np.nan
SCORES = [9.0, 8.0, 3.0, NAN, 7.0, 2.0, 1.0, NAN, NAN, 6.5]
LABELS = [1, 1, 1, 1, 0, 0, 0, 0, 0, 1]


def counted(**options):
    trials = db.Trials.from_arrays(SCORES, LABELS, missing="reject")
    return db.evaluate(trials, thresholds=[5.0], interval="closed", **options)


def test_rates_are_counted():
    """Targets: 3 accepted, 1 missed, 1 not acquired; nontargets: 1 accepted, 2 rejected, 2 not acquired."""
    found = counted(fte=0.5).thresholds[0].acquisition
    assert {name: figure.value for name, figure in found.items()} == {
        "fta_target": 1 / 5,
        "fta_nontarget": 2 / 5,
        "fnmr": 1 / 4,
        "fmr": 1 / 3,
        "frr": 2 / 5,
        "far": 1 / 5,
        "gfrr": 0.5 + 0.5 * 2 / 5,
        "gfar": 0.5 * 1 / 5,
    }
    for name, k, n in (("fta_target", 1, 5), ("fta_nontarget", 2, 5), ("fnmr", 1, 4), ("fmr", 1, 3), ("frr", 2, 5)):
        interval, expected = found[name].interval, db.proportion_interval(k, n)
        assert interval is not None
        assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), rel=1e-14)
    half, whole = found["gfrr"].interval, found["frr"].interval
    assert half is not None
    assert whole is not None
    assert (half.low, half.method) == (0.5 + 0.5 * whole.low, "wilson, given rates")


def test_nothing_is_added_without_failures_or_rates():
    plain = db.Trials.from_arrays([9.0, 1.0], [1, 0])
    assert db.evaluate(plain, thresholds=[5.0]).thresholds[0].acquisition == {}


def test_given_rates_agree_with_the_formulas():
    trials = db.Trials.from_arrays([9, 8, 3, 7, 2, 1], [1, 1, 1, 0, 0, 0])
    found = db.evaluate(trials, thresholds=[5.0], fta=0.1, fte=0.2, interval="closed").thresholds[0].acquisition
    expected = db.generalised_rates(fte=0.2, fta=0.1, fmr=1 / 3, fnmr=1 / 3)
    got = {name: found[name].value for name in ("far", "frr", "gfar", "gfrr")}
    assert got == pytest.approx({name: getattr(expected, name) for name in got}, rel=1e-15)
    assert found["fnmr"] == db.evaluate(trials, thresholds=[5.0], interval="closed").thresholds[0].metrics["p_miss"]
    only = db.evaluate(trials, thresholds=[5.0], fte=0.2).thresholds[0].acquisition
    assert only["frr"].value == only["fnmr"].value


@pytest.mark.parametrize("options", [{"fta": 1.5}, {"fte": -0.1}, {"fta": NAN}, {"fte": True}, {"fta": "0.1"}])
def test_rates_that_are_none(options):
    (name,) = options
    with pytest.raises(OptionError, match=f"{name}: expected a rate"):
        db.evaluate(db.Trials.from_arrays([2, 1], [1, 0]), **options)


def test_failures_are_counted_or_given():
    with pytest.raises(OptionError, match="fta: failures to acquire are counted from the trials already"):
        counted(fta=0.1)


@pytest.mark.parametrize("options", [{"fta": 0.1}, {"fte": 0.0}])
def test_given_rates_need_a_threshold(options):
    (name,) = options
    raw = db.Trials.from_arrays([2, 1], [1, 0])
    with pytest.raises(OptionError, match=f"{name}: it is for rates at a threshold.*thresholds="):
        db.evaluate(raw, **options)
    probabilities = db.Trials.from_arrays([0.8, 0.1], [1, 0], scale="probability")
    assert "frr" in db.evaluate(probabilities, **options, interval="none").thresholds[0].acquisition
    with pytest.raises(OptionError, match="there is none"):
        db.evaluate(probabilities, **options, metrics=["auc"], asked_only=True)


def test_by_source_the_same_bootstrap_makes_the_intervals():
    generator = np.random.default_rng(5)
    labels = np.tile([1, 0], 200)
    scores = labels + generator.normal(0, 0.7, 400)
    scores[generator.random(400) < 0.1] = NAN
    people = np.repeat(np.arange(40), 10)
    trials = db.Trials.from_arrays(scores, labels, missing="reject", sources=people)
    found = db.evaluate(trials, thresholds=[0.5], replicates=50).thresholds[0].acquisition
    for name, figure in found.items():
        assert figure.interval is not None, name
        assert figure.interval.resampled == "sources"
        assert figure.interval.low < figure.value < figure.interval.high
    answered = trials.select(~np.isnan(scores))
    alone = db.evaluate(answered, thresholds=[0.5], interval="none").thresholds[0].metrics
    assert (found["fnmr"].value, found["fmr"].value) == (alone["p_miss"].value, alone["p_fa"].value)


def test_groups_and_reversed_scores():
    site = ["x", "x", "y", "y", "x", "y", "x", "x", "y", "y"]
    trials = db.Trials.from_arrays(
        [-score for score in SCORES], LABELS, missing="reject", higher="nontarget", conditions={"site": site}
    )
    result = db.evaluate(trials, thresholds=[-5.0], by="site", interval="closed")
    whole = counted().thresholds[0].acquisition
    assert {k: v.value for k, v in result.thresholds[0].acquisition.items()} == {k: v.value for k, v in whole.items()}
    of_x = result.groups[0].thresholds[0].acquisition
    assert (of_x["fta_target"].value, of_x["fta_nontarget"].value, of_x["fmr"].value) == (0, 1 / 3, 1 / 2)
    # Nobody of site y failed as a target but one: its rate is there all the same.
    assert result.groups[1].thresholds[0].acquisition["fta_target"].value == 1 / 3
    assert "fta_target" in str(result)


def test_accepting_everything_says_nothing_of_failures():
    trials = db.Trials.from_arrays(SCORES, LABELS, missing="reject")
    found = db.evaluate(trials, thresholds=[-np.inf]).thresholds[0].acquisition
    assert {figure.reason for figure in found.values()} == {"infinite_end"}


def test_weighted_failures():
    trials = db.Trials.from_arrays([2, NAN, 1, NAN], [1, 1, 0, 0], missing="reject", weight=[1.5, 0.5, 1, 3])
    found = db.evaluate(trials, thresholds=[1.5], interval="closed").thresholds[0].acquisition
    assert (found["fta_target"].value, found["fta_nontarget"].value) == (1 / 4, 3 / 4)
    assert found["fta_target"].interval_reason == "weighted"


def test_record_rows_and_finding():
    result = counted(fte=0.5)
    assert db.Evaluation.from_json(result.to_json()) == result
    rows = {row["metric"]: row["value"] for row in result.to_rows() if row["threshold"] == 5.0}
    assert rows["gfar"] == 0.1
    (finding,) = (one for one in result.findings if one.code == "FTA")
    assert finding.message.startswith("1 target of 5 (0.2) and 2 nontargets of 5 (0.4)")


def test_scores_in_buckets_have_brackets():
    trials = db.Trials.from_arrays([0.95, 0.75, 0.35, 0.72, 0.2], [1, 1, 1, 0, 0])
    found = db.evaluate(trials, thresholds=[0.74], fta=0.5, resolution=0.1, interval="none").thresholds[0]
    bracket, of_all = found.metrics["p_miss"].bracket, found.acquisition["frr"].bracket
    assert bracket is not None
    assert of_all is not None
    assert (of_all.low, of_all.high) == (0.5 + 0.5 * bracket.low, 0.5 + 0.5 * bracket.high)


@pytest.fixture
def program(capsys, monkeypatch):
    return Program(capsys, monkeypatch)


def test_command(program, tmp_path):
    lines = [f"{'' if np.isnan(score) else score},{label}" for score, label in zip(SCORES, LABELS, strict=True)]
    (tmp_path / "trials.csv").write_text("\n".join(["score,mated", *lines]) + "\n")
    asked = "evaluate", tmp_path / "trials.csv", "--threshold", "5", "--format", "plain", "--label", "mated"
    shown = program(*asked, "--missing", "reject", "--fte", "0.5").plain
    assert (shown["fnmr@5"], shown["frr@5"], shown["gfrr@5"]) == ("0.250000", "0.400000", "0.700000")
    shown = program(*asked, "--missing", "drop", "--fta", "0.2").plain
    assert (shown["fnmr@5"], shown["frr@5"]) == ("0.250000", "0.400000")
    assert "--fta: expected a rate in [0, 1], found 2.0" in program(*asked, "--missing", "drop", "--fta", "2").err


def test_page_has_the_rates(program, tmp_path):
    lines = [f"{'' if np.isnan(score) else score},{label}" for score, label in zip(SCORES, LABELS, strict=True)]
    (tmp_path / "trials.csv").write_text("\n".join(["score,mated", *lines]) + "\n")
    asked = "report", tmp_path / "trials.csv", "--label", "mated", "--missing", "reject", "--threshold", 5, "--fte", 0.5
    assert program(*asked, "--interval", "none", "-o", tmp_path / "page.html").status == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "FRR: false rejections, failures to acquire among them" in page
    assert "--fte 0.5" in page


@pytest.mark.parametrize(("n", "code"), [(9, {"RES-FPR"}), (2000, {"RES-30"}), (30_000, set())])
def test_false_match_rates_that_few_trials_resolve(n, code):
    scores = np.concatenate([np.linspace(0, 2, 500), np.linspace(-1, 1, n)])
    labels = np.arange(500 + n) < 500
    result = db.evaluate(db.Trials.from_arrays(scores, labels), metrics=["p_miss_at:p_fa=0.001"], interval="none")
    assert {one.code for one in result.findings if one.metric == "p_miss_at:p_fa=0.001"} == code

"""What few or no errors say of a rate, and the findings that say it."""

import math

import pytest
from scipy import stats

import deciban as db
from deciban.counts.counts import Counts
from deciban.errors import OptionError, SingleClassError, UndefinedMetricError
from deciban.records.finding import Finding
from deciban.trials.trials import Trials
from deciban.workflow.findings.conditions import POOLED_APART, pooling


@pytest.mark.parametrize(("n", "bound"), [(100, 0.0295130), (10_000, 0.000299528)])
def test_bound_without_errors(n, bound):
    assert db.zero_error_bound(n) == pytest.approx(bound, rel=5e-6)


@pytest.mark.parametrize("n", [1, 2, 300, 10**6, 10**15])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_bound_is_the_one_sided_exact_interval(n, level):
    assert db.zero_error_bound(n, level) == pytest.approx(stats.beta.ppf(level, 1, n), rel=1e-9)


def test_bound_differs_from_the_two_sided_interval():
    two_sided = stats.binomtest(0, 1000).proportion_ci(0.95, method="exact").high
    assert db.zero_error_bound(1000, level=0.975) == pytest.approx(two_sided, rel=1e-9)
    assert db.zero_error_bound(1000) < two_sided


def test_rule_of_30_is_a_normal_interval_of_a_small_rate():
    assert db.rule_of_30(30) == pytest.approx(0.30, abs=5e-4)
    assert db.rule_of_30(4, level=0.95) == pytest.approx(1.959963984540054 / 2, rel=1e-15)


@pytest.mark.parametrize(
    "call",
    [
        lambda: db.zero_error_bound(0),
        lambda: db.zero_error_bound(-3),
        lambda: db.zero_error_bound(10, level=1.0),
        lambda: db.zero_error_bound(10, level=math.nan),
        lambda: db.rule_of_30(0),
        lambda: db.rule_of_30(math.inf),
        lambda: db.rule_of_30(30, level=0.0),
    ],
)
def test_illegal_arguments_are_refused(call):
    with pytest.raises(OptionError):
        call()


def found(code: str, data: Trials | Counts) -> list[Finding]:
    return [f for f in db.evaluate(data, thresholds=[1.0]).findings if f.code == code]


def test_findings_use_them():
    trials = db.Trials.from_classes([2.0] * 100, [0.0] * 50)
    misses, alarms = found("ZERO-ERR", trials)
    assert misses.data["upper_bound"] == db.zero_error_bound(100)
    assert alarms.data["upper_bound"] == db.zero_error_bound(50)
    (few,) = found("RES-30", db.Trials.from_classes([2.0] * 90 + [0.0] * 10, [0.0] * 50))
    assert f"about ±{db.rule_of_30(10) * 100:.0f} % of itself" in few.message


def test_no_errors_of_less_than_one_trial_of_weight():
    """There is no bound for weights; a class that weighs less than one trial must not be counted as none."""
    light = db.Counts([0.0, 2.0], [0.0, 0.5], [0.25, 0.0], weighted=True)
    misses, alarms = found("ZERO-ERR", light)
    assert "upper_bound" not in misses.data
    assert "no miss in 0.5 targets" in misses.message
    assert "weighted" in alarms.message


QUIET = db.Counts.from_classes([3, 4], [1, 2])
LOUD = db.Counts.from_classes([13, 14], [11, 12])


def test_pooling_warns_when_conditions_are_not_on_one_scale():
    groups = {"quiet": QUIET, "loud": LOUD}
    pooled, within = db.auc(db.merge(QUIET, LOUD)), db.auc_within(groups)
    assert (pooled, within) == (0.75, 1.0)
    (finding,) = pooling(pooled, within, "noise")
    assert (finding.code, finding.severity) == ("POOLING", "warn")
    assert finding.data == {"by": "noise", "auc": 0.75, "auc_within": 1.0}
    assert "0.75 over all pairs" in finding.message
    assert "within one noise" in finding.message


@pytest.mark.parametrize("within", [0.8, 0.8 + 0.9 * POOLED_APART, 0.8 - 0.9 * POOLED_APART])
def test_pooling_is_silent_about_small_differences(within):
    assert list(pooling(0.8, within, "noise")) == []


def test_auc_within_needs_a_pair():
    with pytest.raises(SingleClassError, match="2 groups"):
        db.auc_within({"a": db.Counts.from_classes([1], []), "b": db.Counts.from_classes([], [1])})
    with pytest.raises(SingleClassError):
        db.auc_within({})
    light = db.Counts([0, 1], [0.0, 0.5], [0.5, 0.0], weighted=True)
    assert db.auc_within({"a": light, "b": db.Counts.from_classes([], [1])}) == 1.0
    with pytest.raises(UndefinedMetricError) as caught:
        db.auc_within({"a": light}, exact=True)
    assert caught.value.reason == "weighted"

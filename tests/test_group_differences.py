"""Differences between groups, and the interval of a difference of independent figures."""

import math

import pytest

import deciban as db
from deciban.errors import OptionError
from deciban.uncertainty.interval import Interval
from deciban.uncertainty.proportion import proportion_interval
from deciban.uncertainty.recovery import difference_interval


def wilson(k, n):
    return k / n, proportion_interval(k, n)


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    # Newcombe (1998), Statistics in Medicine 17:873, table II, method 10.
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((5, 56), (0, 29), -0.0381, 0.1926),
        ((10, 10), (0, 10), 0.6075, 1.0),
    ],
)
def test_newcombes_differences_of_proportions(first, second, low, high):
    found = difference_interval(*wilson(*first), *wilson(*second))
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)
    other = difference_interval(*wilson(*second), *wilson(*first))
    assert (other.low, other.high) == (-found.high, -found.low)
    assert found.method == "mover (wilson)"


def test_intervals_of_two_levels_have_no_difference():
    with pytest.raises(OptionError, match=r"two intervals of one level, found 0\.95 and 0\.9"):
        difference_interval(0.5, proportion_interval(1, 2), 0.5, proportion_interval(1, 2, 0.9))


def test_an_infinite_limit_stays_infinite():
    one = Interval(low=0.0, high=math.inf, level=0.95, method="percentile")
    found = difference_interval(1.0, one, 2.0, one)
    assert (found.low, found.high) == (-math.inf, math.inf)


SCORES = [3.0, 2.0, -0.5, 1.0, 0.5, -1.0, -2.0, 0.0, 2.5, 1.5, -1.5, -3.0]
LABELS = [1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0]
GROUPS = ["a", "b"] * 6


def evaluated(groups=GROUPS, interval="closed", **more):
    trials = db.Trials.from_arrays(SCORES, LABELS, scale="ln_lr", conditions={"g": groups}, **more)
    return db.evaluate(trials, by="g", interval=interval, replicates=30)


def test_every_figure_with_an_interval_in_both_groups_has_a_difference():
    result = evaluated()
    one, other = result.groups
    found = {apart.metric: apart for apart in result.differences}
    assert {apart.pair for apart in result.differences} == {"a - b"}
    assert set(found) == {
        *(key for key, figure in one.metrics.items() if figure.interval and other.metrics[key].interval),
        *(f"{name}:threshold=0" for name, figure in one.thresholds[0].metrics.items() if figure.interval),
    }
    assert found["auc"].difference == one.metrics["auc"].value - other.metrics["auc"].value
    assert found["auc"].interval == difference_interval(
        one.metrics["auc"].value,
        one.metrics["auc"].interval,
        other.metrics["auc"].value,
        other.metrics["auc"].interval,
    )
    assert found["p_miss:threshold=0"].interval.method == "mover (wilson)"
    assert db.Evaluation.from_json(result.to_json()) == result
    assert "Differences by g (* where the interval leaves 0 out)" in str(result)


def test_a_clear_difference_is_marked_and_counted():
    scores = [2.0] * 40 + [-2.0] * 40 + [-2.0] * 40 + [2.0] * 40
    labels, groups = [1] * 40 + [0] * 40 + [1] * 40 + [0] * 40, ["good"] * 80 + ["bad"] * 80
    trials = db.Trials.from_arrays(scores, labels, scale="ln_lr", conditions={"g": groups})
    result = db.evaluate(trials, by="g", interval="closed")
    recall = next(apart for apart in result.differences if apart.metric == "recall:threshold=0")
    assert (recall.pair, recall.difference, recall.clear) == ("bad - good", -1.0, True)
    assert "*" in next(line for line in str(result).splitlines() if line.startswith("recall:threshold=0"))
    multi = next(finding for finding in result.findings if finding.code == "MULTI")
    assert multi.data["clear"] >= 1
    assert multi.data["differences"] == sum(apart.interval is not None for apart in result.differences)


def test_groups_that_share_trials_or_sources_are_not_independent():
    shared = evaluated([*GROUPS[:-1], None])
    assert {apart.interval_reason for apart in shared.differences} == {"dependent"}
    same = evaluated(interval="auto", sources=["x", "x", "y", "y", "z", "z"] * 2)
    assert {apart.interval_reason for apart in same.differences} == {"dependent"}
    apart = evaluated(interval="auto", sources=[f"{group}{i % 3}" for i, group in enumerate(GROUPS)])
    assert {found.interval_reason for found in apart.differences} == {None}
    assert all(finding.code != "MULTI" for finding in shared.findings)


def test_more_than_ten_groups_are_not_compared_two_by_two():
    def of(number):
        groups = [f"g{i:02}" for i in range(number) for _ in range(4)]
        trials = db.Trials.from_arrays(
            [1.0, -1.0, 2.0, 0.0] * number, [1, 0, 1, 0] * number, conditions={"g": groups}, scale="ln_lr"
        )
        return db.evaluate(trials, by="g", interval="closed")

    assert len({apart.pair for apart in of(10).differences}) == 45
    assert of(11).differences == ()

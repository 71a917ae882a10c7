"""What holds for every interval of an evaluation: in range, of some width, around the figure, for either class."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deciban as db
from deciban.metrics.catalogue import BY_NAME
from deciban.metrics.expression import parse

FEW = st.lists(st.sampled_from([-math.inf, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, math.inf]), min_size=1, max_size=8)
WEIGHTS = st.sampled_from([None, 1.0, 0.5])
ASKED = ("h_measure", "ks", "p_miss_at:p_fa=0.1", "bayes_error:log10_odds=-1", "calibration_line", "lr_moments")


def every_interval(result):
    """Interval, figure and range of every figure that has one, by its key."""
    for key, figure in result.metrics.items():
        if figure.interval is not None:
            yield key, figure, parse(key)[0].range
    for row in result.thresholds:
        for name, figure in row.metrics.items():
            if figure.interval is not None:
                yield f"{name}@{row.threshold}", figure, BY_NAME[name].spec.range


def trials_of(targets, nontargets, weight, sources=False):
    n = len(targets) + len(nontargets)
    return db.Trials.from_arrays(
        [*targets, *nontargets],
        [1] * len(targets) + [0] * len(nontargets),
        scale="ln_lr",
        weight=None if weight is None else [weight] * n,
        sources=[i % 3 for i in range(n)] if sources else (),
    )


@pytest.mark.parametrize("interval", ["closed", "bootstrap", "auto"])
@settings(max_examples=25, deadline=None)
@given(
    targets=FEW, nontargets=FEW, weight=WEIGHTS, sources=st.booleans(), way=st.sampled_from([None, "percentile", "bca"])
)
def test_intervals_lie_in_the_range_and_hold_the_figure(interval, targets, nontargets, weight, sources, way):
    result = db.evaluate(
        trials_of(targets, nontargets, weight, sources),
        metrics=ASKED,
        costs="preset=voxsrc",
        interval=interval,
        bootstrap=way,
        replicates=8,
    )
    for key, figure, (lowest, highest) in every_interval(result):
        found = figure.interval
        assert lowest <= found.low < found.high <= highest, key
        assert found.low <= figure.value <= found.high, key
    assert db.Evaluation.from_json(result.to_json()) == result


@settings(max_examples=40, deadline=None)
@given(targets=FEW, nontargets=FEW, way=st.sampled_from(["delong-logit", "delong", "newcombe"]))
def test_closed_forms_are_those_of_the_other_class(targets, nontargets, way):
    own = db.evaluate(db.Counts.from_classes(targets, nontargets, scale="ln_lr"), interval="closed", auc_interval=way)
    other = db.evaluate(
        db.Counts.from_classes(np.negative(nontargets), np.negative(targets), scale="ln_lr"),
        interval="closed",
        auc_interval=way,
    )
    pairs = [("auc", "auc"), ("cllr", "cllr"), ("cllr.target_half", "cllr.nontarget_half"), ("rmed", "rmep")]
    for one, two in pairs:
        ours, theirs = own[one], other[two]
        assert (ours.interval is None) == (theirs.interval is None)
        if ours.interval is not None:
            ends = ours.interval.low, ours.interval.high
            assert ends == pytest.approx((theirs.interval.low, theirs.interval.high), rel=1e-9, abs=1e-12)


def test_every_trial_twice_does_not_narrow_an_interval_by_source():
    rng = np.random.default_rng(11)
    source = np.repeat(np.arange(24), 5)
    labels = source < 12
    scores = np.where(labels, 0.7, -0.7) + rng.normal(size=24)[source] + rng.normal(size=120)

    def widths(times):
        trials = db.Trials.from_arrays(
            np.tile(scores, times), np.tile(labels, times), scale="ln_lr", sources=np.tile(source, times)
        )
        result = db.evaluate(trials, replicates=60)
        return {key: figure.interval.high - figure.interval.low for key, figure, _ in every_interval(result)}

    once, twice = widths(1), widths(2)
    assert set(once) == set(twice)
    for key, width in once.items():
        assert twice[key] == pytest.approx(width, rel=1e-9) or key.startswith(("devpav", "elub", "calibration")), key
        assert twice[key] >= 0.5 * width, key

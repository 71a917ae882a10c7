"""Brackets of bucketed counts hold the value of the scores themselves, whatever these are."""

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import deciban as db
from deciban.counts.buckets import bucket_scores, choose_resolution, edges, keys
from deciban.errors import InputError, OptionError, UndefinedMetricError
from deciban.metrics.brackets.bracket import ends_of
from deciban.metrics.brackets.rules import RULES
from deciban.metrics.brackets.view import view_of
from deciban.metrics.catalogue import BY_NAME, METRICS
from deciban.metrics.expression import express, parse
from tests.metric_options import option_sets

INF = math.inf
HUNT = settings().max_examples > 100
few = settings(max_examples=2000 if HUNT else 20)

RESOLUTIONS = st.one_of(
    st.sampled_from([0.1, 0.3, 3.0, 1.0, 2.0, 7e-5, 1 / 3]), st.integers(-60, 20).map(lambda k: 2.0**k)
)
LOGS = st.one_of(
    st.sampled_from([-INF, -2.0, -0.5, 0.0, -0.0, 0.1, 0.3, 0.5, 0.6, 0.7, 1.0, 3.0, 30.0, INF, 5e-324, -5e-324]),
    st.integers(-30, 30).map(lambda k: k / 10),
    st.floats(-4, 4),
    st.floats(allow_nan=False),
)
SCORES = {
    "score": LOGS,
    "ln_lr": LOGS,
    "log10_lr": st.one_of(LOGS.filter(lambda x: abs(x) < 1e307), st.sampled_from([-INF, INF])),
    "lr": st.one_of(st.sampled_from([0.0, 0.1, 0.5, 1.0, 10.0, INF]), st.floats(0, 9), st.floats(0, allow_nan=False)),
    "probability": st.one_of(st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.75, 1.0]), st.floats(0, 1)),
}


@st.composite
def trials(draw: st.DrawFn, needs: str = "any") -> db.Trials:
    """A few trials of each class on a scale that carries what is needed."""
    known = {"any": list(SCORES), "probability": list(SCORES)[1:], "lr": list(SCORES)[1:]}[needs]
    scale = draw(st.sampled_from(known))
    targets, nontargets = (draw(st.lists(SCORES[scale], min_size=1, max_size=9)) for _ in range(2))
    prior = 0.3 if scale == "probability" else None
    return db.Trials.from_classes(targets, nontargets, scale=scale, prior=prior)


BRACKETED = [
    (metric, options)
    for metric in METRICS
    if any(name.split(".")[0] == metric.spec.name or name == metric.spec.name for name in RULES)
    for options in option_sets(metric.spec)
]


def value_of(expression, counts):
    """The value of one figure, as a fraction where it is one, or the reason why there is none."""
    spec = expression.spec
    try:
        value = BY_NAME[spec.name](counts, **expression.options, exact=spec.exact)
    except UndefinedMetricError as error:
        return error.reason
    return value if expression.part is None else getattr(value, expression.part)


def ends_or_reason(expression, counts):
    try:
        return ends_of(view_of(counts), expression)
    except UndefinedMetricError as error:
        return error.reason


@pytest.mark.parametrize(
    ("metric", "options"), BRACKETED, ids=[f"{m.spec.name}-{'-'.join(map(str, o.values()))}" for m, o in BRACKETED]
)
def test_the_bracket_holds_the_value(metric, options):
    asked = express(metric.spec, options).parts()

    @given(trials(metric.spec.needs), RESOLUTIONS, st.data())
    @few
    def check(data, resolution, draw):
        exact, buckets = db.count(data), db.count(data, resolution=resolution)
        for expression in asked:
            given_options = dict(expression.options)
            if "threshold" in given_options and metric.spec.name != "net_benefit_all":
                given_options["threshold"] = draw.draw(
                    st.one_of(LOGS, st.sampled_from([*data.score.tolist(), *buckets.score.tolist()]))
                )
            question = express(metric.spec, given_options, expression.part)
            value = value_of(question, exact)
            ends = ends_or_reason(question, buckets)
            if isinstance(ends, str):
                assert ends in ("bucketed", value)
                continue
            assert not isinstance(value, str), (value, ends)
            assert ends.low <= ends.high
            if isinstance(ends.low, Fraction) and isinstance(value, Fraction):
                assert ends.low <= value <= ends.high
            found = db.bracket(question.key, buckets)
            assert found.low <= float(value) <= found.high or (ends.settled and math.isclose(value, found.low))
            if ends.settled:
                assert found.low == found.high
                assert float(value) == pytest.approx(found.low, rel=1e-14, abs=1e-300)
            else:
                assert found.low <= value <= found.high

    check()


@given(st.one_of(LOGS, st.floats(allow_nan=False)), RESOLUTIONS)
@settings(max_examples=20_000 if HUNT else 400)
def test_edges_are_the_first_and_last_score_of_a_bucket(score, resolution):
    (counted,) = bucket_scores(np.array([score]), resolution)
    (low,), (high,) = edges(np.array([counted]), resolution)
    assert low <= score <= high
    if low == high:
        return
    inside = bucket_scores(np.array([low, high]), resolution)
    outside = bucket_scores(np.nextafter([low, high], [-INF, INF]), resolution)
    assert (inside == counted).all()
    assert (outside != counted).all()


@given(st.lists(st.one_of(LOGS, st.floats(allow_nan=False)), min_size=2), RESOLUTIONS)
def test_buckets_keep_the_order(scores, resolution):
    ordered = np.sort(np.array(scores))
    assert (np.diff(np.sign(bucket_scores(ordered, resolution))) >= 0).all()
    counted = bucket_scores(ordered, resolution)
    assert (counted[1:] >= counted[:-1]).all()


@given(st.integers(-(2**50), 2**50), st.integers(-1000, 60))
def test_powers_of_two_have_exact_edges(key, power):
    resolution = 2.0**power
    (low,), (high,) = edges(np.array([key * resolution]), resolution)
    assert low == key * resolution
    assert high == min(np.nextafter((key + 1) * resolution, -INF), 2.0**50 * resolution)


def test_a_key_is_a_quotient_rounded_down():
    assert keys(np.array([0.3, -0.05, 0.25]), 0.1).tolist() == [2.0, -1.0, 2.0]  # 0.3 / 0.1 is less than 3 in doubles
    assert keys(np.array([-5e-324, 5e-324]), 4.0).tolist() == [-1.0, 0.0]
    assert bucket_scores(np.array([-INF, 1e300, INF, -0.0]), 0.1).tolist() == [-INF, 1e300, INF, 0.0]


@given(trials(), RESOLUTIONS)
@few
def test_buckets_that_do_not_mix_leave_ranks_exact(data, resolution):
    exact, buckets = db.count(data), db.count(data, resolution=resolution)
    assume(not ((buckets.n_target > 0) & (buckets.n_nontarget > 0)).any())
    for key in ("auc", "eer", "eer:method=interpolated", "cllr_min", "min_dcf:preset=voxsrc", "youden", "ks"):
        found = db.bracket(key, buckets)
        assert found.low == found.high == db.bracket(key, exact).low
    assert db.auc(buckets, exact=True) == db.auc(exact, exact=True)


def test_brackets_shrink_to_the_value():
    rng = np.random.default_rng(1)
    data = db.Trials.from_classes(rng.normal(1, 1, 500), rng.normal(-1, 1, 2000), scale="ln_lr")
    exact = db.count(data)
    keys_ = ["auc", "eer", "eer:method=fvc", "average_precision", "cllr", "cllr_min", "brier", "log_loss", "cllr_cal"]
    for key in keys_:
        value, widths = db.bracket(key, exact).low, []
        for power in (-2, -6, -10, -14, -80):
            found = db.bracket(key, db.count(data, resolution=2.0**power))
            assert found.low <= value <= found.high
            widths.append(found.high - found.low)
        assert widths == sorted(widths, reverse=True), key
        assert widths[-1] == 0.0, key  # every double of these has a bucket of its own: nothing is open
        assert db.bracket(key, db.count(data, resolution=2.0**-80)).low == value


def test_ends_are_reached():
    """Two trials in one bucket can be in three orders, and the bracket has the first and the last of them."""
    buckets = db.Counts([0.0], [1], [1], resolution=1.0)
    assert db.bracket("auc", buckets) == db.Bracket(low=0.0, high=1.0)
    assert db.bracket("eer", buckets) == db.Bracket(low=0.0, high=0.5)
    assert db.bracket("average_precision", buckets).low == pytest.approx(0.5, abs=1e-10)
    assert db.bracket("precision:threshold=0", buckets) == db.Bracket(low=0.5, high=0.5)
    with pytest.raises(UndefinedMetricError, match="nothing is accepted"):
        db.bracket("precision:threshold=0.5", buckets)
    assert db.bracket("accuracy:threshold=0.5", buckets) == db.Bracket(low=0.0, high=1.0)


def test_a_metric_of_buckets_says_how_to_have_its_bracket():
    buckets = db.Counts([0.0, 1.0], [1, 2], [3, 1], resolution=1.0)
    with pytest.raises(UndefinedMetricError, match=r"deciban.bracket\('auc', counts\)") as error:
        db.auc(buckets)
    assert error.value.reason == "bucketed"
    assert db.precision(buckets, threshold=1.0) == 2 / 3
    assert db.precision(buckets, threshold=1.0, exact=True) == Fraction(2, 3)
    assert db.baseline_accuracy(buckets) == 4 / 7
    assert db.confusion(buckets, threshold=1).tp == 2
    functions = (
        db.decidability,
        db.h_measure,
        db.pr_trapezoid,
        db.rocch,
        db.equal_error,
        db.pair_counts,
        db.auc_interval,
        db.score_histogram,
        lambda counts: db.confusion(counts, threshold=0.5),
        lambda counts: db.choose_threshold(counts, "eer"),
        lambda counts: db.with_band(db.roc, counts),
        lambda counts: db.compare({"a": counts, "b": counts}),
        lambda counts: db.auc_within({"a": counts}),
        lambda counts: db.threshold_curve(counts, thresholds=[0.5]),
        lambda counts: db.bracket("decidability", counts),
    )
    for function in functions:
        with pytest.raises(UndefinedMetricError) as error:
            function(buckets)
        assert error.value.reason == "bucketed"


@given(trials(), RESOLUTIONS)
@few
def test_points_of_curves_are_exact(data, resolution):
    exact, buckets = db.count(data), db.count(data, resolution=resolution)
    curve = db.roc(buckets)
    for threshold, tp, fp in list(zip(curve.threshold.tolist(), curve.tp.tolist(), curve.fp.tolist(), strict=True))[1:]:
        table = db.confusion(exact, threshold=threshold)
        assert (table.tp, table.fp) == (tp, fp)


@given(trials(), RESOLUTIONS, st.integers(0, 2**32 - 1))
@few
def test_counts_in_buckets_merge_to_the_whole(data, resolution, seed):
    shard = np.random.default_rng(seed).integers(0, 3, len(data))
    parts = [db.count(data.select(shard == i), resolution=resolution) for i in range(3)]
    assert db.merge(*parts) == db.merge(*reversed(parts)) == db.count(data, resolution=resolution)


@given(trials(), RESOLUTIONS)
@few
def test_reversed_scores_are_bucketed_as_they_are_then(data, resolution):
    assume(data.scale not in ("lr", "probability"))
    turned = db.Trials.from_arrays(data.score, data.is_target, target=True, scale=data.scale, higher="nontarget")
    buckets = db.count(turned, resolution=resolution)
    assert buckets.reversed
    low, high = edges(buckets.score, resolution)
    for score, is_target in zip(-data.score, data.is_target, strict=True):
        at = np.flatnonzero((low <= score) & (score <= high))
        assert at.size == 1
        assert (buckets.n_target if is_target else buckets.n_nontarget)[at[0]] > 0
    found = db.bracket("auc", buckets)
    assert found.low <= db.auc(db.count(turned)) <= found.high


def test_weights_are_repetition_or_refused():
    scores, labels = [0.2, 0.7, 0.4, 0.9], [0, 0, 1, 1]
    whole = db.Trials.from_arrays(scores, labels, weight=[1, 2, 3, 1])
    again = db.Trials.from_arrays(np.repeat(scores, [1, 2, 3, 1]), np.repeat(labels, [1, 2, 3, 1]))
    assert db.bracket("auc", db.count(whole, resolution=0.5)) == db.bracket("auc", db.count(again, resolution=0.5))
    other = db.Trials.from_arrays(scores, labels, weight=[1, 2, 3, 1.5])
    with pytest.raises(UndefinedMetricError) as error:
        db.bracket("auc", db.count(other, resolution=0.5))
    assert error.value.reason == "weighted"


def test_auto_keeps_the_bracket_of_auc_below_a_millionth():
    rng = np.random.default_rng(0)
    for draw in (rng.normal, rng.laplace, rng.logistic):
        data = db.Trials.from_classes(draw(1, 1, 50_000), draw(0, 1, 250_000))
        buckets = db.count(data, resolution="auto")
        found = db.bracket("auc", buckets)
        assert math.frexp(buckets.resolution)[0] == 0.5
        assert 0.0 < found.high - found.low < 1e-6
        assert found.low <= db.auc(db.count(data)) <= found.high


def test_auto_of_odd_data():
    classes = np.array([True, False] * 3)
    assert choose_resolution(np.array([1.0] * 6), classes) == 1.0
    assert choose_resolution(np.array([-INF, INF] * 3), classes) == 1.0
    assert choose_resolution(np.array([0.0] * 5 + [1.0]), classes) == 2.0**-20
    assert 0.0 < choose_resolution(np.array([-1.7e308, 1.7e308] * 3), classes) <= 2.0**900
    assert choose_resolution(np.array([0.0, 5e-324] * 3), classes) > 0.0


def test_options_are_checked():
    data = db.Trials.from_classes([1.0, 2.0], [0.0, 3.0])
    for resolution in (0, -1.0, INF, math.nan, "fine", True, 2.0**901):
        with pytest.raises(OptionError, match="resolution"):
            db.count(data, resolution=resolution)
    with pytest.raises(InputError, match=r"4 distinct scores are more than the 3 that max_blocks= .* resolution="):
        db.count(data, max_blocks=3)
    with pytest.raises(OptionError, match="max_blocks"):
        db.count(data, max_blocks=0)
    with pytest.raises(InputError, match="multiples of the resolution"):
        db.Counts([0.1], [1], [1], resolution=0.25)
    with pytest.raises(OptionError, match="auto"):
        db.Counts([0.0], [1], [1], resolution="auto")
    with pytest.raises(OptionError, match="several figures"):
        db.bracket("eer_fvc", db.count(data))
    assert db.bracket("auc", db.count(data)) == db.Bracket(low=0.5, high=0.5)


def test_counts_in_buckets_are_values_like_any_other():
    buckets = db.count(db.Trials.from_classes([0.35, 1.0], [0.1]), resolution=0.1)
    assert pickle.loads(pickle.dumps(buckets)) == buckets
    assert "resolution=0.1" in repr(buckets)
    assert buckets != db.Counts(buckets.score, buckets.n_target, buckets.n_nontarget)


def test_every_rule_is_of_a_figure_there_is():
    names = {part.key.partition(":")[0] for metric in METRICS for part in _parts(metric)}
    assert set(RULES) <= names


def _parts(metric):
    return express(metric.spec, option_sets(metric.spec)[0]).parts()


def test_parse_of_parts():
    assert parse("eer_fvc.low")[0].part == "low"

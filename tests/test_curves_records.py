"""What all curves share: read-only columns, JSON both ways, dataframes, and thinning."""

import json
import math
from dataclasses import fields, replace
from itertools import pairwise
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deciban as db
from deciban.curves.curve import columns
from deciban.curves.thinning import COORDINATES, evenly, rows_to_keep
from deciban.workflow.evaluating.drawable import curves_of, points_of
from deciban.workflow.evaluating.operating_points import RATES
from tests.curve_data import UNHURRIED, classes, ln_lrs

C = TypeVar("C", bound=db.Curve)
DATA = ([math.inf, 2.0, 0.5, 0.5], [-math.inf, 0.5, -1.0])
CURVES = {
    "roc": db.roc,
    "det": db.det,
    "precision_recall": db.precision_recall,
    "rocch": db.rocch,
    "pav_map": db.pav_map,
    "pr_gain": db.pr_gain,
    "tippett": db.tippett,
    "cross_entropy": db.empirical_cross_entropy_curve,
    "bayes_error": db.bayes_error_curve,
    "reliability": db.reliability,
    "corp": lambda counts: db.reliability(counts, bins="corp"),
    "histogram": db.score_histogram,
    "net_benefit": db.net_benefit_curve,
    "threshold": lambda counts: db.threshold_curve(counts, ("precision", "npv", "lr_positive")),
}
MAKERS = pytest.mark.parametrize("make", CURVES.values(), ids=CURVES)


def same(one: db.Curve, other: db.Curve) -> None:
    assert type(one) is type(other)
    for field in fields(one):
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        if isinstance(mine, (np.ndarray, dict)):
            continue
        assert mine == theirs or (isinstance(mine, db.Band) and mine.method == theirs.method)
    mine, theirs = columns(one), columns(other)
    assert list(mine) == list(theirs)
    for name, column in mine.items():
        assert column.dtype == theirs[name].dtype, name
        assert column.tolist() == theirs[name].tolist(), name
        assert np.ma.isMaskedArray(column) == np.ma.isMaskedArray(theirs[name])


def banded(curve: C) -> C:
    size = next(iter(columns(curve).values())).size
    return replace(curve, band=db.Band(low=np.zeros(size), high=np.full(size, np.inf), level=0.95, method="made up"))


@MAKERS
@settings(UNHURRIED, max_examples=15)
@given(data=classes(most=8))
def test_json_both_ways(make, data):
    for data_ in (data, DATA):
        curve = make(ln_lrs(data_))
        for record in (curve, banded(curve)):
            text = record.to_json()
            again = type(curve).from_json(text)
            same(record, again)
            assert again.to_json() == text
            assert "NaN" not in text
            assert "Infinity" not in text


def test_json_is_one_line_per_field_with_infinities_as_text():
    lines = db.tippett(db.Counts.from_classes([1e300, math.inf], [0.0, 0.1], scale="lr")).to_json().splitlines()
    assert lines[3] == '  "log10_lr": ["-inf", -1.0, 300.0, "inf"],'
    plain = json.loads(db.threshold_curve(ln_lrs(([1.0], [0.0])), ["lr_positive"]).to_json())
    assert plain["values"] == {"lr_positive": [None, "inf", 1.0, 1.0]}


@MAKERS
def test_weighted_curves_survive_json(make):
    counts = db.Counts(score=[0.0, 1.0], n_target=[1.0, 2.0], n_nontarget=[2.5, 0.5], scale="ln_lr", weighted=True)
    same(make(counts), type(make(counts)).from_json(make(counts).to_json()))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"p_fa": [0.0', '"p_fa": [NaN', "cannot hold NaN"),
        ('"p_fa": [0.0', '"p_fa": [null', r"p_fa\[0\]: expected a number"),
        ('"p_fa": [0.0', '"p_fa": ["x"', r"p_fa\[0\]: expected a number"),
        ('"p_fa": [0.0, ', '"p_fa": [', "one length"),
        ('"tp": [0, 1, 2, 4, 4, 4, 4]', '"tp": 0', "tp: expected a list"),
        ('"n_target": ', '"targets": ', "unknown field 'targets'"),
    ],
)
def test_what_is_no_such_record_is_refused(old, new, message):
    text = db.roc(ln_lrs(DATA)).to_json()
    assert old in text
    with pytest.raises(db.InputError, match=message):
        db.Roc.from_json(text.replace(old, new))


def test_another_kind_of_curve_is_refused():
    with pytest.raises(db.InputError, match="unknown field"):
        db.Det.from_json(db.roc(ln_lrs(DATA)).to_json())


def test_columns_of_other_lengths_are_refused():
    with pytest.raises(db.InputError, match="one length"):
        replace(db.roc(ln_lrs(DATA)), tp=np.arange(3))


@MAKERS
def test_columns_cannot_be_written_to(make):
    curve = make(ln_lrs(DATA))
    for record in (curve, type(curve).from_json(curve.to_json())):
        for name, column in columns(record).items():
            if column.size:
                with pytest.raises(ValueError, match="read-only"):
                    column[0] = 1
            assert not column.flags.writeable, name


def test_given_values_are_copied():
    odds = np.array([0.0, 1.0])
    curve = db.bayes_error_curve(ln_lrs(DATA), log10_odds=odds)
    odds[0] = 9.0
    assert curve.log10_odds.tolist() == [0, 1]


@MAKERS
@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frames_have_the_columns(make, backend):
    import narwhals as nw

    curve = banded(make(ln_lrs(DATA)))
    frame = nw.from_native(curve.to_frame(backend), eager_only=True)
    expected = columns(curve)
    assert frame.columns == list(expected)
    assert frame.columns[-2:] == ["band_low", "band_high"]
    for name, column in expected.items():
        found = frame[name].to_list()
        assert [None if x is None or np.isnan(x) else x for x in found] == column.tolist()
        assert frame[name].dtype in {"f": (nw.Float64,), "i": (nw.Int64,), "b": (nw.Boolean,)}[column.dtype.kind]


def test_a_column_without_any_value_has_its_type():
    curve = db.threshold_curve(ln_lrs(([1.0], [0.0])), ["precision"], thresholds=[5.0])
    assert curve.values["precision"].tolist() == [None]
    assert curve.to_frame("polars")["precision"].dtype.is_float()


def test_masked_values_are_nan_underneath():
    curve = db.reliability(db.Counts.from_classes([0.9], [0.8], scale="probability"), n_bins=2)
    assert np.isnan(np.asarray(curve.observed)[0])
    assert curve.observed.mask.tolist() == [True, False]


THINNED = {name: CURVES[name] for name in ("roc", "det", "precision_recall", "pr_gain", "tippett", "threshold")}


def big(tied: bool) -> db.Counts:
    g = np.random.default_rng(11)
    target, nontarget = g.normal(1, 1, 3000), g.normal(-1, 1, 5000)
    if tied:
        target[:1500] = 0.5
        nontarget = nontarget.round(2)
    return ln_lrs((target, nontarget))


@pytest.mark.parametrize("name", THINNED)
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("limit", [3, 50, 500])
def test_thinned_curves_keep_the_ends_and_the_bound(name, tied, limit):
    curve = THINNED[name](big(tied))
    thinned = db.thin(curve, limit)
    whole, few = columns(curve), columns(thinned)
    x = next(iter(whole))
    assert few[x].size <= limit
    order = 1 if whole[x][-1] > whole[x][0] else -1
    for column in few:
        assert few[column].tolist()[0] == whole[column].tolist()[0]
        assert few[column].tolist()[-1] == whole[column].tolist()[-1]
    # Each point left out is within the step of the point kept before it, coming from the highest score.
    kept = np.searchsorted(order * whole[x][1:-1], order * few[x][1:-1]) + 1
    kept = np.concatenate([[0], kept, [whole[x].size - 1]])
    shown = [np.asarray(column) for column in COORDINATES[type(curve)](curve)]
    length = sum(np.abs(np.diff(column)).sum() for column in shown)
    for here, after in pairwise(kept):
        anchor, left_out = (here, slice(here + 1, after)) if order < 0 else (after, slice(here + 1, after))
        moved = sum(np.abs(column[left_out] - column[anchor]) for column in shown)
        assert np.all(moved <= length / (limit - 2) * (1 + 1e-9))


@pytest.mark.parametrize("make", [db.roc, db.det, db.precision_recall, db.pr_gain, db.tippett, db.threshold_curve])
def test_chunks_change_nothing(make, monkeypatch):
    curve = make(big(tied=False))
    kept, lr_first = rows_to_keep(curve, 60), db.threshold_curve(big(tied=False), ["lr_positive", "mcc"])
    monkeypatch.setattr("deciban.values.log_domain.CHUNK", 7)
    assert rows_to_keep(curve, 60).tolist() == kept.tolist()
    assert db.threshold_curve(big(tied=False), ["lr_positive", "mcc"]) == lr_first


def test_empty_columns_are_equal_whatever_they_would_hold():
    trials = db.Trials.from_arrays([math.inf, -math.inf], [1, 0], weight=[0.5, 0.25])
    record = db.score_histogram(db.count(trials))
    assert record.low.size == 0
    assert db.ScoreHistogram.from_json(record.to_json()) == record


def test_bins_of_overestimation_come_back_from_json():
    counts = db.Counts.from_classes([10.0] * 9 + [1.0] * 6, [10.0] * 5 + [1.0] * 10 + [0.0], scale="lr")
    for record in (db.lr_overestimation(counts), db.with_band(db.lr_overestimation, counts)):
        assert type(record).from_json(record.to_json()) == record


def test_thinning_leaves_short_curves_whole_and_takes_the_band_along():
    curve = banded(db.roc(ln_lrs(DATA)))
    same(db.thin(curve), curve)
    assert db.thin(curve, 3).band.low.size == 3


def test_thinning_refuses_what_it_does_not_know():
    with pytest.raises(db.OptionError, match="few points"):
        db.thin(db.rocch(ln_lrs(DATA)))
    with pytest.raises(db.OptionError, match="at least 3"):
        db.thin(db.roc(ln_lrs(DATA)), 2)


@UNHURRIED
@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.integers(3, 20))
def test_even_steps(steps, limit):
    along = np.cumsum([0.0, *steps])
    kept = evenly(along.__getitem__, along.size, limit)
    assert (kept[0], kept[-1]) == (0, along.size - 1)
    assert kept.size <= limit or along.size <= limit
    assert (np.diff(kept) > 0).all()


def test_operating_points_of_a_record_are_actual_ones_and_hold_what_people_look_for():
    counts = big(tied=True)
    thresholds = [0.123, -np.inf, np.inf, float(counts.score[0]), float(counts.score[-1])]
    points = curves_of(counts, thresholds, None).operating_points
    curve, hull = db.roc(counts), db.rocch(counts)
    every = dict(zip(curve.threshold.tolist(), zip(curve.tp.tolist(), curve.fp.tolist(), strict=True), strict=True))
    assert len(points.tp) <= 500
    for threshold, tp, fp, fn, tn in zip(points.threshold, points.tp, points.fp, points.fn, points.tn, strict=True):
        assert (tp, fp) == every[threshold]
        assert (tp + fn, fp + tn) == (counts.total_target, counts.total_nontarget)
    assert list(points.threshold) == sorted(points.threshold, reverse=True)
    kept = set(zip(points.tp, points.fp, strict=True))
    for threshold in thresholds:
        table = db.confusion(counts, threshold=threshold)
        assert (table.tp, table.fp) in kept
    for rate in RATES:
        assert curve.fp[curve.p_fa <= rate].max() in points.fp
        assert curve.tp[counts.total_target - curve.tp <= rate * counts.total_target].min() in points.tp
    assert {(counts.total_target - fn, fp) for fn, fp in zip(hull.fn.tolist(), hull.fp.tolist(), strict=True)} <= kept


@pytest.mark.parametrize("limit", [200, 500])
def test_operating_points_lie_close_to_the_curves(limit):
    counts = big(tied=False)
    points = points_of(counts, [], limit).operating_points
    curve = db.roc(counts)
    assert len(points.tp) <= limit or curve.threshold.size <= 2 * limit
    length = np.diff(np.array(points.tp) / counts.total_target + np.array(points.fp) / counts.total_nontarget)
    assert length.max() <= 2 / (limit // 3 - 10) + 1 / counts.total_target
    assert curve.threshold.size > limit

"""Edge cases of scikit-learn, by the rows in which they were recorded."""

import math
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import roc_auc_score

import deciban as db
from deciban.errors import InputError, OptionError, ScaleError, SingleClassError, UndefinedMetricError
from tests.faults.rows import Rows

SK = Rows("scikit-learn", 45)
INF, NAN = math.inf, math.nan
Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


def data(scores: Any = S, labels: Any = Y, **options: Any) -> db.Counts:
    return db.Counts.from_arrays(scores, labels, **options)


BASE = db.Counts.from_arrays(S, Y)
CONSTANT = db.Counts.from_arrays([0.5] * 4, Y)
INVERTED = db.Counts.from_classes([0.1, 0.2], [0.3, 0.4])
PERFECT = db.Counts.from_classes([0.3, 0.4], [0.1, 0.2])


@SK.row("01 roc_curve")
def _() -> None:
    curve = db.roc(BASE)
    assert curve.p_fa.tolist() == [0, 0, 0.5, 0.5, 1, 1]
    assert curve.recall.tolist() == [0, 0.5, 0.5, 1, 1, 1]
    assert curve.threshold.tolist() == [INF, 0.8, 0.4, 0.35, 0.1, -INF]


@SK.row("02 det_curve: order and ends", "03 det_curve, perfect", "04 det_curve, inverted")
def _() -> None:
    for counts in (BASE, PERFECT, INVERTED):
        det, roc = db.det(counts), db.roc(counts)
        assert det.threshold.tolist() == roc.threshold.tolist()
        assert det.threshold.size == counts.n_distinct + 2
        assert (det.p_miss[0], det.p_fa[0], det.p_miss[-1], det.p_fa[-1]) == (1, 0, 0, 1)
    assert 0.0 in (db.det(PERFECT).p_miss + db.det(PERFECT).p_fa)


@SK.row("05 precision_recall_curve: a point more than thresholds")
def _() -> None:
    curve = db.precision_recall(BASE)
    assert curve.precision.tolist() == [1, 1, 0.5, 2 / 3, 0.5]
    assert curve.recall.tolist() == [0, 0.5, 0.5, 1, 1]
    assert curve.threshold.size == curve.artificial.size == 5
    assert curve.artificial.tolist() == [True, False, False, False, False]


@SK.row("06 ties: operating points dropped")
def _() -> None:
    counts = data([0.9, 0.9, 0.5, 0.5, 0.1, 0.1], [1, 0, 1, 0, 1, 0])
    assert db.auc(counts, exact=True) == Fraction(1, 2)
    for curve in (db.roc(counts), db.det(counts)):
        assert curve.threshold.tolist() == [INF, 0.9, 0.5, 0.1, -INF]
    assert db.average_precision(counts, exact=True) == Fraction(1, 2)


@SK.row("07 drop_intermediate: points kept and dropped by chance")
def _() -> None:
    assert db.roc(db.Counts.from_classes([4, 5, 6, 7], [0, 1, 2, 3])).threshold.size == 10


TIED = db.Counts.from_classes([0.9, 0.5], [0.5] * 8)
SK.gives("08 AP, heavy ties", lambda: db.average_precision(TIED, exact=True), Fraction(3, 5))
RARE = db.Counts.from_arrays([0.5] * 100, [1] + [0] * 99)
SK.gives("09 PR of a constant score, prevalence .01", lambda: db.average_precision(RARE, exact=True), Fraction(1, 100))


@SK.row("10 constant score")
def _() -> None:
    assert db.auc(CONSTANT) == 0.5
    assert db.roc(CONSTANT).recall.tolist() == [0, 1, 1]
    assert (db.det(CONSTANT).p_miss.tolist(), db.det(CONSTANT).p_fa.tolist()) == ([1, 0, 0], [0, 1, 1])
    assert db.average_precision(CONSTANT) == 0.5


@SK.row("11 NaN score")
def _() -> None:
    scores = [0.1, NAN, 0.35, NAN]
    with pytest.raises(InputError, match=re.escape("2 missing (NaN or null) at rows 2, 4")):
        data(scores)
    assert db.Trials.from_arrays(scores, Y, missing="drop").dropped == 2


@SK.row("12 infinite scores")
def _() -> None:
    scores = [-INF, 0.4, 0.35, INF]
    assert db.auc(data(scores)) == 0.75
    assert db.eer(data(scores), method="interpolated") == 0.5
    assert db.cllr(data([INF, 0.0, 0.0, 0.0], scale="ln_lr")) == INF
    wrong = [1 / (1 + math.exp(-0.4)), 1 / (1 + math.exp(0.35))]
    assert db.brier(data(scores, scale="ln_lr"), p_target=0.5) == pytest.approx(sum(p * p for p in wrong) / 4)


ONE_CLASS = [db.Counts.from_classes([0.1, 0.4], []), db.Counts.from_classes([], [0.1, 0.4])]


@SK.row("13 one class: AUC")
def _() -> None:
    for counts in ONE_CLASS:
        with pytest.raises(SingleClassError, match=r"needs both classes.*\d targets and \d nontargets") as caught:
            db.auc(counts)
        assert caught.value.reason == "single_class"


@SK.row("14 one class: four policies in one module")
def _() -> None:
    for counts in ONE_CLASS:
        for question in (db.roc, db.det, db.precision_recall, db.average_precision, db.eer, db.cllr_min):
            with pytest.raises(SingleClassError):
                question(counts)


@SK.row("15 Brier of one class")
def _() -> None:
    one = db.Counts.from_classes([0.9, 0.8], [], scale="probability")
    assert db.brier(one) == pytest.approx(0.025, rel=1e-14)
    assert db.log_loss(one) == pytest.approx(-(math.log(0.9) + math.log(0.8)) / 2, rel=1e-14)


@SK.row("16 MCC, kappa, F1 undefined")
def _() -> None:
    for metric in (db.mcc, db.precision, db.markedness):
        with pytest.raises(UndefinedMetricError) as caught:
            metric(BASE, threshold=2.0)
        assert caught.value.reason == "undefined_ratio"
    with pytest.raises(UndefinedMetricError):
        db.kappa(ONE_CLASS[0], threshold=0.0)
    with pytest.raises(UndefinedMetricError):
        db.f1(ONE_CLASS[1], threshold=2.0)
    assert db.f1(BASE, threshold=2.0) == 0


SK.refuses(
    "17 precision, nothing predicted", lambda: db.precision(BASE, threshold=9), UndefinedMetricError, "nothing is acc"
)


@SK.row("18 likelihood ratios of a perfect rule")
def _() -> None:
    assert db.lr_positive(PERFECT, threshold=0.3) == INF
    assert db.lr_negative(PERFECT, threshold=0.3) == 0


SK.refuses("19 no trials", lambda: data([], []), InputError, "no trials")
SK.refuses("20 one trial", lambda: db.average_precision(data([1.0], [1])), SingleClassError, "needs both classes")


@SK.row("21 labels bool, 0.0 and 1.0, -1 and 1")
def _() -> None:
    for labels in ([False, False, True, True], [0.0, 0.0, 1.0, 1.0], [-1, -1, 1, 1], np.array(Y, dtype=np.uint8)):
        assert data(labels=labels) == BASE


SK.refuses(
    "22 labels 1 and 2", lambda: data(labels=[1, 1, 2, 2]), InputError, r"which label is the target\?.*'1' \(2\)"
)
SK.refuses("23 labels 0 and 2", lambda: data(labels=[0, 0, 2, 2]), InputError, "say which value is the target")


@SK.row("24 labels as text")
def _() -> None:
    labels = ["bad", "bad", "good", "good"]
    with pytest.raises(InputError, match=r"'bad' \(2\), 'good' \(2\)"):
        data(labels=labels)
    assert data(labels=labels, target="good") == BASE
    assert db.auc(data(labels=labels, target="bad")) == 0.25


SK.refuses("25 target absent", lambda: data(target=7), InputError, r"no label equals the target '7'; found '0' \(2\)")


@SK.row("26 labels as objects")
def _() -> None:
    assert data(labels=np.array(Y, dtype=object)) == BASE


SK.refuses("27 fractional labels", lambda: data(labels=[0, 0.5, 1, 1], target=1), InputError, "expected two labels")


@SK.row("28 weight 0 on the top score")
def _() -> None:
    counts = data(weight=[1, 1, 1, 0])
    assert counts.score.tolist() == [0.1, 0.35, 0.4]
    assert db.auc(counts) == 0.5
    assert counts == data([0.1, 0.4, 0.35], [0, 0, 1], weight=[1, 1, 1])


SK.refuses("29 all weights 0", lambda: data(weight=[0, 0, 0, 0]), InputError, "every weight is 0")
SK.refuses("30 negative weight", lambda: data(weight=[1, -1, 1, 1]), InputError, "weight.*>= 0, found -1 at row 2")
SK.refuses(
    "31 all targets of weight 0",
    lambda: db.average_precision(data(weight=[1, 1, 0, 0])),
    SingleClassError,
    "0.0 targets",
)


@SK.row("32 whole weights are repetition")
def _() -> None:
    weighted, repeated = data(weight=[1, 2, 1, 1]), data([0.1, 0.4, 0.4, 0.35, 0.8], [0, 0, 0, 1, 1])
    assert db.auc(weighted) == db.auc(repeated)
    assert db.average_precision(weighted) == db.average_precision(repeated) == 0.75


@SK.row("33 confusion with fractional weights")
def _() -> None:
    assert db.confusion(data(weight=[0.5, 1.5, 1, 2]), threshold=0.4) == db.Confusion(2.0, 1.5, 1.0, 0.5)


@SK.row("34 scores never narrowed")
def _() -> None:
    scores = [1.0, 1 + 1e-9, 1 + 2e-9, 1 + 3e-9]
    assert data(scores).n_distinct == 4
    assert data(np.array(scores, dtype=np.float16)).n_distinct == 1
    assert data(np.array(S, dtype=np.float32)).score.dtype == np.float64


@SK.row("35 exact comparison: .1 + .2 is above .3")
def _() -> None:
    assert db.auc(db.Counts.from_classes([0.3], [0.1 + 0.2])) == 0
    assert db.auc(db.Counts.from_classes([0.1 + 0.2], [0.3])) == 1


@SK.row("36 log loss of certain errors, any dtype")
def _() -> None:
    for dtype in (np.float64, np.float32, np.int8):
        assert db.log_loss(data(np.array([1, 0, 0, 1], dtype=dtype), scale="probability")) == INF


@SK.row("37 whole scores beyond 2^53 are not merged in silence")
def _() -> None:
    with pytest.raises(InputError, match="cannot be held exactly as float64"):
        data(np.array([2**53, 2**53 + 1, 3, 4]))
    assert data(np.array([2**53, 2**53 + 2, 3, 4])).n_distinct == 4
    assert data(np.array(S, dtype=np.float16)).score.tolist() == sorted(np.array(S, dtype=np.float16).tolist())


@SK.row("38 bool scores")
def _() -> None:
    assert db.roc(data([False, True, True, True])).threshold.tolist() == [INF, 1.0, 0.0, -INF]


SK.refuses(
    "39 Brier with p > 1",
    lambda: db.brier(data([0.1, 1.4, 0.2, 0.3], scale="probability")),
    InputError,
    r"\[0, 1\]; found 1.4 at row 2",
)


@SK.row("40 calibration_curve")
def _() -> None:
    bins = db.reliability(data(scale="probability"), n_bins=4)
    assert bins.n.tolist() == [1, 2, 0, 1]
    assert bins.observed.tolist() == [0, 0.5, None, 1]
    assert bins.stated.tolist() == [0.1, 0.375, None, 0.8]
    with pytest.raises(InputError, match="missing"):
        data([NAN, 0.4, 0.35, 0.8], scale="probability")


@SK.row("41 max_fpr")
def _() -> None:
    assert db.partial_auc(BASE, high=0.1) == pytest.approx(0.05)
    for high in (1e-9, 0.1, 0.5, 1.0):
        assert db.partial_auc_standardised(BASE, high=high) == pytest.approx(
            roc_auc_score(Y, S, max_fpr=high), abs=1e-9
        )
    with pytest.raises(OptionError):
        db.partial_auc(BASE, high=0)


@SK.row("42 pandas indexes that differ")
def _() -> None:
    scores, labels = pd.Series(S), pd.Series(Y, index=[3, 2, 1, 0])
    with pytest.raises(InputError, match="index of labels differs"):
        data(scores, labels)
    assert data(scores, pd.Series(Y)) == BASE


@SK.row("43 masked array")
def _() -> None:
    masked = np.ma.MaskedArray(S, mask=[False, True, False, False])
    with pytest.raises(InputError, match=r"1 missing .* row 2"):
        data(masked)
    assert data(masked, missing="drop") == data([0.1, 0.35, 0.8], [0, 1, 1])


SK.refuses("44 two columns of probabilities", lambda: data(np.eye(4)[:, :2]), InputError, r"shape \(4, 2\)")


@SK.row("45 Polars, nulls, nullable pandas")
def _() -> None:
    assert data(pl.Series(S), pl.Series(Y)) == BASE
    assert data(pd.Series(S, dtype="Float64"), pd.Series(Y, dtype="Int64")) == BASE
    for column in (pl.Series([0.1, None, 0.35, 0.8]), pd.Series([0.1, None, 0.35, 0.8], dtype="Float64")):
        with pytest.raises(InputError, match=r"1 missing .* row 2"):
            data(column)


@pytest.mark.parametrize("name", SK.tests)
def test_row(name):
    SK.tests[name]()


def test_no_row_is_dropped():
    SK.check_complete()


def test_probability_figures_of_raw_scores_are_refused():
    with pytest.raises(ScaleError):
        db.brier(BASE)

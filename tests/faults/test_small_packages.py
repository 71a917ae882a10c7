"""Edge cases of packages for intervals, deep learning and calibration, by the rows in which they were recorded."""

import math
from fractions import Fraction
from typing import Any

import pytest

import deciban as db
from deciban.errors import InputError, OptionError, SingleClassError, UndefinedMetricError
from tests.faults.rows import Rows

ML = Rows("packages", 34)
INF, NAN = math.inf, math.nan
Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


def data(scores: Any = S, labels: Any = Y, **options: Any) -> db.Counts:
    return db.Counts.from_arrays(scores, labels, **options)


PERFECT = db.Counts.from_classes([3, 2, 4], [0, 1])

ML.wait(
    "intervals",
    "01 confidenceinterval: AUC interval above 1",
    "02 confidenceinterval: perfect separation, zero width",
    "03 confidenceinterval: constant score, zero width",
    "06 confidenceinterval: one target",
    "08 confidenceinterval: F1 interval above 1",
    "11 confidenceinterval: accuracy 9/10 by six methods",
    "12 confidenceinterval: BCa takes seconds",
    "13 confidenceinterval: resamples of one class",
    "14 confidenceinterval: no interval of AP",
)
ML.wait(
    "paired comparison",
    "15 MLstatkit: identical systems, p = 0",
    "16 MLstatkit: two perfect systems, p = 0",
    "18 MLstatkit: progress bar always on",
)


@ML.row("31 dcurves: p > 1")
def _() -> None:
    with pytest.raises(InputError, match=r"a probability lies in \[0, 1\]"):
        data([0.1, 1.4, 0.35, 0.8], scale="probability")
    for threshold in (0.0, 1.0):
        with pytest.raises(OptionError, match="strictly between 0 and 1"):
            db.net_benefit(data(scale="probability"), threshold=threshold)


@ML.row("32 model-diagnostics: decompose")
def _() -> None:
    found = db.brier_corp(data([0.5] * 4, scale="probability"))
    assert (found.miscalibration, found.discrimination, found.uncertainty) == (0, 0, 0.25)
    with pytest.raises(SingleClassError):
        db.log_loss_corp(db.Counts.from_classes([0.5, 0.7], [], scale="probability"))


for name in ("04 confidenceinterval: NaN never returns", "17 MLstatkit: NaN", "22 torchmetrics: NaN"):
    ML.refuses(name, lambda: data([0.1, NAN, 0.35, 0.8]), InputError, r"1 missing \(NaN or null\) at row 2")


@ML.row("05 confidenceinterval: errors without a message")
def _() -> None:
    with pytest.raises(SingleClassError, match="2 targets and 0 nontargets"):
        db.auc(db.Counts.from_classes([1, 2], []))
    assert db.auc(data(labels=[-1, -1, 1, 1])) == 0.75
    for labels in ([1, 1, 2, 2], ["a", "a", "b", "b"]):
        with pytest.raises(InputError, match="which label is the target"):
            data(labels=labels)


@ML.row("07 confidenceinterval: a recall of 1 that is not 1")
def _() -> None:
    assert db.recall(PERFECT, threshold=2) == 1
    assert db.f1(PERFECT, threshold=2) == 1


ML.gives("09 confidenceinterval: precision with default options", lambda: db.precision(data(), threshold=0.35), 2 / 3)

for name in ("10 confidenceinterval: PPV, none predicted", "28 torchmetrics: precision, none predicted"):
    ML.refuses(name, lambda: db.precision(data(), threshold=9), UndefinedMetricError, "nothing is accepted")


@ML.row("19 torchmetrics: logits beyond 17 merge")
def _() -> None:
    assert db.auc(data([20, 30, 40, 50], [0, 1, 0, 1])) == 0.75
    assert db.auc(data([-200, -170, -140, -110])) == 1


ML.gives("20 torchmetrics: sigmoid decided per batch", lambda: db.auc(data([1.2, 0.9678, 1.7], [1, 0, 1])), 1)


@ML.row("21 torchmetrics: units of thresholds change with the data")
def _() -> None:
    for scores in ([0.2, 0.9, 0.5, 0.7], [0.2, 0.9, 0.5, 1.7]):
        assert db.roc(data(scores, scale="ln_lr")).threshold[1:-1].tolist() == sorted(scores, reverse=True)


@ML.row("23 torchmetrics: one class, AUC 0 and AP −0")
def _() -> None:
    for metric in (db.auc, db.average_precision):
        with pytest.raises(SingleClassError):
            metric(db.Counts.from_classes([], [1, 2]))


ML.gives("24 torchmetrics: five bins", lambda: db.auc(data()), 0.75)


@ML.row("25 torchmetrics: > for labels, >= for curves")
def _() -> None:
    assert db.confusion(data([0.5] * 4), threshold=0.5) == db.Confusion(2, 2, 0, 0)
    assert db.roc(data([0.5] * 4)).recall.tolist() == [0, 1, 1]


@ML.row("26 torchmetrics: one EER of three, unnamed")
def _() -> None:
    counts = data([0.1, 0.2, 0.3, 0.9, 0.05, 0.6], [0, 0, 1, 0, 0, 1])
    assert db.eer(counts, method="nearest-last", exact=True) == Fraction(3, 8)
    assert db.eer(counts, method="nearest-first", exact=True) == Fraction(1, 8)
    assert db.eer(counts, method="interpolated", exact=True) == Fraction(1, 4)
    assert db.eer(counts, exact=True) == Fraction(1, 5)


@ML.row("27 torchmetrics: labels as floats or −1 and 1")
def _() -> None:
    assert data(labels=[0.0, 0.0, 1.0, 1.0]) == data(labels=[-1, -1, 1, 1]) == data()


@ML.row("29 netcal: calibration error of NaN or 1.4")
def _() -> None:
    for wrong in (NAN, 1.4):
        with pytest.raises(InputError, match="row 3"):
            data([0.1, 0.4, wrong, 0.8], scale="probability")


@ML.row("30 relplot: calibration error above 1")
def _() -> None:
    with pytest.raises(InputError, match=r"a probability lies in \[0, 1\]"):
        data([-3.0, 2.0, 4.0, 5.0], scale="probability")
    good = data(scale="probability", labels=[-1, -1, 1, 1])
    assert db.calibration_error(good) == db.calibration_error(data(scale="probability"))


@ML.row("33 scores: NaN dropped in silence")
def _() -> None:
    trials = db.Trials.from_arrays([0.1, NAN, 0.35, 0.8], Y, missing="drop")
    assert trials.dropped == 1
    assert len(trials) == 3


@ML.row("34 fairlearn: a group of one does not spoil the others")
def _() -> None:
    trials = db.Trials.from_arrays([*S, 0.5], [*Y, 1], conditions={"group": ["a"] * 4 + ["b"]})
    groups = db.count(trials, by="group")
    assert db.auc(groups["a"]) == 0.75
    with pytest.raises(SingleClassError):
        db.auc(groups["b"])


@pytest.mark.parametrize("name", ML.tests)
def test_row(name):
    ML.tests[name]()


def test_no_row_is_dropped():
    ML.check_complete()

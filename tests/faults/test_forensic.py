"""Probed behaviour of lir, the forensic toolkit, by the rows in which it was recorded."""

import math
import tracemalloc
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

import deciban as db
from deciban.errors import InputError, OptionError, ScaleError, SingleClassError, UndefinedMetricError
from deciban.passes.pool import pool
from tests.faults.rows import Rows

TABLE, PAV, CURVES = Rows("figures", 22), Rows("calibration", 18), Rows("curves and bounds", 26)
INF, NAN = math.inf, math.nan


def data(llr: Any, y: Any, **options: Any) -> db.Counts:
    return db.Counts.from_arrays(llr, y, target=1, nontarget=0, **{"scale": "log10_lr", **options})


SIX, SIX_Y = [-1, 0, 0.5, -0.5, 1, 2], [0, 0, 0, 1, 1, 1]
TABLE.gives("01 Cllr", lambda: db.cllr(data(SIX, SIX_Y)), 0.9006847929, 1e-10)
TABLE.gives("02 minimum Cllr", lambda: db.cllr_min(data(SIX, SIX_Y)), 0.4591479170, 1e-10)
TABLE.gives(
    "03 minimum Cllr with ties", lambda: db.cllr_min(data([0, 0, 1, 1, 1], [0, 1, 0, 1, 1])), 0.9792791604, 1e-10
)
TABLE.gives(
    "04 minimum Cllr with an infinite LR", lambda: db.cllr_min(data([-1, INF, 1, 2], [0, 0, 1, 1])), 0.6887218755, 1e-10
)
TABLE.gives("05 Cllr of perfect infinities", lambda: db.cllr(data([-INF, INF], [0, 1])), 0)
TABLE.gives("06 Cllr of a misleading infinity", lambda: db.cllr(data([-INF, 1, -1], [1, 1, 0])), INF)
TABLE.gives("07 Cllr at −310", lambda: db.cllr(data([0, -310], [0, 1])), 515.398855, 1e-8)
TABLE.gives("08 Cllr at 400, wrong", lambda: db.cllr(data([400, -400], [0, 1])), 1328.771238, 1e-9)
TABLE.gives("09 Cllr at 400, right", lambda: db.cllr(data([-400, 400], [0, 1])), 0)


@TABLE.row("10 Cllr at 20, right")
def _() -> None:
    assert db.cllr(data([-20, 20], [0, 1])) == pytest.approx(1.4426950408889633e-20, rel=1e-12, abs=0)


TABLE.gives(
    "11 Cllr of float32", lambda: db.cllr(data(np.array([40, -40], dtype=np.float32), [0, 1])), 132.877123795, 1e-10
)
TABLE.gives("12 Cllr of integers", lambda: db.cllr(data(np.array([-1, 0, 1, 2]), [0, 0, 1, 1])), 0.3223405851, 1e-9)


@TABLE.row("13 minimum Cllr of scores × 1e-12, 1e-15, 1e-20", "14 minimum Cllr of float32 scores × 1e-3")
def _() -> None:
    random = np.random.default_rng(5)
    scores, labels = random.normal(size=400), np.arange(400) % 2
    scores[labels == 1] += 1
    want = db.cllr_min(data(scores, labels))
    for factor in (1e-3, 1e-12, 1e-15, 1e-20, 1e-300):
        assert db.cllr_min(data(scores * factor, labels)) == want
    small = (scores * 1e-3).astype(np.float32)
    assert np.unique(small).size == 400
    assert db.cllr_min(data(small, labels)) == want


TABLE.refuses("15 NaN among the LRs", lambda: data([0, NAN, 1], [0, 1, 1]), InputError, "1 missing .* row 2")


@TABLE.row("16 one class, one trial")
def _() -> None:
    for counts in (
        db.Counts.from_classes([1, 2], [], scale="log10_lr"),
        db.Counts.from_classes([], [1], scale="log10_lr"),
    ):
        for metric in (db.cllr, db.cllr_min, db.cllr_cal, partial(db.empirical_cross_entropy, log10_odds=0)):
            with pytest.raises(SingleClassError, match="both classes"):
                metric(counts)


TABLE.refuses("17 no trials", lambda: data([], []), InputError, "no trials")


@TABLE.row("18 labels bool or float")
def _() -> None:
    for kind in (bool, float):
        assert data(SIX, np.array(SIX_Y, dtype=kind)) == data(SIX, SIX_Y)


@TABLE.row("19 labels text, −1 and 1, 1 and 2, NaN; lengths that differ")
def _() -> None:
    with pytest.raises(InputError, match="no label equals the target"):
        data([1, 2], ["x", "y"])
    assert db.Counts.from_arrays([1, 2], [-1, 1]).total_target == 1
    with pytest.raises(InputError, match="unknown label '2'"):
        data([1, 2], [1, 2])
    with pytest.raises(InputError, match=r"1 missing label \(row 2\)"):
        data([1, 2], [1, NAN])
    with pytest.raises(InputError, match="scores 3, labels 2"):
        data([1, 2, 3], [1, 0])


@TABLE.row("20 list, tuple, pandas")
def _() -> None:
    want = data(np.array(SIX), np.array(SIX_Y))
    for kind in (list, tuple, pd.Series):
        assert data(kind(SIX), kind(SIX_Y)) == want


@TABLE.row("21 masked array")
def _() -> None:
    masked = np.ma.MaskedArray([-1, 9, 1, 2], mask=[False, True, False, False])
    with pytest.raises(InputError, match="1 missing"):
        data(masked, [0, 0, 1, 1])
    want = db.cllr(data([-1, 1, 2], [0, 1, 1]))
    assert db.cllr(data(masked, [0, 0, 1, 1], missing="drop")) == want


TABLE.refuses("22 negative weights", lambda: data([0, 1], [0, 1], weight=[-1, 2]), InputError, ">= 0, found -1")


@PAV.row("01 PAV applied in a gap")
def _() -> None:
    calibration = db.IsotonicCalibrator().fit(data([-2, -1, 1, 2], [0, 0, 1, 1]))
    assert np.isnan(calibration.transform([0, 0.99])).all()
    with pytest.raises(UndefinedMetricError, match="nothing says") as caught:
        calibration.apply(data([0, 0.99], [0, 1]))
    assert caught.value.reason == "separated"
    assert calibration.transform([-1, 1]).tolist() == [-INF, INF]


PAV.refuses(
    "03 PAV with NaN in training", lambda: fit_isotonic([-1, NAN, 1], [0, 1, 1]), InputError, "1 missing .* row 2"
)


def fit_isotonic(llr: Any, y: Any) -> db.Calibration:
    return db.IsotonicCalibrator().fit(data(llr, y))


@PAV.row("06 logistic, separable data", "07 logistic without penalty, separable")
def _() -> None:
    separable = data([-2, -1, 1, 2], [0, 0, 1, 1], scale="score")
    with pytest.raises(UndefinedMetricError, match="parts targets and nontargets") as caught:
        db.LogisticCalibrator().fit(separable)
    assert caught.value.reason == "separated"
    assert db.LogisticCalibrator(penalty=1).fit(separable).training.separated


@PAV.row("08 logistic, negative slope")
def _() -> None:
    calibration = db.LogisticCalibrator().fit(data([3, 1, 2, 0], [0, 0, 1, 1], scale="score"))
    assert calibration.transform([-INF, INF]).tolist() == [INF, -INF]
    with pytest.raises(InputError, match="infinite"):
        db.LogisticCalibrator().fit(data([3, 1, 2, INF], [0, 0, 1, 1], scale="score"))


@PAV.row("09 logistic of NaN", "10 KDE of NaN")
def _() -> None:
    for calibrator in (db.LogisticCalibrator(), db.KDECalibrator()):
        with pytest.raises(InputError, match=r"2 missing .* rows 1, 3"):
            calibrator.fit(data(SIX, SIX_Y)).transform([NAN, 1, NAN, 2])


@PAV.row("11 KDE far outside")
def _() -> None:
    generator = np.random.default_rng(4)
    counts = db.Counts.from_classes(generator.normal(1, 1.2, 80), generator.normal(-1, 0.9, 100))
    calibration = db.BoundedCalibrator(db.KDECalibrator()).fit(counts)
    strongest = calibration.transform([-1000, -50, 50])
    assert calibration.bounds is not None
    assert np.abs(strongest).max() <= max(math.log(calibration.bounds.upper), -math.log(calibration.bounds.lower))
    assert not calibration.supported([-1000, -50, 50]).any()
    assert np.isfinite(db.KDECalibrator().fit(counts).transform([-1e300, -1000, 1e300])).all()


@PAV.row("12 four-parameter logistic, scaled scores")
def _() -> None:
    scores = np.array(SIX)
    want = db.LogisticCalibrator().fit(data(scores, SIX_Y, scale="score")).transform([0.3])
    scaled = db.LogisticCalibrator().fit(data(1000 * scores, SIX_Y, scale="score")).transform([300])
    assert scaled == pytest.approx(want, rel=1e-12)


PAV.wait("bootstrap", "13 bootstrap with an infinite score", "14 bootstrap of 2 + 2")
PAV.wait("LRs given with their own intervals", "15 an inverted interval is accepted")


@PAV.row("02 PAV of equal scores, 2 against 3")
def _() -> None:
    assert pool(data([7] * 5, [1, 1, 0, 0, 0])).ln_lr.tolist() == [0.0]


PAV.refuses("04 PAV of one class", lambda: pool(db.Counts.from_classes([1], [])), SingleClassError, "both classes")


@PAV.row("05 PAV with an infinite target and finite scores beyond")
def _() -> None:
    pooled = pool(data([0, 1, INF], [1, 0, 1]))
    assert pooled.low.tolist() == [0, INF]
    assert pooled.ln_lr.tolist() == [pytest.approx(math.log(0.5)), INF]


@PAV.row("16 probabilities 0 and 1; 1.2 and −0.1")
def _() -> None:
    counts = data([0.0, 1.0], [0, 1], scale="probability", prior=0.5)
    assert counts.ln_lr().tolist() == [-INF, INF]
    for wrong in (1.2, -0.1):
        with pytest.raises(InputError, match=r"\[0, 1\]"):
            data([0.5, wrong], [0, 1], scale="probability")


@PAV.row("17 float32 probability that rounds to 1")
def _() -> None:
    counts = data(np.array([0.5, 1 - 1e-8], dtype=np.float32), [0, 1], scale="probability", prior=0.5)
    assert counts.score.tolist() == [0.5, 1.0]
    assert counts.ln_lr()[1] == INF


@PAV.row("18 an LR from a probability needs its prior")
def _() -> None:
    with pytest.raises(ScaleError, match="prior"):
        db.cllr(data([0.2, 0.9], [0, 1], scale="probability"))
    counts = data([0.2, 0.9], [0, 1], scale="probability", prior=0.2)
    np.testing.assert_allclose(np.exp(counts.ln_lr()), [1, 36], rtol=1e-14)


def entropy(llr: Any, y: Any, odds: float = 0.0) -> float:
    return float(db.empirical_cross_entropy(data(llr, y), log10_odds=odds))


CURVES.gives("01 cross-entropy, nontarget at 15.9", lambda: entropy([0, 15.9], [1, 0]), 26.909328, 1e-7)


@CURVES.row("02 cross-entropy, nontarget at 16, 17, 20")
def _() -> None:
    for llr, want in ((16, 27.075), (17, 28.736), (20, 33.719)):
        assert entropy([0, llr], [1, 0]) == pytest.approx(want, abs=5e-4)
        assert entropy([0, llr], [1, 0]) == db.cllr(data([0, llr], [1, 0]))


@CURVES.row("03 cross-entropy at the priors 0 and 1", "04 the same with perfect infinite LRs")
def _() -> None:
    for odds in (-INF, INF):
        assert entropy(SIX, SIX_Y, odds) == 0
        assert entropy([-INF, INF], [0, 1], odds) == 0
        assert entropy([INF, -INF], [0, 1], odds) == 0
    assert entropy([-INF, INF], [0, 1], 0.0) == 0


@CURVES.row("05 cross-entropy: NaN, negative LRs, one class, labels as text")
def _() -> None:
    with pytest.raises(InputError):
        data([NAN, 1], [0, 1])
    with pytest.raises(InputError, match="at least 0"):
        data([-2, 1], [0, 1], scale="lr")
    with pytest.raises(SingleClassError):
        entropy_of_one_class()
    with pytest.raises(OptionError, match="NaN"):
        entropy(SIX, SIX_Y, NAN)


def entropy_of_one_class() -> float:
    return float(db.empirical_cross_entropy(db.Counts.from_classes([1], [], scale="lr"), log10_odds=0))


CURVES.gives("06 cross-entropy of lists", lambda: entropy(list(SIX), list(SIX_Y)), 0.9006847929, 1e-10)


@CURVES.row("07 cross-entropy: memory of priors × trials")
def _() -> None:
    generator = np.random.default_rng(1)
    many = db.Counts.from_classes(generator.normal(1, 2, 2_000), generator.normal(-1, 2, 20_000), scale="log10_lr")
    tracemalloc.start()
    db.empirical_cross_entropy_curve(many, log10_odds=np.linspace(-3, 3, 601))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # The dense matrix of 601 priors × 22 000 LRs takes 106 MB.
    assert peak < 20e6


@CURVES.row("08 Tippett with infinities", "09 Tippett of infinities only")
def _() -> None:
    curve = db.tippett(data([INF, 1, -INF, INF, 0], [1, 1, 1, 0, 0]))
    assert curve.log10_lr.tolist() == [-INF, 0, 1, INF]
    assert curve.target.tolist() == [1, 2 / 3, 2 / 3, 1 / 3]
    assert curve.nontarget.tolist() == [1, 1, 0.5, 0.5]
    only = db.tippett(data([INF, -INF], [1, 0]))
    assert (only.log10_lr.tolist(), only.target.tolist(), only.nontarget.tolist()) == ([-INF, INF], [1, 1], [1, 0])


CURVES.refuses("10 Tippett with NaN", lambda: db.tippett(data([NAN, 1], [0, 1])), InputError, "1 missing")
CURVES.refuses(
    "11 Tippett of one class",
    lambda: db.tippett(db.Counts.from_classes([1], [], scale="lr")),
    SingleClassError,
    "both classes",
)
CURVES.wait("plots", "12 PAV plot of infinities or NaN", "13 PAV plot at 400", "14 Bayes error plot with infinities")


@CURVES.row("15 ELUB of normal data", "18 ELUB rewrites its input")
def _() -> None:
    given = data([-40, -1, 0.5, 1, -0.5, 30], SIX_Y)
    copy = given.score.copy()
    db.BoundedCalibrator(db.IsotonicCalibrator()).fit(given)
    assert (given.score == copy).all()
    generator = np.random.default_rng(2)
    target, nontarget = generator.normal(1, 1, 300), np.append(generator.normal(-1, 1, 299), -40.0)
    before = nontarget.copy()
    found = db.elub(db.Counts.from_classes(target, nontarget, scale="log10_lr"))
    mirrored = db.elub(db.Counts.from_classes(-nontarget, -target, scale="log10_lr"))
    assert (found.lower, found.upper) == pytest.approx((1 / mirrored.upper, 1 / mirrored.lower), rel=1e-12)
    assert found.lower < 1 < found.upper
    assert (nontarget == before).all()


@CURVES.row("16 ELUB of one trial each")
def _() -> None:
    found = db.elub(data([2, -2], [1, 0]))
    assert (found.lower, found.upper) == (1, 1)


CURVES.refuses("17 ELUB of NaN", lambda: db.elub(data([NAN, 1], [0, 1])), InputError, "1 missing")


@CURVES.row("19 IV, all LLRs >= 0", "20 IV, all LLRs <= 0")
def _() -> None:
    positive = db.Counts.from_classes([5, 1], [0, 1, 2, 3, 4, 5, 5, 5, 5], scale="log10_lr")
    assert db.iv_bounds(positive).upper == 1
    negative = db.Counts.from_classes([0, -1, -2, -3, -4, -5, -5, -5, -5], [-5, -1], scale="log10_lr")
    assert db.iv_bounds(negative).lower == 1


CURVES.refuses("21 IV of NaN", lambda: db.iv_bounds(data([NAN, 1], [0, 1])), InputError, "1 missing")


@CURVES.row("22 IV, perfect separation")
def _() -> None:
    found = db.iv_bounds(db.Counts.from_classes([INF] * 50, [-INF] * 50, scale="log10_lr"))
    assert (found.lower, found.upper) == pytest.approx((1 / 101, 101), rel=1e-12)


@CURVES.row("23 devPAV of separable data", "24 devPAV, lower end not tested")
def _() -> None:
    with pytest.raises(UndefinedMetricError) as caught:
        db.devpav(data([0, 3, 4, 5], [0, 0, 1, 1]))
    assert caught.value.reason == "degenerate"
    assert db.devpav(db.Counts.from_classes([0, 1], [0.5, 2], scale="lr")) == INF


@CURVES.row("25 LR overestimation with infinities", "26 LR overestimation: two arrays, not one object")
def _() -> None:
    generator = np.random.default_rng(3)
    target, nontarget = generator.normal(0.5, 0.5, 100), generator.normal(-0.5, 0.5, 100)
    finite = db.lr_overestimation(db.Counts.from_classes(target, nontarget, scale="log10_lr"))
    counts = db.Counts.from_classes(np.append(target, INF), np.append(nontarget, -INF), scale="log10_lr")
    assert db.lr_overestimation(counts).claimed.tolist() == finite.claimed.tolist()
    assert np.isfinite(finite.discrepancy).all()


@pytest.mark.parametrize(
    ("table", "name"), [(table, name) for table in (TABLE, PAV, CURVES) for name in table.tests], ids=str
)
def test_row(table, name):
    table.tests[name]()


@pytest.mark.parametrize("table", [TABLE, PAV, CURVES], ids=str)
def test_no_row_is_dropped(table):
    table.check_complete()

"""Evaluate: what it takes, what it computes unasked and asked, priors, thresholds, costs, and what it refuses."""

import math
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import deciban as db
from deciban.errors import InputError, OptionError, ScaleError, SingleClassError
from deciban.tables.table import Table
from tests.shared_data import shared

SCORES, LABELS = [0.9, 0.6, 0.4, 0.8, 0.4, 0.1], [1, 1, 1, 0, 0, 0]
ALWAYS = ["baseline_accuracy", "majority_accuracy", "auc", "eer", "average_precision", "cllr_min"]
OF_LRS = [
    *("cllr", "cllr.target_half", "cllr.nontarget_half", "cllr_cal", "rmed", "rmep"),
    *("elub.lower", "elub.upper", "devpav"),
]
OF_PROBABILITIES = [
    *("brier", "log_loss", "calibration_error"),
    *("brier_corp.miscalibration", "brier_corp.discrimination", "brier_corp.uncertainty"),
]


def trials(scale="score", **options):
    return db.Trials.from_arrays(SCORES, LABELS, scale=scale, **options)


def test_toys():
    result = db.evaluate(trials(), thresholds=[0.6], interval="none")
    assert result["auc"].value == 13 / 18
    assert result["eer"].value == 1 / 3
    assert result["average_precision"].value == pytest.approx(34 / 45, rel=1e-15)
    assert result.thresholds[0].metrics["f1"].value == 2 / 3
    reversed_ = db.evaluate(db.Trials.from_arrays(np.negative(SCORES), LABELS), interval="none")
    assert reversed_["auc"].value == 5 / 18
    apart = db.evaluate(db.Trials.from_classes([103, 104], [101, 102]), thresholds=[2.5], interval="none")
    assert (apart["auc"].value, apart["eer"].value) == (1, 0)
    assert (apart.thresholds[0].tp, apart.thresholds[0].fp) == (2, 2)
    knows = db.evaluate(
        db.Trials.from_classes([math.inf] * 3, [0] * 4, scale="lr"),
        metrics=["empirical_cross_entropy:log10_odds=1"],
        interval="none",
    )
    assert knows["cllr"].value == 0
    assert knows["empirical_cross_entropy:log10_odds=1"].value == 0


def test_every_way_in_gives_the_same_figures():
    whole = trials()
    table = db.scan({"score": SCORES, "label": LABELS})
    frame = db.scan(pd.DataFrame({"score": SCORES, "label": LABELS}))
    counts = db.count(whole)
    parts = {"a": db.count(trials().select(slice(0, 3))), "b": db.count(trials().select(slice(3, 6)))}
    results = [db.evaluate(data, thresholds=[0.6], interval="none") for data in (whole, table, frame, counts, parts)]
    assert results[-1].metrics.pop("auc_within:by=group").reason == "single_class"
    for result in results[1:]:
        assert result.metrics == results[0].metrics
        assert result.thresholds == results[0].thresholds
        assert result.trials == results[0].trials
        assert result.curves == results[0].curves
    assert [group.by for group in results[-1].groups] == [{"group": "a"}, {"group": "b"}]
    assert results[-1].groups[0].metrics["auc"].reason == "single_class"
    assert results[1].provenance.columns["score"] == "score"
    assert results[0].provenance.columns == {"assumed": ["label 1 taken as target, 0 as nontarget"]}
    assert results[3].provenance.columns == {"assumed": []}


@pytest.mark.parametrize("data", [[1, 2], {}, {"a": 1}, None, "scores.csv", np.arange(3)])
def test_other_things_are_refused(data):
    with pytest.raises(InputError, match="expected Trials, Counts, a Table"):
        db.evaluate(data, interval="none")


def test_provenance_of_a_file(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("score,label\n" + "".join(f"{s},{y}\n" for s, y in zip(SCORES, LABELS, strict=True)))
    result = db.evaluate(db.scan(path), seed=7, interval="none")
    (file,) = result.provenance.inputs
    assert (file.path, file.rows, file.bytes) == (str(path), 6, path.stat().st_size)
    assert len(file.sha256) == 64
    assert result.provenance.seed == 7
    assert result.provenance.engine == "numpy"
    assert set(result.provenance.versions) == {"deciban", "python", "numpy"}
    assert db.evaluate(db.scan(path), seed=7, interval="none").to_json() == result.to_json()


def test_rows_in_any_order_give_the_same_figures():
    generator = np.random.default_rng(3)
    scores, labels = generator.normal(size=200).round(1), np.arange(200) % 2
    order = generator.permutation(200)
    one = db.evaluate(db.Trials.from_arrays(scores, labels, scale="ln_lr"), metrics=["eer:all"], interval="none")
    other = db.evaluate(
        db.Trials.from_arrays(scores[order], labels[order], scale="ln_lr"), metrics=["eer:all"], interval="none"
    )
    # Findings name rows, which differ; nothing else may.
    assert replace(one, findings=()).to_json() == replace(other, findings=()).to_json()


@pytest.mark.parametrize(
    ("scale", "prior", "expected", "threshold"),
    [
        ("score", None, [], None),
        ("probability", None, OF_PROBABILITIES, 0.5),
        ("probability", 0.3, OF_PROBABILITIES + OF_LRS, 0.5),
        ("lr", None, OF_PROBABILITIES + OF_LRS, 1.0),
        ("ln_lr", None, OF_PROBABILITIES + OF_LRS, 0.0),
        ("deciban", None, OF_PROBABILITIES + OF_LRS, 0.0),
    ],
)
def test_the_scale_decides_what_is_shown(scale, prior, expected, threshold):
    result = db.evaluate(trials(scale, prior=prior), interval="none")
    shown = [key for key in result.metrics if ":" not in key]
    assert set(shown) == {*ALWAYS, *expected}
    assert [(row.threshold, row.origin) for row in result.thresholds] == (
        [] if threshold is None else [(threshold, "default")]
    )


def test_thresholds():
    result = db.evaluate(trials("probability"), thresholds=[0.6, 0.3, 0.6, math.inf, -math.inf], interval="none")
    assert [row.threshold for row in result.thresholds] == [0.6, 0.3, math.inf, -math.inf]
    assert {row.origin for row in result.thresholds} == {"given"}
    assert [(row.tp, row.fp) for row in result.thresholds] == [(2, 1), (3, 2), (0, 0), (3, 3)]
    assert result.thresholds[2].metrics["precision"].reason == "undefined_ratio"
    with pytest.raises(OptionError, match="threshold: expected a number"):
        db.evaluate(trials(), thresholds=[math.nan], interval="none")


@pytest.mark.parametrize(
    ("scale", "prior", "p_target", "value", "origin"),
    [
        ("ln_lr", None, None, 0.5, "data"),
        ("ln_lr", None, 0.2, 0.2, "given"),
        ("probability", None, None, None, None),
        ("probability", 0.3, None, None, None),
        ("probability", 0.3, 0.2, 0.2, "given"),
        ("score", None, None, None, None),
    ],
)
def test_prior_of_posteriors(scale, prior, p_target, value, origin):
    result = db.evaluate(trials(scale, prior=prior), p_target=p_target, interval="none")
    assert (result.trials.p_target, result.trials.p_target_origin) == (value, origin)
    assert all(figure.reason is None for figure in result.metrics.values())


def test_prior_reaches_the_figures():
    by_hand = np.mean([(1 / (1 + 4 * math.exp(-s)) - y) ** 2 for s, y in zip(SCORES, LABELS, strict=True)])
    assert db.evaluate(trials("ln_lr"), p_target=0.2, interval="none")["brier"].value == pytest.approx(
        by_hand, rel=1e-12
    )
    same = db.evaluate(trials("probability", prior=0.3), p_target=0.3, interval="none")["brier"].value
    assert same == db.evaluate(trials("probability"), interval="none")["brier"].value


def test_prior_that_cannot_be_used():
    with pytest.raises(OptionError, match="raw scores have no posteriors"):
        db.evaluate(trials(), p_target=0.3, interval="none")
    with pytest.raises(OptionError, match="the one they were made under is known"):
        db.evaluate(trials("probability"), p_target=0.3, interval="none")
    with pytest.raises(ScaleError, match=r"brier:p_target=0\.3: probabilities"):
        db.evaluate(trials("probability"), metrics=["brier:p_target=0.3"], interval="none")
    for bad in (0, 1, -0.1, math.nan):
        with pytest.raises(OptionError, match="strictly between 0 and 1"):
            db.evaluate(trials("ln_lr"), p_target=bad, interval="none")


def test_costs():
    result = db.evaluate(trials("ln_lr"), costs=["preset=voxsrc", "p_target=0.5,c_miss=10,c_fa=1"], interval="none")
    keys = [key for key in result.metrics if "dcf" in key]
    assert keys == [
        *("min_dcf:preset=voxsrc", "act_dcf:preset=voxsrc"),
        *("min_dcf:c_fa=1,c_miss=10,p_target=0.5", "act_dcf:c_fa=1,c_miss=10,p_target=0.5"),
    ]
    # Accepting at ln LR >= ln(1/10) accepts all: Cfa·(1 − π) over the cheaper of (Cmiss·π, Cfa·(1 − π)).
    assert result["act_dcf:c_fa=1,c_miss=10,p_target=0.5"].value == 1
    raw = db.evaluate(trials(), costs=["preset=voxsrc"], interval="none")
    assert [key for key in raw.metrics if "dcf" in key] == ["min_dcf:preset=voxsrc"]
    assert not [key for key in db.evaluate(trials("ln_lr"), interval="none").metrics if "dcf" in key]


def test_costs_of_a_published_file():
    data = db.read_trials(shared("data/ru2009.csv.gz"), label="target", target=True, score="score", scale="ln_lr")
    result = db.evaluate(
        data, costs=["p_target=0.01,c_miss=10,c_fa=1"], metrics=["act_dcf:preset=voxsrc"], interval="none"
    )
    assert result["act_dcf:p_target=0.01,c_miss=10,c_fa=1"].value == pytest.approx(0.35877871754524004, rel=1e-12)
    assert result["min_dcf:p_target=0.01,c_miss=10,c_fa=1"].value == pytest.approx(0.34593062385260914, rel=1e-12)


@pytest.mark.parametrize(
    ("scale", "metric", "message"),
    [
        ("score", "cllr", "cllr needs likelihood ratios"),
        ("score", "act_dcf:preset=voxsrc", "act_dcf needs likelihood ratios"),
        ("score", "brier", "brier needs probabilities or likelihood ratios"),
        ("probability", "cllr", r"pass prior= \(--prior\)"),
        ("probability", "rmep:k=10", r"pass prior= \(--prior\)"),
    ],
)
def test_what_the_scale_does_not_allow(scale, metric, message):
    with pytest.raises(ScaleError, match=message):
        db.evaluate(trials(scale), metrics=[metric], interval="none")


def test_figures_asked_for():
    result = db.evaluate(
        trials(),
        metrics=["eer:all", "eer", "p_miss_at:p_fa=0.34", "eer_fvc", "f_beta:beta=2,threshold=0.6"],
        interval="none",
    )
    eers = [key for key in result.metrics if key.startswith("eer:") or key == "eer"]
    assert eers[0] == "eer"
    assert set(eers[1:]) == {
        f"eer:method={name}"
        for name in ("interpolated", "nearest-first", "nearest-last", "nearest-max", "fvc", "asvspoof", "nist")
    }
    assert all(result[key].value == pytest.approx(1 / 3) for key in eers)
    assert result["p_miss_at:p_fa=0.34"].value == 1 / 3
    assert {"eer_fvc.low", "eer_fvc.high", "eer_fvc.mean"} <= set(result.metrics)
    assert result["f_beta:beta=2,threshold=0.6"].value == 2 / 3


@pytest.mark.parametrize("name", ["ece", "ECE", "ece:n_bins=5"])
def test_ece_names_two_things(name):
    with pytest.raises(OptionError, match=r"empirical_cross_entropy .* calibration_error"):
        db.evaluate(trials("probability"), metrics=[name], interval="none")


def test_a_name_mistyped_is_told_before_anything_is_read():
    class Unreadable(Table):
        def trials(self):
            raise RuntimeError("read")

    table = db.scan({"score": SCORES, "label": LABELS})
    table.__class__ = Unreadable
    with pytest.raises(OptionError, match="no metric 'acu'"):
        db.evaluate(table, metrics=["acu"], interval="none")


@pytest.mark.parametrize("scores", [[4, 3, 1, 2], [3, 4, 1, 2], [3, 3, 1, 3]])
def test_reversed_scores_show_the_interpolated_eer_beside(scores):
    below = db.evaluate(db.Trials.from_arrays(scores, [0, 0, 1, 1]), interval="none")
    assert below["auc"].value < 0.5
    assert below["eer"].value <= 0.5
    assert below["eer:method=interpolated"].value > 0.5
    above = db.evaluate(db.Trials.from_arrays(scores, [1, 1, 0, 0]), interval="none")
    assert "eer:method=interpolated" not in above


def test_one_class_raises():
    with pytest.raises(SingleClassError, match="found 2 targets and 0 nontargets; say which label is the target"):
        db.evaluate(db.Trials.from_arrays([1, 2], [1, 1]), interval="none")
    with pytest.raises(SingleClassError, match="found 0 targets and 1 nontarget"):
        db.evaluate(db.Counts.from_classes([], [1]), interval="none")


def test_undefined_figures_are_null_with_a_reason():
    result = db.evaluate(db.Trials.from_classes([-math.inf, 2], [1, 3], scale="ln_lr"), thresholds=[9], interval="none")
    assert result["cllr"].value == math.inf
    assert result["cllr_cal"].value == math.inf
    row = result.thresholds[0]
    assert (row.tp, row.fp) == (0, 0)
    assert row.metrics["precision"].value is None
    assert row.metrics["precision"].reason == "undefined_ratio"
    assert row.metrics["recall"].value == 0


def test_exact():
    result = db.evaluate(trials(), thresholds=[0.6], exact=True, interval="none")
    assert result["auc"].exact == "13/18"
    assert result["cllr_min"].exact is None
    assert result.thresholds[0].metrics["f1"].exact == "2/3"
    assert db.evaluate(trials(), interval="none")["auc"].exact is None
    weighted = db.evaluate(trials(weight=[1, 2, 1, 1, 1, 1]), exact=True, thresholds=[0.6], interval="none")
    assert weighted["auc"].exact is None
    assert weighted["auc"].value is not None


def test_weights_are_repetition():
    weighted = db.evaluate(trials(weight=[2, 1, 3, 1, 2, 0]), thresholds=[0.6], interval="none")
    repeated = db.evaluate(
        db.Trials.from_arrays(np.repeat(SCORES, [2, 1, 3, 1, 2, 0]), np.repeat(LABELS, [2, 1, 3, 1, 2, 0])),
        thresholds=[0.6],
        interval="none",
    )
    assert weighted.trials.weighted
    assert weighted.trials.n == 9
    for key, figure in repeated.metrics.items():
        assert weighted[key].value == pytest.approx(figure.value, rel=1e-12)
    assert (weighted.thresholds[0].tp, weighted.thresholds[0].fp) == (3, 1)
    assert re.search(r"^trials +9 \(sum of weights\)$", str(weighted), re.MULTILINE)


def test_missing_scores():
    scores = [*SCORES, math.nan, math.nan, math.nan]
    labels = [*LABELS, 1, 0, 0]
    dropped = db.evaluate(db.Trials.from_arrays(scores, labels, missing="drop"), interval="none")
    assert (dropped.trials.n, dropped.trials.dropped, dropped["auc"].value) == (6, 3, 13 / 18)
    rejected = db.evaluate(db.Trials.from_arrays(scores, labels, missing="reject"), thresholds=[0.1], interval="none")
    assert (rejected.trials.n, rejected.trials.dropped) == (9, 0)
    assert rejected.trials.failed == {"target": 1, "nontarget": 2}
    assert (rejected.thresholds[0].fn, rejected.thresholds[0].tn) == (1, 2)
    with pytest.raises(InputError, match="3 missing"):
        db.evaluate(db.Trials.from_arrays(scores, labels), interval="none")


def test_published_file_with_missing_scores():
    data = np.loadtxt(shared("data/bob_dev1_with_nan.txt"))
    result = db.evaluate(
        db.Trials.from_arrays(data[:, 1], data[:, 0], scale="ln_lr", missing="drop"),
        metrics=["eer:all"],
        interval="none",
    )
    assert (result.trials.n_target, result.trials.n_nontarget, result.trials.dropped) == (451, 495, 54)
    for key, value in {
        "eer": 0.0615788706,
        "eer:method=interpolated": 0.0620842572,
        "cllr": 0.7354675473,
        "cllr_min": 0.3182850400,
    }.items():
        assert result[key].value == pytest.approx(value, abs=1e-10)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"interval": "exact"}, "interval: expected one of auto, closed, bootstrap, none"),
        ({"level": 1}, "level: expected"),
        ({"level": math.nan}, "level: expected"),
        ({"replicates": 0}, "replicates: expected at least 1"),
        ({"seed": -1}, "seed: expected"),
    ],
)
def test_illegal_options(options, message):
    with pytest.raises(OptionError, match=message):
        db.evaluate(trials(), **options)


def test_inputs_are_left_alone():
    data = trials()
    before = data.score.copy()
    db.evaluate(data, metrics=["eer:all"], interval="none")
    assert (data.score == before).all()
    counts = db.count(data)
    sha = counts.sha256()
    db.evaluate(counts, interval="none")
    assert counts.sha256() == sha

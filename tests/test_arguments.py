"""What people pass by mistake: one clear error each, or what they evidently meant; never a bare Python error."""

import inspect
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import deciban
from deciban.errors import DecibanError, InputError, OptionError
from deciban.metrics.catalogue import METRICS

db: Any = deciban  # what is passed here is wrong on purpose, or stands for what type checkers do not see
SCORES, LABELS = [0.9, 0.6, 0.4, 0.8, 0.4, 0.1], [1, 1, 1, 0, 0, 0]
TRIALS = db.Trials.from_arrays(SCORES, LABELS, conditions={"g": list("ababab")})
PROBABILITIES = db.Trials.from_arrays(SCORES, LABELS, scale="probability")
COUNTS = db.count(TRIALS)


def takes_counts(function):
    parameters = list(inspect.signature(function).parameters.values())
    return bool(parameters) and parameters[0].name == "counts" and parameters[0].annotation != "TandemCounts"


OF_COUNTS = {
    name: getattr(db, name)
    for name in dir(db)
    if name.islower() and callable(getattr(db, name)) and not inspect.isclass(getattr(db, name))
}
OF_COUNTS = {name: function for name, function in OF_COUNTS.items() if takes_counts(function)}


def test_the_functions_of_counts_are_found():
    assert {metric.__name__ for metric in METRICS} < set(OF_COUNTS)
    assert {"roc", "confusion", "pair_counts", "tippett", "auc_interval", "equal_error"} < set(OF_COUNTS)


@pytest.mark.parametrize("name", OF_COUNTS)
def test_something_else_than_counts(name):
    function = OF_COUNTS[name]
    for call, message in (
        (lambda: function(TRIALS), "found Trials: use deciban.count(trials)"),
        (lambda: function(counts=TRIALS), "found Trials: use deciban.count(trials)"),
        (lambda: function(SCORES), "found a list: for scores and labels use deciban.Counts.from_arrays"),
        (lambda: function(LABELS, SCORES), "deciban.Counts.from_arrays(scores, labels)"),
        (lambda: function(np.array(LABELS), np.array(SCORES), None), "deciban.Counts.from_arrays(scores, labels)"),
        (lambda: function(db.scan({"score": SCORES, "label": LABELS})), "found Table: use deciban.count(table)"),
        (lambda: function(pd.DataFrame({"a": SCORES})), "use deciban.count(deciban.scan(…))"),
        (lambda: function({"a": COUNTS, "b": COUNTS}), "use one of them, or all of them with deciban.merge(*parts)"),
        (lambda: function(None), "found None"),
    ):
        with pytest.raises(InputError) as caught:
            call()
        assert message in str(caught.value)
        assert "expected Counts, found " in str(caught.value)


BAD_CALLS = {
    "merge of a list": (lambda: db.merge([COUNTS, COUNTS]), "found a list: use deciban.merge(*parts)"),
    "option without name": (lambda: db.auc(COUNTS, True), "give options by name after the counts"),
    "count an array": (lambda: db.count(np.array(SCORES)), "found ndarray: for scores and labels use deciban.Trials"),
    "count counts": (lambda: db.count(COUNTS), "they are counted already"),
    "count by 1": (lambda: db.count(TRIALS, by=1), "by: expected the name of a condition column, found 1"),
    "choose on a list": (lambda: db.choose_threshold(SCORES, "eer", interval="none"), "found list"),
    "choose by a function": (lambda: db.choose_threshold(COUNTS, db.eer, interval="none"), "found the function eer"),
    "within counts": (lambda: db.auc_within(COUNTS), "expected Counts by the name of their group"),
    "within trials": (lambda: db.auc_within({"a": TRIALS}), "use deciban.count(trials)"),
    "thin counts": (lambda: db.thin(COUNTS), "expected a curve such as deciban.roc(counts), found Counts"),
    "thin to text": (lambda: db.thin(db.roc(COUNTS), "x"), "limit: expected at least 3 points, found 'x'"),
    "exact text": (lambda: db.auc(COUNTS, exact="no"), "exact: expected True or False, found 'no'"),
    "threshold text": (lambda: db.confusion(COUNTS, threshold="a"), "found 'a'"),
    "threshold none": (lambda: db.confusion(COUNTS, threshold=None), "found None"),
    "threshold huge": (lambda: db.f1(COUNTS, threshold=10**400), "found one beyond what float64 holds"),
    "result[None]": (
        lambda: db.evaluate(TRIALS, interval="none")[None],
        "expected an expression such as 'auc', found None",
    ),
    "record of None": (lambda: db.Evaluation.from_json(None), "expected the text of a record, found NoneType"),
    "threshold of None": (lambda: db.ChosenThreshold.from_json(None), "expected the text of a record"),
    "curve of None": (lambda: db.Roc.from_json(None), "expected the text of a record"),
    "curve of a function": (lambda: db.threshold_curve(COUNTS, db.auc), "found the function auc"),
    "counts of text": (lambda: db.Counts(["a", "b"], [1, 0], [0, 1]), "score: expected numbers, found text"),
    "planning": (lambda: db.zero_error_bound("x"), "n: expected at least one trial, found 'x'"),
    "verbal": (lambda: db.verbal_step(10, None), "no verbal scale None"),
    "bins": (lambda: db.reliability(db.count(PROBABILITIES), n_bins=1.5), "n_bins: expected at least 1, found 1.5"),
    "sigma": (lambda: db.bigaussian_figures("x"), "sigma: expected a finite number above 0, found 'x'"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_CALLS)
def test_one_clear_error(name):
    call, message = BAD_CALLS[name]
    with pytest.raises(DecibanError) as caught:
        call()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


CHOSEN = db.choose_threshold(COUNTS, "youden", interval="none")


@pytest.mark.parametrize(
    "given",
    [
        0.6,
        np.float32(0.5),
        np.array([0.6]),
        np.array(0.6),
        pd.Series([0.6], index=[3]),
        pl.Series([0.6]),
        (0.6,),
        CHOSEN,
    ],
    ids=lambda value: type(value).__name__,
)
def test_thresholds_in_every_form(given):
    result = db.evaluate(TRIALS, thresholds=given, interval="none")
    assert len(result.thresholds) == 1
    assert db.Evaluation.from_json(result.to_json()).thresholds == result.thresholds


def test_one_text_is_one_and_none_is_none():
    result = db.evaluate(
        TRIALS, metrics="eer:method=interpolated", costs="preset=voxsrc", by="g", thresholds=None, interval="none"
    )
    assert "eer:method=interpolated" in result
    assert "min_dcf:preset=voxsrc" in result
    assert len(result.groups) == 2
    assert result.provenance.options["metrics"] == ["eer:method=interpolated"]
    nothing = db.evaluate(TRIALS, metrics=None, costs=None, by=None, interval="none")
    assert nothing.to_json() == db.evaluate(TRIALS, interval="none").to_json()
    assert None not in nothing


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"thresholds": "0.5"}, "thresholds: expected numbers, found the text '0.5'"),
        ({"thresholds": ["0.5"]}, "threshold: expected a number in the unit of the scores, found '0.5'"),
        ({"thresholds": [0.5, None]}, "found None"),
        ({"thresholds": [True]}, "found True"),
        ({"thresholds": np.array([[0.5]])}, "found array"),
        ({"metrics": [db.auc]}, "metrics: expected texts such as 'eer:all', found the function auc"),
        ({"metrics": db.auc}, "found the function auc (write its name in quotes)"),
        ({"metrics": 3}, "metrics: expected texts such as 'eer:all', found 3"),
        ({"costs": [1]}, "costs: expected texts such as 'preset=voxsrc', found 1"),
        ({"by": 1}, "by: expected texts such as 'channel', found 1"),
        ({"p_target": "x"}, "p_target: expected a probability strictly between 0 and 1, found 'x'"),
        ({"level": "x"}, "level: expected a confidence level strictly between 0 and 1, found 'x'"),
        ({"replicates": "x"}, "replicates: expected at least 1 replicate, found 'x'"),
        ({"replicates": 1.5}, "found 1.5"),
        ({"replicates": True}, "found True"),
        ({"seed": None}, "seed: expected a whole number >= 0, found None"),
        ({"seed": np.random.default_rng(1)}, "seed: expected a whole number >= 0, found Generator"),
        ({"interval": None}, "interval: expected one of auto, closed, bootstrap, none, found None"),
        ({"exact": "no"}, "exact: expected True or False, found 'no'"),
        ({"proportion": None}, "proportion: None is unknown; known: wilson"),
        ({"auc_interval": "x"}, "auc_interval: 'x' is unknown; known: delong-logit"),
    ],
)
def test_options_of_an_evaluation(options, message):
    with pytest.raises(OptionError) as caught:
        db.evaluate(PROBABILITIES, **options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ((x for x in SCORES), {}, "scores: expected a list, an array or a column of a dataframe, found a generator"),
        (set(range(6)), {}, "found a set"),
        ({"a": 1}, {}, "found a dict"),
        ({"a": 1}.values(), {}, "found a dict_values"),
        (5, {}, "found a single value (int)"),
        (pl.Series([[1]] * 6), {}, "scores: expected numbers, found array([1])"),
        ([10**400, *SCORES[1:]], {}, "(which float64 cannot hold) at row 1"),
        ([10**5000, *SCORES[1:]], {}, "found a number of thousands of digits (which float64 cannot hold) at row 1"),
        (pd.Series(pd.to_timedelta(range(6), unit="D")), {}, "make them numbers of one unit first"),
        (SCORES, {"weight": ["1"] * 6}, "trials: weight: expected numbers, found text such as '1'"),
        (SCORES, {"weight": [0, "x", 0, 0, 0, 0]}, "trials: weight: expected numbers, found 'x' at row 2"),
        (SCORES, {"swap": "no"}, "swap: expected True or False, found 'no'"),
        (SCORES, {"conditions": "g"}, "conditions: expected columns by name, as in {'channel': column}, found str"),
        (SCORES, {"prior": 0.5}, "prior: what probabilities were made under means nothing for scores of scale 'score'"),
        (SCORES, {"prior": 0.5, "scale": "lr"}, "the one at which they become posteriors is p_target= (--p-target)"),
        (SCORES, {"prior": "x", "scale": "probability"}, "prior: expected a probability strictly between 0 and 1"),
        (SCORES, {"scale": ["lr"]}, "scale: expected one of score"),
        (SCORES, {"higher": None}, "higher: expected one of target, nontarget, found None"),
    ],
)
def test_columns_and_their_options(scores, options, message):
    with pytest.raises(DecibanError) as caught:
        db.Trials.from_arrays(scores, LABELS, **options)
    assert message in str(caught.value)
    assert "problems" not in str(caught.value)


def test_labels_that_are_no_labels():
    with pytest.raises(
        InputError, match=r"expected one label per trial, found several in one \(ndarray\) at rows 1, 2"
    ):
        db.Trials.from_arrays([1, 2], pl.Series([[1], [2]]), target=1)
    with pytest.raises(InputError, match="labels: found a whole number beyond what float64 holds"):
        db.Trials.from_arrays([1, 2], [10**400, 0], target=0)


def test_a_prior_of_counts_and_tables():
    with pytest.raises(OptionError, match="means nothing for scores of scale 'ln_lr'"):
        db.Counts([1, 2], [1, 0], [0, 1], scale="ln_lr", prior=0.3)
    with pytest.raises(OptionError, match="means nothing for scores of scale 'log10_lr'"):
        db.scan({"log10_lr": [1.0], "label": [1]}, prior=0.3)


@pytest.mark.parametrize("zero", [0, np.int64(0), "0"])
def test_columns_called_by_a_number(zero):
    frame = pd.DataFrame({0: [0.1, 0.2, 0.3], 1: [1, 0, 1], 2: [1.0, 1.0, 2.0]})
    trials = db.scan(frame, score=zero, label=1, weight=2).trials()
    assert (trials.score.tolist(), trials.weight.tolist()) == ([0.1, 0.2, 0.3], [1, 1, 2])
    with pytest.raises(InputError, match="no score column '7'"):
        db.scan(frame, score=7, label=1)
    for wrong, found in ((1.5, "1.5"), (True, "True"), ([0], "a list"), (frame[0], "a Series")):
        with pytest.raises(OptionError, match=f"score: expected the name of a column, found {found}"):
            db.scan(frame, score=wrong, label=1)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([Decimal("0.1"), Decimal("0.5"), Decimal("0.10000000000000000001")], r"\(rows 1 and 3\)"),
        ([Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**30), Fraction(1, 2)], r"\(rows 1 and 2\)"),
        ([Fraction(1, 3), Decimal(1) / 3, 0.5], r"\(rows 1 and 2\)"),
        ([0.1, Decimal("0.1"), 0.5], r"\(rows 1 and 2\)"),
        ([Decimal("1e400"), 1, 2], r"Decimal\('1E\+400'\) \(which float64 cannot hold\) at row 1"),
        ([Decimal("1e-400"), 1, 2], r"which float64 cannot hold\) at row 1"),
        ([Decimal("sNaN"), 1, 2], r"which float64 cannot hold\) at row 1"),
        ([Fraction(10**400), 1, 2], r"which float64 cannot hold\) at row 1"),
        ([2**53 + 1, 1.5, Decimal(2)], "found 9007199254740993 .* at row 1"),
    ],
)
def test_decimals_and_fractions_that_would_merge(scores, message):
    with pytest.raises(InputError, match=message):
        db.Trials.from_arrays(scores, [1, 0, 1])


def test_decimals_and_fractions_that_stay_apart():
    scores = [Decimal("0.1"), Decimal("0.10"), Fraction(1, 3), Decimal("Infinity"), Decimal("-0"), 0]
    trials = db.Trials.from_arrays(scores, [1, 0, 1, 0, 1, 0])
    assert trials.score.tolist() == [0.1, 0.1, 1 / 3, np.inf, 0.0, 0.0]
    assert len(db.Trials.from_arrays([Decimal("NaN"), None, Decimal(1), 2], [1, 0, 1, 0], missing="drop")) == 2


def test_the_package_lists_its_names():
    assert {"evaluate", "Counts", "auc", "f_beta", "roc"} < set(dir(db))
    assert set(db.__all__) == {*db._HOME, *(metric.__name__ for metric in METRICS)}
    names: dict[str, object] = {}
    exec("from deciban import *", names)
    assert set(db.__all__) <= set(names)
    assert names["auc"] is db.auc

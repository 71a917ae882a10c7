"""The estimator and the scorers under scikit-learn's own checks, and beside what the library gives."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer, roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import deciban as db
from deciban.errors import InputError, MissingExtraError, OptionError, ScaleError, UndefinedMetricError
from deciban.sklearn import CalibratedScorer, scorer


def data(n=200, seed=0):
    generator = np.random.default_rng(seed)
    labels = np.arange(n) % 4 == 0
    return generator.normal(np.where(labels, 1.0, -1.0), 1.3)[:, None], labels


class FirstColumn(CalibratedScorer):
    """Takes the first of several columns, so that checks whose data have several reach everything else."""

    @staticmethod
    def _one_column(scores):
        pass


TOO_HARD = {"check_classifiers_train": "it asks for more correct answers than the first column of its data can give"}


def failed_checks(estimator):
    results = check_estimator(estimator, on_fail=None, on_skip=None)
    assert sum(result["status"] == "passed" for result in results) > 20
    return {result["check_name"]: str(result["exception"]) for result in results if result["status"] == "failed"}


def test_estimator_checks():
    assert set(failed_checks(FirstColumn(db.LogisticCalibrator(penalty=0.1)))) == set(TOO_HARD)


def test_estimator_checks_fail_only_where_there_are_several_columns():
    failed = failed_checks(CalibratedScorer(db.LogisticCalibrator(penalty=0.1)))
    other = {name: said for name, said in failed.items() if "expected one column" not in said}
    # These report a failure in words of their own.
    assert set(other) <= {
        "check_classifiers_one_label_sample_weights",
        "check_positive_only_tag_during_fit",
        "check_sample_weights_pandas_series",
    }


def test_posteriors_of_calibrated_lrs():
    x, y = data()
    estimator = CalibratedScorer().fit(x, y)
    calibration = db.LogisticCalibrator().fit(db.Trials.from_arrays(x[:, 0], y))
    assert estimator.calibration_ == calibration
    ln_lr = calibration.transform(x[:, 0])
    assert estimator.ln_lr(x).tolist() == ln_lr.tolist()
    odds = np.exp(ln_lr) * (0.25 / 0.75)
    assert estimator.p_target_ == 0.25
    assert estimator.predict_proba(x)[:, 1] == pytest.approx(odds / (1 + odds), rel=1e-12)
    assert estimator.predict_proba(x).sum(axis=1) == pytest.approx(1.0)
    assert (estimator.predict(x) == (odds > 1)).all()
    even = CalibratedScorer(p_target=0.5).fit(x, y)
    assert even.decision_function(x).tolist() == ln_lr.tolist()


def test_weights_and_classes_of_any_name():
    x, y = data()
    weight = np.random.default_rng(1).integers(0, 3, y.size)
    weighted = CalibratedScorer().fit(x, np.where(y, "same", "other"), sample_weight=weight)
    repeated = CalibratedScorer().fit(np.repeat(x, weight, axis=0), np.repeat(y, weight))
    assert weighted.classes_.tolist() == ["other", "same"]
    assert weighted.ln_lr(x) == pytest.approx(repeated.ln_lr(x), rel=1e-9)
    assert weighted.p_target_ == pytest.approx(repeated.p_target_)


@pytest.mark.parametrize("calibrator", [db.GaussianCalibrator(), db.BoundedCalibrator(db.KDECalibrator()), None])
def test_clones_and_grids(calibrator):
    x, y = data()
    estimator = CalibratedScorer(calibrator)
    assert clone(estimator).get_params()["calibrator"] == calibrator
    assert copy.deepcopy(estimator.fit(x, y)).ln_lr(x).tolist() == estimator.ln_lr(x).tolist()
    grid = GridSearchCV(
        estimator, {"calibrator": [db.GaussianCalibrator(), db.LogisticCalibrator()]}, scoring=scorer("cllr")
    )
    grid.fit(x, y)
    assert -1 < grid.best_score_ < 0


def test_what_cannot_be_calibrated():
    x, y = data()
    with pytest.raises(ValueError, match="expected one column of scores, found 2"):
        CalibratedScorer().fit(np.column_stack([x, x]), y)
    with pytest.raises(ValueError, match="two classes, found 1 class"):
        CalibratedScorer().fit(x, np.ones(200))
    with pytest.raises(ValueError, match="found 3 classes"):
        CalibratedScorer().fit(x, np.arange(200) % 3)
    with pytest.raises(UndefinedMetricError, match="parts targets"):
        CalibratedScorer().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(InputError, match=r"\[0, 1\]"):
        CalibratedScorer(scale="probability").fit(x, y)
    with pytest.raises(OptionError, match="p_target"):
        CalibratedScorer(p_target=2.0).fit(x, y)


def test_scores_are_those_of_the_library():
    x, y = data()
    estimator = CalibratedScorer().fit(x, y)
    counts = db.Counts.from_arrays(estimator.ln_lr(x), y, scale="ln_lr")
    assert scorer("auc")(estimator, x, y) == db.auc(counts)
    assert scorer("cllr")(estimator, x, y) == -db.cllr(counts)
    assert scorer("eer:method=interpolated")(estimator, x, y) == -db.eer(counts, method="interpolated")
    posterior = db.Counts.from_arrays(estimator.predict_proba(x)[:, 1], y, scale="probability")
    assert scorer("brier")(estimator, x, y) == -db.brier(posterior)
    weight = np.arange(200) % 3
    repeated = db.Counts.from_arrays(np.repeat(estimator.ln_lr(x), weight), np.repeat(y, weight), scale="ln_lr")
    assert scorer("cllr")(estimator, x, y, sample_weight=weight) == pytest.approx(-db.cllr(repeated))


def test_other_estimators():
    x, y = data()
    found = cross_val_score(LogisticRegression(), x, y, scoring=scorer("auc"))
    assert found == pytest.approx(cross_val_score(LogisticRegression(), x, y, scoring="roc_auc"))
    assert make_scorer(roc_auc_score) is not None
    fitted = LogisticRegression().fit(x, y)
    with pytest.raises(ScaleError, match="say prior="):
        scorer("cllr")(fitted, x, y)
    assert scorer("cllr", prior=0.25)(fitted, x, y) > -1


def test_figures_that_rank_nothing_are_refused():
    for expression, said in (
        ("eer:all", "one figure"),
        ("elub", "name a part: elub.lower, elub.upper"),
        ("elub.upper", "neither larger nor smaller"),
        ("no_such", "unknown|no metric"),
    ):
        with pytest.raises(OptionError, match=said):
            scorer(expression)
    with pytest.raises(OptionError, match="two classes, found 3"):
        scorer("auc")(LogisticRegression().fit([[0], [1], [2]], [0, 1, 2]), [[0]], [0])


def test_without_scikit_learn_the_error_says_what_to_install():
    code = "import sys; sys.modules['sklearn'] = None\nimport deciban.sklearn"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'deciban[sklearn]'" in done.stderr
    assert MissingExtraError.__name__ in done.stderr


@pytest.mark.parametrize("one", [scorer("cllr"), scorer("eer:method=interpolated"), scorer("brier", prior=0.5)])
def test_a_scorer_is_text_that_goes_anywhere(one):
    again = pickle.loads(pickle.dumps(one))
    assert again == one
    assert hash(again) == hash(one)
    x, y = data()
    estimator = CalibratedScorer().fit(x, y)
    assert again(estimator, x, y) == one(estimator, x, y)
    assert eval(repr(one), {"scorer": scorer}) == one
    assert len(repr(one)) < 50


def test_pipelines_and_searches_end_in_a_calibrator():
    x, y = data()
    scaled = make_pipeline(StandardScaler(), CalibratedScorer()).fit(x, y)
    expected = scorer("cllr")(CalibratedScorer().fit(x, y), x, y)
    assert scorer("cllr")(scaled, x, y) == pytest.approx(expected, rel=1e-6)
    alone = make_pipeline(CalibratedScorer()).fit(x, y)
    assert scorer("cllr")(alone, x, y) == expected
    grid = {"calibratedscorer__calibrator": [db.LogisticCalibrator(), db.GaussianCalibrator()]}
    search = GridSearchCV(make_pipeline(StandardScaler(), CalibratedScorer()), grid, scoring=scorer("cllr"), cv=2)
    search.fit(x, y)
    assert scorer("cllr")(search, x, y) == scorer("cllr")(search.best_estimator_, x, y)
    assert pickle.loads(pickle.dumps(search)).scoring == scorer("cllr")


@pytest.mark.parametrize("calibrator", ["logistic", db.GaussianCalibrator, 3])
def test_what_is_no_calibrator(calibrator):
    x, y = data()
    with pytest.raises(OptionError, match="calibrator: expected settings"):
        CalibratedScorer(calibrator).fit(x, y)

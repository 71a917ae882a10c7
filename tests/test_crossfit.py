"""Cross-fitting against models fitted by hand to the trials that are left."""

import numpy as np
import pytest

import deciban as db
from deciban.errors import InputError, NeedsTrialsError, OptionError, SingleClassError, UndefinedMetricError
from tests.calibrators import PLAIN


def trials(n=120, two=False, seed=0, n_sources=12, **more):
    generator = np.random.default_rng(seed)
    labels = np.arange(n) % 2
    sources = tuple(generator.integers(0, n_sources, n).astype(str) for _ in range(1 + two))
    return db.Trials.from_arrays(generator.normal(2 * labels - 1, 1.5).round(1), labels, sources=sources, **more)


def by_hand(calibrator, given):
    """Each trial by a model of the trials that have none of its sources, in either column."""
    columns = np.array([column.astype(str) for column in given.sources])
    found = []
    for row in range(len(given)):
        seen = np.isin(columns, columns[:, row]).any(axis=0)
        found.append(calibrator.fit(db.count(given.select(~seen))).transform(given.score[[row]])[0])
    return found


@pytest.mark.parametrize("two", [False, True])
@pytest.mark.parametrize("calibrator", [db.LogisticCalibrator(), db.BoundedCalibrator(db.IsotonicCalibrator(True))])
def test_no_trial_is_calibrated_by_a_model_that_saw_its_source(calibrator, two):
    given = trials(two=two)
    found = db.cross_fit(calibrator, given, folds="source")
    assert found.trials.score.tolist() == pytest.approx(by_hand(calibrator, given), rel=1e-9)
    assert (found.folds, found.by, found.calibrator) == ("source", "sources", calibrator)
    assert found.trials.scale == "ln_lr"
    assert found.trials.sources[0] is not None
    assert (found.trials.is_target == given.is_target).all()


@pytest.mark.parametrize("two", [False, True])
def test_folds_keep_sources_together(two):
    given = trials(two=two, n_sources=30)
    told = []
    found = db.cross_fit(db.LogisticCalibrator(), given, folds=4, seed=3, progress=lambda *at: told.append(at))
    assert told == [(number + 1, found.models) for number in range(found.models)]
    assert found.models == (10 if two else 4)
    assert (found.folds, found.seed) == (4, 3)
    again = db.cross_fit(db.LogisticCalibrator(), given, folds=4, seed=3)
    other = db.cross_fit(db.LogisticCalibrator(), given, folds=4, seed=4)
    assert again.trials == found.trials
    assert not np.array_equal(other.trials.score, found.trials.score)
    # As many folds as sources is leaving each out.
    alone = db.cross_fit(db.LogisticCalibrator(), given, folds=30).trials.score
    assert alone == pytest.approx(db.cross_fit(db.LogisticCalibrator(), given, folds="source").trials.score, rel=1e-12)


def test_single_trials_where_no_sources_are_known():
    given = trials()
    given = db.Trials.from_arrays(given.score, given.is_target)
    found = db.cross_fit(db.GaussianCalibrator(), given, folds=60)
    assert (found.by, found.models) == ("trials", 60)
    order = np.random.default_rng(1).permutation(len(given))
    shuffled = db.cross_fit(db.GaussianCalibrator(), given.select(order), folds=60)
    assert db.count(shuffled.trials) == db.count(found.trials)
    assert "cross-fitted: 60 folds of trials, seed 0" in found.trials.assumed[-1]


@pytest.mark.parametrize("calibrator", PLAIN, ids=repr)
def test_every_calibrator(calibrator):
    given = trials(n=200, scale="ln_lr")
    found = db.cross_fit(calibrator, given, folds=5)
    assert not np.isnan(found.trials.score).any()
    assert found.supported.mean() > 0.9


def test_what_is_cross_fitted_is_not_optimistic():
    generator = np.random.default_rng(2)
    gains = []
    for _ in range(20):
        given = db.Trials.from_classes(generator.normal(1, 1, 40), generator.normal(-1, 1, 40))
        calibrator = db.IsotonicCalibrator(laplace=True)
        cross = db.cllr(db.count(db.cross_fit(calibrator, given).trials))
        gains.append(cross - db.cllr(calibrator.fit(given).apply(db.count(given), allow_leak=True)))
    assert np.mean(gains) > 0.02


def test_weights_and_bounds_by_sources():
    given = trials(weight=np.full(120, 2.0))
    plain = trials()
    one, other = (db.cross_fit(db.LogisticCalibrator(), which, folds=6).trials.score for which in (given, plain))
    assert one == pytest.approx(other, rel=1e-9)
    bounded = db.cross_fit(db.BoundedCalibrator(db.LogisticCalibrator(), "sources"), plain)
    assert set(np.abs(bounded.trials.score)) >= {np.log(11)}
    assert bounded.trials.score.max() <= np.log(11)


def test_what_cannot_be_cross_fitted():
    given = trials()
    with pytest.raises(NeedsTrialsError, match="give Trials"):
        db.cross_fit(db.LogisticCalibrator(), db.count(given))
    with pytest.raises(NeedsTrialsError, match="--source"):
        db.cross_fit(db.LogisticCalibrator(), db.Trials.from_arrays([1, 2], [0, 1]), folds="source")
    for folds in (1, 2.5, "all"):
        with pytest.raises(OptionError, match="folds"):
            db.cross_fit(db.LogisticCalibrator(), given, folds=folds)
    with pytest.raises(OptionError, match=r"as there are sources \(12\), found 13"):
        db.cross_fit(db.LogisticCalibrator(), given, folds=13)
    missing = db.Trials.from_arrays([1, 2], [0, 1], sources=np.array(["a", None], dtype=object))
    with pytest.raises(InputError, match="row 2 has no source"):
        db.cross_fit(db.LogisticCalibrator(), missing, folds=2)
    separated = db.Trials.from_arrays([0, 1, 2, 3], [0, 0, 1, 1], sources=["a", "b", "a", "b"])
    with pytest.raises(UndefinedMetricError, match="without 2 trials") as error:
        db.cross_fit(db.LogisticCalibrator(), separated, folds=2)
    assert error.value.reason == "separated"
    pairs = db.Trials.from_arrays([0, 1, 2, 3], [0, 1, 0, 1], sources=(["a", "a", "b", "b"], ["b", "b", "a", "a"]))
    with pytest.raises(UndefinedMetricError, match="nothing is left"):
        db.cross_fit(db.LogisticCalibrator(), pairs, folds=2)


def test_a_trial_left_out_may_have_no_lr():
    trials = db.Trials.from_arrays([9, 9, np.nan, 5, -9, -9, -5], [1, 1, 0, 1, 0, 0, 0], missing="drop")
    with pytest.raises(UndefinedMetricError, match="rows 4, 7 lie between"):
        db.cross_fit(db.IsotonicCalibrator(), trials, folds=3)


def same_models(one, other):
    found, expected = (db.cross_fit(db.LogisticCalibrator(), which, folds="source") for which in (one, other))
    assert found.models == expected.models
    assert found.trials.score.tolist() == expected.trials.score.tolist()


@pytest.mark.parametrize(
    "kinds", [(np.int64, np.float64), (np.float32, np.uint8), (np.str_, np.int16), ("S4", np.str_), (object, "S4")]
)
def test_a_source_is_the_same_in_columns_of_any_types(kinds):
    given = trials(two=True)
    typed = tuple(
        column.astype(np.int64).astype(kind) if kind not in ("S4", np.str_) else column.astype(kind)
        for column, kind in zip(given.sources, kinds, strict=True)
    )
    same_models(db.Trials.from_arrays(given.score, given.is_target, sources=typed), given)


def test_numbers_written_with_a_point_are_the_sources_without_it():
    given = trials(two=True)
    first, second = given.sources
    written = np.array([f"{text}.0" for text in second])
    same_models(db.Trials.from_arrays(given.score, given.is_target, sources=(first, written)), given)


@pytest.mark.parametrize("folds", [4, "source"])
def test_weights_that_are_no_whole_numbers_leave_nothing_behind(folds):
    weight = np.random.default_rng(5).uniform(0.1, 0.9, 120).round(1)
    given = trials(weight=weight)
    found = db.cross_fit(db.GaussianCalibrator(), given, folds="source").trials.score
    for row in range(0, 120, 10):
        left = given.select(given.sources[0] != given.sources[0][row])
        assert found[row] == db.GaussianCalibrator().fit(left).transform(given.score[[row]])[0]


@pytest.mark.parametrize("sources", [True, False])
def test_trials_of_weight_0_are_absent(sources):
    weight = np.where(np.arange(120) % 5 == 0, 0.0, 2.0)
    weight[np.argmax(trials().score)] = 0.0
    given = trials(weight=weight)
    if not sources:
        given = db.Trials.from_arrays(given.score, given.is_target, weight=weight)
    found = db.cross_fit(db.GaussianCalibrator(), given, folds=4)
    alone = db.cross_fit(db.GaussianCalibrator(), given.select(weight > 0), folds=4)
    assert found.trials == alone.trials
    assert found.trials.row.tolist() == np.flatnonzero(weight).tolist()


def test_one_class_is_said_to_be_one():
    with pytest.raises(SingleClassError):
        db.cross_fit(db.GaussianCalibrator(), db.Trials.from_arrays([1, 2, 3], [1, 1, 1], target=1))


@pytest.mark.parametrize(
    ("calibrator", "said"),
    [
        ("gaussian", "found 'gaussian'"),
        (db.GaussianCalibrator, r"one of it: GaussianCalibrator\(\)"),
        (None, "None"),
    ],
)
def test_what_is_no_calibrator(calibrator, said):
    with pytest.raises(OptionError, match=said):
        db.cross_fit(calibrator, trials())

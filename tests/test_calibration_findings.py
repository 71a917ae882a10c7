"""What is said of calibrations: separated, flat, falling, extrapolated, in the wrong unit."""

import numpy as np
import pytest

import deciban as db
from deciban.errors import InputError, UndefinedMetricError
from deciban.passes.simulate import calibrated_ln_lrs
from tests.calibrators import sample as data


def codes(calibration, case=None):
    return [finding.code for finding in db.calibration_findings(calibration, case)]


def test_nothing_to_say():
    for calibrator in (db.LogisticCalibrator(), db.GaussianCalibrator(), db.IsotonicCalibrator(), db.BetaCalibrator(),
                       db.BigaussianCalibrator(), db.TemperatureCalibrator()):  # fmt: skip
        assert codes(calibrator.fit(data())) == []


def test_separated_development_trials():
    apart = db.Counts.from_classes([2, 3], [0, 1])
    for calibrator in (db.LogisticCalibrator(penalty=0.1), db.GaussianCalibrator(), db.IsotonicCalibrator()):
        assert codes(calibrator.fit(apart)) == ["CAL-SEP"]


def test_scores_that_say_nothing_or_the_opposite():
    counts = data()
    against = db.Counts(-counts.score[::-1], counts.n_target[::-1], counts.n_nontarget[::-1], "ln_lr")
    for calibrator in (db.LogisticCalibrator(), db.GaussianCalibrator()):
        (finding,) = db.calibration_findings(calibrator.fit(against))
        assert finding.code == "CAL-SLOPE"
        assert "fall while scores rise" in finding.message
        assert "--higher nontarget" in finding.advice
    for calibrator in (db.IsotonicCalibrator(laplace=True), db.BigaussianCalibrator(), db.BetaCalibrator()):
        (finding,) = db.calibration_findings(calibrator.fit(against))
        assert finding.code == "CAL-SLOPE"
        assert "hardly differ" in finding.message
    assert codes(db.LogisticCalibrator().fit(db.Counts([0, 1, 2], [5, 5, 5], [5, 5, 5]))) == ["CAL-SLOPE"]


def test_maps_that_fall():
    generator = np.random.default_rng(0)
    counts = db.Counts.from_classes(generator.normal(1, 0.6, 100), generator.normal(-1, 2, 100))
    calibration = db.GaussianCalibrator(equal_variance=False).fit(counts)
    (finding,) = db.calibration_findings(calibration)
    assert finding.code == "CAL-MONOTONE"
    # A parabola opening downward: it falls right of its top.
    model = calibration.model
    a, b = 1 / model.sd_target**2, 1 / model.sd_nontarget**2
    top = (a * model.mean_target - b * model.mean_nontarget) / (a - b)
    assert finding.data["low"] == pytest.approx(top, abs=0.05)
    assert finding.data["within"]
    assert "CAL-MONOTONE" in codes(db.KDECalibrator().fit(counts))
    lrs = db.Counts(np.exp(counts.score), counts.n_target, counts.n_nontarget, "lr")
    (finding,) = db.calibration_findings(db.GaussianCalibrator(equal_variance=False).fit(lrs))
    assert finding.data["low"] == pytest.approx(np.exp(top), rel=0.1)
    bounded = db.BoundedCalibrator(db.GaussianCalibrator(equal_variance=False), "fixed", lower=1, upper=1).fit(counts)
    assert codes(bounded) == []


@pytest.mark.parametrize(("scale", "factor"), [("ln_lr", 1 / np.log(10)), ("log10_lr", 1.0)])
def test_wrong_base_of_logarithms(scale, factor):
    targets, nontargets = calibrated_ln_lrs(4000, 4000, sigma=2, generator=np.random.default_rng(0))
    counts = db.Counts.from_classes(targets * factor, nontargets * factor, scale=scale)
    (finding,) = db.calibration_findings(db.LogisticCalibrator().fit(counts))
    assert finding.code == "UNITS"
    assert f"(--scale) was {scale}" in finding.advice
    raw = db.Counts(counts.score, counts.n_target, counts.n_nontarget)
    assert codes(db.LogisticCalibrator().fit(raw)) == []


def test_scores_without_an_lr():
    calibration = db.IsotonicCalibrator().fit(db.Counts.from_classes([3, 4], [1, 2]))
    trials = db.Trials.from_arrays([3, 2.25, np.nan, 2.75, 1], [1, 0, 0, 1, 0], missing="drop")
    _, finding = db.calibration_findings(calibration, trials)
    assert finding.code == "CAL-GAP"
    assert "2 of the scores (2.25 to 2.75, rows 2, 4) lie between a block of nontargets only" in finding.message
    assert finding.data == {"n": 2, "low": 2.25, "high": 2.75, "rows": [2, 4]}
    _, finding = db.calibration_findings(calibration, db.Counts.from_classes([2.5], [2.5, 2.75]))
    assert finding.data == {"n": 3, "low": 2.5, "high": 2.75, "rows": []}


def test_scores_outside_the_fitted_range():
    calibration = db.LogisticCalibrator().fit(db.Counts([0, 1, 2, 3], [1, 2, 2, 3], [3, 2, 2, 1]))
    (finding,) = db.calibration_findings(calibration, db.Counts.from_classes([1, 5, 3.5], [-1]))
    assert finding.code == "CAL-EXTRAP"
    assert finding.message == ("75 % of the scores lie outside the fitted range 0 to 3; the farthest is 5, 2 beyond it")
    assert codes(calibration, db.Counts.from_classes([0, 3], [1])) == []
    infinite = db.Trials.from_arrays([np.inf, 1.0], [1, 0], weight=[1, 3])
    (finding,) = db.calibration_findings(calibration, infinite)
    assert "25 % of the scores" in finding.message
    assert finding.data["distance"] == np.inf
    with pytest.raises(InputError, match="fitted to scores of scale score"):
        db.calibration_findings(calibration, data())


def test_scores_that_are_all_equal_are_parted_by_no_threshold():
    constant = db.Counts.from_classes([1.0, 1.0], [1.0])
    assert codes(db.IsotonicCalibrator().fit(constant)) == ["CAL-SLOPE"]
    with pytest.raises(UndefinedMetricError, match="all scores are equal") as error:
        db.TemperatureCalibrator().fit(constant)
    assert error.value.reason == "zero_variance"

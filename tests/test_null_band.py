"""What perfectly calibrated LRs give, beside which an observed calibration loss is judged."""

import numpy as np
import pytest

import deciban as db
from deciban.errors import OptionError, ScaleError, SingleClassError, UndefinedMetricError
from deciban.passes.simulate import calibrated_ln_lrs
from deciban.uncertainty import null_band as module

FIGURES = {"cllr_cal": db.cllr_cal, "devpav": db.devpav}


def null_band(*arguments, **options):
    return module.null_band(*arguments, **options)


def counts_of(n=50, sigma=2.0, seed=3, factor=1.0):
    drawn = calibrated_ln_lrs(n, n, sigma=sigma, generator=np.random.default_rng(seed))
    return db.Counts.from_classes(*(factor * scores for scores in drawn), scale="ln_lr")


def test_fifty_and_fifty_at_sigma_two():
    # Scores with the AUC Φ(√2) of σ = 2: 2304 of 2500 pairs won, 0.9216 beside 0.92135.
    nontargets = np.arange(50.0)
    wins = np.repeat([50, 0], [46, 4])
    wins[46] = 4
    counts = db.Counts.from_classes(wins - 0.5, nontargets, scale="ln_lr")
    assert db.auc(counts, exact=True) * 2500 == 2304
    bands = null_band(counts, FIGURES, seed=1)
    band = bands["cllr_cal"]
    assert band.sigma == pytest.approx(2.0, abs=0.01)
    assert band.median == pytest.approx(0.099, abs=0.004)
    assert band.high == pytest.approx(0.140, abs=0.006)
    assert (band.draws, band.undefined, band.level, band.sigma_from) == (1000, 0, 0.95, "auc")
    assert band.p_value == 1 / 1001
    assert bands["devpav"].median == pytest.approx(0.22, abs=0.02)
    assert bands["devpav"].high == pytest.approx(0.38, abs=0.03)


def test_miscalibration_is_outside_the_band_and_calibration_inside():
    calibrated, overconfident = (
        null_band(counts_of(n=200, factor=factor), FIGURES, draws=200)["cllr_cal"] for factor in (1.0, 3.0)
    )
    assert calibrated.observed < calibrated.high
    assert calibrated.p_value > 0.05
    assert overconfident.observed > overconfident.high
    assert overconfident.p_value == 1 / 201


def test_seed_and_workers():
    counts = counts_of(n=20)
    told = []
    one = null_band(counts, FIGURES, draws=70, progress=lambda *at: told.append(at))
    assert one == null_band(counts, FIGURES, draws=70, workers=2)
    assert one != null_band(counts, FIGURES, draws=70, seed=1)
    assert told[-1] == (70, 70)


def test_auc_of_at_most_a_half_simulates_lrs_of_one():
    counts = db.Counts.from_classes([-1.0, -2.0], [1.0, 2.0], scale="ln_lr")
    bands = null_band(counts, FIGURES, draws=20)
    assert bands["cllr_cal"].sigma == 0.0
    assert (bands["cllr_cal"].median, bands["cllr_cal"].high, bands["cllr_cal"].p_value) == (0.0, 0.0, 1 / 21)
    # Reversed LRs pool into one block: PAV says 1 for all four.
    assert bands["devpav"].p_value == 1 / 21


def test_separated_classes_need_the_end_of_an_interval():
    counts = db.Counts.from_classes([3.0, 4.0, 5.0], [-1.0, -2.0, -3.0], scale="ln_lr")
    with pytest.raises(UndefinedMetricError, match="auc_low") as caught:
        null_band(counts, FIGURES, draws=20)
    assert caught.value.reason == "separated"
    bands = null_band(counts, FIGURES, draws=50, auc_low=0.501019)
    assert bands["cllr_cal"].sigma_from == "auc.low"
    assert bands["cllr_cal"].sigma == pytest.approx(0.0036, abs=1e-4)
    assert bands["devpav"] == "undefined_ratio"


def test_undefined_draws_are_counted():
    counts = db.Counts.from_classes([1.0, 3.0, 4.0, 5.0, 6.0], [2.0, -1.0, -2.0, -3.0], scale="ln_lr")
    band = null_band(counts, FIGURES, draws=150)["devpav"]
    assert 0 < band.undefined < 150
    assert band.p_value >= 1 / (151 - band.undefined)


def test_what_has_no_band():
    with pytest.raises(ScaleError):
        null_band(db.Counts.from_classes([2, 0], [1]), FIGURES)
    with pytest.raises(SingleClassError):
        null_band(db.Counts([1.0], [1], [0], "ln_lr"), FIGURES)
    with pytest.raises(UndefinedMetricError) as caught:
        null_band(db.Counts([1.0, 2.0], [1.0, 0.5], [0.5, 1.0], "ln_lr", weighted=True), FIGURES)
    assert caught.value.reason == "weighted"
    with pytest.raises(OptionError, match="draws"):
        null_band(counts_of(), FIGURES, draws=0)

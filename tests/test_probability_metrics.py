"""Metrics of stated probabilities: hand-solved values, published ones, exact brute force, properties, extremes."""

import csv
import json
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deciban as db
from deciban.errors import OptionError
from deciban.metrics.decomposition import corp
from tests import probability_brute as brute
from tests.shared_data import shared

INF = math.inf
few = settings(max_examples=200, deadline=None)
CORP = ("miscalibration", "discrimination", "uncertainty")
MURPHY = ("reliability", "resolution", "uncertainty", "within_bin_variance", "within_bin_covariance")
BINNINGS = ("equal-width", "equal-mass", "unique")

sixteenths = st.builds(lambda k: Fraction(k, 16), st.integers(0, 16))
any_rows = st.lists(st.tuples(sixteenths, st.integers(0, 1)), min_size=1, max_size=14)
both_classes = any_rows.filter(lambda rows: len({y for _, y in rows}) == 2)


def counted(rows: brute.Rows, **options: Any) -> db.Counts:
    return db.Counts.from_arrays([float(p) for p, _ in rows], [y for _, y in rows], scale="probability", **options)


def parts(record: Any, names: Sequence[str]) -> list[float]:
    return [getattr(record, name) for name in names]


def vectors(function: str) -> list[dict[str, Any]]:
    with shared("vectors.json").open(encoding="utf-8") as file:
        return [v for v in json.load(file)["vectors"] if v["function"] == function]


def vector_counts(vector: dict[str, Any]) -> db.Counts:
    given = vector["input"]
    return counted([(Fraction(p), y) for p, y in zip(given["p"], given["y"], strict=True)])


def niamey(column: str) -> db.Counts:
    with shared("data/niamey2016.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return db.Counts.from_arrays(
        [float(row[column]) for row in rows], [int(float(row["obs"])) for row in rows], scale="probability"
    )


class TestVectors:
    def test_brier(self):
        for vector in vectors("brier_score"):
            assert db.brier(vector_counts(vector)) == pytest.approx(float(Fraction(vector["expected"])), abs=1e-12)

    def test_brier_corp(self):
        tried = 0
        for vector in vectors("brier_corp_decomposition"):
            want = vector["expected"]
            counts = niamey(vector["input"]["column"]) if "column" in vector["input"] else vector_counts(vector)
            found = db.brier_corp(counts)
            got = {"S": db.brier(counts), "MCB": found.miscalibration}
            got |= {"DSC": found.discrimination, "UNC": found.uncertainty}
            assert got == pytest.approx({k: float(Fraction(v)) for k, v in want.items()}, abs=vector["tolerance"])
            tried += 1
        assert tried == 4

    def test_brier_murphy(self):
        (vector,) = vectors("brier_murphy_decomposition")
        counts = vector_counts(vector)
        found = db.brier_murphy(counts, binning="unique")
        want = [float(Fraction(vector["expected"][key])) for key in ("REL", "RES", "UNC")]
        assert parts(found, MURPHY) == pytest.approx([*want, 0.0, 0.0], abs=1e-15)
        assert db.brier(counts) == pytest.approx(0.22, abs=1e-15)

    def test_equal_mass(self):
        (vector,) = vectors("ece_binned")
        counts = vector_counts(vector)
        found = db.calibration_error(counts, n_bins=4, binning="equal-mass")
        assert found == pytest.approx(float(Fraction(vector["expected"])), abs=1e-15)

    def test_debiased(self):
        (vector,) = vectors("ece_debiased_squared")
        counts = vector_counts(vector)
        assert db.calibration_error_debiased(counts, n_bins=4) == pytest.approx(-0.1, abs=1e-15)
        plain = db.calibration_error(counts, n_bins=4, binning="equal-mass", norm="l2")
        assert plain**2 == pytest.approx(1 / 40, abs=1e-15)

    def test_sweep(self):
        (vector,) = vectors("ece_sweep")
        found = db.calibration_sweep(vector_counts(vector))
        assert found.bins == vector["expected"]["bins"]
        assert found.error == pytest.approx(float(Fraction(vector["expected"]["ece"])), abs=1e-15)
        (vector,) = vectors("ece_sweep_bins")
        labels = vector["input"]["sorted_y"]
        counts = db.Counts.from_arrays(np.linspace(0.1, 0.9, len(labels)), labels, scale="probability")
        assert db.calibration_sweep(counts).bins == vector["expected"]

    def test_calibration_line(self):
        (vector,) = vectors("logistic_recalibration")
        counts, want = vector_counts(vector), vector["expected"]
        line = db.calibration_line(counts)
        assert line.slope == pytest.approx(want["slope"], abs=1e-14)
        assert line.intercept == pytest.approx(want["intercept_joint"], abs=1e-14)
        assert db.calibration_intercept(counts) == pytest.approx(want["citl_offset"], abs=1e-14)

    def test_spiegelhalter(self):
        (vector,) = vectors("spiegelhalter_z")
        found = db.spiegelhalter(vector_counts(vector))
        assert found.z == pytest.approx(vector["expected"]["z"], abs=1e-14)
        assert found.p_value == pytest.approx(vector["expected"]["p"], abs=1e-14)


@pytest.mark.parametrize(
    ("column", "brier", "miscalibration", "discrimination"),
    [
        ("Logistic", 0.2057461719, 0.0170760574, 0.0555406605),
        ("EMOS", 0.2320251794, 0.0182829433, 0.0304685390),
        ("ENS", 0.2661676743, 0.0660722283, 0.0441153290),
        ("EPC", 0.2342817554, 0.0223497474, 0.0322787670),
    ],
)
def test_published_rain_forecasts(column, brier, miscalibration, discrimination):
    counts = niamey(column)
    assert db.brier(counts) == pytest.approx(brier, abs=1e-10)
    found = db.brier_corp(counts)
    assert parts(found, CORP) == pytest.approx([miscalibration, discrimination, 0.2442107750], abs=1e-10)


@given(both_classes)
@few
def test_brier_corp_against_fractions(rows):
    found = db.brier_corp(counted(rows))
    assert parts(found, CORP) == pytest.approx([float(x) for x in brute.brier_corp(rows)], abs=1e-15)


@given(both_classes, st.sampled_from(BINNINGS), st.integers(1, 6))
@few
def test_brier_murphy_against_fractions(rows, binning, n_bins):
    binned = {
        "equal-width": brute.equal_width(rows, n_bins),
        "equal-mass": brute.equal_mass(rows, n_bins),
        "unique": brute.unique(rows),
    }
    found = db.brier_murphy(counted(rows), binning=binning, n_bins=n_bins)
    assert parts(found, MURPHY) == pytest.approx([float(x) for x in brute.murphy(binned[binning])], abs=1e-15)


log_odds = st.one_of(st.sampled_from([-INF, -2.0, 0.0, 0.5, 30.0, 800.0, INF]), st.floats(-50, 50))
lr_rows = st.lists(st.tuples(log_odds, st.booleans()), min_size=2, max_size=12).filter(
    lambda rows: len({y for _, y in rows}) == 2
)


def lr_counts(rows: list[tuple[float, bool]], **options: Any) -> db.Counts:
    return db.Counts.from_arrays([x for x, _ in rows], [y for _, y in rows], scale="ln_lr", **options)


@given(lr_rows, st.sampled_from([None, 0.01, 0.5]))
@few
def test_decompositions_add_up(rows, p_target):
    counts = lr_counts(rows)
    options = {} if p_target is None else {"p_target": p_target}
    for score, decomposed in ((db.brier, db.brier_corp), (db.log_loss, db.log_loss_corp)):
        whole, found = score(counts, **options), decomposed(counts, **options)
        assert all(x >= 0.0 for x in parts(found, CORP))
        assert found.miscalibration - found.discrimination + found.uncertainty == pytest.approx(whole, rel=1e-14)
        assert (found.miscalibration == INF) == (whole == INF)
        assert math.isfinite(found.discrimination)
    for binning in BINNINGS:
        found = db.brier_murphy(counts, binning=binning, n_bins=3, **options)
        rel, res, unc, variance, covariance = parts(found, MURPHY)
        assert rel - res + unc + variance - covariance == pytest.approx(db.brier(counts, **options), abs=1e-15)


@given(lr_rows)
@few
def test_corp_of_balanced_lrs_is_cllr(rows):
    counts = lr_counts(rows + [(x, not y) for x, y in rows])
    found = db.log_loss_corp(counts, p_target=0.5)
    bits = [(found.uncertainty - found.discrimination) / math.log(2), found.miscalibration / math.log(2)]
    assert bits == pytest.approx([db.cllr_min(counts), db.cllr_cal(counts)], rel=1e-12, abs=1e-12)


METRICS = [
    db.brier_corp,
    db.log_loss_corp,
    db.brier_murphy,
    db.mean_calibration,
    db.calibration_line,
    db.calibration_intercept,
]


def values(metric: Any, counts: db.Counts, **options: Any) -> list[float] | str:
    try:
        found = metric(counts, **options)
    except db.UndefinedMetricError as error:
        return str(error.reason)
    return parts(found, metric.spec.parts) if metric.spec.parts else [found]


def test_twice_the_trials_are_twice_the_evidence():
    rows = [(Fraction(1, 4), 0), (Fraction(1, 4), 1), (Fraction(3, 4), 1), (Fraction(3, 4), 1)]
    once, twice = counted(rows), counted(rows + rows)
    assert db.spiegelhalter(twice).z == pytest.approx(math.sqrt(2) * db.spiegelhalter(once).z, rel=1e-14)
    # Chance adds ȳ(1 − ȳ)/(n − 1) to the square of each of two bins: 1/4 of one trial, 1/12 of three.
    assert db.calibration_error_debiased(once, n_bins=2) == pytest.approx(1 / 16 - 1 / 8, abs=1e-15)
    assert db.calibration_error_debiased(twice, n_bins=2) == pytest.approx(1 / 16 - 1 / 24, abs=1e-15)


def test_weights_that_are_no_trials():
    counts = counted([(Fraction(1, 4), 0), (Fraction(3, 4), 1)], weight=[0.5, 1.5])
    for metric in (db.spiegelhalter, db.calibration_sweep, db.calibration_error_debiased):
        assert values(metric, counts) == "weighted"
    for metric in (db.calibration_error, db.brier_murphy):
        assert values(metric, counts, binning="equal-mass") == "weighted"
        assert values(metric, counts) != "weighted"
    assert db.mean_calibration(counts) == (0.25 * 0.5 + 0.75 * 1.5 - 1.5) / 2


def test_perfect_and_useless():
    perfect = db.Counts.from_classes([1.0] * 3, [0.0] * 5, scale="probability")
    pi = 3 * 5 / 64
    assert parts(db.brier_corp(perfect), CORP) == [0.0, pi, pi]
    entropy = -(3 * math.log(3 / 8) + 5 * math.log(5 / 8)) / 8
    assert parts(db.log_loss_corp(perfect), CORP) == pytest.approx([0.0, entropy, entropy], rel=1e-15)
    assert parts(db.brier_murphy(perfect), MURPHY) == [0.0, pi, pi, 0.0, 0.0]
    assert (db.mean_calibration(perfect), db.calibration_error_debiased(perfect)) == (0.0, 0.0)
    assert parts(db.calibration_sweep(perfect), ("error", "bins")) == [0.0, 2.0]
    assert values(db.spiegelhalter, perfect) == "zero_variance"
    useless = db.Counts.from_classes([0.375] * 3, [0.375] * 5, scale="probability")
    assert parts(db.brier_corp(useless), CORP) == pytest.approx([0.0, 0.0, pi], abs=1e-16)
    assert db.brier_corp(useless).discrimination == db.log_loss_corp(useless).discrimination == 0.0
    assert parts(db.calibration_sweep(useless), ("error", "bins")) == [0.0, 1.0]
    assert db.spiegelhalter(useless) == db.spiegelhalter(useless).__class__(z=0.0, p_value=1.0)
    assert values(db.calibration_line, useless) == "separated"
    assert db.calibration_intercept(useless) == pytest.approx(0.0, abs=1e-15)


def test_one_class():
    counts = db.Counts.from_classes([0.25, 0.5], [], scale="probability")
    for metric in (db.brier_corp, db.log_loss_corp, db.brier_murphy, db.calibration_line, db.calibration_intercept):
        assert values(metric, counts) == "single_class"
    assert db.mean_calibration(counts) == -0.625
    assert db.calibration_error(counts, norm="max") == 0.75
    assert db.calibration_error_debiased(counts, n_bins=1) == 0.625**2
    assert parts(db.calibration_sweep(counts), ("error", "bins")) == [0.625, 2.0]
    # (0.75·0.5 + 0.5·0) / √(0.25·0.1875)
    assert db.spiegelhalter(counts).z == pytest.approx(math.sqrt(3), rel=1e-15)


def test_one_trial():
    counts = db.Counts.from_classes([0.25], [], scale="probability")
    assert db.mean_calibration(counts) == -0.75
    assert values(db.calibration_error_debiased, counts) == "single_trial_bin"
    assert parts(db.calibration_sweep(counts), ("error", "bins")) == [0.75, 1.0]


def test_no_trial():
    empty = db.Counts([], [], [], scale="probability")
    for metric in (db.brier, db.log_loss, db.calibration_error, *METRICS, db.spiegelhalter, db.calibration_sweep):
        assert values(metric, empty) == "single_class"


def test_a_wrong_certain_statement():
    counts = db.Counts.from_classes([0.0, 1.0], [0.0, 0.0], scale="probability")
    found = db.log_loss_corp(counts)
    assert found.miscalibration == INF
    # PAV: 1/3 for the three at 0, then 1.
    least = (math.log(3) + 2 * math.log(1.5)) / 4
    assert found.discrimination == pytest.approx(math.log(2) - least, rel=1e-14)
    assert found.uncertainty == pytest.approx(math.log(2), rel=1e-15)


def test_tiny_probabilities():
    counts = db.Counts.from_classes([1e-300, 0.5], [1e-300, 2e-300, 0.5], scale="probability")
    assert db.mean_calibration(counts) == pytest.approx(-0.2, rel=1e-15)
    assert db.log_loss_corp(counts).miscalibration > 100
    assert db.spiegelhalter(counts).z > 0
    line = db.calibration_line(counts)
    assert math.isfinite(line.intercept)
    assert math.isfinite(line.slope)


def test_posteriors_that_round_to_the_same():
    # ln LR 800 and 900 both state the double 1; as scores they still part a nontarget from a target.
    counts = db.Counts.from_classes([900.0, 0.0], [800.0, -1.0], scale="ln_lr")
    assert (
        db.brier_corp(counts, p_target=0.5).discrimination
        > db.brier_corp(db.Counts.from_classes([900.0, 0.0], [900.0, -1.0], scale="ln_lr"), p_target=0.5).discrimination
    )
    unique = db.brier_murphy(counts, p_target=0.5, binning="unique")
    # Shares 0, 1 and, of the two that state 1, a half: (1/4)·(1/4 + 1/4).
    assert unique.resolution == pytest.approx(1 / 8, abs=1e-15)


def test_a_rare_class_keeps_its_digits():
    counts = db.Counts([0.5], [10**9], [1], scale="probability")
    n = 10**9 + 1
    want = (10**9 * math.log1p(1e-9) + math.log(n)) / n
    assert db.log_loss_corp(counts).uncertainty == pytest.approx(want, rel=1e-15)


def test_options():
    counts = db.Counts.from_classes([0.75], [0.25], scale="probability")
    for metric in (db.calibration_error, db.calibration_error_debiased, db.brier_murphy):
        with pytest.raises(OptionError, match="binning must be one of"):
            metric(counts, binning="quantile")
        for binning in ("equal-width", "equal-mass"):
            with pytest.raises(OptionError, match="n_bins: expected at least 1"):
                metric(counts, binning=binning, n_bins=0)
    with pytest.raises(OptionError, match="norm must be one of"):
        db.calibration_error(counts, norm="debiased")


def test_shown_and_asked_for():
    trials = db.Trials.from_arrays([0.9, 0.6, 0.6, 0.2], [1, 0, 1, 0], scale="probability")
    asked = ["brier_murphy:binning=unique", "calibration_error:binning=equal-mass,norm=l2", "calibration_line.slope"]
    result = db.evaluate(trials, metrics=[*asked, "spiegelhalter"], interval="none")
    assert {f"brier_corp.{part}" for part in CORP} <= set(result.metrics)
    assert "mean_calibration" not in result.metrics
    assert result["brier_murphy.reliability:binning=unique"].value is not None
    assert result["calibration_line.slope"].reason == "separated"
    assert result["spiegelhalter.p_value"].value is not None
    fitted = next(finding for finding in result.findings if finding.code == "PAV-OPT")
    assert {"brier_corp.miscalibration", "brier_corp.discrimination"} <= set(fitted.data["metrics"])
    assert "brier_corp.uncertainty" not in fitted.data["metrics"]


def test_parts_are_read_from_one_record(monkeypatch):
    calls = []

    def counted_corp(*given):
        calls.append(given)
        return corp(*given)

    monkeypatch.setattr("deciban.metrics.decomposition.corp", counted_corp)
    result = db.evaluate(
        db.Trials.from_arrays([0.9, 0.6, 0.6, 0.2], [1, 0, 1, 0], scale="probability"), interval="none"
    )
    assert result["brier_corp.uncertainty"].value == 0.25
    assert len(calls) == 1

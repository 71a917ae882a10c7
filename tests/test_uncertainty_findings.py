"""Findings about intervals, each on both sides of its limit."""

import numpy as np

import deciban as db
from deciban.uncertainty.null_band import null_band
from deciban.workflow.intervals import AUTO_LIMIT


def codes(result):
    return {finding.code: finding for finding in result.findings}


def small(**more):
    return db.Trials.from_arrays([2.0, 1.0, -1.0, 0.5, -2.0, -3.0], [1, 1, 1, 0, 0, 0], scale="ln_lr", **more)


def test_replicates_without_a_value_are_told():
    # Of two trials per source, all of one class: without that source's trials a replicate may hold one class only.
    trials = small(sources=["a", "a", "b", "c", "c", "d"])
    found = codes(db.evaluate(trials, replicates=200))["BOOT"]
    result = db.evaluate(trials, replicates=200)
    assert found.severity == "warn"
    assert found.data["undefined"]["auc"] == result["auc"].interval.undefined > 0
    assert f"auc ({result['auc'].interval.undefined} of 200)" in found.message
    assert "BOOT" not in codes(db.evaluate(small(), interval="closed"))


def test_recurring_sources_are_told_with_what_they_do():
    rng = np.random.default_rng(5)
    speaker = np.repeat(np.arange(30), 10)
    labels = speaker < 15
    scores = np.where(labels, 1.0, -1.0) + rng.normal(size=30)[speaker] + 0.3 * rng.normal(size=300)
    trials = db.Trials.from_arrays(scores, labels, target=True, sources=speaker)
    result = db.evaluate(trials, replicates=100)
    found = codes(result)["DEP-SOURCE"]
    assert (found.data["trials"], found.data["sources"]) == (300, [30])
    own, independent = result["auc"].interval, db.auc_interval(db.count(trials))
    assert found.data["width_ratio"] == (own.high - own.low) / (independent.high - independent.low) > 1.5
    assert "DEP-UNKNOWN" not in codes(result)
    closed = codes(db.evaluate(trials, interval="closed"))["DEP-SOURCE"]
    assert "the intervals take them to be" in closed.message
    alone = db.Trials.from_arrays(scores, labels, target=True, sources=np.arange(300))
    assert "DEP-SOURCE" not in codes(db.evaluate(alone, replicates=20))


def test_figures_left_without_an_interval_are_named():
    def of(n, interval):
        return db.evaluate(
            db.Counts.from_classes(np.arange(1, n, 2.0), np.arange(0, n, 2.0)), interval=interval, replicates=2
        )

    below, above = of(AUTO_LIMIT, "auto"), of(AUTO_LIMIT + 1, "auto")
    assert "NO-INTERVAL" not in codes(below)
    assert below["eer"].interval.replicates == 2
    assert codes(above)["NO-INTERVAL"].data == {
        "metrics": ["eer", "average_precision", "cllr_min"],
        "n_distinct": AUTO_LIMIT + 1,
    }
    assert "NO-INTERVAL" not in codes(of(AUTO_LIMIT + 1, "none"))
    lrs = db.Counts.from_classes(np.linspace(-2, 4, 6000), np.linspace(-4, 2, 6001), scale="ln_lr")
    named = codes(db.evaluate(lrs))["NO-INTERVAL"].data["metrics"]
    assert {"cllr_cal", "elub.lower", "f1@0"} <= set(named)
    assert not {"auc", "majority_accuracy", "recall@0"} & set(named)


def test_null_bands_are_those_of_the_function():
    trials = small()
    result = db.evaluate(trials, replicates=40, seed=7)
    bands = null_band(db.count(trials), {"cllr_cal": db.cllr_cal, "devpav": db.devpav}, draws=40, seed=7)
    for key, band in bands.items():
        assert result[key].null_band == band
    assert "median" in next(line for line in str(result).splitlines() if line.startswith("cllr_cal"))
    assert db.Evaluation.from_json(result.to_json()) == result
    for interval in ("none", "closed"):
        assert db.evaluate(trials, interval=interval)["cllr_cal"].null_band is None


def test_separated_classes_take_the_null_band_from_the_end_of_the_interval():
    result = db.evaluate(db.Counts.from_classes([3.0, 2.0, 4.0], [-1.0, -2.0, -3.0], scale="ln_lr"), replicates=20)
    assert result["cllr_cal"].null_band.sigma_from == "auc.low"


def test_data_and_tests_have_no_interval():
    trials = small(sources=["a", "b", "c", "d", "e", "f"])
    result = db.evaluate(trials, metrics=["turing", "spiegelhalter"], replicates=20)
    for key in ("baseline_accuracy", "majority_accuracy", "turing.p_value", "spiegelhalter.z"):
        assert (result[key].interval, result[key].interval_reason) == (None, "not_computed")

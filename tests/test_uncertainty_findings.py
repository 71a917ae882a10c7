"""Findings about intervals, each on both sides of its limit."""

import numpy as np

import deciban as db
from deciban.uncertainty.null_band import null_band
from deciban.workflow.intervals.ways import AUTO_LIMIT


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
    for asked in ("closed", "none"):
        by_choice = of(AUTO_LIMIT + 1, asked)
        assert "NO-INTERVAL" not in codes(by_choice)
        assert by_choice["eer"].interval_reason == "not_computed"
    large = db.Counts.from_classes(np.arange(1, AUTO_LIMIT + 1, 2.0), np.arange(0, AUTO_LIMIT + 1, 2.0))
    alone = codes(db.evaluate(large, metrics=["eer"], asked_only=True))
    assert alone["NO-INTERVAL"].data["metrics"] == ["eer"]
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


def test_intervals_that_too_few_errors_carry_are_named():
    def of(apart):
        return db.evaluate(
            db.Counts.from_classes(np.arange(50) + apart, np.arange(50.0), scale="ln_lr"), interval="closed"
        )

    # Shifted by 40 of 50, ten of each class overlap: 5 of each are on the wrong side at the EER. By 41, 4.5 are.
    at, below = of(40.0), of(41.0)
    assert at["eer"].value * 50 == 5.0
    assert "COVERAGE" not in codes(at)
    found = codes(below)["COVERAGE"]
    assert found.data["errors_at_eer"] == below["eer"].value * 50 < 5.0
    assert found.data["metrics"] == ["auc", "cllr"]
    assert found.severity == "warn"
    assert "COVERAGE" not in codes(db.evaluate(db.Counts.from_classes([1.0], [0.0]), interval="none"))


def test_intervals_of_rates_that_a_trial_or_two_decide_are_named():
    counts = db.Counts.from_classes(np.arange(500.0), np.arange(500.0) - 100)
    for rate, few in ((0.01, False), (0.008, True)):
        result = db.evaluate(
            counts, metrics=[f"p_miss_at:p_fa={rate}", f"p_fa_at:p_miss={rate}"], replicates=10, interval="bootstrap"
        )
        found = codes(result).get("COVERAGE")
        assert (found is not None) == few
        if found:
            assert found.data == {"p_miss_at:p_fa=0.008": 4.0, "p_fa_at:p_miss=0.008": 4.0}


def test_intervals_of_few_sources_are_named():
    def of(n):
        scores = np.sin(np.arange(4.0 * n)) + np.tile([1.0, 0.0], 2 * n)
        trials = db.Trials.from_arrays(scores, np.tile([1, 0], 2 * n), sources=np.arange(4 * n) // 4)
        return codes(db.evaluate(trials, replicates=10)).get("COVERAGE")

    assert of(29).data == {"sources": 29}
    assert of(30) is None


def test_one_source_and_few_replicates_are_told():
    one = small(sources=["a"] * 6)
    result = db.evaluate(one, replicates=50)
    assert codes(result)["DEP-SOURCE"].severity == "warn"
    assert "there is nothing to resample" in codes(result)["DEP-SOURCE"].message
    assert result["auc"].interval_reason == "degenerate"
    assert "- (degenerate)" in next(line for line in str(result).splitlines() if line.startswith("auc"))
    for replicates, few in ((39, True), (40, False)):
        result = db.evaluate(small(), interval="bootstrap", replicates=replicates)
        found = [finding.data for finding in result.findings if finding.code == "BOOT" and "least" in finding.data]
        assert found == ([{"replicates": 39, "least": 40}] if few else [])


def test_misleading_rates_of_weighted_trials_are_drawn():
    trials = db.Trials.from_arrays([-1.0, -2, -1, 1, 0.5], [1, 1, 0, 0, 0], scale="ln_lr", weight=[0.5, 1, 1, 1, 2])
    assert db.evaluate(trials, interval="closed")["rmed"].interval_reason == "weighted"
    assert db.evaluate(trials, replicates=40)["rmep"].interval.resampled == "trials"


def test_order_of_rows_changes_no_interval_of_weighted_ties():
    rows = [(1.0, 1, 0.5), (1.0, 1, 2.0), (2.0, 1, 1.0), (0.0, 1, 1.0), (0.0, 0, 1.0), (1.0, 0, 2.0), (2.0, 0, 0.5)]

    def interval(rows):
        scores, labels, weights = zip(*rows, strict=True)
        trials = db.Trials.from_arrays(scores, labels, weight=weights)
        return db.evaluate(trials, interval="bootstrap", replicates=60)["auc"].interval

    assert interval(rows) == interval(rows[::-1]) == interval([rows[1], rows[0], *rows[2:]])


def test_sources_of_mixed_numbers_are_the_same_in_both_groups():
    ids = np.array([*(i % 4 for i in range(8)), *(float(i % 4) for i in range(8))], dtype=object)
    trials = db.Trials.from_arrays(
        np.arange(16.0) % 5, [1, 0] * 8, sources=ids, conditions={"g": ["a"] * 8 + ["b"] * 8}, scale="ln_lr"
    )
    assert {apart.interval_reason for apart in db.evaluate(trials, by="g", replicates=5).differences} <= {"dependent"}


def test_bca_of_figures_near_the_largest_double():
    trials = db.Trials.from_classes([1e-308, 0.5, 0.6, 0.7], [0.1, 0.2, 0.3], scale="lr")
    result = db.evaluate(trials, metrics="lr_moments", bootstrap="bca", interval="bootstrap", replicates=50)
    assert result["lr_moments.mean_inverse_lr_target"].interval is not None


def test_figures_stay_below_what_they_can_be_at_most():
    rng = np.random.default_rng(8)
    trials = db.Trials.from_classes(rng.normal(0, 1, 30), rng.normal(0, 1, 30), scale="ln_lr")
    result = db.evaluate(
        trials,
        costs="p_target=0.01,c_miss=10,c_fa=1",
        metrics=["bayes_error_min:log10_odds=0", "min_dcf:c_fa=1,c_miss=1,normalise=false,p_target=0.5"],
        replicates=100,
    )
    at_most = {"min_dcf:c_fa=1,c_miss=10,p_target=0.01": 1.0, "bayes_error_min:log10_odds=0": 0.5}
    at_most["min_dcf:c_fa=1,c_miss=1,normalise=false,p_target=0.5"] = 0.5
    for key, most in at_most.items():
        assert result[key].interval is None or result[key].interval.high <= most


def test_sources_of_trials_of_weight_0_are_absent():
    generator = np.random.default_rng(0)
    labels, sources = np.arange(80) % 2, np.arange(80) // 4
    weight = np.where(np.arange(80) < 40, 1.0, 0.0)
    given = db.Trials.from_arrays(generator.normal(labels), labels, sources=sources, weight=weight)
    (found,) = (one for one in db.evaluate(given, interval="none").findings if one.code == "DEP-SOURCE")
    assert found.data["trials"] == 40
    assert found.data["sources"] == [10]

"""Several systems compared: differences, intervals, tests, adjustments, findings."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deciban as db
from deciban.metrics.expression import parse
from deciban.records.comparison import Comparison
from tests.shared_data import shared

few = settings(max_examples=20)
LABELS = [1, 1, 1, 1, 0, 0, 0, 0, 0]
FIRST = [9.0, 8.0, 4.0, 3.0, 6.0, 2.0, 1.0, 0.0, -1.0]
SECOND = [7.0, 3.0, 5.0, 4.0, 9.0, 6.0, 0.0, 1.0, 2.0]


def system(scores, labels=LABELS, **more):
    return db.Trials.from_arrays(scores, labels, **more)


def two(**more):
    return {"a": system(FIRST, **more), "b": system(SECOND, **more)}


@pytest.fixture(scope="module")
def asah():
    path = shared("data/asah.csv")
    return {name: db.scan(path, score=name, label="outcome", target="Poor") for name in ("wfns", "s100b", "ndka")}


def test_asah_pairs(asah):
    result = db.compare(asah, metrics="auc")
    wfns = result.difference("auc", "wfns", "s100b")
    assert wfns.statistic == pytest.approx(2.20898359144091, rel=1e-12)
    assert wfns.p_value == pytest.approx(0.0271757822291882, rel=1e-12)
    assert (wfns.interval.low, wfns.interval.high) == pytest.approx((0.0104061769564846, 0.174214419249478), rel=1e-12)
    far = result.difference("auc", "wfns", "ndka")
    assert far.statistic == pytest.approx(2.79777591868904, rel=1e-12)
    assert far.p_value == pytest.approx(0.00514557970691098, rel=1e-12)
    near = result.difference("auc", "ndka", "s100b")
    assert near.statistic == pytest.approx(-1.39077002573558, rel=1e-12)
    assert near.p_value == pytest.approx(0.164295175223054, rel=1e-12)
    assert (near.interval.low, near.interval.high) == pytest.approx(
        (-0.2876917446341914, 0.0488706064228094), rel=1e-12
    )
    p_values = [one.p_value for one in result.differences]
    assert [one.p_holm for one in result.differences] == db.holm(p_values)
    assert {name: round(one.metrics["auc"].value, 10) for name, one in result.systems.items()} == {
        "wfns": 0.8236788618,
        "s100b": 0.7313685637,
        "ndka": 0.6119579946,
    }
    interval = result.systems["wfns"].metrics["auc"].interval
    assert (interval.low, interval.high) == pytest.approx((0.7357640966, 0.8868418443), abs=1e-10)


def test_asah_all_at_once(asah):
    trials = {name: table.trials() for name, table in asah.items()}
    contrast = db.delong_contrast([one.score for one in trials.values()], trials["wfns"].is_target, target=True)
    (joint,) = db.compare(asah, metrics="auc").joint
    assert (joint.metric, joint.df) == ("auc", 2)
    assert (joint.chi2, joint.p_value) == pytest.approx((contrast.chi2, contrast.p_value), rel=1e-9)


def test_asah_unpaired(asah):
    result = db.compare(asah, metrics="auc", pairing="none")
    published = {
        ("wfns", "s100b"): (1.43490640926908, 0.152825378808796),
        ("wfns", "ndka"): (3.10125096778969, 0.00220950791756457),
        ("ndka", "s100b"): (-1.55995743389685, 0.120192832430845),
    }
    for pair, (statistic, p_value) in published.items():
        found = result.difference("auc", *pair)
        assert found.test == "delong-unpaired"
        assert found.statistic == pytest.approx(statistic, rel=1e-12)
        assert found.p_value == pytest.approx(p_value, rel=1e-10)


def test_by_hand():
    """AUC 18/20 and 13/20 on the same 4 + 5 trials."""
    found = db.compare(two(), metrics=["auc"]).difference("auc")
    test = db.delong_test(FIRST, SECOND, LABELS)
    assert found.value == 5 / 20
    assert (found.statistic, found.p_value) == (test.z, test.p_value)
    assert found.interval == test.interval


def every_swap(key, first, second):
    """Share of all swaps of which the difference is at least as large, by counting each of them."""
    (expression,) = parse(key)
    metric = getattr(db, expression.spec.name)

    def difference(a, b):
        one, other = (db.Counts.from_arrays(scores, LABELS, scale=first.scale) for scores in (a, b))
        return metric(one, **expression.options) - metric(other, **expression.options)

    a, b = (db.midranks(s.score) if expression.spec.rank_only else s.score for s in (first, second))
    observed = abs(difference(a, b))
    swaps = [np.array(swap, dtype=bool) for swap in itertools.product([False, True], repeat=len(LABELS))]
    found = [abs(difference(np.where(s, b, a), np.where(s, a, b))) for s in swaps]
    return np.mean(np.array(found) >= observed * (1 - 1e-12))


@pytest.mark.parametrize(
    "key", ["eer", "average_precision", "cllr", "cllr_min", "cllr_cal", "brier", "p_miss_at:p_fa=0.2"]
)
def test_permutation_tends_to_every_swap(key):
    systems = two(scale="ln_lr")
    found = db.compare(systems, metrics=[key], replicates=1000).difference(key)
    assert found.test == "permutation"
    assert found.p_value == pytest.approx(every_swap(key, systems["a"], systems["b"]), abs=0.05)


def test_ranks_are_swapped_so_that_scales_do_not_matter():
    plain = db.compare(two(), metrics="eer", replicates=100)
    stretched = {"a": system(np.exp(FIRST)), "b": system(np.array(SECOND) * 1e-300)}
    assert db.compare(stretched, metrics="eer", replicates=100).difference("eer") == plain.difference("eer")


def test_likelihood_ratios_are_swapped_in_one_unit():
    natural = db.compare(two(scale="ln_lr"), metrics="cllr", replicates=100).difference("cllr")
    mixed = {"a": system(FIRST, scale="ln_lr"), "b": system(np.exp(SECOND), scale="lr")}
    found = db.compare(mixed, metrics="cllr", replicates=100).difference("cllr")
    assert found.test == "permutation"
    assert found.p_value == natural.p_value
    assert found.value == pytest.approx(natural.value, rel=1e-12)


def test_scores_of_different_units_are_not_swapped():
    mixed = {"a": system(FIRST, scale="ln_lr"), "b": system(SECOND)}
    found = db.compare(mixed, metrics=["accuracy:threshold=4"], replicates=100).difference("accuracy:threshold=4")
    assert found.test == "bootstrap"


def test_no_variance_is_tested_by_permutation():
    """DeLong's variance of two AUCs of 1 and 0 is 0: all scores must be swapped, or none, to go as far."""
    labels = [1, 1, 1, 0, 0, 0]
    systems = {"a": system([4, 5, 6, 1, 2, 3], labels), "b": system([1, 2, 3, 4, 5, 6], labels)}
    found = db.compare(systems, metrics="auc", replicates=4000).difference("auc")
    assert (found.value, found.test, found.statistic) == (1.0, "permutation", None)
    assert found.p_value == pytest.approx(2 / 64, abs=0.01)
    assert (found.interval, found.interval_reason) == (None, "degenerate")
    assert db.compare(systems, metrics="auc", pairing="none").difference("auc").p_reason == "degenerate"


@pytest.mark.parametrize("pairing", ["rows", "none"])
@pytest.mark.parametrize("sources", [(), (list("aabbccddd"),)])
def test_identical_systems(pairing, sources):
    one = system(FIRST, scale="ln_lr", sources=sources)
    result = db.compare({"a": one, "b": one, "c": one}, pairing=pairing, replicates=100)
    for found in result.differences:
        assert (found.value, found.p_value, found.p_holm) == (0.0, 1.0, 1.0), found
        if pairing == "rows":
            assert (found.interval, found.interval_reason) == (None, "degenerate")
    for errors in result.errors:
        assert (errors.only_first, errors.only_second, errors.p_exact, errors.p_mid) == (0, 0, 1.0, 1.0)
    if pairing == "rows" and not sources:
        assert [(joint.chi2, joint.df, joint.p_value) for joint in result.joint] == [(0.0, 0, 1.0)]


scores = st.lists(st.integers(-3, 3).map(float), min_size=len(LABELS), max_size=len(LABELS))


@given(scores, scores, st.sampled_from(["score", "ln_lr"]), st.booleans(), st.sampled_from(["rows", "none"]))
@few
def test_antisymmetry(first, second, scale, sourced, pairing):
    sources = (list("aabbccddd"),) if sourced else ()
    a, b = (system(s, scale=scale, sources=sources) for s in (first, second))
    one = db.compare({"a": a, "b": b}, replicates=30, pairing=pairing)
    other = db.compare({"b": b, "a": a}, replicates=30, pairing=pairing)
    for found in one.differences:
        turned = other.difference(found.metric, "a", "b")
        assert (found.value, found.p_value, found.test) == (turned.value, turned.p_value, turned.test)
        assert found.statistic == pytest.approx(turned.statistic)
        assert found.interval_reason == turned.interval_reason
        if found.interval:
            ends = (turned.interval.low, turned.interval.high)
            assert (found.interval.low, found.interval.high) == pytest.approx(ends, rel=1e-9, abs=1e-12)
    for mine, theirs in zip(one.errors, other.errors, strict=True):
        assert (mine.only_first, mine.only_second) == (theirs.only_second, theirs.only_first)
        assert mine.p_exact == theirs.p_exact


@given(st.permutations(range(len(LABELS))), st.permutations(range(len(LABELS))), st.booleans())
@few
def test_order_of_rows_changes_nothing(order, other, sourced):
    names, sources = np.array(list("qwertzuio")), np.array(list("aabbccddd"))

    def ordered(scores, by):
        more = {"sources": (sources[by],)} if sourced else {}
        return system(np.array(scores)[by], np.array(LABELS)[by], ids=names[by], scale="ln_lr", **more)

    plain = {"a": ordered(FIRST, np.arange(9)), "b": ordered(SECOND, np.arange(9))}
    mixed = {"a": ordered(FIRST, np.array(order)), "b": ordered(SECOND, np.array(other))}
    expected, found = (db.compare(systems, replicates=30) for systems in (plain, mixed))
    assert found.differences == expected.differences
    assert found.systems == expected.systems
    assert (found.errors, found.pairing) == (expected.errors, expected.pairing)


def test_cllr_is_the_sum_of_its_parts():
    result = db.compare(two(scale="ln_lr"), metrics="cllr", replicates=20)
    assert list(result.systems["a"].metrics) == ["cllr", "cllr_min", "cllr_cal"]
    parts = [result.difference(key).value for key in ("cllr", "cllr_min", "cllr_cal")]
    assert parts[0] == pytest.approx(parts[1] + parts[2], abs=1e-12)
    assert "Differences of Cllr taken apart" in str(result)


@pytest.mark.parametrize(
    ("scale", "shown"),
    [
        ("score", ["auc", "eer", "average_precision"]),
        ("ln_lr", ["auc", "eer", "average_precision", "cllr", "cllr_min", "cllr_cal"]),
        ("probability", ["auc", "eer", "average_precision", "brier", "log_loss"]),
    ],
)
def test_shown_unasked(scale, shown):
    scores = [np.array(s) / 20 + 0.1 for s in (FIRST, SECOND)] if scale == "probability" else [FIRST, SECOND]
    result = db.compare({n: system(s, scale=scale) for n, s in zip("ab", scores, strict=True)}, interval="none")
    assert list(result.systems["a"].metrics) == shown


def test_only_what_all_scales_carry_is_shown_unasked():
    result = db.compare({"a": system(FIRST, scale="ln_lr"), "b": system(SECOND)}, interval="none")
    assert [one.metric for one in result.differences] == ["auc", "eer", "average_precision"]
    assert result.errors == (), "raw scores have no threshold of their own"
    with pytest.raises(db.ScaleError, match="system 'b': cllr needs likelihood ratios"):
        db.compare({"a": system(FIRST, scale="ln_lr"), "b": system(SECOND)}, metrics="cllr")


def test_costs_join_the_figures():
    result = db.compare(two(), costs="preset=voxsrc", metrics="auc", interval="none")
    assert [one.metric for one in result.differences] == ["auc", "min_dcf:preset=voxsrc"]


def test_without_draws():
    result = db.compare(two(), interval="none")
    assert result.difference("auc").test == "delong"
    assert (result.difference("auc").interval, result.difference("auc").interval_reason) == (None, "not_computed")
    assert (result.difference("eer").p_value, result.difference("eer").p_reason) == (None, "not_computed")
    assert result.systems["a"].metrics["auc"].interval is None


def test_bootstrap_of_everything():
    result = db.compare(two(), metrics=["auc", "eer"], interval="bootstrap", replicates=200)
    for key in ("auc", "eer"):
        assert result.difference(key).interval.resampled == "trials"
        assert result.systems["a"].metrics[key].interval.resampled == "trials"
    assert result.difference("auc").test == "delong"


def test_sources_are_drawn_for_all_systems_at_once():
    """The second system is the first and a little noise: the difference varies far less than when drawn apart."""
    rng = np.random.default_rng(1)
    labels = np.repeat([1, 0], 60)
    shared_part = rng.normal(labels * 2.0, 1.5)
    sources = rng.integers(0, 12, 120)
    systems = {
        "a": db.Trials.from_arrays(shared_part, labels, sources=sources, scale="ln_lr"),
        "b": db.Trials.from_arrays(shared_part + rng.normal(0, 0.05, 120), labels, scale="ln_lr"),
    }
    result = db.compare(systems, metrics=["auc", "cllr"], replicates=300)
    apart = db.compare(systems, metrics=["auc", "cllr"], replicates=300, pairing="none")
    for key in ("auc", "cllr"):
        found, wide = result.difference(key), apart.difference(key)
        assert (found.test, found.interval.resampled) == ("bootstrap", "sources")
        assert 5 * (found.interval.high - found.interval.low) < wide.interval.high - wide.interval.low
    codes = {finding.code for finding in result.findings}
    assert "DEP-SOURCE" in codes
    assert "DEP-UNKNOWN" not in codes
    assert result.joint == ()


def test_weights():
    weight = [1.0, 2.0, 1.0, 1.0, 0.5, 1.0, 0.0, 3.0, 1.0]
    result = db.compare(two(weight=weight), thresholds=4, replicates=100)
    assert result.pairing.n == 8, "a trial of weight 0 is none"
    assert result.difference("auc").test == "permutation"
    assert result.difference("auc").interval.resampled == "trials"
    assert [(one.reason, one.p_exact, one.only_first) for one in result.errors] == [("weighted", None, None)]
    counts = {name: db.count(one) for name, one in two(weight=weight).items()}
    found = db.compare(counts).difference("auc")
    assert (found.interval_reason, found.p_reason) == ("weighted", "weighted")


def test_infinite_cllr():
    labels = [1, 1, 0, 0]
    bad = system([-math.inf, 1.0, -1.0, 0.0], labels, scale="ln_lr")
    good = system([2.0, 1.0, -1.0, 0.0], labels, scale="ln_lr")
    result = db.compare({"bad": bad, "good": good, "worse": bad}, metrics="cllr", replicates=50)
    one = result.difference("cllr", "bad", "good")
    assert (one.value, one.interval_reason, one.p_reason) == (math.inf, "infinite_end", "infinite_end")
    both = result.difference("cllr", "bad", "worse")
    assert (both.value, both.reason) == (None, "infinite_end")
    assert {finding.group for finding in result.findings if finding.code == "INF-LR"} == {"bad", "worse"}
    assert Comparison.from_json(result.to_json()) == result


def test_reversed_scores_are_said_of_the_system_they_belong_to():
    result = db.compare({"up": system(FIRST), "down": system([-s for s in FIRST])}, metrics="auc")
    (finding,) = (finding for finding in result.findings if finding.code == "DIRECTION")
    assert finding.group == "down"
    assert result.difference("auc").value == pytest.approx(0.9 - 0.1), "nothing is flipped"


def test_thresholds_of_reversed_scores():
    distances = system([-s for s in FIRST], higher="nontarget")
    result = db.compare(
        {"a": system(FIRST), "b": distances}, thresholds={"a": 4, "b": -4}, metrics="accuracy:threshold=4"
    )
    (errors,) = result.errors
    assert (errors.only_first, errors.only_second) == (0, 0)
    assert (errors.first_threshold, errors.second_threshold) == (4.0, -4.0)
    assert result.systems["b"].thresholds[0].accept == "score <= -4"


def test_mcnemar_by_hand():
    """At 4: a is wrong on 3, 6 (trials 4, 5); at 5: b is wrong on 3, 4, 9, 6 (trials 2, 4, 5, 6)."""
    result = db.compare(two(), thresholds={"a": [4], "b": [5]}, interval="none")
    (errors,) = result.errors
    assert (errors.only_first, errors.only_second, errors.both, errors.neither) == (0, 2, 2, 5)
    assert errors.p_exact == db.mcnemar(0, 2).p_value == 0.5
    assert errors.p_mid == db.mcnemar(0, 2, "mid-p").p_value
    assert (errors.p_exact_holm, errors.p_mid_holm) == (errors.p_exact, errors.p_mid)


def test_chosen_thresholds_are_taken():
    chosen = db.choose_threshold(system(SECOND), "eer")
    result = db.compare(two(), thresholds=chosen, interval="none")
    assert result.systems["a"].thresholds[0].origin == "eer"
    assert result.provenance.options["thresholds"]["b"][0]["rule"] == "eer"


def test_findings():
    result = db.compare({**two(), "c": system(FIRST)}, thresholds=4, replicates=50)
    found = {finding.code: finding for finding in result.findings}
    assert found["MULTI"].data == {"tests": 12, "pairs": 3, "adjustment": "holm"}
    assert "12 tests: 3 pairs of systems by 3 figures and errors at 1 threshold" in found["MULTI"].message
    assert found["PAIRED-ROWS"].data == {"by": "rows"}
    assert found["DEP-UNKNOWN"].group is None
    assert found["FEW-TRIALS"].group is None, "what holds for all systems is said once"
    alone = db.compare(two(), metrics="auc", interval="none")
    assert "MULTI" not in {finding.code for finding in alone.findings}


def test_shares_of_targets_that_differ_are_told():
    other = system(SECOND[:7], LABELS[:7])
    result = db.compare({"a": system(FIRST), "b": other}, interval="none")
    (finding,) = (finding for finding in result.findings if finding.code == "SHARES")
    assert finding.data["metrics"] == ["average_precision"]
    assert "44.44 % of a, 57.14 % of b" in finding.message
    alone = db.compare({"a": system(FIRST), "b": other}, metrics=["auc", "eer"], interval="none")
    assert "SHARES" not in {finding.code for finding in alone.findings}


def test_progress_ends_at_the_whole():
    told = []
    db.compare(two(scale="ln_lr"), replicates=100, progress=lambda done, whole: told.append((done, whole)))
    assert told[-1] == (200, 200)
    assert told == sorted(told)


def test_seed_and_replicates_are_recorded_and_matter():
    first, again, other = (db.compare(two(), metrics="eer", replicates=60, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first.differences != other.differences
    assert (first.provenance.seed, first.provenance.options["replicates"]) == (1, 60)

"""Scores that are reversed say so, and thresholds stay those for the scores as given."""

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deciban as db
from deciban.errors import InputError, OptionError
from deciban.records.writing import as_csv, as_plain
from deciban.trials.direction import reversed_scores, reversed_threshold, threshold_as_given

DISTANCES, LABELS = [0.1, 0.2, 0.25, 0.26, 0.3, 0.6], [1, 1, 0, 1, 0, 0]


def distances(**options):
    return db.Trials.from_arrays(DISTANCES, LABELS, higher="nontarget", **options)


def cells(row):
    return row.tp, row.fp, row.fn, row.tn


@pytest.mark.parametrize(
    ("higher", "swap"), [("target", False), ("target", True), ("nontarget", False), ("nontarget", True)]
)
@pytest.mark.parametrize("scale", ["score", "ln_lr", "lr", "probability"])
def test_trials_say_whether_scores_were_reversed_and_both_cancel(scale, higher, swap):
    trials = db.Trials.from_arrays(DISTANCES, LABELS, scale=scale, higher=higher, swap=swap)
    turned = (higher == "nontarget") != swap
    assert trials.reversed is turned
    assert db.count(trials).reversed is turned
    assert trials.select(np.array([1, 3])).reversed is turned
    assert ("reversed=True" in repr(trials)) is turned
    assert ("reversed=True" in repr(db.count(trials))) is turned
    if not turned:
        assert trials.score.tolist() == DISTANCES


@pytest.mark.parametrize("scale", ["score", "ln_lr", "lr", "probability"])
@pytest.mark.parametrize("swap", [False, True])
@given(st.data())
@settings(max_examples=25)
def test_a_threshold_given_accepts_from_below(scale, swap, data):
    score = data.draw(st.lists(st.integers(1, 15), min_size=4, max_size=12).map(lambda n: [x / 16 for x in n]))
    label = data.draw(st.lists(st.booleans(), min_size=len(score), max_size=len(score)))
    label[:2] = [True, False]
    at = data.draw(st.integers(0, 16)) / 16
    options = {"swap": True} if swap else {"higher": "nontarget"}
    trials = db.Trials.from_arrays(score, label, scale=scale, **options)
    row = db.evaluate(trials, thresholds=[at], metrics="auc", interval="none").thresholds[0]
    accepted, target = np.array(score) <= at, np.array(label) != swap
    assert (row.tp, row.fp) == (np.sum(accepted & target), np.sum(accepted & ~target))
    assert row.as_given == at
    assert row.accept == f"score <= {at:g}"


def test_figures_at_a_threshold_keep_the_key_that_was_asked_for():
    result = db.evaluate(
        distances(), metrics=["recall:threshold=0.2", "p_fa:threshold=0.26", "d_prime:threshold=0.26"], interval="none"
    )
    assert result["recall:threshold=0.2"].value == 2 / 3
    assert result["p_fa:threshold=0.26"].value == 1 / 3
    assert "recall:threshold=-0.2" not in result
    bootstrapped = db.evaluate(distances(), metrics=["recall:threshold=0.2"], interval="bootstrap", replicates=20)
    assert bootstrapped["recall:threshold=0.2"].value == 2 / 3


def test_the_probability_at_which_one_acts_is_not_turned():
    scores = [0.125, 0.25, 0.75, 0.875]
    trials = db.Trials.from_arrays(scores, [1, 0, 1, 0], scale="probability", higher="nontarget")
    plain = db.Trials.from_arrays([1 - p for p in scores], [1, 0, 1, 0], scale="probability")
    asked = ["net_benefit:threshold=0.2"]
    assert (
        db.evaluate(trials, metrics=asked, interval="none")[asked[0]]
        == db.evaluate(plain, metrics=asked, interval="none")[asked[0]]
    )


def test_everything_shown_is_for_the_scores_as_given():
    result = db.evaluate(
        distances(conditions={"side": list("lrlrlr")}), thresholds=[0.25, 0.0], by="side", interval="none"
    )
    assert result.trials.reversed
    assert cells(result.thresholds[0]) == (2, 1, 1, 2)
    assert (result.thresholds[0].threshold, result.thresholds[0].shown) == (-0.25, 0.25)
    assert math.copysign(1, result.thresholds[1].threshold) == 1
    text = str(result)
    assert "scores reversed" in text
    assert "accept when score <= threshold" in text
    assert "where score <= 0.25" in text
    for shown in (text, as_plain(result), as_csv(result), *(finding.message for finding in result.findings)):
        assert "-0.25" not in shown
    assert {row["threshold"] for row in result.to_rows()} == {None, 0.25, 0.0}
    back = db.Evaluation.from_json(result.to_json())
    assert str(back) == text
    plain = json.loads(result.to_json())
    assert plain["trials"]["reversed"] is True
    assert plain["thresholds"][0]["accept"] == "score <= 0.25"


def test_scores_that_stay_show_thresholds_as_before():
    result = db.evaluate(db.Trials.from_arrays(DISTANCES, LABELS), thresholds=[0.25], interval="none")
    row = result.thresholds[0]
    assert (row.threshold, row.as_given, row.accept, row.shown) == (0.25, None, "score >= 0.25", 0.25)
    assert "reversed" not in str(result)


def test_counts_remember_the_direction():
    counts = db.Counts.from_arrays(DISTANCES, LABELS, higher="nontarget")
    assert cells(db.evaluate(counts, thresholds=[0.25], interval="none").thresholds[0]) == (2, 1, 1, 2)
    # Functions of counts take thresholds for the scores that the counts hold.
    assert cells(db.confusion(counts, threshold=-0.25)) == (2, 1, 1, 2)
    again = db.Counts(-np.array(DISTANCES[::-1]), LABELS[::-1], 1 - np.array(LABELS[::-1]))
    assert counts != again
    assert counts.sha256() == again.sha256()
    with pytest.raises(InputError, match=r"direction, found scale score, prior None, resolution None; .*, reversed"):
        db.merge(counts, again)


@pytest.mark.parametrize(
    ("scale", "given", "turned"),
    [
        ("score", math.inf, -math.inf),
        ("score", 0.0, 0.0),
        ("lr", 0.0, math.inf),
        ("lr", math.inf, 0.0),
        ("lr", 4.0, 0.25),
        ("probability", 0.25, 0.75),
    ],
)
def test_the_map_of_thresholds(scale, given, turned):
    assert reversed_threshold(given, scale) == turned
    assert reversed_threshold(turned, scale) == given


def test_reversed_lrs():
    assert db.Trials.from_arrays([-0.0, 1.0], [1, 0], scale="lr", higher="nontarget").score.tolist() == [math.inf, 1.0]
    trials = db.Trials.from_arrays([0.5, 2.0], [1, 0], scale="lr", higher="nontarget")
    with pytest.raises(OptionError, match="a likelihood ratio is at least 0, found -1"):
        db.evaluate(trials, thresholds=[-1.0], interval="none")


def test_a_chosen_threshold_keeps_its_direction():
    chosen = db.choose_threshold(distances(), "youden", interval="none")
    assert chosen.reversed
    assert db.ChosenThreshold.from_json(chosen.to_json()) == chosen
    row = db.evaluate(distances(), thresholds=[chosen], interval="none").thresholds[0]
    assert (row.threshold, row.shown, row.post_hoc) == (chosen.threshold, -chosen.threshold, True)
    plain = db.Trials.from_arrays(DISTANCES, LABELS)
    with pytest.raises(OptionError, match=r"chosen on reversed scores, and these are not: .*\(--higher\)"):
        db.evaluate(plain, thresholds=[chosen], interval="none")
    with pytest.raises(OptionError, match="chosen on scores as given, and these are reversed"):
        db.evaluate(distances(), thresholds=[db.choose_threshold(plain, "youden", interval="none")], interval="none")


def test_a_chosen_threshold_keeps_its_prior():
    first, second = (db.Counts.from_classes([0.9], [0.1], scale="probability", prior=p) for p in (0.5, None))
    chosen = db.choose_threshold(first, "youden", interval="none")
    assert db.evaluate(first, thresholds=[chosen], interval="none").thresholds[0].threshold == 0.9
    with pytest.raises(
        OptionError, match=r"made under prior 0.5, and these were made under an unknown prior: .*--prior"
    ):
        db.evaluate(second, thresholds=[chosen], interval="none")


def test_the_finding_on_direction_knows_that_scores_were_reversed():
    result = db.evaluate(db.Trials.from_arrays([3, 2, 1], [1, 1, 0], higher="nontarget"), interval="none")
    (finding,) = (finding for finding in result.findings if finding.code == "DIRECTION")
    assert "Scores were reversed as asked" in finding.message
    assert "leave that out" in finding.advice


def test_command_line(deciban, tmp_path):
    path, kept = tmp_path / "a.csv", tmp_path / "thr.json"
    path.write_text("dist,label\n" + "".join(f"{d},{y}\n" for d, y in zip(DISTANCES, LABELS, strict=True)))
    reversed_ = (path, "--score", "dist", "--higher", "nontarget")
    given = (*reversed_, "--interval", "none")
    ended = deciban("evaluate", *given, "--threshold", "0.25", "--require", "recall:threshold=0.2 >= 0.6")
    assert ended.status == 0
    said = "scores reversed (higher means nontarget): accept when dist <= "
    assert f"deciban: {said}0.25\n" in ended.err
    assert f"{said}threshold" in ended.out
    ended = deciban("evaluate", path, "--score", "dist", "--swap", "--interval", "none", "--format", "json")
    assert "scores reversed (the other class is evaluated): accept when dist <= threshold" in ended.err
    ended = deciban("threshold", *reversed_, "--at", "youden", "-o", kept)
    assert f"{said}0.2; the record holds -0.2, for the reversed scores" in ended.err
    assert deciban("evaluate", *given, "--threshold-from", kept, "--format", "plain").plain["recall@0.2"] == "0.666667"
    ended = deciban("evaluate", path, "--score", "dist", "--threshold-from", kept)
    assert (ended.status, ended.out) == (2, "")
    assert "chosen on reversed scores, and these are not: give both the same --higher and --swap" in ended.err


def test_records_without_the_new_fields_are_read():
    plain = db.evaluate(db.Trials.from_arrays(DISTANCES, LABELS), thresholds=[0.25], interval="none")
    text = re.sub(r'"(reversed|as_given|accept)": [^,]*,\s*', "", plain.to_json())
    assert "reversed" not in text
    assert db.Evaluation.from_json(text).trials == plain.trials
    assert replace(plain.thresholds[0], accept="") == db.Evaluation.from_json(text).thresholds[0]


RATIOS = st.floats(0.0, allow_infinity=False, allow_subnormal=False).filter(lambda x: not 0.0 < x < 1e-300)


@pytest.mark.parametrize(("scale", "doubles"), [("probability", st.floats(0.0, 1.0)), ("lr", RATIOS)])
@given(st.data())
def test_a_threshold_turned_back_accepts_the_same_scores(scale, doubles, data):
    score = np.array(data.draw(st.lists(doubles, min_size=1, max_size=8)))
    turned = reversed_scores(np.unique(score), scale, None) if distinct(score, scale) else score[:0]
    for at in [*turned.tolist(), data.draw(doubles)]:
        shown = threshold_as_given(at, scale)
        given = np.unique(score)[: turned.size]
        assert np.array_equal(given <= shown, turned >= at)


def distinct(score, scale):
    try:
        reversed_scores(score, scale, None)
    except InputError:
        return False
    return True


@pytest.mark.parametrize("scale", ["probability", "lr"])
def test_thresholds_chosen_on_reversed_scores_are_shown_so_that_they_accept_what_was_counted(scale):
    score = [0.059, 0.02, 0.007, 0.049, 0.058, 0.3, 0.06, 0.11]
    label = [1, 1, 1, 0, 1, 0, 0, 0]
    trials = db.Trials.from_arrays(score, label, scale=scale, higher="nontarget")
    chosen = db.choose_threshold(trials, "youden", interval="none")
    row = db.evaluate(trials, thresholds=[chosen], interval="none").thresholds[0]
    assert (row.tp, row.fp) == (4, 1)
    assert row.shown == pytest.approx(0.059)
    assert sum(one <= row.shown for one in score) == 5


def test_ends_and_defaults_turned_back_are_themselves():
    assert threshold_as_given(0.5, "probability") == 0.5
    assert threshold_as_given(1.0, "lr") == 1.0
    assert [threshold_as_given(at, "lr") for at in (math.inf, 0.0)] == [0.0, math.inf]
    assert [threshold_as_given(at, "probability") for at in (math.inf, -math.inf)] == [-math.inf, math.inf]
    assert threshold_as_given(-0.25, "score") == 0.25

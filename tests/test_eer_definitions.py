"""Toy sets on which scorers disagree: each definition of the EER gives what the tools that follow it give.

The values were observed by running those tools (PYLLR, BOSARIS ports, bob.measure, SpeechBrain, torchmetrics' rule,
voxceleb_trainer, pyeer, ASVspoof, NIST), and are fractions of a few trials that can be counted by hand.
"""

import math
from fractions import Fraction

import pytest

import deciban as db
from deciban.metrics.eer import METHODS
from deciban.metrics.eer_definitions import DEFINITIONS
from tests.command_line import Program

INF = math.inf

SETS = {
    "A": ([0.9, 0.6, 0.4], [0.8, 0.4, 0.1]),
    "B": ([0.9, 0.5], [0.8, 0.7, 0.1]),
    "tied": ([0, 0, 0], [0, 0]),
    "mixed": ([1, 1, 2], [1, 1, 0]),
    "separable": ([3, 2], [1, 0]),
    "inverted": ([0, 1], [2, 3]),
    "inf": ([INF, 1, -1], [0, -INF, -2]),
    "wrong side": ([-INF, 1, 2], [INF, -1, -2]),
}

EER = {
    "rocch": ("1/3", "2/7", "1/2", "1/3", 0, "1/2", "1/6", "1/3"),
    "interpolated": ("1/3", "1/2", "1/2", "1/3", 0, 1, "1/3", "1/3"),
    "nearest-first": ("1/3", "7/12", "1/2", "1/3", 0, 1, "1/3", "1/3"),
    "nearest-last": ("1/3", "5/12", "1/2", "1/3", 0, 1, "1/3", "1/3"),
    "nearest-max": ("1/3", "2/3", 1, "2/3", 0, 1, "1/3", "1/3"),
    "fvc": ("1/3", "5/12", "1/2", "1/3", 0, 1, "1/3", "1/3"),
    "asvspoof": ("1/3", "7/12", 1, "2/3", 0, 1, "1/3", "1/3"),
    # Of the mixed set, the scorer in file order gave 1/3; targets first among equal scores give 2/3.
    "nist": ("1/3", "1/2", 1, "2/3", 0, 1, "1/3", "1/3"),
}
"""By set, in their order."""


def counts(name: str) -> db.Counts:
    return db.Counts.from_classes(*SETS[name])


@pytest.mark.parametrize(
    ("method", "name", "expected"),
    [(method, name, value) for method, row in EER.items() for name, value in zip(SETS, row, strict=True)],
)
def test_eer(method, name, expected):
    assert db.eer(counts(name), method=method, exact=True) == Fraction(expected)


@pytest.mark.parametrize(
    ("name", "low", "high"), [("A", "1/3", "1/3"), ("B", "1/3", "1/2"), ("mixed", 0, "2/3"), ("tied", 0, 1)]
)
def test_interval_of_fvc2000(name, low, high):
    found = db.eer_fvc(counts(name))
    assert (found.low, found.high) == (float(Fraction(low)), float(Fraction(high)))


def test_every_definition_is_described():
    assert list(DEFINITIONS) == list(METHODS) == list(EER)


@pytest.fixture
def program(capsys, monkeypatch):
    return Program(capsys, monkeypatch)


def test_all_definitions_side_by_side(program, tmp_path):
    file = tmp_path / "b.csv"
    file.write_text("score,label\n0.9,1\n0.5,1\n0.8,0\n0.7,0\n0.1,0\n")
    shown = program("evaluate", file, "--metric", "eer:all", "--interval", "none").out
    assert "Equal error rate by definition" in shown
    assert "nearest-first  0.583333  0.7\n" in shown
    assert "rocch          0.285714  between 0.5 and 0.9\n" in shown
    for definition in DEFINITIONS.values():
        assert definition.rule in shown
        assert definition.used_by in shown
    markdown = program("evaluate", file, "--metric", "eer:all", "--interval", "none", "--format", "markdown").out
    assert "| nearest-last | 0.416667 | 0.8 | mean of the rates" in markdown
    assert "by definition" not in program("evaluate", file, "--interval", "none").out


@pytest.mark.parametrize("scale", ["lr", "probability", "ln_lr", "score"])
def test_thresholds_of_reversed_scores_are_for_the_scores_as_given(scale):
    trials = db.Trials.from_arrays([0.25, 0.5, 0.125, 0.5], [1, 0, 1, 0], target=1, scale=scale, higher="nontarget")
    for one in db.evaluate(trials, metrics="eer:all", interval="none").equal_errors:
        assert one.value == 0.0
        for threshold in (one.threshold, one.below, one.above):
            # Of the doubles that become one reversed score the largest is shown.
            known = (0.125, 0.25, 0.5, INF, -INF)
            assert threshold is None or any(threshold == pytest.approx(score, rel=3e-16) for score in known)


def test_record_has_rates_and_thresholds_of_all_definitions():
    trials = db.Trials.from_classes(*SETS["B"])
    result = db.evaluate(trials, metrics=["eer:all"], interval="none")
    assert db.Evaluation.from_json(result.to_json()) == result
    for one in result.equal_errors:
        expected = result["eer" if one.method == "rocch" else f"eer:method={one.method}"].value
        assert one.value == expected
    reversed_ = db.Trials.from_arrays([-0.9, -0.5, -0.8, -0.7, -0.1], [1, 1, 0, 0, 0], higher="nontarget")
    turned = db.evaluate(reversed_, metrics=["eer:all"], interval="none").equal_errors
    assert [one.threshold for one in turned] == [
        None if one.threshold is None else -one.threshold for one in result.equal_errors
    ]
    weighted = db.Trials.from_arrays([0.9, 0.5, 0.8, 0.1], [1, 1, 0, 0], weight=[1, 0.5, 1, 2])
    reasons = {one.method: one.reason for one in db.evaluate(weighted, metrics=["eer:all"]).equal_errors}
    assert reasons["nist"] == reasons["asvspoof"] == "weighted"
    assert reasons["rocch"] is None

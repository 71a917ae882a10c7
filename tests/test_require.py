"""Limits on figures: read, met, not met, and without a value."""

from dataclasses import replace

import pytest

import deciban as db
from deciban.errors import OptionError
from deciban.uncertainty.interval import Interval
from deciban.workflow.require import parse_requirement

RESULT = db.evaluate(
    db.Trials.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1]), metrics=["precision:threshold=5"], interval="closed"
)
AUC = 13 / 18


@pytest.mark.parametrize(
    ("text", "met"),
    [
        ("auc >= 0.7", True),
        ("auc>=0.7", True),
        ("  auc   >   0.7 ", True),
        (f"auc == {AUC!r}", True),
        (f"auc >= {AUC!r}", True),
        (f"auc > {AUC!r}", False),
        (f"auc < {AUC!r}", False),
        (f"auc <= {AUC!r}", True),
        ("auc >= inf", False),
        ("auc >= -1e3", True),
        ("eer:method=rocch < 0.5", True),
        ("eer <= .1", False),
        ("low(auc) >= 0.1", True),
        ("low(auc) > 0.72", False),
        ("low(eer) >= 0", False),
        ("high( auc ) <= 1", True),
        ("high( auc ) <= 0.73", False),
        ("precision:threshold=5 >= 0", False),
    ],
)
def test_check(text, met):
    said = parse_requirement(text).check(RESULT)
    assert (said is None) == met
    assert said is None or said.startswith(f"{text.strip()}: not met, ")


def test_bounds():
    interval = Interval(low=0.6, high=0.9, level=0.95, method="delong-logit")
    bounded = replace(RESULT, metrics={**RESULT.metrics, "auc": replace(RESULT["auc"], interval=interval)})
    assert parse_requirement("low(auc) >= 0.6").check(bounded) is None
    assert parse_requirement("high(auc) < 0.9").check(bounded) == "high(auc) < 0.9: not met, found 0.9"
    assert parse_requirement("low(eer) > 0").check(bounded) == (
        "low(eer) > 0: not met, there is no value (no interval: not_computed)"
    )


def test_no_value_says_why():
    assert parse_requirement("precision:threshold=5 >= 0").check(RESULT) == (
        "precision:threshold=5 >= 0: not met, there is no value (undefined_ratio)"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected e.g. 'auc >= 0.85'"),
        ("auc", "expected e.g. 'auc >= 0.85'"),
        (">= 0.5", "expected e.g. 'auc >= 0.85'"),
        ("auc = 0.5", "auc"),
        ("auc >= x", "expected a number after >=, found 'x'"),
        ("auc >= nan", "nothing compares with NaN"),
        ("aux >= 1", "no metric 'aux'"),
        ("middle(auc) >= 1", "only low(…) and high(…) take a figure"),
        ("foo(auc) >= .5", "expected e.g. 'auc >= 0.85' or 'low(auc) >= 0.8', found 'foo(auc) >= .5'"),
        ("auc >= 1_0", "expected a number after >=, found '1_0'"),
        ("auc >= 1e400", "expected a number after >=, found '1e400'"),
        ("eer:all < 1", "is several figures; name one of them"),
        ("eer_fvc < 1", "is several figures; name one of them"),
    ],
)
def test_refused(text, message):
    with pytest.raises(OptionError) as caught:
        parse_requirement(text)
    assert message in str(caught.value)


def test_keys_of_the_record_are_figures():
    trials = db.Trials.from_arrays([3, 1, 2, 0], [1, 0, 1, 0], conditions={"g": list("aabb"), "h": list("xyxy")})
    result = db.evaluate(trials, by=["g", "g,h"])
    for key in result.metrics:
        assert result[key] == result.metrics[key] == result[f" {key} "]
        parse_requirement(f"{key} >= 0").check(result)
    limit = parse_requirement("auc_within:by=g >= 0.5")
    assert (limit.expression, limit.asked) == ("auc_within:by=g", "")
    assert limit.check(result) is None
    assert parse_requirement("low(auc_within:by=g) >= 0.5").bound == "low"
    with pytest.raises(OptionError, match="'auc_within:by=x' was not evaluated: it needs groups, by='x'"):
        result["auc_within:by=x"]


def test_keys_of_the_record_on_the_command_line(deciban, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("score,label,g\n3,1,a\n1,0,a\n2,1,b\n0,0,b\n")
    for limit, status in ((0.9, 0), (1.1, 1)):
        asked = ("--by", "g", "--require", f"auc_within:by=g >= {limit}", "--interval", "none")
        ended = deciban("evaluate", path, *asked, "--format", "plain")
        assert ended.status == status
        assert "auc_within:by=g 1.000000" in ended.out

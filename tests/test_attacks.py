"""Presentation-attack detection: rates by species, the worst one, thresholds at a largest APCER, non-responses."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deciban as db
from deciban.errors import InputError, OptionError, UndefinedMetricError
from tests.command_line import Program

NAN, INF = np.nan, np.inf
BONA_FIDE = [0.9, 0.8, 0.7, 0.3]
ATTACKS = {"mask": [0.6, 0.2], "print": [0.1, 0.4, 0.2]}


def trials(bona_fide=BONA_FIDE, attacks=ATTACKS, **options):
    scores = [*bona_fide, *(score for group in attacks.values() for score in group)]
    labels = ["bonafide"] * len(bona_fide) + ["attack"] * (len(scores) - len(bona_fide))
    tools = ["-"] * len(bona_fide) + [name for name, group in attacks.items() for _ in group]
    options.setdefault("conditions", {"tool": tools})
    return db.Trials.from_arrays(scores, labels, target="bonafide", nontarget="attack", **options)


def value(share):
    return share.rate.value


def test_rates_at_a_threshold():
    point = db.evaluate_attacks(trials(), "tool", thresholds=0.4).points[0]
    assert {name: (one.errors, one.n, value(one)) for name, one in point.species.items()} == {
        "mask": (1, 2, 1 / 2),
        "print": (1, 3, 1 / 3),
    }
    assert (point.worst, point.apcer.value) == ("mask", 1 / 2)
    assert (point.bpcer.errors, point.bpcer.n, value(point.bpcer)) == (1, 4, 1 / 4)
    assert point.asked == {}
    assert point.accept == "score >= 0.4"
    interval, expected = point.bpcer.rate.interval, db.proportion_interval(1, 4)
    assert interval == expected


def test_averages_come_by_name_only():
    point = db.evaluate_attacks(trials(), "tool", thresholds=0.4, metrics=["acer", "apcer_pooled"]).points[0]
    assert point.asked["acer"].value == (1 / 2 + 1 / 4) / 2
    assert point.asked["apcer_pooled"].value == 2 / 5
    assert point.asked["apcer_pooled"].interval == db.proportion_interval(2, 5)
    interval = point.asked["acer"].interval
    assert interval is not None
    assert 0 <= interval.low < 0.375 < interval.high <= 1


@pytest.mark.parametrize(
    ("limit", "threshold", "bpcer"),
    [(0, 0.7, 1 / 4), (0.3, 0.7, 1 / 4), (0.49, 0.7, 1 / 4), (0.5, 0.3, 0), (1, 0.1, 0)],
)
def test_bpcer_at_an_apcer_of_the_worst_species(limit, threshold, bpcer):
    """At .5 mask may lose one of two and print one of three: .2 of both must be rejected, so .3 is the lowest score."""
    point = db.evaluate_attacks(trials(), "tool", apcer=limit).points[0]
    assert (point.threshold, value(point.bpcer), point.limit) == (threshold, bpcer, limit)
    assert max(value(one) for one in point.species.values()) == point.apcer.value <= limit


def test_of_equal_species_the_one_known_least_is_the_worst():
    attacks = {"many": [0.1] * 50, "few": [0.1] * 5, "more": [0.1] * 20}
    assert db.evaluate_attacks(trials(attacks=attacks), "tool", thresholds=0.5).points[0].worst == "few"


scores = st.lists(st.integers(0, 12), min_size=1, max_size=12)


@settings(max_examples=200, deadline=None)
@given(scores, scores, scores, st.sampled_from([0, 0.05, 0.1, 0.25, 1 / 3, 0.5, 2 / 3, 0.9, 1]))
def test_lowest_threshold_by_brute_force(bona_fide, first, second, limit):
    point = db.evaluate_attacks(trials(bona_fide, {"a": first, "b": second}), "tool", apcer=limit).points[0]
    every = sorted({*bona_fide, *first, *second})
    kept = [t for t in every if all(sum(s >= t for s in one) / len(one) <= limit for one in (first, second))]
    assert point.threshold == (min(kept) if kept else INF)
    assert value(point.bpcer) == sum(s < point.threshold for s in bona_fide) / len(bona_fide)


def test_presentations_without_a_response():
    data = trials([0.9, NAN, 0.2, 0.8], {"mask": [0.6, NAN, NAN, 0.1], "print": [0.1]}, missing="reject")
    apart = db.evaluate_attacks(data, "tool", thresholds=0.5)
    assert (apart.bona_fide.n, apart.bona_fide.without_response, apart.bona_fide.rate.value) == (4, 1, 1 / 4)
    assert apart.species["mask"].rate.value == 1 / 2
    assert (value(apart.points[0].bpcer), apart.points[0].apcer.value) == (1 / 3, 1 / 2)
    counted = db.evaluate_attacks(data, "tool", thresholds=0.5, nonresponse="rejected")
    assert (value(counted.points[0].bpcer), counted.points[0].apcer.value) == (2 / 4, 1 / 4)
    assert counted.species == apart.species
    # Accepting every score accepts none that is not there.
    everything = db.evaluate_attacks(data, "tool", thresholds=-INF, nonresponse="rejected").points[0]
    assert (value(everything.bpcer), everything.apcer.value) == (1 / 4, 1)
    assert value(everything.species["mask"]) == 1 / 2
    for result in (apart, counted):
        (finding,) = (one for one in result.findings if one.code == "NO-RESPONSE")
        assert finding.data == {"bona fide": 1, "mask": 2, "print": 0}


@pytest.mark.parametrize("options", [{"thresholds": 0.5}, {"apcer": 0.5}])
def test_a_species_without_a_response_leaves_the_others_standing(options):
    """Without ``a`` everything is the same but for its row, its non-responses and what is said of it."""
    attacks = {"b": [0.6, 0.1], "c": [0.1]}
    with_it = trials(attacks={"a": [NAN, NAN], **attacks}, missing="reject")
    both = {"species": "tool", "metrics": ["acer", "apcer_pooled"], **options}
    found, others = db.evaluate_attacks(with_it, **both), db.evaluate_attacks(trials(attacks=attacks), **both)
    point, expected = found.points[0], others.points[0]
    assert (point.species["a"].n, value(point.species["a"])) == (0, None)
    assert point.species["a"].rate.reason == "undefined_ratio"
    assert {name: share for name, share in point.species.items() if name != "a"} == expected.species
    assert (point.threshold, point.worst, point.bpcer, point.asked) == (
        *(expected.threshold, expected.worst),
        *(expected.bpcer, expected.asked),
    )
    assert found.species["a"].rate.value == 1.0
    said = {one.code: one for one in found.findings}
    assert set(said) == {one.code for one in others.findings} | {"NO-APCER", "NO-RESPONSE"}
    assert said["NO-APCER"].data == {"species": ["a"]}
    assert said["WORST"].data == {"species": 2}
    assert "- (undefined_ratio)" in str(found)
    assert db.AttackEvaluation.from_json(found.to_json()) == found
    counted = db.evaluate_attacks(with_it, **both, nonresponse="rejected")
    assert (counted.points[0].species["a"].n, value(counted.points[0].species["a"])) == (2, 0.0)
    assert "NO-APCER" not in {one.code for one in counted.findings}


def test_scores_that_speak_for_attacks():
    turned = trials([-x for x in BONA_FIDE], {k: [-x for x in v] for k, v in ATTACKS.items()}, higher="nontarget")
    found = db.evaluate_attacks(turned, "tool", thresholds=-0.4, apcer=0.5)
    straight = db.evaluate_attacks(trials(), "tool", thresholds=0.4, apcer=0.5)
    for one, other in zip(found.points, straight.points, strict=True):
        assert (one.species, one.bpcer, one.worst) == (other.species, other.bpcer, other.worst)
        assert one.shown == -other.shown
    assert found.points[0].accept == "score <= -0.4"


def test_what_must_be_said():
    codes = {one.code for one in db.evaluate_attacks(trials(), "tool", thresholds=0.95).findings}
    assert codes == {"ZERO-ERR", "WORST", "DEP-UNKNOWN"}
    codes = {one.code for one in db.evaluate_attacks(trials(), "tool", apcer=0.1, metrics="acer").findings}
    assert codes == {"RES-APCER", "POST-HOC", "AVERAGED", "WORST", "DEP-UNKNOWN"}
    dropped = trials([0.9, NAN], missing="drop")
    assert "MISSING" in {one.code for one in db.evaluate_attacks(dropped, "tool", thresholds=0.5).findings}


@pytest.mark.parametrize(
    ("data", "options", "error", "message"),
    [
        (trials(), {}, OptionError, "expected a threshold"),
        (trials(), {"apcer": 1.5}, OptionError, r"apcer: expected a rate in \[0, 1\]"),
        (trials(), {"thresholds": "0.5"}, OptionError, "thresholds: expected numbers"),
        (trials(), {"thresholds": 0.5, "metrics": "hter"}, OptionError, "metrics: expected one of acer, apcer_pooled"),
        (trials(), {"thresholds": 0.5, "nonresponse": "x"}, OptionError, "nonresponse: expected one of apart"),
        (trials(), {"thresholds": 0.5, "level": 1}, OptionError, "level"),
        (trials(), {"thresholds": 0.5, "proportion": "wald"}, OptionError, "proportion"),
        (trials(), {"thresholds": 0.5, "species": "kind"}, InputError, "no condition column 'kind'"),
        (trials(attacks={"-": [0.1], "a": [1]}), {"thresholds": 0.5}, InputError, "1 attack without a species at row"),
        (trials().select(np.arange(9) < 4), {"thresholds": 0.5}, UndefinedMetricError, "there are no attacks"),
        (
            trials(bona_fide=[NAN], missing="reject"),
            {"thresholds": 0.5},
            UndefinedMetricError,
            "no bona fide presentation got a response",
        ),
        (trials(weight=[1.0] * 9), {"thresholds": 0.5}, UndefinedMetricError, "weights are not"),
        (trials(attacks={"a": [INF, 0.1]}), {"apcer": 0.1}, UndefinedMetricError, "no threshold has an APCER"),
        (
            trials(attacks={"a": [NAN, NAN], "b": [NAN]}, missing="reject"),
            {"thresholds": 0.5},
            UndefinedMetricError,
            "no attack got a response",
        ),
    ],
)  # fmt: skip
def test_refusals(data, options, error, message):
    with pytest.raises(error, match=message):
        db.evaluate_attacks(data, **{"species": "tool", **options})


def test_no_species_passes_and_nothing_is_accepted():
    point = db.evaluate_attacks(trials([0.5], {"a": [0.9]}), "tool", apcer=0.2).points[0]
    assert (point.threshold, value(point.bpcer)) == (INF, 1.0)


def test_record():
    result = db.evaluate_attacks(trials(), "tool", thresholds=0.4, apcer=[0.5, 0.05], metrics="acer")
    assert db.AttackEvaluation.from_json(result.to_json()) == result
    assert list(result.to_frame().columns) == list(result.COLUMNS)
    assert {row["metric"] for row in result.to_rows()} == {"bpnrr", "apnrr", "apcer_worst", "bpcer", "apcer", "acer"}
    assert "apcer.mask@0.4 0.500000" in list(result.lines())
    assert "threshold@apcer=0.5 0.3" in list(result.lines())
    assert result._repr_html_().startswith("<table>")


@pytest.fixture
def program(capsys, monkeypatch):
    return Program(capsys, monkeypatch)


@pytest.fixture
def file(tmp_path):
    rows = [f"{score},bonafide,-" for score in [*BONA_FIDE, ""]]
    rows += [f"{score},spoof,{name}" for name, group in ATTACKS.items() for score in group]
    path = tmp_path / "pad.csv"
    path.write_text("\n".join(["score,label,tool", *rows]) + "\n")
    return path


def test_command(program, file):
    asked = "pad", file, "--species", "tool", "--threshold", "0.4"
    ended = program(*asked)
    assert ended.status == 2
    assert "--missing drop" in ended.err
    ended = program(
        *asked, "--missing", "drop", "--apcer", "0.5", "--metric", "acer", "--proportion", "clopper-pearson"
    )
    assert ended.status == 0
    assert "APCER  worst species: mask" in ended.out
    assert "ACER" in ended.out
    shown = program(*asked, "--missing", "reject", "--format", "plain").plain
    assert (shown["bpcer@0.4"], shown["bpnrr"], shown["apcer_worst@0.4"]) == ("0.400000", "0.200000", "0.500000")
    assert json.loads(program(*asked, "--missing", "drop", "--format", "json").out)["schema"] == "deciban.pad/1"
    assert program(*asked, "--missing", "drop", "--format", "csv").out.startswith(
        "threshold,limit,metric,species,value"
    )
    assert "| BPCER | bona fide |" in program(*asked, "--missing", "drop", "--format", "markdown").out
    assert program("pad", file, "--species", "tool", "--missing", "drop", "--apcer", "0.01", "--strict").status == 1
    assert "--threshold" in program("pad", file, "--species", "tool", "--missing", "drop").err
    assert "--apcer: expected a rate" in program(*asked, "--missing", "drop", "--apcer", "5").err

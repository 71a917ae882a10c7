"""Label values that were named: contradictions, near matches, values that do not occur; and records that disagree."""

import json

import pytest

import deciban as db
from deciban.errors import InputError


def labelled(labels, **options):
    return db.Trials.from_arrays(range(len(labels)), labels, **options)


@pytest.mark.parametrize(
    ("labels", "options", "message"),
    [
        (
            ["yes", "no"],
            {"target": "yes", "ignore": "yes"},
            r"'yes' was named both in target= \(--target\) and in ignore=",
        ),
        (["yes", "no"], {"target": "yes", "nontarget": "yes"}, "'yes' was named both in target= .* and in nontarget="),
        (
            ["yes", "no", "x"],
            {"target": "yes", "nontarget": ["no", "x"], "ignore": "x"},
            "'x' was .* nontarget= .* ignore=",
        ),
        ([1, 0], {"target": 1, "ignore": "1"}, "'1' was named both"),
        ([1, 0], {"nontarget": 0, "ignore": 0}, "'0' was named both in nontarget= .* and in ignore="),
        (["YES", "NO"], {"target": "yes"}, r"no label equals the target 'yes'; found .*; did you mean 'YES'\?"),
        ([" yes", "no"], {"target": "yes"}, "did you mean ' yes'"),
        (["bonafide", "spoof"], {"target": "bona-fide"}, "did you mean 'bonafide'"),
        (
            ["yes", "YES"],
            {"target": "yes"},
            "the other label 'YES' differs from the target 'yes' in case or blanks only",
        ),
        (["a", None], {}, r"labels: 1 missing label \(row 2\)"),
        (["a", None, None], {}, r"labels: 2 missing labels \(rows 2, 3\)"),
    ],
)
def test_label_values_that_cannot_be_meant(labels, options, message):
    with pytest.raises(InputError, match=message):
        labelled(labels, **options)


def test_a_variant_that_was_named_is_taken():
    trials = labelled(["yes", "YES", "no"], target=["yes", "YES"])
    assert trials.is_target.tolist() == [True, True, False]
    assert labelled(["yes", "YES"], target="yes", nontarget="YES").is_target.tolist() == [True, False]


@pytest.mark.parametrize(
    ("options", "sentences"),
    [
        ({"target": "a", "ignore": "x"}, ["no label equals 'x', which ignore names"]),
        ({"target": ["a", "c"]}, ["no label equals 'c', which target names"]),
        ({"target": "a", "nontarget": ["b", "C"]}, ["no label equals 'C', which nontarget names"]),
        ({"target": "a", "ignore": "B"}, ["no label equals 'B', which ignore names; did you mean 'b'?"]),
        ({"target": "a"}, []),
    ],
)
def test_a_value_that_does_not_occur_is_said(options, sentences):
    assert labelled(["a", "b"], **options).assumed == tuple(sentences)


def test_a_value_that_does_not_occur_beside_recognised_ones(deciban, tmp_path):
    assert labelled([1, 0], ignore=2).assumed == (
        "label 1 taken as target, 0 as nontarget",
        "no label equals '2', which ignore names",
    )
    assert labelled([True, False], ignore="maybe").assumed[1:] == ("no label equals 'maybe', which ignore names",)
    path = tmp_path / "a.csv"
    path.write_text("score,label\n2,1\n1,0\n")
    ended = deciban("evaluate", path, "--ignore", "2", "--interval", "none")
    assert "deciban: assumed: no label equals '2', which ignore names\n" in ended.err


RECORD = json.loads(
    db.evaluate(
        db.Trials.from_arrays([3, 1, 2, 0], [1, 1, 0, 0], conditions={"g": ["a", "b", "a", "b"]}),
        thresholds=[2],
        by="g",
        interval="none",
    ).to_json()
)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r["trials"].update(n=5), r"record\.trials: .* n is 5, n_target \+ n_nontarget is 4"),
        (lambda r: r["trials"].update(n_target=-1, n=1), r"n_target: expected a number of trials >= 0, found -1"),
        (
            lambda r: r["groups"][1]["trials"].update(n_nontarget=3),
            r"record\.groups\[1\]\.trials: .* contradicts itself",
        ),
        (lambda r: r["thresholds"][0].update(tp=2), r"thresholds\[0\]: .* n_target of the trials is 2, tp \+ fn is 3"),
        (lambda r: r["groups"][0]["thresholds"][0].update(tn=9), r"groups\[0\]\.thresholds\[0\]: .* fp \+ tn is 10"),
    ],
)
def test_a_record_that_contradicts_itself_is_refused(change, message):
    plain = json.loads(json.dumps(RECORD))
    db.Evaluation.from_json(json.dumps(plain))
    change(plain)
    with pytest.raises(InputError, match=message):
        db.Evaluation.from_json(json.dumps(plain))


def test_sums_of_weights_may_round():
    trials = db.Trials.from_arrays([3, 1, 2, 0], [1, 1, 0, 0], weight=[0.1, 0.2, 0.3, 0.7])
    for at in (0.5, 1.5, 2.5):
        text = db.evaluate(trials, thresholds=[at], interval="none").to_json()
        assert db.Evaluation.from_json(text).to_json() == text

"""Checking a record: its inputs by their hashes, its values by computing them again."""

import json
from dataclasses import replace

import numpy as np
import pytest

import deciban as db
from deciban.records.verification import Verification

ROWS = [
    ("a", 2.5, 1, "x"),
    ("b", 1.0, 1, "y"),
    ("c", -0.5, 1, "x"),
    ("d", 0.5, 0, "y"),
    ("e", -1.5, 0, "x"),
    ("f", -3, 0, "y"),
]


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "scores.csv"
    lines = [",".join(map(str, row)) for row in [("id", "ln_lr", "label", "group"), *ROWS]]
    path.write_text("\n".join(lines) + "\n")
    return path


def evaluated(path, **options):
    return db.evaluate(db.scan(path, ids="id", conditions="group"), interval="closed", by="group", **options)


def test_a_record_comes_out_again(scores):
    record = evaluated(scores, thresholds=[0.5, np.inf], metrics="eer:all", costs="preset=voxsrc", exact=True)
    found = db.verify(db.Evaluation.from_json(record.to_json()))
    assert found.same
    assert found.changes == ()
    assert found.compared > 500
    assert found.verdict.startswith("verified: all ")
    assert Verification.from_json(found.to_json()) == found


def test_replicates_are_drawn_again(scores):
    record = db.evaluate(db.scan(scores, sources="id"), interval="bootstrap", replicates=20, seed=7)
    assert db.verify(record).same
    other = db.verify(replace(record, provenance=replace(record.provenance, seed=8)))
    assert not other.same
    places = [change.where for change in other.changes]
    assert any(place.endswith(".interval.low") for place in places)
    assert not any(place.endswith(".value") for place in places)


def test_a_chosen_threshold_is_used_again(scores):
    chosen = db.choose_threshold(db.count(db.scan(scores)), at="eer")
    assert db.verify(evaluated(scores, thresholds=[0.25, chosen])).same


@pytest.mark.parametrize("higher", ["target", "nontarget"])
def test_the_declaration_of_columns_is_used_again(tmp_path, higher):
    path = tmp_path / "table.csv"
    path.write_text("p;kind;w\n0.9;yes;2\n;no;1\n0.4;no;1\n0.2;yes;1\n0.1;other;1\n")
    table = db.scan(
        path, score="p", label="kind", target="yes", nontarget="no", ignore="other", scale="probability", prior=0.3,
        weight="w", missing="drop", higher=higher, swap=True,
    )  # fmt: skip
    assert db.verify(db.evaluate(table, p_target=0.2, interval="none")).same


def test_every_value_that_differs_is_told(scores):
    record = evaluated(scores)
    auc = replace(record.metrics["auc"], value=0.5)
    rows = (replace(record.thresholds[0], accept="always"),)
    found = db.verify(replace(record, metrics={**record.metrics, "auc": auc}, thresholds=rows))
    assert not found.same
    assert [(change.where, change.recorded) for change in found.changes] == [
        ("metrics.auc.value", 0.5),
        ("thresholds[0].accept", "always"),
    ]
    assert found.changes[0].found == pytest.approx(8 / 9)
    assert found.changes[0].relative == pytest.approx(7 / 9)
    assert found.verdict == f"not verified: 2 of {found.compared} values differ"


def test_values_that_are_missing_or_too_many_are_told(scores):
    record = evaluated(scores)
    fewer = dict(record.metrics)
    del fewer["auc"]
    found = db.verify(replace(record, metrics=fewer, groups=(*record.groups, record.groups[0])))
    assert not found.same
    assert [change.recorded for change in found.changes if change.where == "metrics.auc"] == [None]
    assert [change.found for change in found.changes if change.where == "groups[2]"] == [None]


@pytest.mark.parametrize(
    ("place", "changed"),
    [
        ("inputs[0].rows", {"inputs": [{"rows": 7}]}),
        ("inputs[0].bytes", {"inputs": [{"bytes": 7}]}),
        ("engine", {"engine": "another"}),
    ],
)
def test_where_numbers_come_from_is_compared_too(scores, place, changed):
    plain = json.loads(evaluated(scores).to_json())
    origin = plain["provenance"]
    ((name, value),) = changed.items()
    if name == "inputs":
        origin["inputs"][0] |= value[0]
    else:
        origin[name] = value
    found = db.verify(db.Evaluation.from_json(json.dumps(plain)))
    assert [change.where for change in found.changes] == [f"provenance.{place}"]
    assert not found.same


def test_other_versions_are_in_the_verdict(scores):
    record = evaluated(scores)
    older = replace(
        record, provenance=replace(record.provenance, versions={**record.provenance.versions, "numpy": "1"})
    )
    found = db.verify(older)
    assert found.same
    assert found.verdict == f"{db.verify(record).verdict}; by numpy {np.__version__} instead of 1"


def test_numbers_may_differ_by_the_tolerance(scores):
    record = evaluated(scores)
    near = replace(record.metrics["cllr"], value=record.metrics["cllr"].value * (1 + 1e-12))
    moved = replace(record, metrics={**record.metrics, "cllr": near})
    assert not db.verify(moved).same
    found = db.verify(moved, rtol=1e-9)
    assert found.same
    assert len(found.changes) == 1
    text = replace(moved, thresholds=(replace(moved.thresholds[0], origin="elsewhere"),))
    assert not db.verify(text, rtol=1.0).same


def test_changed_bytes_are_told_even_where_no_value_changes(scores):
    record = evaluated(scores)
    scores.write_text(scores.read_text().replace("-3", "-3.0"))
    found = db.verify(record)
    assert not found.same
    assert [change.where for change in found.changes] == ["provenance.inputs[0].bytes"]
    assert not found.inputs[0].same
    assert found.verdict == "not verified: 1 input of 1 not as recorded"


def test_files_are_found_where_they_lie_now(scores, tmp_path):
    record = evaluated(scores)
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    scores.rename(moved / "scores.csv")
    lost = db.verify(record)
    assert not lost.same
    assert lost.compared == 0
    assert "is not there; say where it lies now" in lost.verdict
    assert db.verify(record, folder=moved).same
    assert db.verify(record, inputs={str(scores): str(moved / "scores.csv")}).same
    with pytest.raises(db.OptionError, match="names no file 'other'"):
        db.verify(record, inputs={"other": "x"})


def test_what_cannot_be_computed_again_says_why(scores):
    record = evaluated(scores)
    scores.write_text(scores.read_text().replace("ln_lr", "lnlr"))
    found = db.verify(record)
    assert not found.same
    assert "could not be computed again" in found.failure
    assert "ln_lr" in found.failure
    scores.write_text("id,ln_lr,label,group\na,x,1,x\nb,1.0,2,y\n")
    told = db.verify(record).verdict
    assert "\n" not in told
    assert "problems - " in told
    with pytest.raises(db.InputError, match="data in memory"):
        db.verify(db.evaluate(db.Trials.from_arrays([1.0, 0.0], [1, 0]), interval="none"))
    with pytest.raises(db.OptionError, match="rtol"):
        db.verify(record, rtol=-1.0)


def test_a_comparison_comes_out_again(scores, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text(scores.read_text().replace("2.5", "0.1"))
    tables = {"one": db.scan(scores, ids="id"), "two": db.scan(other, ids="id")}
    record = db.compare(tables, thresholds={"one": 0.5, "two": 0.25}, interval="none")
    assert db.verify(record).same
    one = record.differences[0]
    changed = replace(record, differences=(replace(one, value=3.0), *record.differences[1:]))
    assert [change.where for change in db.verify(changed).changes] == ["differences[0].value"]
    apart = {"one": tables["one"].trials(), "two": tables["two"].trials()}
    with pytest.raises(db.InputError, match="data in memory"):
        db.verify(db.compare(apart, interval="none"))


def test_the_command(deciban, scores, tmp_path):
    made = deciban("evaluate", scores, "--by", "group", "--interval", "none", "--format", "json")
    record = tmp_path / "record.json"
    record.write_text(made.out)
    good = deciban("verify", record)
    assert (good.status, good.err) == (0, "")
    assert "verified: all" in good.out
    record.write_text(made.out.replace('"n_distinct": 6', '"n_distinct": 5', 1))
    bad = deciban("verify", record, "--format", "json")
    assert bad.status == 1
    assert json.loads(bad.out)["changes"][0]["where"] == "trials.n_distinct"
    assert "not verified: 1 of" in bad.err
    assert deciban("verify", record, "--format", "csv").out.splitlines()[1].startswith("trials.n_distinct,5,6,")
    assert deciban("verify", record, "--format", "plain").plain["changes"] == "1"
    assert deciban("verify", record, "--input", "nothing").status == 2
    record.write_text("{}")
    wrong = deciban("verify", record)
    assert wrong.status == 2
    assert "record.json: expected a record of schema deciban.evaluation/1," in wrong.err

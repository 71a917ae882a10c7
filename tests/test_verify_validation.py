"""A validation made again from its record: the same from its files, told where it differs, and where it cannot be."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

import deciban as db
from tests.validation_data import criterion, ln_lrs, sources, write_criteria

CRITERIA = (
    '[data]\nfile = "data/scores.csv"\nscore = "new"\nscale = "ln_lr"\nsources = "speaker"\nconditions = "channel"\n'
    '[baseline]\nscore = "old"\nscale = "ln_lr"\n'
    '[development]\nfile = "data/development.csv"\nsources = "speaker"\n'
    "[decision]\nfixed_on = 2026-03-01\nreplicates = 10\n"
    + criterion("A2", margin=0.2)
    + criterion("R1", margin=0.5)
    + criterion("N2", limit=">= 30")
)

SCALE = """
title = "Ours"
source = "a note"
neutral = "nothing"
[[step]]
words = "something"
at_least = 10
"""


def scores(path, factor=1.0):
    """A table of two systems, with sources and conditions."""
    target, nontarget = ln_lrs()
    new = np.concatenate([target, nontarget])
    same = [1] * target.size + [0] * nontarget.size
    rows = zip((new * factor).tolist(), (new * 1.5).tolist(), same, sources(new.size), strict=True)
    lines = [f"{a!r},{b!r},{label},{who},{'ab'[at % 2]}" for at, (a, b, label, who) in enumerate(rows)]
    path.write_text("\n".join(["new,old,label,speaker,channel", *lines]) + "\n")
    return path


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Criteria in a folder, and the files that they name in a folder below."""
    (tmp_path / "data").mkdir()
    scores(tmp_path / "data" / "scores.csv")
    (tmp_path / "data" / "development.csv").write_text("speaker,llr\nsomebody,1\nelse,2\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def validated(folder, text=CRITERIA, data=None, **options):
    return db.validate(data, criteria=write_criteria(folder, text), **options)


def test_a_validation_comes_out_again(folder):
    record = validated(folder)
    assert record.comparison is not None
    assert record.development.shared == 0
    assert record.given.in_memory == ()
    assert {role: len(names) for role, names in record.given.read.items()} == {
        "data": 1,
        "baseline": 1,
        "development": 1,
    }
    assert len(record.given.inputs) == 2
    found = db.verify(db.Validation.from_json(record.to_json()))
    assert found.same, found.changes
    assert found.compared > 500
    assert found.checked == "deciban.validation/1"


def test_what_was_given_beside_the_criteria_is_given_again(folder):
    chosen = db.choose_threshold(db.count(db.scan("data/scores.csv", score="old", scale="ln_lr")), at="eer")
    record = validated(
        folder,
        data="data/sc*.csv",
        declared={"score": "old", "scale": "ln_lr"},
        level=0.9,
        seed=4,
        thresholds=[0.5, chosen],
    )
    codes = [finding.data["key"] for finding in record.findings if finding.code == "GIVEN-INSTEAD"]
    assert codes == ["[data] file", "[data] score"]
    assert record.level == 0.9
    assert db.verify(record).same


def test_tables_of_files_are_read_again(folder):
    data = db.scan("data/scores.csv", score="new", scale="ln_lr")
    baseline = db.scan("data/scores.csv", score="old", scale="ln_lr")
    record = validated(folder, criterion("A2", margin=0.1), data=data, baseline=baseline, replicates=20)
    assert set(record.given.tables) == {"data", "baseline"}
    assert db.verify(record).same


def test_files_that_lie_elsewhere_keep_their_names(folder, tmp_path):
    record = validated(folder)
    moved = tmp_path / "elsewhere"
    shutil.move(folder / "data", moved)
    lost = db.verify(record)
    assert not lost.same
    assert "is not there; say where it lies now" in lost.verdict
    assert db.verify(record, folder=moved).same
    named = {file.path: str(moved / file.path.rpartition("/")[2]) for file in record.given.inputs}
    assert db.verify(record, inputs=named).same


def test_settings_files_are_inputs_too(folder):
    (folder / "scale.toml").write_text(SCALE)
    db.LogisticCalibrator().fit(db.Counts.from_classes([1, 2, 0.5], [-1, 0, 0.75])).save(folder / "cal.json")
    text = CRITERIA.replace('file = "data/development.csv"\nsources = "speaker"', 'calibration = "cal.json"')
    record = validated(folder, text + '[verbal]\nfile = "scale.toml"\n')
    assert {"calibration", "verbal"} < set(record.given.read)
    assert db.verify(record).same
    (folder / "scale.toml").write_text(SCALE.replace("10", "100"))
    found = db.verify(record)
    assert [change.where for change in found.changes] == ["verbal.steps[0].low", "verbal.sha256"]
    assert [file.same for file in found.inputs if file.path.endswith("scale.toml")] == [False]


def test_every_difference_is_told(folder):
    record = validated(folder)
    row = record.rows[0]
    raised = replace(row, results=(replace(row.results[0], value=0.1),))
    found = db.verify(replace(record, rows=(raised, *record.rows[1:]), statements=record.statements[1:]))
    assert not found.same
    places = [change.where for change in found.changes]
    assert "rows[0].results[0].value" in places
    assert "statements[5]" in places
    scores(folder / "data" / "scores.csv", 1.1)
    changed = db.verify(record)
    assert not changed.same
    assert any(change.where.startswith("rows[0].results") for change in changed.changes)
    assert any(change.where.startswith("comparison.") for change in changed.changes)


@pytest.mark.parametrize("what", ["baseline", "development"])
def test_what_was_in_memory_cannot_be_checked_and_says_so(folder, what):
    given = {what: db.scan("data/scores.csv", score="old", scale="ln_lr", sources="speaker").trials()}
    record = validated(folder, **given)
    assert record.given.in_memory == (what,)
    found = db.verify(record)
    assert not found.same
    assert found.compared == 0
    assert f"not verified: the record could not be computed again: {what}: given as data in memory" in found.verdict


def test_data_in_memory_name_no_file(folder):
    trials = db.scan("data/scores.csv", score="new", scale="ln_lr").trials()
    record = validated(folder, criterion("D1", limit="< 0.5"), data=trials, interval="none")
    assert record.given.in_memory == ("data",)
    with pytest.raises(db.InputError, match="the record names no file"):
        db.verify(record)


def test_the_command(folder, deciban):
    write_criteria(folder, CRITERIA)
    made = deciban("validate", "--criteria", "criteria.toml", "--score", "old", "--seed", 3, "-o", "validation.json")
    assert made.status in (0, 1)
    good = deciban("verify", "validation.json")
    assert (good.status, good.err) == (0, "")
    assert "verified: all" in good.out
    plain = json.loads((folder / "validation.json").read_text())
    plain["given"]["options"]["seed"] = 4
    (folder / "validation.json").write_text(json.dumps(plain))
    assert deciban("verify", "validation.json").status == 1

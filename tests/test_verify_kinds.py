"""Records of three classes, of presentation attacks and of PAN come out again, and show what changed."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import deciban as db
from deciban.pan import pan_rank
from tests.test_tandem_evaluation import simulated

FEW = {"interval": "bootstrap", "replicates": 10}


@pytest.fixture
def scores(tmp_path, monkeypatch):
    """One table of both systems, and the same trials in two files of ASVspoof 2019 and a protocol."""
    table = simulated(n=(8, 9, 12))
    rows = list(zip(*table.values(), strict=True))
    real = {"target": "bonafide", "nontarget": "bonafide", "spoof": "spoof"}
    files = {
        "scores.csv": [",".join(table), *(",".join(map(str, row)) for row in rows)],
        "asv.txt": [f"{x} {c} {a}" for c, a, _, x, _ in rows],
        "cm.txt": [f"u{n} {m}" for n, (_, _, m, _, _) in enumerate(rows)],
        "protocol.txt": [f"S{s} u{n} - {x} {real[c]}" for n, (c, _, _, x, s) in enumerate(rows)],
    }
    for name, lines in files.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def again(record, path, old, new):
    """It comes out; a changed file does not, in its bytes and in its values."""
    read = type(record).from_json(record.to_json())
    found = db.verify(read)
    assert found.same, (found.failure, found.changes[:3])
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    changed = db.verify(read)
    assert not changed.same
    assert changed.failure is None
    assert changed.changes


def test_one_table_of_both_systems(scores):
    table = db.scan_tandem("scores.csv", conditions="attack", sources="speaker", ids="speaker")
    own = db.TandemCost(p_target=0.9, p_nontarget=0.05, p_spoof=0.05, c_miss=1, c_fa=2, c_fa_spoof=3)
    old = db.LegacyTandemCost(
        p_target=0.9, p_nontarget=0.05, p_spoof=0.05, c_miss_asv=1, c_fa_asv=10, c_miss_cm=2, c_fa_cm=10
    )
    record = db.evaluate_tandem(
        table, tandem_costs={"own": own, "old": old}, asv=0.5, cm_threshold=0.25, by="attack", seed=3, **FEW
    )
    again(record, scores / "scores.csv", "target,", "nontarget,")


def test_a_table_of_a_database(scores):
    import duckdb

    with duckdb.connect(scores / "scores.duckdb") as database:
        database.execute("CREATE TABLE scores AS FROM 'scores.csv'")
    table = db.scan_tandem("duckdb:///scores.duckdb?table=scores")
    assert db.verify(db.evaluate_tandem(table, interval="none")).same
    asked = db.scan_tandem("duckdb:///scores.duckdb", query="SELECT * FROM scores")
    assert db.verify(db.evaluate_tandem(asked, interval="none")).same


def test_two_tables_and_a_key(scores):
    asv = db.scan_tandem("asv.txt", scores=["asv"])
    cm = db.scan_tandem("cm.txt", key="protocol.txt", scores=["cm"], sources=())
    record = db.evaluate_tandem(asv, cm, by="attack", interval="none")
    again(record, scores / "protocol.txt", "A07", "A08")


def test_rates_of_a_verifier_and_one_system(scores):
    cm = db.scan_tandem("scores.csv", scores=["cm"])
    rates = db.AsvRates(p_miss=0.125, p_fa=0.25, p_fa_spoof=0.5)
    assert db.verify(db.evaluate_tandem(cm, asv=rates, **FEW)).same
    assert db.verify(db.evaluate_tandem(cm, asv="asvspoof5", interval="none")).same
    one = db.scan_tandem("scores.csv", sasv="asv_score", scores=["sasv"])
    again(db.evaluate_tandem(one, sasv_threshold=1.0, **FEW), scores / "scores.csv", "spoof,", "target,")


def test_presentation_attacks(tmp_path):
    path = tmp_path / "pad.csv"
    path.write_text(
        "score,label,tool\n0.9,bonafide,-\n0.3,bonafide,-\n0.6,attack,mask\n0.2,attack,mask\n,attack,print\n0.4,attack,print\n"
    )
    table = db.scan(path, target="bonafide", conditions="tool", missing="reject")
    record = db.evaluate_attacks(table, "tool", thresholds=[0.5], apcer=0.5, metrics="acer")
    again(record, path, "0.9", "0.1")


def test_pan(tmp_path):
    truth, answers = tmp_path / "truth.jsonl", tmp_path / "answers.jsonl"
    truth.write_text("".join(json.dumps({"id": f"p{n}", "same": n % 2 == 0}) + "\n" for n in range(8)))
    answers.write_text("".join(json.dumps({"id": f"p{n}", "value": (n * 5 % 8) / 8}) + "\n" for n in range(8)))
    record = pan_rank(truth, [answers], "pan20", replicates=10)
    again(record, answers, "0.125", "0.875")
    named = pan_rank(truth, {"ours": answers}, "pan20", interval="none")
    assert "names of their own" in db.verify(named).failure


def test_trials_in_memory_cannot_be_read_again():
    trials = db.TandemTrials.from_arrays(["target", "nontarget", "spoof"], asv=[1, 0, 0.5], cm=[1, 1, 0])
    record = db.evaluate_tandem(trials, interval="none")
    with pytest.raises(db.InputError, match="the record names no file"):
        db.verify(record)
    with pytest.raises(db.InputError, match=r"expected a record of schema .*, found None"):
        db.verify(trials)
    other = replace(record, provenance=replace(record.provenance, columns={"asv": {"inputs": []}, "assumed": []}))
    with pytest.raises(db.InputError, match="the record names no file"):
        db.verify(other)


@pytest.mark.parametrize(
    ("command", "schema"),
    [
        (("asvspoof", "tandem", "scores.csv"), "tandem"),
        (("asvspoof", "sasv", "scores.csv", "--score", "asv_score"), "tandem"),
        (("asvspoof", "cm", "scores.csv"), ""),
        (("pad", "pad.csv", "--species", "attack", "--threshold", "0", "--target", "bonafide"), "pad"),
    ],
)
def test_on_the_command_line(deciban, scores, command, schema):
    """Records are verified, and of those that have no page it is said."""
    rows = (scores / "protocol.txt").read_text().split("\n")[:-1]
    cells = [(n % 3 - 1, *row.split()[3:]) for n, row in enumerate(rows)]
    (scores / "pad.csv").write_text("score,attack,label\n" + "".join(f"{s},{x},{c}\n" for s, x, c in cells))
    quick = () if command[0] == "pad" else ("--interval", "none")
    made = deciban(*command, *quick, "--format", "json")
    (scores / "record.json").write_text(made.out)
    assert deciban("verify", "record.json").status == 0
    page = deciban("report", "record.json", "-o", "page.md")
    if schema:
        assert page.status == 2
        assert (
            f"record.json: no page is made of a record of schema deciban.{schema}/1: deciban {command[0]}" in page.err
        )
    else:
        assert page.status == 0

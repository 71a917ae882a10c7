"""Real files through their readers: published and recomputed values come out."""

from __future__ import annotations

import csv
import gzip

import pytest

import deciban as db
from tests.shared_data import shared


def test_bob_with_failures_to_acquire():
    path = shared("data/bob_dev1_with_nan.txt")
    with pytest.raises(db.InputError, match="scores: 54 missing"):
        db.scan(path).trials()
    table = db.scan(path, missing="drop")
    trials = table.trials()
    assert table.columns.reader == "bob"
    counts = db.count(trials)
    assert (counts.n_target.sum(), counts.n_nontarget.sum(), trials.dropped) == (451, 495, 54)
    assert db.eer(counts) == pytest.approx(0.0615788706, abs=1e-10)
    assert db.eer(counts, method="interpolated") == pytest.approx(0.0620842572, abs=1e-10)
    assert db.scan(path, missing="reject").trials().n_failed == (28, 26)


def test_bob_table_stays_a_table():
    table = db.scan(shared("data/bob_nonsep.csv"))
    assert table.columns.reader is None
    assert db.eer(db.count(table.trials())) == pytest.approx(32 / 275, abs=1e-15)


@pytest.mark.parametrize(
    ("name", "auc", "c_at_1", "f05u"),
    [
        ("boenninghoff20-large", 0.9692368659, 0.9282692805, 0.9181910968),
        ("ordonez20-large", 0.6962814680, 0.6404164629, 0.6546905504),
    ],
)
def test_pan_submissions(name, auc, c_at_1, f05u):
    from deciban import pan

    table = db.scan(shared(f"data/pan20/{name}.jsonl.gz"), key=shared("data/pan20/truth.jsonl.gz"))
    trials = table.trials()
    assert table.columns.reader == "pan"
    assert len(trials) == 14_311
    assert len(trials.sources) == 2
    y = trials.is_target.astype(int)
    assert pan.auc(trials.score, y) == pytest.approx(auc, abs=1e-10)
    assert pan.c_at_1(trials.score, y) == pytest.approx(c_at_1, abs=1e-10)
    assert pan.f05u(trials.score, y) == pytest.approx(f05u, abs=1e-10)


@pytest.fixture
def asvspoof5(tmp_path):
    """The fused development scores as a submission and its key, which is in another order."""
    words = {"1.0": ("bonafide", "target"), "2.0": ("bonafide", "nontarget"), "0.0": ("spoof", "spoof")}
    with gzip.open(shared("data/asvspoof5_fusion_dev.csv.gz"), "rt", encoding="utf-8") as file:
        rows = [(f"E_{at:07d}", *row) for at, row in enumerate(list(csv.reader(file))[1:])]
    scores = [f"A\t{name}\t{cm}\t{asv}\t-\n" for name, asv, cm, _ in rows]
    key = ["\t".join(("A", name, *words[label])) + "\n" for name, _, _, label in reversed(rows)]
    (tmp_path / "scores.tsv").write_text("spk\tfilename\tcm-score\tasv-score\tsasv-score\n" + "".join(scores))
    (tmp_path / "key.tsv").write_text("spk\tfilename\tcm-label\tasv-label\n" + "".join(key))
    return tmp_path


def test_asvspoof5_countermeasure_and_verification(asvspoof5):
    files = asvspoof5 / "scores.tsv", asvspoof5 / "key.tsv"
    cm = db.count(db.scan(files[0], key=files[1], score="cm-score").trials())
    assert (cm.n_target.sum(), cm.n_nontarget.sum()) == (1_484 + 5_768, 22_296)
    assert db.eer(cm) == pytest.approx(0.0057181233, abs=1e-10)
    assert db.eer(cm, method="interpolated") == pytest.approx(0.0062051848, abs=1e-10)
    assert db.auc(cm) == pytest.approx(0.9994233616, abs=1e-10)
    asv = db.scan(files[0], key=files[1], score="asv-score", target="target", nontarget="nontarget", ignore="spoof")
    assert db.eer(db.count(asv.trials())) == pytest.approx(0.0175013656, abs=1e-10)
    result = db.evaluate(db.scan(files[0], key=files[1], score="asv-score").trials(), by="kind", interval="none")
    groups = {group.by["kind"]: group for group in result.groups}
    assert groups["nontarget"].metrics["eer"].value == pytest.approx(0.0175013656, abs=1e-10)

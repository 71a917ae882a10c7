"""The examples run as programs and print what their text promises."""

import csv
import subprocess
import sys
from pathlib import Path

import deciban as db

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"

PARTS = """\
parts 200
defective 33
baseline_accuracy 0.835000
threshold 0.5
tp 15
fp 6
fn 18
tn 161
accuracy 0.880000
precision 0.714286
recall 0.454545
f1 0.555556
threshold 0.3
tp 28
fp 29
fn 5
tn 138
accuracy 0.830000
precision 0.491228
recall 0.848485
f1 0.622222
auc 0.901016
"""


def run(name: str, *arguments: str) -> str:
    command = [sys.executable, "-W", "error", str(EXAMPLES / name), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_defective_parts_prints_the_table_and_makes_the_same_file_each_time(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        assert run("defective_parts.py", str(tmp_path / folder)) == PARTS
    assert (tmp_path / "a/parts.csv").read_bytes() == (tmp_path / "b/parts.csv").read_bytes()
    counts = db.count(db.read_trials(tmp_path / "a/parts.csv", label="defective", target=1))
    assert db.pair_counts(counts) == (4964, 3, 544)
    assert str(db.auc(counts, exact=True)) == "9931/11022"


def test_speaker_llrs_separate_discrimination_from_calibration():
    lines = csv.DictReader(run("speaker_llrs.py").splitlines()[0:], delimiter=" ", skipinitialspace=True)
    raw, calibrated, adapted = ({key: value for key, value in line.items() if key} for line in lines)
    for same in ("auc", "eer", "cllr_min", "min_dcf"):
        assert raw[same] == calibrated[same]
    assert float(raw["cllr_cal"]) > 0.1
    assert float(calibrated["cllr_cal"]) < 0.01
    assert float(raw["act_dcf"]) > 1 > float(calibrated["act_dcf"])
    assert float(adapted["auc"]) > float(calibrated["auc"])
    assert float(adapted["cllr_min"]) < float(calibrated["cllr_min"])
    assert float(adapted["cllr_cal"]) < 0.01


def test_spoofing_scores(tmp_path):
    printed = run("spoofing_scores.py", str(tmp_path / "spoofing.csv"))
    assert printed == run("spoofing_scores.py")
    assert printed.splitlines()[:3] == ["cm_eer 0.079137", "min_t_dcf:cost=asvspoof2021 0.225518", "t_eer 0.084500"]
    table = db.scan_tandem(tmp_path / "spoofing.csv", conditions="attack")
    assert set(table.trials().conditions["attack"]) == {"-", "A07", "A08", "A09"}

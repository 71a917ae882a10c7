"""``deciban evaluate``: what goes to stdout and stderr, the exit status, formats, limits, options, several files."""

import csv
import gzip
import io
import json
import re
from itertools import pairwise

import pytest

import deciban as db
from tests.shared_data import shared

CSV = "score,label,side\n0.9,1,l\n0.6,1,r\n0.4,1,l\n0.8,0,r\n0.4,0,l\n0.1,0,r\n"
FORMATS = ("table", "json", "csv", "markdown", "plain")
PLAIN = ("--interval", "none", "--format", "plain")


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(CSV)
    return path


def test_table_is_what_print_shows(deciban, scores):
    ended = deciban("evaluate", scores, "--threshold", 0.6, "--by", "side")
    result = db.evaluate(db.scan(scores, conditions="side"), thresholds=[0.6], by="side")
    assert ended.status == 0
    assert ended.out == str(result)
    assert re.search(r"^auc +0.722222 +\[0.187, 0.967\]$", ended.out, re.MULTILINE)
    assert ended.err.splitlines() == [
        "deciban: assumed: label column 'label' (usual name)",
        "deciban: assumed: score column 'score' (usual name)",
        "deciban: assumed: label 1 taken as target, 0 as nontarget",
    ]


def test_formats_agree(deciban, scores):
    ended = {
        form: deciban("evaluate", scores, "--threshold", 0.6, "--replicates", 20, "--format", form) for form in FORMATS
    }
    assert {e.status for e in ended.values()} == {0}
    record = db.Evaluation.from_json(ended["json"].out)
    assert record.to_json() == ended["json"].out
    assert record["auc"].value == 13 / 18
    rows = list(csv.DictReader(io.StringIO(ended["csv"].out)))
    assert {row["metric"]: row["value"] for row in rows}["auc"] == repr(13 / 18)
    assert [row["metric"] for row in rows] == [row["metric"] for row in record.to_rows()]
    assert ended["plain"].plain["auc"] == "0.722222"
    assert ended["plain"].plain["f1@0.6"] == "0.666667"
    assert ended["plain"].plain["tp@0.6"] == "2"
    assert "| auc | 0.722222 |" in ended["markdown"].out


@pytest.mark.parametrize("form", FORMATS)
def test_stdout_is_data_and_stderr_words(deciban, scores, form):
    ended = deciban("evaluate", scores, "--interval", "none", "--format", form)
    assert "deciban:" not in ended.out
    assert all(line.startswith("deciban: ") for line in ended.err.splitlines())
    assert ended.out.endswith("\n")
    assert "\x1b" not in ended.out + ended.err
    assert ("FEW-TRIALS" in ended.err) == (form not in ("table", "markdown"))


def test_findings_on_stderr_are_one_line_per_code(deciban, scores):
    options = ("--threshold", 0.6, "--threshold", 0.5, "--interval", "closed", "--format", "json")
    lines = deciban("evaluate", scores, *options).err.splitlines()
    codes = [line.split(": ")[2] for line in lines if ": warn: " in line or ": note: " in line]
    assert len(codes) == len(set(codes))
    assert any("(and 3 more of this code)" in line for line in lines if "RES-30" in line)


def test_advice_names_options_as_typed(deciban, scores):
    err = deciban("evaluate", scores, *PLAIN).err
    assert "--scale probability adds Brier score" in err
    assert "scale='" not in err


def test_markdown_tables_are_regular(deciban, scores):
    lines = deciban(
        "evaluate", scores, "--by", "side", "--replicates", 20, "--format", "markdown", "--exact"
    ).out.splitlines()
    for line, below in pairwise(lines):
        if line.startswith("|") and below.startswith("|"):
            assert line.count("|") - line.count("\\|") == below.count("|") - below.count("\\|")


def test_plain_is_name_and_value(deciban, scores):
    ended = deciban("evaluate", scores, "--threshold", 0.6, "--by", "side", *PLAIN)
    for line in ended.out.splitlines():
        name, value = line.split(" ")
        whole = name.rpartition("/")[2].partition("@")[0] in ("trials", "targets", "nontargets", "tp", "fp", "fn", "tn")
        assert value.isdigit() if whole else value in ("-", "inf") or len(value.partition(".")[2]) == 6
    assert ended.plain["side=l/targets"] == "2"
    assert ended.plain["side=r/tp@0.6"] == "1"


def test_exact(deciban):
    path = shared("data/parts_standin.csv")
    options = (
        "evaluate",
        path,
        "--label",
        "defective",
        "--target",
        1,
        "--threshold",
        0.5,
        "--exact",
        "--interval",
        "none",
    )
    assert "auc                0.901016 = 9931/11022" in deciban(*options).out
    assert json.loads(deciban(*options, "--format", "json").out)["metrics"]["auc"]["exact"] == "9931/11022"
    plain = deciban(*options, "--format", "plain").plain
    assert (plain["auc"], plain["auc.exact"], plain["precision.exact@0.5"]) == ("0.901016", "9931/11022", "5/7")
    rows = csv.DictReader(io.StringIO(deciban(*options, "--format", "csv").out))
    assert {row["metric"]: row["exact"] for row in rows}["auc"] == "9931/11022"


def test_parts(deciban):
    path = shared("data/parts_standin.csv")
    ended = deciban(
        *("evaluate", path, "--label", "defective", "--target", 1, "--threshold", 0.5, "--threshold", 0.3),
        *("--interval", "none", "--format", "json"),
    )
    record = json.loads(ended.out)
    assert {key: record["trials"][key] for key in ("n", "n_target", "n_nontarget")} == {
        "n": 200,
        "n_target": 33,
        "n_nontarget": 167,
    }
    assert record["metrics"]["baseline_accuracy"]["value"] == 0.835
    assert record["metrics"]["auc"]["value"] == 9931 / 11022
    at_half, at_third = record["thresholds"]
    assert [at_half[cell] for cell in ("tp", "fp", "fn", "tn")] == [15, 6, 18, 161]
    assert [at_third[cell] for cell in ("tp", "fp", "fn", "tn")] == [28, 29, 5, 138]
    for row, expected in ((at_half, (0.88, 5 / 7, 5 / 11, 5 / 9)), (at_third, (0.83, 28 / 57, 28 / 33, 28 / 45))):
        assert tuple(row["metrics"][name]["value"] for name in ("accuracy", "precision", "recall", "f1")) == expected


def test_reference_values(deciban):
    nfi = deciban("evaluate", shared("data/nfi_cartridges.csv"), "--interval", "none", "--format", "json")
    figures = db.Evaluation.from_json(nfi.out)
    for key, value in {"cllr": 0.6487865136, "cllr_min": 0.4745724018, "cllr_cal": 0.1742141118}.items():
        assert figures[key].value == pytest.approx(value, abs=1e-10)
    assert figures["auc"].value == 40709 / 44838
    assert figures["eer"].value == pytest.approx(131 / 947, rel=1e-15)
    assert "assumed: scale log10_lr" in nfi.err
    ru = deciban(
        *("evaluate", shared("data/ru2009.csv.gz"), "--scale", "ln_lr", "--label", "target", "--target", "TRUE"),
        *("--score", "score", "--cost", "p_target=0.01,c_miss=10,c_fa=1", "--metric", "eer:method=interpolated"),
        *("--interval", "none", "--format", "json"),
    )
    figures = db.Evaluation.from_json(ru.out)
    assert (figures.trials.n_target, figures.trials.n_nontarget) == (15252, 9600)
    assert figures["eer"].value == pytest.approx(139369 / 1800980, rel=1e-15)
    for key, value in {
        "eer:method=interpolated": 0.0777083333,
        "auc": (143144879 + 1 / 2) / (15252 * 9600),  # wins and the one tie, counted apart
        "cllr": 0.2898528545,
        "cllr_min": 0.2713229206,
        "act_dcf:p_target=0.01,c_miss=10,c_fa=1": 0.35877871754524004,
        "min_dcf:c_fa=1,c_miss=10,p_target=0.01": 0.34593062385,
    }.items():
        assert figures[key].value == pytest.approx(value, abs=1e-10), key
    for marker, value in {"s100b": 0.7313685637, "wfns": 0.8236788618, "ndka": 0.6119579946}.items():
        ended = deciban(
            *("evaluate", shared("data/asah.csv"), "--label", "outcome", "--target", "Poor", "--score", marker),
            *PLAIN,
        )
        assert ended.plain["auc"] == f"{value:.6f}"


@pytest.mark.parametrize(
    ("limits", "status", "said"),
    [
        (["auc >= 0.7"], 0, None),
        (["auc>=0.7", "eer < 0.5"], 0, None),
        (["auc >= 0.8"], 1, "require: auc >= 0.8: not met, found 0.7222222222"),
        (["auc > 0.7", "eer <= 0.1"], 1, "require: eer <= 0.1: not met, found 0.3333333333"),
        (["low(auc) >= 0.1"], 0, None),
        (["low(majority_accuracy) >= 0.1"], 1, "not met, there is no value (no interval: not_computed)"),
        (["eer:method=interpolated == 0.5"], 1, "not met, found 0.3333333333"),
        (["precision:threshold=0.95 >= 0"], 1, "not met, there is no value (undefined_ratio)"),
        (["recall:threshold=0.6 >= 0.6"], 0, None),
    ],
)
def test_require(deciban, scores, limits, status, said):
    options = [part for limit in limits for part in ("--require", limit)]
    ended = deciban("evaluate", scores, "--interval", "closed", "--format", "plain", *options)
    assert ended.status == status
    assert ended.out.startswith("trials 6\n")
    assert (said is None) == ("require:" not in ended.err)
    assert said is None or said in ended.err


def test_strict(deciban, tmp_path, scores):
    ended = deciban("evaluate", scores, "--strict", "--interval", "closed", "--format", "plain")
    assert ended.status == 1
    assert "deciban: strict: not met, 2 warnings\n" in ended.err
    many = tmp_path / "many.csv"
    many.write_text("score,label\n" + "".join(f"{i / 7},{i % 2}\n" for i in range(100)))
    assert deciban("evaluate", many, "--strict", "--interval", "closed").status == 0


def test_every_option(deciban, tmp_path):
    path = tmp_path / "a.csv"
    rows = "".join(f"{i % 7 / 10},{'ttnx'[i % 4]},{'ab'[i % 2]},s{i % 5},i{i},{1 + i % 2}\n" for i in range(40))
    path.write_text("s,k,c,src,id,w\n" + rows)
    ended = deciban(
        *("evaluate", path, "--score", "s", "--label", "k", "--target", "t", "--nontarget", "n", "--ignore", "x"),
        *("--scale", "probability", "--prior", 0.5, "--p-target", 0.25, "--threshold", 0.3, "--metric", "eer:all"),
        *("--cost", "preset=voxsrc", "--by", "c", "--source", "src", "--id", "id", "--weight", "w"),
        *("--interval", "none", "--level", 0.9, "--replicates", 10, "--seed", 3, "--missing", "drop"),
        *("--higher", "target", "--swap", "--format", "json"),
    )
    assert (ended.status, ended.err.count("Traceback")) == (0, 0)
    record = db.Evaluation.from_json(ended.out)
    assert record.trials.p_target == 0.25
    assert record.provenance.seed == 3
    assert record.provenance.columns["ignore"] == ["x"]
    assert record.provenance.columns["swap"] is True
    assert "eer:method=nist" in record
    assert [group.by for group in record.groups] == [{"c": "a"}, {"c": "b"}]


def test_swap_and_higher(deciban, scores):
    assert deciban("evaluate", scores, "--swap", *PLAIN).plain["auc"] == "0.722222"
    ended = deciban("evaluate", scores, "--higher", "nontarget", *PLAIN)
    assert ended.plain["auc"] == "0.277778"
    assert "DIRECTION" in ended.err


def test_several_files_globs_and_gz(deciban, tmp_path):
    rows = CSV.splitlines(keepends=True)
    (tmp_path / "a.csv").write_text("".join(rows[:4]))
    (tmp_path / "b.csv").write_text("".join([rows[0], *rows[4:]]))
    (tmp_path / "c.csv.gz").write_bytes(gzip.compress(CSV.encode()))
    whole = deciban("evaluate", tmp_path / "c.csv.gz", *PLAIN).plain["auc"]
    files = (tmp_path / "a.csv", tmp_path / "b.csv")
    for named in (files, (tmp_path / "[ab].csv",)):
        assert deciban("evaluate", *named, *PLAIN).plain["auc"] == whole == "0.722222"
    ended = deciban("evaluate", *files, "--by", "file", *PLAIN)
    assert ended.plain[f"file={files[0]}/nontargets"] == "0"
    assert ended.plain[f"file={files[0]}/auc"] == "-"


def test_list_of_metrics_can_be_narrowed(deciban):
    def names(*filters):
        return [line.split()[0] for line in deciban("metrics", *filters).out.splitlines()[1:]]

    everything = names()
    assert set(names("--scale", "score")) < set(names("--scale", "probability")) < set(names("--scale", "ln_lr"))
    assert names("--scale", "ln_lr") == names("--scale", "probability", "--prior", "0.5") == everything
    assert "cllr" not in names("--scale", "probability")
    assert {"auc", "eer", "recall"} <= set(names("--exact"))
    assert "cllr" not in names("--exact")
    assert names("--find", "Kolmogorov") == ["ks"]
    assert set(names("--find", "calibration", "--find", "bins")) < set(names("--find", "calibration"))
    ended = deciban("metrics", "--find", "no such word")
    assert (ended.status, ended.out) == (2, "")
    assert "no metric is like that" in ended.err

"""``deciban compare``: systems of one file or of several, formats, findings, refusals."""

import csv
import io
import json

import pytest

import deciban as db
from tests.shared_data import shared

ROWS = [
    ("t1", 1, 0.9, 3.0, "x"), ("t2", 1, 0.8, -0.5, "y"), ("t3", 1, 0.3, 2.0, "x"), ("t4", 1, 0.7, 0.5, "z"),
    ("t5", 0, 0.6, 0.0, "x"), ("t6", 0, 0.2, 1.5, "y"), ("t7", 0, 0.1, -1.0, "z"), ("t8", 0, 0.4, -2.0, "z"),
]  # fmt: skip


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("id,label,p,s,who\n" + "".join(",".join(map(str, row)) + "\n" for row in ROWS))
    return path


@pytest.fixture
def files(tmp_path):
    """The two columns as a file each, the second in another order."""
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text("id,label,score\n" + "".join(f"{i},{y},{p}\n" for i, y, p, _, _ in ROWS))
    second.write_text("id,label,score\n" + "".join(f"{i},{y},{s}\n" for i, y, _, s, _ in reversed(ROWS)))
    return first, second


def test_asah(deciban):
    asah = shared("data/asah.csv")
    columns = [part for name in ("wfns", "s100b", "ndka") for part in ("--score", name)]
    ended = deciban("compare", asah, *columns, "--label", "outcome", "--target", "Poor")
    assert ended.status == 0, ended.err
    for part in (
        "auc                wfns - s100b  0.0923103    [0.010, 0.174]    0.0272   0.0544    delong",
        "wfns - ndka   0.211721     [0.063, 0.360]    0.00515  0.0154    delong",
        "auc     12.5127  2   0.00192  delong",
        "paired by row",
        "9 tests: 3 pairs of systems by 3 figures",
    ):
        assert part in ended.out
    assert not ended.err


def test_columns_and_files_are_the_same_comparison(deciban, table, files):
    common = ("--id", "id", "--replicates", "50", "--format", "json")
    of_columns = deciban("compare", table, "--score", "p", "--score", "s", *common)
    systems = [part for name, path in zip("ps", files, strict=True) for part in ("--system", f"{name}={path}")]
    of_files = deciban("compare", *systems, *common)
    one, other = (db.Comparison.from_json(ended.out) for ended in (of_columns, of_files))
    assert one.pairing.why == other.pairing.why == "paired on ids"
    assert (one.systems, one.differences, one.joint) == (other.systems, other.differences, other.joint)
    assert len(one.provenance.inputs) == 1
    assert len(other.provenance.inputs) == 2
    assert other.provenance.columns["s"]["score"] == "score"
    assert one.to_json() == of_columns.out


def test_the_library_gives_the_same(deciban, table):
    ended = deciban(
        "compare", table, "--score", "p", "--score", "s", "--metric", "eer", "--replicates", "50", "--seed", "3"
    )
    systems = {name: db.scan(table, score=name) for name in "ps"}
    assert str(db.compare(systems, metrics="eer", replicates=50, seed=3)) == ended.out


@pytest.mark.parametrize("format_", ["table", "json", "csv", "markdown", "plain"])
def test_formats(deciban, table, format_):
    ended = deciban("compare", table, "--score", "p", "--score", "s", "--metric", "auc", "--format", format_)
    assert ended.status == 0
    if format_ == "json":
        assert json.loads(ended.out)["schema"] == "deciban.comparison/1"
    if format_ == "csv":
        assert {row["metric"] for row in csv.DictReader(io.StringIO(ended.out))} >= {"auc", "trials"}
    if format_ == "plain":
        assert ended.plain["p-s/auc"] == "0.062500"
    told = "PAIRED-ROWS" in (ended.out if format_ in ("table", "markdown") else ended.err)
    assert told or format_ == "json"


def test_thresholds(deciban, table):
    both = ("compare", table, "--score", "p", "--score", "s", "--interval", "none", "--format", "json")
    common = json.loads(deciban(*both, "--threshold", "0.5").out)["errors"]
    own = json.loads(deciban(*both, "--threshold", "p=0.5", "--threshold", "s=1").out)["errors"]
    assert [(one["first_threshold"], one["second_threshold"]) for one in common + own] == [(0.5, 0.5), (0.5, 1.0)]
    assert [(one["only_first"], one["only_second"]) for one in own] == [(2, 3)]


def test_sources_and_strict(deciban, table):
    ended = deciban(
        "compare", table, "--score", "p", "--score", "s", "--source", "who", "--threshold", "0.5", "--strict",
        "--replicates", "40",
    )  # fmt: skip
    assert ended.status == 1
    assert "bootstrap" in ended.out
    assert "DEP-SOURCE" in ended.out
    assert "strict: not met" in ended.err


def test_missing_scores(deciban, table):
    text = table.read_text().replace("0.3,2.0", ",2.0")
    table.write_text(text)
    both = ("compare", table, "--score", "p", "--score", "s", "--metric", "auc")
    refused = deciban(*both)
    assert refused.status == 2
    assert "score column 'p'" in refused.err
    ended = deciban(*both, "--missing", "drop")
    assert ended.status == 0
    assert "left out, since another system lacks them: 1 trial of s" in ended.out
    assert "dropped (missing score)        1" in ended.out


def test_unmatched(deciban, files):
    first, second = files
    second.write_text("".join(second.read_text().splitlines(keepends=True)[:-1]))
    both = ("compare", "--system", f"a={first}", "--system", f"b={second}", "--id", "id", "--metric", "auc")
    refused = deciban(*both)
    assert refused.status == 2
    assert "1 trial of 'a' (trial t1)" in refused.err
    assert "compare on those with --unmatched drop" in refused.err
    assert deciban(*both, "--unmatched", "drop").status == 0
    assert "not paired, as asked" in deciban(*both, "--pairing", "none").out


def test_assumed_is_said_once_where_it_holds_for_all(deciban, tmp_path):
    path = tmp_path / "two.csv"
    path.write_text("label,ln_lr,prob\n1,2,0.9\n1,-1,0.6\n0,1,0.4\n0,-2,0.1\n")
    ended = deciban("compare", path, "--score", "ln_lr", "--score", "prob", "--metric", "auc")
    assert ended.err.count("label column 'label' (usual name)") == 1
    assert "assumed: ln_lr: scale ln_lr" in ended.err
    assert "assumed: prob: scale probability" in ended.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Usage"),
        (("{table}",), "expected two systems or more: --score COL for each column of one file"),
        (("{table}", "--score", "p"), "expected two systems or more"),
        (("--system", "a={table}", "--score", "p"), "expected two systems or more"),
        (("--score", "p"), "expected a file, or --system NAME=FILE; see deciban compare --help"),
        (("{table}", "--score", "p", "--score", "p"), "the same column is given twice"),
        (("--system", "a={table}", "--system", "a={table}", "--score", "p"), "a name is given twice"),
        (("{table}", "--score", "p", "--score", "q"), "no score column 'q'"),
        (("{table}", "--score", "p", "--score", "s", "--metric", "cllr"), "system 'p': cllr needs likelihood ratios"),
        (("{table}", "--score", "p", "--score", "s", "--threshold", "x"), "--threshold: "),
        (("{table}", "--score", "p", "--score", "s", "--threshold", "p=1"), "--threshold: expected one of every"),
        (("{table}", "--score", "p", "--score", "s", "--threshold", "1", "--threshold", "p=1"), "found both"),
        (("{table}", "--score", "p", "--score", "s", "--pairing", "id"), "--pairing: expected one of auto"),
        (("{table}", "--score", "p", "--score", "s", "--pairing", "ids"), "name their columns with --id"),
        (("{table}", "--score", "p", "--score", "s", "--format", "html"), "--format: expected one of"),
    ],
)  # fmt: skip
def test_refusals(deciban, table, arguments, said):
    ended = deciban("compare", *(argument.format(table=table) for argument in arguments))
    assert ended.status == 2
    assert said in ended.err + ended.out
    assert "Traceback" not in ended.err

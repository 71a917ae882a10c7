"""``deciban report``: from scores, systems and saved records to a file."""

import re
from pathlib import Path

import pytest

import deciban as db
from deciban.report.page import page_of
from tests.report_pages import Page


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "scores.csv"
    rows = [f"{n % 7},{(n * 3) % 11},{n % 2},{n % 3}\n" for n in range(60)]
    path.write_text("a,b,label,g\n" + "".join(rows))
    return path


@pytest.fixture
def output(tmp_path):
    return tmp_path / "report.html"


def test_a_table_becomes_a_page(deciban, table, output):
    ended = deciban("report", table, "--score", "a", "--by", "g", "--replicates", 20, "-o", output)
    assert (ended.status, ended.out) == (0, "")
    assert f"deciban: wrote {output}" in ended.err
    assert "deciban: note: " in ended.err
    text = output.read_text(encoding="utf-8")
    record = db.Evaluation.from_json(Page(text).files()["record.json"])
    assert text == page_of(record)
    assert len(record.groups) == 3


def test_a_saved_record_becomes_the_same_page(deciban, table, output, tmp_path):
    saved = tmp_path / "record.json"
    saved.write_text(deciban("evaluate", table, "--score", "a", "--replicates", 20, "--format", "json").out)
    common = ("--vocabulary", "ml", "--title", "A <title>")
    assert deciban("report", saved, *common, "-o", output).status == 0
    once = output.read_bytes()
    assert b"A &lt;title&gt;" in once
    assert deciban("report", table, "--score", "a", "--replicates", 20, *common, "-o", output).status == 0
    assert output.read_bytes() == once


def test_the_page_says_the_command_that_makes_it(deciban, table, output, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    ended = deciban("report", table.name, "--score", "b", "--threshold", 4, "--replicates", 20, "-o", "report.html")
    assert ended.status == 0
    page = Page(output.read_text(encoding="utf-8"))
    (command,) = re.findall(r"deciban report .* -o report\.html", page.section("provenance"))
    output.unlink()
    assert deciban(*command.split()[1:]).status == 0
    # What was assumed the first time was given the second time; every number is the same.
    once, again = (
        db.Evaluation.from_json(one.files()["record.json"]) for one in (page, Page(output.read_text(encoding="utf-8")))
    )
    assert (once.metrics, once.thresholds, once.curves) == (again.metrics, again.thresholds, again.curves)


def test_several_systems_become_a_comparison(deciban, table, output, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    systems = ("--score", "a", "--score", "b", "--replicates", 20)
    ended = deciban("report", table.name, *systems, "--threshold", "a=3", "--threshold", "b=5", "-o", output)
    assert ended.status == 0, ended.err
    page = Page(output.read_text(encoding="utf-8"))
    record = db.Comparison.from_json(page.files()["record.json"])
    assert list(record.systems) == ["a", "b"]
    assert "deciban report scores.csv --score a --score b --label label" in page.section("provenance")
    saved = tmp_path / "record.json"
    saved.write_text(record.to_json())
    once = output.read_bytes()
    assert deciban("report", saved, "-o", output).status == 0
    assert output.read_bytes() == once
    named = ("--system", "x=scores.csv", "--system", "y=scores.csv", "--score", "a", "--pairing", "rows")
    assert deciban("report", *named, "--replicates", 20, "-o", output).status == 0


def test_other_forms(deciban, table, tmp_path):
    for name in ("report.json", "report.md"):
        assert deciban("report", table, "--score", "a", "--replicates", 20, "-o", tmp_path / name).status == 0
    text = deciban("evaluate", table, "--score", "a", "--replicates", 20, "--format", "json").out
    assert (tmp_path / "report.json").read_text(encoding="utf-8") == text
    assert (tmp_path / "report.md").read_text(encoding="utf-8").startswith("## Trials")


def test_limits_decide_the_exit_status_and_the_page_is_written(deciban, table, output):
    common = ("report", table, "--score", "a", "--replicates", 20, "-o", output)
    ended = deciban(*common, "--require", "auc >= 0.99")
    assert ended.status == 1
    assert "deciban: require: auc >= 0.99" in ended.err
    assert output.exists()
    few = deciban(*common, "--threshold", 6, "--strict")
    assert few.status == 1
    assert "strict: not met" in few.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "where to: expected -o FILE"),
        (["-o", "x.pdf"], "expected a name that ends in .html, .md or .json"),
        (["-o", "x.html", "--vocabulary", "medical"], "'medical' is unknown"),
        (["-o", "x.md", "--title", "T"], "only a page (.html) has them"),
        (["-o", "x.html", "--pairing", "rows"], "--pairing is for several systems"),
        (["-o", "x.html", "--score", "b", "--by", "g"], "--by is for one system"),
        (["-o", "x.html", "--threshold", "a=3"], "--threshold: expected a number, found 'a'="),
        (["-o", "scores.csv"], "scores.csv: expected a name that ends in"),
    ],
)
def test_wrong_use(deciban, table, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    ended = deciban("report", table.name, "--score", "a", *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert said in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["scores.csv"]


def test_wrong_use_of_a_record(deciban, table, output, tmp_path):
    saved = tmp_path / "record.json"
    text = deciban("evaluate", table, "--score", "a", "--interval", "none", "--format", "json").out
    saved.write_text(text)
    ended = deciban("report", saved, "--metric", "auc", "-o", output)
    assert (ended.status, ended.out) == (2, "")
    assert "--metric is for scores, not for a saved record" in ended.err
    saved.write_text(text.replace('"deciban.evaluation/1"', '"deciban.plan/1"'))
    assert "record.json: expected a record of schema deciban.evaluation/1" in deciban("report", saved, "-o", output).err
    saved.write_text(text)
    ended = deciban("report", saved, "-o", saved)
    assert "it is read from, and writing there would destroy it" in ended.err
    assert not output.exists()


def test_a_page_that_cannot_be_written_leaves_the_old_one(deciban, table, output, monkeypatch):
    output.write_text("before")

    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("deciban.report.writing.report_text", stopped)
    ended = deciban("report", table, "--score", "a", "--interval", "none", "-o", output)
    assert ended.status == 130
    assert output.read_text() == "before"
    assert sorted(path.name for path in Path(output.parent).iterdir()) == ["report.html", "scores.csv"]

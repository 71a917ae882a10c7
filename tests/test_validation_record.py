"""The record of a validation: JSON both ways, tables, rows, lines, and what it never says."""

import csv
import io
import json
import re

import pytest

import deciban as db
from deciban.errors import InputError, OptionError
from deciban.records.evaluation import Evaluation
from deciban.records.validation import SCHEMA
from deciban.records.writing import as_csv, as_html, as_markdown, as_plain
from tests.validation_data import N0, N1, criterion, sources, system, write_criteria

TEXT = """
[laboratory]
name = "A | B"
method = "<b>m</b>"
[decision]
fixed_on = 2026-03-01
replicates = 60
[verbal]
scale = "enfsi"
""" + "".join(
    [
        criterion("A2", margin=0.1),
        criterion("D1", limit="<= 0.25"),
        criterion("N2", limit=">= 30"),
        criterion("R1", margin=0.4),
        criterion("C2", use=False, reason="no line"),
        criterion("L1", characteristic="discrimination", metric="auc", limit=">= 0.99"),
    ]
)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return write_criteria(tmp_path_factory.mktemp("criteria"), TEXT)


@pytest.fixture(scope="module")
def result(path):
    names = sources(N1 + N0)
    half = {"channel": ["a", "b"] * ((N1 + N0) // 2)}
    apart = db.Trials.from_arrays([1.0, -1], [1, 0], scale="ln_lr", sources=["x", "y"])
    data = system(sources=names, conditions=half)
    return db.validate(data, criteria=path, baseline=system(3.0, sources=names), development=apart)


def test_json_both_ways(result):
    text = result.to_json()
    assert json.loads(text)["schema"] == SCHEMA == "deciban.validation/1"
    assert db.Validation.from_json(text) == result
    assert db.Validation.from_json(text).to_json() == text
    assert isinstance(result.evaluation, Evaluation)
    assert json.loads(text)["config"]["text"] == TEXT


def test_same_input_gives_the_same_bytes(tmp_path):
    path = write_criteria(tmp_path, criterion("D1", limit="<= 0.25"))
    texts = {db.validate(system(), criteria=path, replicates=40).to_json() for _ in range(2)}
    assert len(texts) == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda plain: plain["rows"][0].update(decision="fail"), r"rows\[0\]: the record contradicts itself.*'pass'"),
        (lambda plain: plain["config"].update(text="x"), "config: the record contradicts itself"),
        (lambda plain: plain["evaluation"]["trials"].update(n=7), "the record contradicts itself"),
        (lambda plain: plain.update(schema="deciban.evaluation/1"), "expected a record of schema deciban.validation/1"),
        (lambda plain: plain["rows"][0].update(decision="maybe"), "expected one of 'pass', 'fail', 'not assessable'"),
        (lambda plain: plain.pop("statements"), "missing field statements"),
    ],
)
def test_what_is_no_record(result, change, said):
    plain = json.loads(result.to_json())
    change(plain)
    with pytest.raises(InputError, match=said):
        db.Validation.from_json(json.dumps(plain))


def test_rows(result):
    rows = result.to_rows()
    assert all(tuple(row) == db.Validation.COLUMNS for row in rows)
    assert sum(row["id"] == "C3" for row in rows) == 6
    (d1,) = [row for row in rows if row["id"] == "D1"]
    assert (d1["figure"], d1["decision"], d1["limit"], d1["fixed_on"]) == ("eer", "pass", "<= 0.25", "2026-03-01")
    assert d1["low"] < d1["high"]
    assert list(result.to_frame().columns) == list(db.Validation.COLUMNS)


def test_row_by_id(result):
    assert result.row("L1").decision == "fail"
    with pytest.raises(OptionError, match="no criterion 'A9'; known: A1, A2"):
        result.row("A9")


def test_verdict_counts_and_never_praises(result):
    n = len(result.rows)
    assert n == sum(result.count(decision) for decision in ("pass", "fail", "not assessable")) == 11
    assert re.fullmatch(
        r"11 criteria: \d+ pass, \d+ fail, \d+ not assessable; 1 switched off by the laboratory", result.verdict
    )
    for text in (str(result), result.to_markdown(), result.to_json(), as_html(result), as_csv(result)):
        assert not re.search(r"\bvalidated\b|\bconforms?\b|\bcompliant\b", text, re.IGNORECASE)


def test_tables(result):
    text = str(result)
    titles = [table.title for table in result.tables()]
    assert titles[:4] == ["Validation", "Validation matrix", "Decisions", "Criteria"]
    for title in ("Criteria switched off by the laboratory", "Sources", "Range of the LRs reported"):
        assert title in titles
    matrix = next(table for table in result.tables() if table.title == "Validation matrix")
    assert matrix.head == (
        *("id", "characteristic", "metric", "graph", "criterion", "fixed on", "data", "result", "decision"),
    )
    assert [row[0] for row in matrix.rows] == [row.criterion.id for row in result.rows]
    assert all(len(row) == len(matrix.head) for row in matrix.rows)
    assert "verdict" in text
    assert "(vi)" in text
    assert "moderate support" in text


def test_markdown_holds_the_evaluation_and_takes_nothing_as_markup(result):
    text = result.to_markdown()
    assert "## Figures" in text
    assert "A \\| B" in text
    assert "\\<b>m\\</b>" in text
    assert "## Figures" not in as_markdown(result)
    assert text.index("## Validation matrix") < text.index("## Findings") < text.index("## Figures")


def test_html_is_escaped(result):
    assert "&lt;b&gt;m&lt;/b&gt;" in result._repr_html_()


def test_lines_and_csv(result):
    lines = dict(line.rsplit(" ", 1) for line in as_plain(result).splitlines())
    assert lines["criteria"] == "11"
    assert lines["D1"] == "pass"
    assert float(lines["D1/eer"]) == pytest.approx(result.evaluation["eer"].value, abs=1e-6)
    table = list(csv.DictReader(io.StringIO(as_csv(result))))
    assert len(table) == len(result.to_rows())


def test_findings_of_the_figures_are_there(result):
    codes = [finding.code for finding in result.all_findings()]
    assert "PAV-OPT" in codes
    assert codes.count("NOT-STATED") == 1

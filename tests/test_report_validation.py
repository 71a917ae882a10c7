"""The page of a validation: what a reader looks for is there, in its order, and it claims nothing."""

from __future__ import annotations

import re
from hashlib import sha256

import pytest

import deciban as db
from deciban.records.validation_rows import NOT_STATED
from deciban.report.command import command_of
from deciban.report.page import page_of
from tests.report_pages import CRITERIA, Page, page, validation_record
from tests.shared_data import shared
from tests.validation_data import criterion, system, write_criteria

pytestmark = pytest.mark.xdist_group("pages")


def rows_of(found: Page) -> dict[str, str]:
    """The rows of the matrix by their criterion, as text."""
    rows = [one for one in found.all("tr") if one.attributes.get("id", "").startswith("criterion-")]
    texts = [re.sub(r"\s+", " ", one.text).strip() for one in rows]
    return {text.split()[0]: text for text in texts}


def header(found: Page) -> str:
    (one,) = found.all("header")
    return re.sub(r"\s+", " ", one.text)


def test_the_order_of_the_sections():
    sections = [section.attributes["id"] for section in page("validation").all("section")]
    assert sections == [
        *("purpose", "trials", "matrix", "key-figures", "explore", "baseline", "figures", "discrimination"),
        *("evidence", "reported-range", "probability", "decisions", "thresholds", "groups", "statements", "findings"),
        *("methods", "criteria", "provenance"),
    ]
    contents = [one.attributes["href"] for one in page("validation").all("a") if "nav" in one.inside]
    assert contents == ["#summary", *(f"#{section}" for section in sections)]


def test_the_top_counts_decisions_and_identifies_the_report():
    record, text = validation_record(), header(page("validation"))
    assert record.verdict in text
    for decision, symbol in (("pass", "✓"), ("fail", "✗"), ("not assessable", "○")):
        ids = " ".join(row.criterion.id for row in record.rows if row.decision == decision)
        assert re.sub(r"\s", "", f"{record.count(decision)}{symbol}{decision}{ids}") in re.sub(r"\s", "", text)
    for said in ("<script>alert(1)</script> method 2.1", "A <b>laboratory</b>", "=A. Author", NOT_STATED):
        assert said in text
    assert record.config.sha256[:16] in text
    assert "Date and signature" in text
    assert text.count("Reviewer") == 2


def test_every_criterion_has_its_row():
    record, found = validation_record(), rows_of(page("validation"))
    assert list(found) == [row.criterion.id for row in record.rows]
    for row in record.rows:
        text = found[row.criterion.id]
        symbol = {"pass": "✓", "fail": "✗", "not assessable": "○"}[row.decision]
        assert f"{symbol} {row.decision}" in text
        assert row.criterion.characteristic in text
        assert all(result.name in text for result in row.results[:8])
        assert row.criterion.fixed_on in text
    assert "≤ 0.25" in found["D1"]
    assert "no development or calibration data were named" in found["S1"]
    assert "p = " in found["C3"]
    assert "baseline in memory" in found["A2"]
    matrix = page("validation").section("matrix")
    for row in record.rows:
        assert row.criterion.reason is None or row.criterion.reason[:40].replace(">=", "≥") in matrix
    assert "Criteria switched off by the laboratory" in matrix
    assert "no line" in matrix


def test_the_matrix_is_a_table_to_be_heard_on_a_phone_too():
    found = page("validation")
    (table,) = (one for one in found.all("table") if one.attributes.get("id") == "validation-matrix")
    assert table.attributes["role"] == "table"
    cells = [one for one in found.all("td") if one.attributes.get("role") == "cell"]
    assert cells
    assert all(one.attributes["data-head"] for one in cells)


def test_graphs_lead_to_the_drawings_where_there_are_any():
    found = page("validation")
    leads = {one.attributes["href"] for one in found.all("a") if "tbody" in one.inside and "small" in one.inside}
    assert {"#cross-entropy", "#baseline-cross-entropy", "#tippett", "#det", "#roc", "#pav"} <= leads
    assert any(lead.startswith("#groups-1-cllr") for lead in leads)


def test_what_the_laboratory_did_not_say_is_said(tmp_path):
    text = "".join(criterion(name, use=False, reason="r") for name in ("A2", "R1", "N2", "S1"))
    record = db.validate(system(), criteria=write_criteria(tmp_path, text, dated=False), interval="none")
    found = Page(page_of(record))
    assert found.section("purpose").count(NOT_STATED) == 7
    assert header(found).count(NOT_STATED) == 10
    assert f"Criteria fixed on: {NOT_STATED}." in found.section("matrix")
    assert f"limit {NOT_STATED}" in rows_of(found)["D1"]
    assert "No verbal scale was named" in found.section("reported-range")
    assert f"Data{NOT_STATED}" in found.section("trials")
    assert "No sources of the trials were named" in found.section("trials")
    assert "deciban validate" not in found.section("provenance")


def test_raw_scores_have_no_range_of_lrs(tmp_path):
    trials = db.Trials.from_classes([1.0, 2, 3] * 5, [0.0, 1.5, -1] * 5)
    found = Page(page_of(db.validate(trials, criteria=write_criteria(tmp_path, ""), thresholds=1.0, interval="none")))
    assert "reported-range" not in found.ids()
    assert "the scores are no likelihood ratios" in rows_of(found)["A1"]


def test_the_range_has_its_sentence_and_its_words():
    record, text = validation_record(), page("validation").section("reported-range")
    assert f"{record.cap.says.replace('-', '−')}." in text
    assert record.verbal.words(record.cap.upper) in text
    assert record.verbal.source in text
    quoted = [one.text.strip() for one in page("validation").all("blockquote")]
    assert quoted == [f"{record.cap.says.replace('-', '−')}."]


def test_statements_findings_and_the_criteria_are_whole():
    record, found = validation_record(), page("validation")
    statements = [one.text for one in found.all("li") if one.inside[-1] == "ol" and "section" in one.inside]
    assert statements == list(record.statements)
    for finding in record.all_findings():
        assert re.sub(r"\s+", " ", finding.message) in found.section("findings")
    assert re.sub(r"\s+", " ", CRITERIA).strip() in found.section("criteria")
    assert record.config.sha256 in found.section("criteria")
    assert sha256(record.to_json().encode()).hexdigest() in found.section("provenance")


def test_it_is_never_called_by_one_word_and_claims_no_conformity():
    source = page("validation").without_scripts()
    text = " ".join(one.text for one in Page(source).all("body"))
    assert not re.search(r"\b(validated|conforms|compliant|certified)\b", text, re.IGNORECASE)
    sentences = re.findall(r"[^.]*\b(?:valid|conformity)\b[^.]*\.", text)
    assert {sentence.split()[0] for sentence in sentences} == {"No", "This"}
    assert any("does not certify conformity" in sentence for sentence in sentences)


def test_the_command_is_that_of_the_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [f"{score},{label}" for score, label in ((2, 1), (1, 1), (-1, 1), (0.5, 0), (-2, 0), (-1.5, 0))]
    (tmp_path / "a b.csv").write_text("\n".join(["ln_lr,label", *lines]))
    write_criteria(tmp_path, "")
    declared = {"scale": "ln_lr", "swap": False, "conditions": ()}
    options = {"interval": "none", "thresholds": [0.5], "level": 0.9}
    record = db.validate("a b.csv", criteria="criteria.toml", declared=declared, **options)
    assert command_of(record) == (
        "deciban validate 'a b.csv' --criteria criteria.toml --scale ln_lr --no-swap --interval none --level 0.9 "
        "--threshold 0.5 -o report.html"
    )
    assert command_of(validation_record()) is None


@pytest.mark.parametrize("suffix", ["html", "md", "json"])
def test_writing(tmp_path, suffix):
    record, path = validation_record(), tmp_path / f"report.{suffix}"
    db.write_report(record, path)
    written = path.read_text(encoding="utf-8")
    assert written == {"html": page("validation").source, "md": record.to_markdown(), "json": record.to_json()}[suffix]


def test_a_template_that_was_not_filled_in(tmp_path, deciban):
    assert deciban("validate", "--init", tmp_path / "bare.toml").status == 0
    data = shared("data/nfi_cartridges.csv")
    asked = ("--criteria", tmp_path / "bare.toml", "--replicates", 100)
    ended = deciban("validate", data, *asked, "-o", tmp_path / "report.html")
    assert ended.status == 1
    found = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert "10^76.6" in rows_of(found)["X1"]
    assert "11 criteria: 1 pass, 4 fail, 6 not assessable" in header(found)
    assert len(found.without_scripts()) < 600_000

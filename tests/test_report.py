"""The page: whole, safe, the same each time, and with no number that the record does not hold."""

import csv
import io
import re
from base64 import b64encode
from hashlib import sha256
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import deciban as db
from deciban.errors import MissingExtraError, OptionError
from deciban.report import page as page_module
from deciban.report.command import command_of
from deciban.report.from_points import det_of, precision_recall_of, roc_of
from deciban.report.page import page_of
from deciban.report.section import Fragment
from deciban.report.writing import check_report
from deciban.workflow.evaluating.drawable import points_of
from tests.report_pages import (
    HOSTILE,
    RECORDS,
    Page,
    comparison_record,
    hostile_record,
    lr_record,
    page,
    probability_record,
    score_record,
)
from tests.shared_data import shared

pytestmark = pytest.mark.xdist_group("pages")
"""Pages are made once, by the worker that reads them."""

EACH = pytest.mark.parametrize("name", RECORDS)

SCRIPTS = 4
"""Of every page: data, charts and script of the explorer, and the script of the page."""

FIGURES = {
    "lr": {"roc", "det", "precision-recall", "histogram", "tippett", "cross-entropy", "pav", "reliability", "corp"}
    | {"bayes-error", "groups-1-roc", "groups-1-det"},
    "probability": {"roc", "det", "precision-recall", "histogram", "reliability", "corp", "bayes-error"},
    "score": {"roc", "det", "precision-recall", "histogram", "bayes-error"},
}


@EACH
def test_every_element_is_closed_and_every_name_is_there_once(name):
    found = page(name)
    ids = found.ids()
    assert len(ids) == len(set(ids))
    for element in found.elements:
        for attribute in ("href", "aria-labelledby"):
            target = element.attributes.get(attribute, "")
            if target.startswith("#") or attribute == "aria-labelledby":
                assert not target or target.removeprefix("#") in ids, target
        for value in element.attributes.values():
            for target in re.findall(r"url\(#([^)]+)\)", value):
                assert target in ids


@EACH
def test_nothing_is_fetched(name):
    found = page(name)
    assert not {"link", "img", "iframe", "object", "embed", "base", "form", "image"} & {e.tag for e in found.elements}
    for element in found.elements:
        assert "style" not in element.attributes, "the policy forbids style attributes"
        assert not [key for key in element.attributes if key.startswith("on")]
        for key in ("href", "src", "xlink:href", "srcset", "data", "action"):
            assert element.attributes.get(key, "#").startswith(("#", "data:text/csv", "data:application/json"))
    for style in found.all("style"):
        assert "url(" not in style.text
        assert "@import" not in style.text


@EACH
def test_the_policy_allows_these_scripts_and_no_other(name):
    found = page(name)
    (policy,) = (e.attributes["content"] for e in found.all("meta") if "http-equiv" in e.attributes)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    for kind in ("style", "script"):
        texts = [element.text for element in found.all(kind) if element.attributes.get("type") != "application/json"]
        hashes = {f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in texts}
        assert set(rules[f"{kind}-src"].split()) == hashes
    assert "unsafe" not in policy
    assert found.elements.index(found.all("meta")[1]) < found.elements.index(found.all("style")[0])


@EACH
def test_tables_can_be_heard(name):
    found = page(name)
    tables = found.all("table")
    assert tables
    assert len(found.all("caption")) == len(tables)
    assert all(element.attributes.get("scope") in ("col", "row", "rowgroup") for element in found.all("th"))
    headings = [int(element.tag[1]) for element in found.elements if element.tag in ("h1", "h2", "h3", "h4")]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(headings))
    assert {"main", "nav", "header", "footer"} <= {element.tag for element in found.elements}
    assert found.all("html")[0].attributes["lang"] == "en"


@EACH
def test_drawings_say_what_they_show(name):
    found = page(name)
    drawings = [e for e in found.all("svg") if e.inside[-1] == "figure"]
    assert drawings
    for drawing in drawings:
        assert drawing.attributes["role"] == "img"
        assert len(drawing.attributes["aria-label"]) > 20
        assert not re.search(r"\bnan\b|None", drawing.attributes["aria-label"])
    assert len(found.all("figcaption")) == len(found.all("figure"))
    assert len(drawings) == len(found.figures())
    numbers = re.findall(r"Figure (\d+)\. ", " ".join(one.text for one in found.all("figcaption")))
    assert [int(number) for number in numbers] == list(range(1, len(drawings) + 1))


def test_drawings_say_the_main_numbers():
    (roc,) = (e for e in page("lr").all("figure") if e.attributes["id"] == "roc")
    spoken = next(
        e.attributes["aria-label"] for e in page("lr").all("svg") if "ROC" in e.attributes.get("aria-label", "")
    )
    assert f"AUC {lr_record()['auc'].value:.3f}" in spoken
    assert "Recall" in roc.text


@pytest.mark.parametrize("name", FIGURES)
def test_the_scale_decides_which_drawings_there_are(name):
    found = {figure.attributes["id"] for figure in page(name).figures()}
    assert FIGURES[name] <= found
    assert {one for one in found if not one.startswith("groups")} == {
        one for one in FIGURES[name] if not one.startswith("groups")
    }


@pytest.mark.parametrize(
    ("name", "absent"),
    [
        ("lr", {"comparison"}),
        ("probability", {"comparison", "evidence", "groups"}),
        ("score", {"comparison", "evidence", "probability", "thresholds", "groups"}),
        ("comparison", {"groups"}),
    ],
)
def test_sections(name, absent):
    every = ["explore", "trials", "comparison", "figures", "discrimination", "evidence", "probability", "decisions"]
    every += ["thresholds", "groups", "findings", "methods", "provenance"]
    sections = [section.attributes["id"] for section in page(name).all("section")]
    assert sections == [section for section in every if section not in absent]
    contents = [e.attributes["href"] for e in page(name).all("a") if "nav" in e.inside]
    assert contents == ["#summary", *(f"#{section}" for section in sections)]


@EACH
def test_the_same_record_gives_the_same_bytes_and_so_does_its_json(name):
    record = RECORDS[name]()
    read = type(record).from_json(record.to_json())
    assert page_of(read) == page(name).source


@EACH
def test_the_record_is_in_the_page(name):
    record, found = RECORDS[name](), page(name)
    text = record.to_json()
    # Names of ten thousand letters make the hostile record too large.
    assert found.files().get("record.json", "") == ("" if name == "hostile" else text)
    assert sha256(text.encode()).hexdigest() in found.section("provenance")


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_numbers_behind_drawings_are_those_of_the_record():
    record, files = lr_record(), page("lr").files()
    points = record.curves.operating_points
    roc = rows_of(files["roc.csv"])
    assert [float(row["threshold"]) for row in roc] == list(points.threshold)
    assert [int(row["tp"]) for row in roc] == list(points.tp)
    assert [float(row["log10_lr"]) for row in rows_of(files["tippett.csv"])] == record.curves.tippett.log10_lr.tolist()
    assert [float(row["system"]) for row in rows_of(files["cross-entropy.csv"])] == (
        record.curves.cross_entropy.system.tolist()
    )
    empty = [row["observed"] == "" for row in rows_of(files["reliability.csv"])]
    assert empty == np.ma.getmaskarray(record.curves.reliability.observed).tolist()
    groups = rows_of(files["groups-1-auc-0.csv"])
    assert {row["name"]: float(row["value"]) for row in groups} == {
        group.by["channel"]: group.metrics["auc"].value for group in record.groups
    }
    systems = rows_of(page("comparison").files()["roc.csv"])
    assert {row["system"] for row in systems} == {"first", "second"}
    entropy = rows_of(page("comparison").files()["cross-entropy.csv"])
    assert {row["name"] for row in entropy} == {"first", "second"}


@EACH
def test_no_download_has_two_columns_of_one_name(name):
    for file, text in page(name).files().items():
        head = text.splitlines()[0].split(",")
        assert file == "record.json" or len(set(head)) == len(head)


def test_a_large_record_is_not_in_the_page_which_says_so(monkeypatch):
    monkeypatch.setattr(import_module("deciban.report.sections.provenance"), "EMBEDDED", 1000)
    record = score_record()
    found = Page(page_of(record))
    assert "record.json" not in found.files()
    said = found.section("provenance")
    assert "too large to lie in this page" in said
    assert "--format json" in said
    assert sha256(record.to_json().encode()).hexdigest() in said


def test_curves_from_points_are_those_of_all_trials_where_the_record_keeps_all():
    counts = db.Counts.from_classes([3, 4, 2.5, np.inf], [1, 2, 2.5, -np.inf])
    points = points_of(counts, ()).operating_points
    assert roc_of(points) == db.roc(counts)
    assert det_of(points) == db.det(counts)
    assert precision_recall_of(points) == db.precision_recall(counts)


def test_every_figure_is_in_the_tables():
    record, found = lr_record(), page("lr")
    keys = {element.text for element in found.all("code")}
    assert set(record.metrics) <= keys
    assert {"tp", "fp", "fn", "tn", *record.thresholds[0].metrics} <= keys


def test_every_finding_is_told_with_its_advice():
    for name in ("lr", "hostile"):
        text = page(name).section("findings")
        for finding in RECORDS[name]().all_findings():
            # What data hold is written with escapes where it cannot be seen.
            message = re.sub(r"\s+", " ", finding.message)
            assert not message.isprintable() or message in text
            assert re.sub(r"\s+", " ", finding.advice) in text
    assert text.index("Warning") < text.index("Note")


def test_the_sentence_gives_numbers_and_no_verdict():
    (verdict,) = (e.text for e in page("lr").all("p") if e.attributes.get("class") == "verdict")
    record = lr_record()
    warnings = sum(finding.severity == "warn" for finding in record.all_findings())
    said = r"AUC 0\.\d+ \[.*\], EER \d+(\.\d+)?\u202f% \[.*\], Cllr 0\.\d+ \[.*\] bits over "
    assert re.fullmatch(said + r"60 targets and 200 nontargets; \d+ warnings\.", verdict)
    assert f"{warnings} warning" in verdict
    for source in map(page, RECORDS):
        assert not re.search(
            r"\b(valid|validated|good|excellent|bad)\b", " ".join(e.text for e in source.all("header"))
        )


def test_readers_words():
    found = page("lr", "biometric")
    assert "60 mated trials and 200 non-mated trials" in found.section("trials")
    assert "False non-match rate" in found.section("thresholds")
    with pytest.raises(OptionError, match="vocabulary: 'medical' is unknown"):
        page_of(lr_record(), vocabulary="medical")


def test_definitions_come_from_the_metrics():
    text = page("lr").section("methods")
    assert db.auc.spec.use_when in text
    assert db.cllr.spec.reference in text
    assert "The probability that a target scores higher than a nontarget" in text


def test_hostile_data_do_nothing():
    found = page("hostile")
    assert len(found.all("script")) == SCRIPTS
    assert not [e for e in found.elements if e.tag in ("img", "i")]
    assert "\u202e" not in found.source
    assert "\u200b" not in found.source
    assert "\x1b" not in found.source
    assert "x" * 300 not in re.sub(r'href="data:[^"]*"', "", found.source)
    assert "<img src=x onerror=alert(1)>" in found.section("groups")
    for name, text in found.files().items():
        if name.endswith(".csv"):
            cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
            assert not [cell for cell in cells if re.match(r"[=+@]|-[^\d.i]", cell)]
    assert {group.by['<i>col"'] for group in hostile_record().groups} == set(HOSTILE)


def test_hostile_titles_and_names_of_systems():
    record = comparison_record()
    systems = dict(zip(["</title><script>", "=1"], record.systems.values(), strict=True))
    differences = tuple(
        type(one)(**{
            **{name: getattr(one, name) for name in one.__slots__}, "first": "</title><script>", "second": "=1"
        })
        for one in record.differences
    )  # fmt: skip
    fields = {name: getattr(record, name) for name in record.__slots__}
    changed = db.Comparison(**{**fields, "systems": systems, "differences": differences, "errors": ()})
    found = Page(page_of(changed, title="<b>&</title>"))
    assert found.all("title")[0].text == "<b>&</title>"
    assert found.all("h1")[0].text == "<b>&</title>"
    assert len(found.all("script")) == SCRIPTS
    assert {row["system"] for row in rows_of(found.files()["roc.csv"])} == {"</title><script>", "'=1"}


def test_a_fragment_stands_before_the_sections_and_is_allowed(monkeypatch):
    fragment = Fragment("<p id='here'>explore</p>", "p { margin: 0 }", ("one()", "two()"))
    monkeypatch.setattr(page_module, "explore", lambda _: fragment)
    found = Page(page_of(score_record()))
    assert [section.attributes["id"] for section in found.all("section")][:2] == ["explore", "trials"]
    assert [script.text for script in found.all("script")][:2] == ["one()", "two()"]
    policy = found.all("meta")[1].attributes["content"]
    for text in ("one()", "two()", "p { margin: 0 }"):
        assert b64encode(sha256(text.encode()).digest()).decode() in policy


def test_a_group_of_one_class_and_three_trials():
    trials = db.Trials.from_arrays([1, 2, 3], [1, 0, 1], conditions={"g": ["a", "b", "a"]})
    found = Page(page_of(db.evaluate(trials, by="g", replicates=20)))
    assert "one class only" in found.section("groups")
    assert not re.search(r"\bnan\b", found.without_scripts())


def test_many_groups_and_many_systems():
    n = 600
    trials = db.Trials.from_arrays(
        np.arange(n) % 11, np.arange(n) % 2, conditions={"g": [f"g{number // 4}" for number in range(n)]}
    )
    found = Page(page_of(db.evaluate(trials, by="g", interval="none")))
    assert "The first 100 of 150 groups" in found.section("groups")
    assert "The first 100 of 150 findings SUBGROUP" in found.section("findings")
    assert len(found.source) < 2_500_000
    generator, labels = np.random.default_rng(5), np.repeat([1, 0], 10)
    systems = {f"s{at:02}": db.Trials.from_arrays(labels + generator.normal(0, 1, 20), labels) for at in range(14)}
    compared = Page(page_of(db.compare(systems, metrics=["auc"], interval="none")))
    assert "of 14 the first 12 are drawn and explored" in compared.section("discrimination")
    assert "Drawn are the first 12 of 14 systems; the CSV has all." in compared.section("discrimination")
    assert {row["system"] for row in rows_of(compared.files()["roc.csv"])} == set(systems)
    tables = re.findall(r"<table id.*?</table>", compared.source, re.S)
    assert max(table.partition("</thead>")[0].count('scope="col"') for table in tables) <= 7
    assert sum('id="trials-of-systems' in table and "-caption" in table for table in tables) == 3


def test_unsupported_lrs_stand_out():
    record = db.evaluate(db.scan(shared("data/nfi_cartridges.csv")), replicates=50)
    found = Page(page_of(record, vocabulary="forensic"))
    text = found.section("evidence")
    for part in ("LR-SUPPORT", "MISLEAD", "10^76.6", "10^15.9", "35.7", "log₁₀ LR 1.55", "120 of 665"):
        assert part in text
    header = " ".join(element.text for element in found.all("header"))
    assert "the largest claimed being 10^76.6" in header
    assert "LR-SUPPORT" in found.section("findings")
    assert len(found.without_scripts()) < 500_000


def test_writing(tmp_path):
    record = score_record()
    db.write_report(record, tmp_path / "a.html", title="T", vocabulary="ml")
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == page_of(record, title="T", vocabulary="ml")
    db.write_report(record, tmp_path / "a.json")
    assert db.Evaluation.from_json((tmp_path / "a.json").read_text(encoding="utf-8")) == record
    db.write_report(record, str(tmp_path / "a.md"))
    assert (tmp_path / "a.md").read_text(encoding="utf-8").startswith("## Trials")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.html", "a.json", "a.md"]


def test_what_cannot_be_written(tmp_path, monkeypatch):
    record = score_record()
    with pytest.raises(OptionError, match=r"expected a name that ends in \.html, \.md or \.json"):
        db.write_report(record, tmp_path / "a.pdf")
    with pytest.raises(OptionError, match="only a page"):
        db.write_report(record, tmp_path / "a.md", title="T")
    with pytest.raises(OptionError, match="expected an Evaluation, a Comparison or a Validation, found 1"):
        db.write_report(1, tmp_path / "a.html")
    with pytest.raises(db.DecibanError, match="cannot be written"):
        db.write_report(record, tmp_path / "nowhere" / "a.json")
    (tmp_path / "a.html").write_text("before")
    monkeypatch.setattr("deciban.report.page.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r'pip install "deciban\[report\]"'):
        db.write_report(record, tmp_path / "a.html")
    with pytest.raises(MissingExtraError):
        check_report(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["a.html"]


def test_the_command_gives_the_same_figures_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("my scores.csv").write_text("score,label,g\n" + "".join(f"{n % 7},{n % 2},{n % 3}\n" for n in range(60)))
    table = db.scan("my scores.csv", conditions="g")
    record = db.evaluate(table, by="g", thresholds=[2.5], metrics=["eer:all"], replicates=20, seed=3)
    assert command_of(record) == (
        "deciban report 'my scores.csv' --score score --label label --scale score --metric eer:all --by g "
        "--replicates 20 --threshold 2.5 --seed 3 -o report.html"
    )
    assert command_of(score_record()) is None
    assert command_of(comparison_record()) is None
    assert command_of(probability_record()) is None


def test_everything_that_a_template_needs_is_in_the_package():
    folder = Path(page_module.__file__).parent / "templates"
    assert {path.name for path in folder.iterdir()} == {"page.html", "blocks.html", "style.css", "script.js"}

"""``deciban validate``: the matrix on stdout, the report in a file, and the exit status."""

import json
import re

import pytest

import deciban as db
from tests.command_line import process
from tests.report_pages import Page
from tests.shared_data import shared
from tests.validation_data import criterion, ln_lrs, write_criteria

LENIENT = "".join(
    criterion(name, use=False, reason="not asked here") for name in ("A2", "R1", "N2", "S1", "X1", "D1", "C1")
)


@pytest.fixture
def scores(tmp_path):
    """A file of calibrated LRs."""
    target, nontarget = ln_lrs()
    lines = [f"{score!r},{same}" for scores, same in ((target, 1), (nontarget, 0)) for score in scores.tolist()]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(["ln_lr,same", *lines]))
    return path


def test_all_met(deciban, scores, tmp_path):
    path = write_criteria(tmp_path, LENIENT)
    ended = deciban("validate", scores, "--criteria", path, "--replicates", 50)
    assert ended.status == 0
    assert "4 criteria: 4 pass, 0 fail, 0 not assessable; 7 switched off" in ended.out
    assert "assumed: scale ln_lr" in ended.err


def test_a_criterion_fails(deciban, scores, tmp_path):
    path = write_criteria(tmp_path, LENIENT + criterion("L1", characteristic="d", metric="eer", limit="<= 0.01"))
    ended = deciban("validate", scores, "--criteria", path, "--replicates", 50, "--format", "plain")
    assert ended.status == 1
    assert ended.plain["L1"] == "fail"
    assert "deciban: 5 criteria: 4 pass, 1 fail, 0 not assessable" in ended.err


def test_not_assessable_fails_only_when_strict(deciban, scores, tmp_path):
    path = write_criteria(tmp_path, LENIENT.replace("'D1'\nuse = false", "'D1'"))
    assert deciban("validate", scores, "--criteria", path, "--interval", "none").status == 0
    ended = deciban("validate", scores, "--criteria", path, "--interval", "none", "--strict")
    assert ended.status == 1
    assert "strict: not met" in ended.err


@pytest.mark.parametrize("format_", ["table", "json", "csv", "markdown", "plain"])
def test_formats(deciban, scores, tmp_path, format_):
    path = write_criteria(tmp_path, LENIENT)
    ended = deciban("validate", scores, "--criteria", path, "--interval", "none", "--format", format_)
    assert ended.status == 0
    if format_ == "json":
        assert db.Validation.from_json(ended.out).verdict.startswith("4 criteria")


def test_reports_by_their_suffix(deciban, scores, tmp_path):
    path = write_criteria(tmp_path, LENIENT)
    common = ("validate", scores, "--criteria", path, "--interval", "none")
    assert deciban(*common, "-o", tmp_path / "r.json", "--format", "json").out == (tmp_path / "r.json").read_text()
    ended = deciban(*common, "-o", tmp_path / "r.MD")
    assert f"wrote {tmp_path / 'r.MD'}" in ended.err
    assert (tmp_path / "r.MD").read_text().startswith("## Validation\n")
    assert deciban(*common, "-o", tmp_path / "r.html", "--vocabulary", "forensic").status == 0
    page = Page((tmp_path / "r.html").read_text(encoding="utf-8"))
    assert page.files()["record.json"] == (tmp_path / "r.json").read_text()
    assert deciban("report", tmp_path / "r.json", "--vocabulary", "forensic", "-o", tmp_path / "s.html").status == 0
    assert (tmp_path / "s.html").read_text(encoding="utf-8") == page.source


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (("-o", "r"), "r: expected a name that ends in .html, .md or .json"),
        (("-o", "r.md", "--vocabulary", "ml"), "only a page (.html) has them"),
        (("-o", "r.html", "--vocabulary", "martian"), "'martian' is unknown"),
        (("--vocabulary", "ml"), "--vocabulary: it is for the words of a page"),
    ],
)
def test_reports_that_cannot_be_written(deciban, scores, tmp_path, monkeypatch, output, said):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    path = write_criteria(tmp_path, LENIENT)
    ended = deciban("validate", scores, "--criteria", path, "--interval", "none", *output)
    assert ended.status == 2
    assert said in ended.err
    assert sorted(tmp_path.iterdir()) == [path, *before]


def test_the_page_says_the_command_that_makes_it(deciban, scores, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_criteria(tmp_path, LENIENT + '[data]\nfile = "scores.csv"\nscale = "log10_lr"\n')
    given = ("--scale", "ln_lr", "--threshold", -1, "--interval", "none", "--no-swap", "--seed", 3)
    assert deciban("validate", "--criteria", "criteria.toml", *given, "-o", "report.html").status == 0
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    (command,) = re.findall(r"deciban validate .* -o report\.html", page.section("provenance"))
    assert deciban(*command.split()[1:]).status == 0
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == page.source


def test_nothing_that_is_read_is_written_over(deciban, scores, tmp_path):
    data = tmp_path / "scores.json"
    data.write_text(json.dumps([{"ln_lr": 1.0, "same": 1}, {"ln_lr": -1.0, "same": 0}] * 3))
    path = write_criteria(tmp_path, LENIENT + '[data]\nfile = "scores.json"\n')
    before = data.read_bytes()
    for output in ("-o", data), ("-o", tmp_path / "nowhere" / "r.json"):
        ended = deciban("validate", "--criteria", path, "--interval", "none", *output)
        assert ended.status == 2
    assert data.read_bytes() == before
    config = tmp_path / "criteria.json"
    config.write_text(path.read_text())
    assert deciban("validate", scores, "--criteria", config, "-o", config).status == 2
    assert config.read_text() == path.read_text()


def test_the_command_line_wins_and_says_so(deciban, scores, tmp_path):
    text = LENIENT + '[data]\nfile = "scores.csv"\nscale = "log10_lr"\n'
    path = write_criteria(tmp_path, text)
    common = ("validate", "--criteria", path, "--interval", "none", "--format", "json")
    assert json.loads(deciban(*common).out)["evaluation"]["trials"]["scale"] == "log10_lr"
    ended = deciban(*common, "--scale", "ln_lr", "--threshold", 1, "--higher", "target", "--no-swap")
    assert json.loads(ended.out)["evaluation"]["trials"]["scale"] == "ln_lr"
    assert "GIVEN-INSTEAD: [data] scale: 'ln_lr' was given beside the criteria file" in ended.err
    assert json.loads(ended.out)["evaluation"]["thresholds"][0]["threshold"] == 1.0


def test_template(deciban, scores, tmp_path):
    path = tmp_path / "new.toml"
    ended = deciban("validate", "--init", path)
    assert ended.status == 0
    assert f"wrote {path}" in ended.err
    again = deciban("validate", "--init", path)
    assert again.status == 2
    assert "is there already, and nothing is overwritten" in again.err
    ended = deciban("validate", scores, "--criteria", path, "--replicates", 50)
    assert ended.status in (0, 1)
    assert "11 criteria: " in ended.out
    assert deciban("validate", "--init", tmp_path / "no" / "x.toml").status == 2
    assert "leave out what is beside it" in deciban("validate", scores, "--init", tmp_path / "y.toml").err


def test_wrong_use(deciban, scores, tmp_path):
    path = write_criteria(tmp_path, "[laboratory]\nnam = 'x'")
    ended = deciban("validate", scores, "--criteria", path)
    assert ended.status == 2
    assert f"deciban: error: {path}: [laboratory]: unknown key 'nam'; did you mean 'name'?" in ended.err
    assert "--criteria: expected the criteria file, found none" in deciban("validate", scores).err
    assert deciban("validate", scores, "--criteria", path, "--level", 2).status == 2
    assert deciban("validate", scores, "--criteria", tmp_path / "none.toml").status == 2
    assert deciban("validate", scores, "--criteria", path, "--format", "xml").status == 2


def test_one_class(deciban, tmp_path):
    (tmp_path / "one.csv").write_text("ln_lr,same\n1,1\n2,1\n")
    ended = deciban("validate", tmp_path / "one.csv", "--criteria", write_criteria(tmp_path, ""), "--target", 1)
    assert ended.status == 2


def test_the_same_bytes_in_another_process(scores, tmp_path):
    path = write_criteria(tmp_path, LENIENT)
    arguments = ("validate", scores, "--criteria", path, "--replicates", 20, "--format", "json")
    first, second = (process(*arguments, PYTHONHASHSEED=seed).stdout for seed in ("1", "2"))
    assert first
    assert first == second


def test_cartridge_cases(deciban, tmp_path):
    data = shared("data/nfi_cartridges.csv")

    def run(criteria):
        path = write_criteria(tmp_path, criteria)
        return deciban("validate", data, "--criteria", path, "--replicates", 100, "--format", "plain")

    failing = run(LENIENT)
    assert (failing.status, failing.plain["A1"], failing.plain["C3"]) == (1, "pass", "fail")
    assert failing.plain["A1/cllr"] == "0.648787"
    met = run(LENIENT + criterion("C2", use=False, reason="r") + criterion("C3", use=False, reason="r"))
    assert (met.status, met.plain["fail"]) == (0, "0")

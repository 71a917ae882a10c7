"""Several submissions: ranks, intervals from the same draws, names, the record and the command."""

import json

import numpy as np
import pytest

from deciban.errors import InputError, OptionError
from deciban.pan import PanRanking, pan_evaluate, pan_rank
from tests.command_line import Program
from tests.pan_files import write_lines, write_pan


@pytest.fixture
def program(capsys, monkeypatch):
    return Program(capsys, monkeypatch)


@pytest.fixture
def submissions(tmp_path):
    """A truth of 200 problems; a good system, the same again, a poor one that leaves out some."""
    generator = np.random.default_rng(3)
    y = generator.integers(0, 2, 200).astype(bool)
    good, poor = (
        np.clip(0.5 + (y - 0.5) * strength + generator.normal(0, 0.3, 200), 0, 1).round(3) for strength in (0.7, 0.2)
    )
    truth, a = write_pan(tmp_path, y.tolist(), good.tolist(), name="good")
    _, b = write_pan(tmp_path, y.tolist(), good.tolist(), name="again")
    _, c = write_pan(tmp_path, y.tolist(), [*poor.tolist()[:190], *[None] * 10], name="poor")
    return truth, a, b, c


def test_ranks_and_differences(submissions):
    truth, good, again, poor = submissions
    result = pan_rank(truth, [poor, good, again], "pan21", replicates=200)
    assert [(name, one.rank) for name, one in result.submissions.items()] == [("again", 1), ("good", 1), ("poor", 3)]
    assert result["good"].to_dict() == pan_evaluate(truth, good, "pan21").to_dict()
    for key, figure in result["poor"].metrics.items():
        assert figure.interval is not None, key
        assert 0 <= figure.interval.low < figure.value < figure.interval.high <= 1
    alike, behind = result.submissions["good"].behind, result.submissions["poor"].behind
    assert alike is not None
    assert (alike.value, alike.interval_reason) == (0.0, "degenerate")
    assert behind is not None
    assert behind.interval is not None
    assert behind.interval.low > 0
    (missing,) = (one for one in result.findings if one.code == "MISSING")
    assert (missing.group, missing.data["missing"]) == ("poor", 10)


def test_draws_are_paired_and_do_not_depend_on_order(submissions):
    truth, good, _, poor = submissions
    first = pan_rank(truth, [good, poor], "pan21", replicates=50)
    second = pan_rank(truth, [poor, good], "pan21", replicates=50)
    assert first.submissions == second.submissions
    lines = good.read_text().splitlines()
    write_lines(good, reversed(lines))
    assert pan_rank(truth, [good, poor], "pan21", replicates=50).submissions == first.submissions
    alone = pan_rank(truth, [good], "pan21", replicates=50)
    assert alone["good"] == first["good"]
    assert pan_rank(truth, [good], "pan21", replicates=50, seed=1)["good"] != alone["good"]


def test_interval_of_a_difference_is_narrower_than_that_of_each(submissions, tmp_path):
    truth, good, _, _ = submissions
    rows = [json.loads(line) for line in good.read_text().splitlines()]
    worse = write_lines(
        tmp_path / "worse.jsonl", [{**row, "value": 0.5} if i < 5 else row for i, row in enumerate(rows)]
    )
    result = pan_rank(truth, [good, worse], "pan21", replicates=200)
    behind, own = result.submissions["worse"].behind, result["worse"]["overall"].interval
    assert behind is not None
    assert behind.interval is not None
    assert own is not None
    assert behind.interval.high - behind.interval.low < 0.5 * (own.high - own.low)


def test_submissions_without_a_sum_come_last(tmp_path):
    truth, a = write_pan(tmp_path, [True, True, False, False], [0.5] * 4, name="silent")
    _, b = write_pan(tmp_path, [True, True, False, False], [0.1, 0.9, 0.9, 0.1], name="poor")
    result = pan_rank(truth, [a, b], "pan20", replicates=20)
    assert [(name, one.rank) for name, one in result.submissions.items()] == [("poor", 1), ("silent", 2)]
    behind = result.submissions["silent"].behind
    assert behind is not None
    assert (behind.value, behind.reason) == (None, "undefined_ratio")
    assert {one.code for one in result.findings} == {"NO-VALUE", "DEP-UNKNOWN"}
    assert "- (undefined_ratio)" in str(result)


def test_one_class(tmp_path):
    files = write_pan(tmp_path, [True, True, True], [0.9, 0.2, 0.6])
    result = pan_rank(files[0], files[1], "pan20", replicates=20)
    assert result["answers"].overall is None
    assert result["answers"]["c@1"].interval is not None


def test_names(tmp_path, submissions):
    truth, good, *_ = submissions
    text = good.read_text()
    folders = [tmp_path / name for name in ("x", "y")]
    for folder in folders:
        folder.mkdir()
        (folder / "answers.jsonl").write_text(text)
    paths = [folder / "answers.jsonl" for folder in folders]
    assert list(pan_rank(truth, paths, interval="none").submissions) == ["x", "y"]
    assert list(pan_rank(truth, {"one": paths[0]}, interval="none").submissions) == ["one"]
    assert list(pan_rank(truth, str(paths[0]), interval="none").submissions) == ["answers"]
    with pytest.raises(OptionError, match="is named twice"):
        pan_rank(truth, [paths[0], paths[0]])
    with pytest.raises(OptionError, match="at least one file"):
        pan_rank(truth, [])
    with pytest.raises(InputError, match="expected paths, found int"):
        pan_rank(truth, 3)
    with pytest.raises(OptionError, match="no submission 'z'"):
        pan_rank(truth, paths, interval="none")["z"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 1}, "level"),
        ({"replicates": 0}, "replicates"),
        ({"seed": -1}, "seed"),
        ({"interval": "closed"}, "interval"),
        ({"profile": "pan99"}, "profile"),
    ],
)
def test_options_that_are_none(submissions, options, message):
    with pytest.raises(OptionError, match=message):
        pan_rank(submissions[0], submissions[1], **options)


def test_record(submissions):
    truth, good, _, poor = submissions
    result = pan_rank(truth, [good, poor], "pan21", replicates=20)
    assert PanRanking.from_json(result.to_json()) == result
    assert [one.path for one in result.provenance.inputs] == [str(truth), str(good), str(poor)]
    assert list(result.to_frame().columns) == list(PanRanking.COLUMNS)
    assert len(result.to_rows()) == 2 * (6 + 5) + 1
    assert result._repr_html_().startswith("<table>")
    assert "good/auc " in "\n".join(result.lines())


def test_command(program, submissions):
    truth, good, _, poor = submissions
    ended = program("pan", truth, good, poor, "--replicates", 50, "--profile", "pan22")
    assert ended.status == 0
    assert "Official figures (pan22)" in ended.out
    assert "MISSING" in ended.out
    assert ended.err == ""
    ended = program("pan", truth, good, "--format", "json")
    assert ended.out == pan_evaluate(truth, good).official_json()
    assert "assumed: --profile pan23" in ended.err
    ended = program("pan", truth, poor, "--format", "json", "--profile", "pan20")
    assert "warn: MISSING: 10 problems of 200 without an answer" in ended.err
    assert list(json.loads(program("pan", truth, good, poor, "--format", "json").out)) == ["good", "poor"]
    assert program("pan", truth, good, "--format", "prototext").out.startswith("measure {\n")
    assert json.loads(program("pan", truth, good, "--format", "record", "--interval", "none").out)["schema"]
    assert program("pan", truth, good, "--format", "csv", "--interval", "none").out.startswith("rank,submission,metric")
    ended = program("pan", truth, good, poor, "--format", "prototext")
    assert (ended.status, ended.out) == (2, "")
    assert "expected one submission" in ended.err


def test_command_says_what_is_wrong(program, submissions, tmp_path):
    truth, good, *_ = submissions
    assert "--profile: no profile 'pan2020'" in program("pan", truth, good, "--profile", "pan2020").err
    bad = write_lines(tmp_path / "bad.jsonl", [{"id": "q1", "value": 7}])
    ended = program("pan", truth, bad)
    assert ended.status == 2
    assert f"{bad}: line 1: value: expected a number in [0, 1], found 7" in ended.err


def test_standard_input_is_truth_or_answers(program):
    assert (
        "standard input (-) is named for the truth and for the answers, and it can be read once"
        in program("pan", "-", "-").err
    )

"""Reading truth and answers: what real submissions hold, and one error with lines for everything else."""

import gzip
import re

import pytest

from deciban.errors import InputError
from deciban.pan import pan_evaluate
from tests.pan_files import write_lines, write_pan

Y, P = [True, True, False, False], [0.9, 0.9, 0.1, 0.5]


def test_what_real_submissions_hold(tmp_path):
    """One-element lists, whole numbers, further fields, no newline at the end, blank lines, a byte-order mark."""
    truth, answers = write_pan(tmp_path, Y, P)
    expected = pan_evaluate(truth, answers)
    answers.write_text(
        '\ufeff{"id": "q1", "value": [0.9]}\n{"id": "q2", "value": 0.9, "x": 1}\r\n\n{"id":"q3","value":0.1}'
    )
    assert pan_evaluate(truth, answers).to_dict() == expected.to_dict()
    assert pan_evaluate(truth, answers).missing == 1
    write_lines(answers, [{"id": f"q{i}", "value": value} for i, value in enumerate([1, 1, 0, 0], 1)])
    assert pan_evaluate(truth, answers).overall == 1.0


def test_gz(tmp_path):
    truth, answers = write_pan(tmp_path, Y, P)
    expected = pan_evaluate(truth, answers)
    for path in (truth, answers):
        path.with_suffix(".jsonl.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert pan_evaluate(truth.with_suffix(".jsonl.gz"), answers.with_suffix(".jsonl.gz")) == expected


def test_truth_as_numbers_and_ids_as_numbers(tmp_path):
    truth = write_lines(tmp_path / "t.jsonl", [{"id": 7, "value": 1}, {"id": "a", "value": 0.0}])
    answers = write_lines(tmp_path / "a.jsonl", [{"id": "a", "value": 0.2}, {"id": 7, "value": 1.0}])
    assert pan_evaluate(truth, answers)["F1"].value == 1.0


LINES = [
    ('{"id": "q2", "value": 0.5', "line 2: not JSON"),
    ("q2 0.5", "line 2: not JSON"),
    ('{"id": "q2", "value": NaN}', r"line 2: not JSON \(NaN is no number\)"),
    ('{"id": "q2", "value": Infinity}', r"line 2: not JSON \(Infinity is no number\)"),
    ('["q2", 0.5]', "line 2: expected an object"),
    ('{"value": 0.5}', "line 2: expected an 'id' that is text or a whole number, found None"),
    ('{"id": true, "value": 0.5}', "line 2: expected an 'id'"),
    ('{"id": "q2"}', "line 2: expected 'value', found the fields 'id'"),
    ('{"id": "q2", "is_human": 1}', r"'is_human' is read with profile='pan24' \(--profile pan24\)"),
    ('{"id": "q1", "value": 0.5}', "line 2: id 'q1' is on line 1 already"),
    ('{"id": "q2", "value": 1.5}', r"line 2: value: expected a number in \[0, 1\], found 1.5"),
    ('{"id": "q2", "value": -0.1}', "found -0.1"),
    ('{"id": "q2", "value": "0.5"}', "found '0.5'"),
    ('{"id": "q2", "value": null}', "found None"),
    ('{"id": "q2", "value": true}', "found True"),
    ('{"id": "q2", "value": []}', r"found \[\]"),
    ('{"id": "q2", "value": [0.1, 0.9]}', r"found \[0.1, 0.9\]"),
    ('{"id": "q2", "value": [true, false]}', r"found \[True, False\]"),
    ('{"id": "q2", "value": 1e400}', "found inf"),
    ('{"id": "q2", "value": 1e-400}', "line 2: 1e-400 is not 0, and too small for a float64"),
    ('{"id": "q2", "value": [-0.00E+1, 0.1e-500]}', "line 2: 0.1e-500 is not 0"),
    ('{"id": "q2", "value": 0.1, "value": 0.9}', "line 2: expected each field once, found 'value' several times"),
    ('{"id": "q2", "value": 1, "x": {"a": 1, "a": 1}}', "line 2: expected each field once, found 'a'"),
    ('{"id": "q2", "value": ' + "9" * 5000 + "}", "line 2: not JSON"),
    ("[" * 100_000, "line 2: not JSON"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "message"), LINES, ids=[line[:40] for line, _ in LINES])
def test_lines_of_answers_that_are_refused(tmp_path, line, message):
    truth, answers = write_pan(tmp_path, Y, P)
    write_lines(answers, ['{"id": "q1", "value": 0.9}', line])
    with pytest.raises(InputError, match=message) as error:
        pan_evaluate(truth, answers)
    assert str(error.value).startswith(str(answers))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"id": "q2", "same": 0.5}, "line 2: same: expected true or false, 1 or 0, found 0.5"),
        ({"id": "q2", "same": None}, "found None"),
        ({"id": "q2", "same": [True, False]}, r"found \[True, False\]"),
        ({"id": "q2", "same": True, "value": 1}, "expected one of 'same' or 'value', found both"),
        ({"id": "q2", "label": 1}, "'label' is read with profile='pan25'"),
        ({"id": "q1", "same": True}, "id 'q1' is on line 1 already"),
        ('{"id": "q2", "same": true, "same": false}', "line 2: expected each field once, found 'same' several times"),
        ('{"id": "q2", "same": 1e-400}', "line 2: 1e-400 is not 0"),
    ],
)
def test_lines_of_truth_that_are_refused(tmp_path, line, message):
    truth, answers = write_pan(tmp_path, Y, P)
    write_lines(truth, [{"id": "q1", "same": True}, line])
    with pytest.raises(InputError, match=message) as error:
        pan_evaluate(truth, answers)
    assert str(error.value).startswith(str(truth))


@pytest.mark.parametrize("value", [[True, True], [False, False], [1, 0], [True], True, 0.5, 2, "1"])
@pytest.mark.parametrize("field", ["is_human", "label"])
def test_values_that_are_no_class_in_2024_and_2025(tmp_path, field, value):
    files = write_pan(tmp_path, [1, value], [0.9, 0.1], truth=field, answer=field)
    with pytest.raises(InputError, match=f"line 2: {field}: expected "):
        pan_evaluate(*files)


def test_everything_that_is_wrong_is_told_at_once(tmp_path):
    truth, answers = write_pan(tmp_path, Y, P)
    write_lines(answers, ["x", {"id": "q1", "value": 2}, {"id": "q2", "value": 0.5}, {"id": "q2", "value": 0.5}])
    with pytest.raises(InputError) as error:
        pan_evaluate(truth, answers)
    assert str(error.value).splitlines()[0] == f"{answers}: 3 lines cannot be used"
    assert re.findall(r"line (\d)", str(error.value)) == ["1", "2", "4", "3"]


def test_answers_to_other_problems(tmp_path):
    truth, answers = write_pan(tmp_path, Y, P)
    write_lines(answers, [{"id": "q1", "value": 0.9}, {"id": "q9", "value": 0.9}, {"id": "q8", "value": 0.9}])
    with pytest.raises(InputError, match=r"found others: 'q9' \(line 2\), 'q8' \(line 3\)"):
        pan_evaluate(truth, answers)


def test_files_that_are_none(tmp_path):
    truth, answers = write_pan(tmp_path, Y, P)
    with pytest.raises(InputError, match="no such file"):
        pan_evaluate(truth, tmp_path / "nothing.jsonl")
    answers.write_text("\n\n")
    with pytest.raises(InputError, match="only blank lines"):
        pan_evaluate(truth, answers)
    answers.write_text("")
    with pytest.raises(InputError, match="empty"):
        pan_evaluate(truth, answers)
    (tmp_path / "more.jsonl").write_text("{}")
    answers.write_text("{}")
    with pytest.raises(InputError, match="truth: expected one file, found 3"):
        pan_evaluate(tmp_path / "*.jsonl", truth)


def test_numbers_that_are_0_and_numbers_that_are_small(tmp_path):
    truth, answers = write_pan(tmp_path, Y, P)
    values = zip(("0.0", "-0.0e-999", "5e-324", "1e-300"), range(1, 5), strict=True)
    write_lines(answers, [f'{{"id": "q{i}", "value": {value}}}' for value, i in values])
    assert pan_evaluate(truth, answers)["F1"].value == 0.0

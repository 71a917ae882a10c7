"""pan_evaluate against the evaluators of the years: published data, fractions worked out by hand, what is undefined."""

import json
import math
from fractions import Fraction

import pytest

from deciban.errors import OptionError
from deciban.pan import pan_evaluate
from tests.pan_files import write_lines, write_pan
from tests.shared_data import shared

TRUE, FALSE = [True, True, False, False], [False, False]


OF_2020 = {
    "boenninghoff20-large": (0.9692368659, 0.9282692805, 0.9363490793),
    "ordonez20-large": (0.6962814680, 0.6404164629, 0.7482141110),
}
"""AUC, c@1 and F1 of submissions to the task of 2020."""


def exact(*values: str | int | None) -> list[float]:
    """Fractions as doubles, NaN for no value."""
    return [math.nan if value is None else float(Fraction(value)) for value in values]


@pytest.mark.parametrize(
    ("system", "profile", "f05u", "overall"),
    [
        ("boenninghoff20-large", "pan20", 0.9181910968, 0.9380115806),
        ("boenninghoff20-large", "pan20-published", 0.9066653491, 0.9351301437),
        ("ordonez20-large", "pan20", 0.6546905504, 0.6849006480),
        ("ordonez20-large", "pan20-published", 0.6546905504, 0.6849006480),
    ],
)  # fmt: skip
def test_submissions_of_2020(system, profile, f05u, overall):
    data = shared("data/pan20")
    auc, c_at_1, f1 = OF_2020[system]
    expected = auc, c_at_1, f05u, f1, overall
    result = pan_evaluate(data / "truth.jsonl.gz", data / f"{system}.jsonl.gz", profile)
    assert list(result.to_dict()) == ["auc", "c@1", "f_05_u", "F1", "overall"]
    assert [f"{value:.10f}" for value in result.to_dict().values()] == [f"{value:.10f}" for value in expected]
    assert list(result.rounded().values()) == [round(value, 3) for value in expected]
    assert (result.n_target, result.n_nontarget, result.missing, result.outside) == (7786, 6525, 0, 0)
    assert result.unanswered == (648 if system[0] == "b" else 0)


@pytest.mark.parametrize(
    ("system", "brier"), [("boenninghoff20-large", 0.9334815464), ("ordonez20-large", 0.6544452683)]
)
def test_brier_complement_of_2021(system, brier):
    data = shared("data/pan20")
    result = pan_evaluate(data / "truth.jsonl.gz", data / f"{system}.jsonl.gz", "pan21").to_dict()
    assert f"{result['brier']:.10f}" == f"{brier:.10f}"
    assert result["overall"] == pytest.approx(sum(list(result.values())[:5]) / 5, rel=1e-15)


VECTORS = [
    ([1, 1, 0, 0], [0.9, 0.9, 0.1, 0.5], (1, "15/16", "10/11", 1, "93/100")),
    ([1, 1, 0, 1, 0, 0], [0.9, 0.5, 0.1, 0.3, 0.8, 0.5], ("11/18", "4/9", "5/12", "1/2", "29/40")),
    ([1, 1, 0, 0], [0.5] * 4, ("1/2", 0, 0, None, "3/4")),
]


@pytest.mark.parametrize(("y", "p", "expected"), VECTORS)
@pytest.mark.parametrize("profile", ["pan21", "pan22", "pan23"])
def test_by_hand(tmp_path, y, p, expected, profile):
    result = pan_evaluate(*write_pan(tmp_path, map(bool, y), p), profile).to_dict()
    overall = result.pop("overall")
    assert list(result) == ["auc", "c@1", "f_05_u", "F1", "brier"]
    found = [math.nan if value is None else value for value in result.values()]
    assert found == pytest.approx(exact(*expected), rel=1e-15, nan_ok=True)
    if None in expected:
        assert overall is None
    else:
        assert overall == pytest.approx(sum(exact(*expected)) / 5, rel=1e-15)


@pytest.mark.parametrize(("y", "p", "expected"), VECTORS)
def test_2014_has_the_product_unrounded(tmp_path, y, p, expected):
    result = pan_evaluate(*write_pan(tmp_path, map(bool, y), p), "pan14")
    auc, c_at_1 = (float(Fraction(value)) for value in expected[:2])
    assert result.to_dict() == result.rounded() == {"AUC": auc, "C1": c_at_1, "finalScore": auc * c_at_1}
    assert result.overall == auc * c_at_1


def test_published_f05u_takes_a_non_answer_for_a_yes(tmp_path):
    files = write_pan(tmp_path, [True, True, False, False], [0.9, 0.5, 0.5, 0.1])
    assert pan_evaluate(*files, "pan20")["f_05_u"].value == 1.25 / (1.25 + 0.25 * 2)
    assert pan_evaluate(*files, "pan20-published")["f_05_u"].value == 2.5 / (2.5 + 1)


@pytest.mark.parametrize(
    ("profile", "field", "truth", "p"),
    [
        ("pan24", "is_human", [1, 1, 0, 0], [0.9, 0.5, 0.5, 0.1]),
        ("pan24", "is_human", [[False, True], [False, True], [True, False], [True, False]], [0.9, 0.5, None, 0.1]),
        ("pan25", "label", [1.0, 1, 0, 0], [0.9, 0.5, 0.5, 0.1]),
        ("pan25", "label", [[False, True], 1, [True, False], 0], [[0.9], None, 0.5, 0.1]),
    ],
)
def test_2024_and_2025_in_both_forms(tmp_path, profile, field, truth, p):
    """F1 takes the non-answer of a target for a no: tp 1, fn 1; c@1 = (2 + 2·2/4)/4; F0.5u = 1.25/(1.25 + 0.5)."""
    result = pan_evaluate(*write_pan(tmp_path, truth, p, truth=field, answer=field))
    assert result.profile == profile
    found = result.to_dict()
    confusion = found.pop("confusion", None)
    assert list(found) == ["roc-auc", "brier", "c@1", "f1", "f05u", "mean"]
    expected = exact("7/8", "87/100", "3/4", "2/3", "5/7")
    assert list(found.values()) == pytest.approx([*expected, sum(expected) / 5], rel=1e-15)
    assert confusion == (None if profile == "pan24" else [[1, 1], [0, 2]])


def test_pairs_as_answers(tmp_path):
    pair = [[False, True], [True, False]]
    for field in ("is_human", "label"):
        result = pan_evaluate(*write_pan(tmp_path, pair, pair, truth=field, answer=field))
        assert (result.overall, result.unanswered) == (1.0, 0)


def test_answers_outside_are_cut_by_2024_and_ranked_by_2025(tmp_path):
    y, p = [1, 1, 0, 0], [7.0, 1.0, 3.0, -2.0]
    cut = pan_evaluate(*write_pan(tmp_path, y, p, truth="is_human", answer="is_human"))
    raw = pan_evaluate(*write_pan(tmp_path, y, p, truth="label", answer="label"))
    assert (cut["roc-auc"].value, raw["roc-auc"].value) == (0.75, 0.75)
    assert cut["brier"].value == raw["brier"].value == 0.75
    assert cut.outside == raw.outside == 3
    p = [7.0, 3.0, 1.0, -2.0]
    cut = pan_evaluate(*write_pan(tmp_path, y, p, truth="is_human", answer="is_human"))
    raw = pan_evaluate(*write_pan(tmp_path, y, p, truth="label", answer="label"))
    assert (cut["roc-auc"].value, raw["roc-auc"].value) == (0.75, 1.0)


def test_2025_counts_what_is_undefined_as_0(tmp_path):
    result = pan_evaluate(*write_pan(tmp_path, [0, 0], [0.1, 0.2], truth="label", answer="label"))
    found = result.to_dict()
    assert (found["roc-auc"], found["f1"], found["f05u"]) == (None, None, None)
    assert result["roc-auc"].reason == "single_class"
    assert result["f1"].reason == "undefined_ratio"
    assert found["mean"] == pytest.approx((found["brier"] + found["c@1"]) / 5, rel=1e-15)
    assert json.loads(result.official_json())["f1"] is None
    assert "F1" not in result.official_prototext()


def test_one_class_leaves_earlier_years_without_a_sum(tmp_path):
    files = write_pan(tmp_path, [True, True], [0.9, 0.2])
    for profile in ("pan14", "pan20", "pan23"):
        result = pan_evaluate(*files, profile)
        assert result.overall is None
        assert result[list(result.metrics)[-1]].reason == "single_class"


def test_official_forms(tmp_path):
    files = write_pan(tmp_path, [True, True, False, False], [0.9, 0.9, 0.1, 0.5])
    result = pan_evaluate(*files, "pan20")
    # Keys in the order of the alphabet, as the evaluator of 2020 writes them; 0.909090… rounds to 0.909.
    assert result.official_json() == (
        '{\n    "F1": 1.0,\n    "auc": 1.0,\n    "c@1": 0.938,\n    "f_05_u": 0.909,\n    "overall": 0.962\n}\n'
    )
    assert result.official_prototext().startswith('measure {\n key: "auc"\n value: "1.0"\n}\nmeasure {\n key: "c@1"\n')
    assert pan_evaluate(*files, "pan15").official_prototext().startswith('measure{\n  key  : "AUC"\n  value: "1.0"\n}')
    files = write_pan(tmp_path, [1, 0], [0.9, 0.1], truth="label", answer="label")
    result = pan_evaluate(*files)
    assert next(iter(json.loads(result.official_json()))) == "roc-auc"
    assert result.official_prototext().startswith('measure{\n  key: "Roc-Auc"\n  value: "1.0"\n}\n')
    assert "onfusion" not in result.official_prototext()


def test_profiles_and_keys_that_are_none(tmp_path):
    files = write_pan(tmp_path, TRUE, [0.9, 0.8, 0.1, 0.2])
    with pytest.raises(OptionError, match="profile: no profile 'pan19'; did you mean"):
        pan_evaluate(*files, "pan19")
    with pytest.raises(OptionError, match="no figure 'f1'; known: auc"):
        pan_evaluate(*files, "pan20")["f1"]


def test_default_profile_is_that_of_the_field(tmp_path):
    for field, answer, profile in (
        ("same", "value", "pan23"),
        ("value", "value", "pan23"),
        ("is_human", "is_human", "pan24"),
        ("label", "label", "pan25"),
    ):
        files = write_pan(tmp_path, [1, 0], [0.9, 0.1], truth=field, answer=answer)
        assert pan_evaluate(*files).profile == profile


def test_order_of_lines_does_not_matter(tmp_path):
    truth, answers = write_pan(tmp_path, [True, True, False, False, True], [0.9, 0.5, 0.1, 0.7, None])
    expected = pan_evaluate(truth, answers, "pan21")
    for path in (truth, answers):
        lines = path.read_text().splitlines()
        write_lines(path, [*lines[2:], *lines[:2]])
    assert pan_evaluate(truth, answers, "pan21") == expected
    assert (expected.missing, expected.unanswered) == (1, 2)

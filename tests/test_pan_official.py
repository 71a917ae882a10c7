"""`rounded()` is what the organisers' programs write, also where their doubles decide which way a half goes."""

import json

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, f1_score, roc_auc_score

from deciban.pan import PanRanking, official, pan_evaluate, pan_rank
from deciban.pan.answers import Answers
from tests.pan_files import write_pan

YEARS = {
    "pan20": ("same", "value"), "pan20-published": ("same", "value"), "pan21": ("same", "value"),
    "pan23": ("value", "value"), "pan24": ("is_human", "is_human"), "pan25": ("label", "label"),
}  # fmt: skip


def c_at_1(y, p, number):
    n = number(len(p))
    right = number(sum((value > 0.5) == (label == 1) for label, value in zip(y, p, strict=True) if value != 0.5))
    open_ = number(sum(value == 0.5 for value in p))
    return (1 / n) * (right + (open_ * right / n))


def f05u(y, p, number, yes_at_half=False):
    yes = [value > 0.5 or (yes_at_half and value == 0.5) for value in p]
    tp, fp = (number(sum(a and label == of for a, label in zip(yes, y, strict=True))) for of in (1, 0))
    fn = sum(value < 0.5 and label == 1 for label, value in zip(y, p, strict=True))
    open_ = 0 if yes_at_half else sum(value == 0.5 for value in p)
    return (1.25 * tp) / (1.25 * tp + 0.25 * number(fn + open_) + fp)


def evaluator(profile, y, p):
    """The program of a year, on top of scikit-learn as it is; every class and kind of answer is assumed to occur."""
    y, p = np.array(y, dtype=np.float64), np.array(p, dtype=np.float64)
    number = np.float64 if profile == "pan24" else float
    answered = (p != 0.5) | (profile >= "pan24")
    figures = {
        "auc": roc_auc_score(y, p),
        "c@1": c_at_1(y, p, number),
        "f05u": f05u(y, p, number, profile == "pan20-published"),
        "f1": f1_score(y[answered], p[answered] > 0.5),
        "brier": 1 - brier_score_loss(y, p),
    }
    order = ("auc", "c@1", "f05u", "f1", "brier") if profile < "pan24" else ("auc", "brier", "c@1", "f1", "f05u")
    values = [figures[key] for key in order if key != "brier" or not profile.startswith("pan20")]
    return [float(round(value, 3)) for value in (*values, np.mean(values))]


def sets_of_problems():
    """Answers of one and two digits to 20, 40, … problems, whose figures often lie on a half."""
    random = np.random.default_rng(5)
    for n in (8, 16, 20, 40, 40, 40, 80, 100, 200, 400):
        for digits in (1, 2):
            y = np.repeat([1, 0], n // 2)
            p = np.clip(0.5 + (y - 0.5) * random.uniform(0, 1) + random.normal(0, 0.3, n), 0, 1).round(digits)
            p[:2], p[-2:] = (0.9, 0.2), (0.9, 0.5)
            yield y.tolist(), p.tolist()


@pytest.mark.parametrize("profile", YEARS)
def test_same_digits_as_the_evaluator(tmp_path, profile):
    truth, answer = YEARS[profile]
    otherwise = set()
    for number, (y, p) in enumerate(sets_of_problems()):
        # Ids are sorted as text, q1 q10 q100 q11 …, and what comes out of a mean of squares depends on that order.
        order = sorted(range(len(y)), key=lambda i: f"q{i + 1}")
        result = pan_evaluate(*write_pan(tmp_path, y, p, truth=truth, answer=answer), profile)
        found = [value for key, value in result.rounded().items() if key != "confusion"]
        assert found == evaluator(profile, [y[i] for i in order], [p[i] for i in order]), number
        exact = [round(value, 3) for key, value in result.to_dict().items() if key != "confusion"]
        otherwise |= {key for key, a, b in zip(result.metrics, found, exact, strict=True) if a != b}
    assert otherwise, "no value lay on a half: the sets of problems show nothing"


@pytest.mark.parametrize(
    ("n", "right", "unanswered", "exact", "written"),
    [
        (20, 13, 1, 0.6825, 0.683), (20, 1, 3, 0.0575, 0.057), (20, 15, 1, 0.7875, 0.788),
        (40, 28, 9, 0.8575, 0.857), (40, 12, 1, 0.3075, 0.308), (20, 9, 1, 0.4725, 0.472),
    ],
)  # fmt: skip
def test_c_at_1_on_a_half(tmp_path, n, right, unanswered, exact, written):
    """(right + unanswered·right/n)/n, whose exact value is a half; all but the last are written the other way."""
    y = [i % 2 == 0 for i in range(n)]
    wrong = n - right - unanswered
    p = [0.9 if (label == (i < right)) else 0.1 for i, label in enumerate(y[: right + wrong])] + [0.5] * unanswered
    for profile in ("pan20", "pan21", "pan22", "pan23"):
        files = write_pan(tmp_path, y, p)
        result = pan_evaluate(*files, profile)
        assert (result.to_dict()["c@1"], result.rounded()["c@1"]) == (exact, written)
        assert json.loads(result.official_json())["c@1"] == written
        assert f'key: "c@1"\n value: "{written}"' in result.official_prototext()
        ranking = pan_rank(*files, profile, interval="none")
        assert f" {written} " in str(ranking)
        assert PanRanking.from_json(ranking.to_json())["answers"].rounded() == result.rounded()


def test_all_counts_of_answers():
    """Every c@1 of up to 100 problems in the evaluator's arithmetic; 299 round otherwise than the exact value."""
    otherwise = 0
    for n in range(1, 101):
        for unanswered in range(n + 1):
            for right in range(n - unanswered + 1):
                found = official.c_at_1(Answers(right, n - unanswered - right, 0, 0, unanswered, 0))
                assert found == (1 / n) * (right + (unanswered * right / n))
                otherwise += round(found, 3) != round(right * (n + unanswered) / (n * n), 3)
    assert otherwise == 299


@pytest.mark.parametrize(
    ("key", "targets", "nontargets", "exact", "written"),
    [
        # One target of 20 above half, one nontarget of 20 between: 381/400, by trapezoids a bit less.
        ("auc", [0.9] + [0.4] * 19, [0.6] + [0.1] * 19, 0.9525, 0.952),
        # .09 + .01 + .49 + .64 = 1.23 over 4; the squares of doubles leave 1 − .3075 a bit below, or above, .6925.
        ("brier", [0.7, 0.9], [0.7, 0.8], 0.6924999999999999, 0.693),
        # The mean is NumPy's number, which is scaled to 266.5 before it is rounded.
        ("overall", [0.1, 0.1], [0.1, 0.2], 0.2665, 0.266),
    ],
)
def test_other_figures_on_a_half(tmp_path, key, targets, nontargets, exact, written):
    y = [True] * len(targets) + [False] * len(nontargets)
    result = pan_evaluate(*write_pan(tmp_path, y, targets + nontargets), "pan21")
    assert result[key].value == exact
    assert round(exact, 3) != written == result.rounded()[key]


@pytest.mark.parametrize(
    ("value", "python", "numpy"),
    [(0.0625, 0.062, 0.062), (0.1875, 0.188, 0.188), (0.0005, 0.001, 0.0), (0.0055, 0.005, 0.006)],
)
def test_numpy_scales_before_it_rounds(value, python, numpy):
    """0.0625 and 0.1875 are exact in binary; 0.0005 is a little more than its decimal half, 0.0055 a little less."""
    assert official.rounded(value, 3, by_numpy=False) == python == round(value, 3)
    assert official.rounded(value, 3, by_numpy=True) == numpy == round(np.float64(value), 3)


def test_what_has_no_value_is_not_written(tmp_path):
    files = write_pan(tmp_path, [True, True], [0.9, 0.2])
    found = pan_evaluate(*files, "pan20").rounded()
    assert found == {"auc": None, "c@1": 0.5, "f_05_u": 0.833, "F1": 0.667, "overall": None}
    files = write_pan(tmp_path, [0, 0], [0.1, 0.2], truth="label", answer="label")
    found = pan_evaluate(*files).rounded()
    assert (found["roc-auc"], found["brier"], found["mean"]) == (None, 0.975, 0.395)

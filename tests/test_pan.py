"""deciban.pan against known values: the probe table of its peers, hand-solved fractions, published PAN 2020 results."""

import gzip
import json
import math
import subprocess
import sys
from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from deciban.errors import InputError, OptionError, SingleClassError, UndefinedMetricError
from deciban.pan import PANReport, auc, brier, c_at_1, cllr, compute_pan_report, ece, f05u, tippett
from tests.shared_data import shared

NAN, INF = math.nan, math.inf
F32 = np.float32
SINGLE, TEXT, LABEL, SHAPE = "needs both classes", "y: expected numbers, found text", "labels 0 or 1", "one-dimensional"
LOG2_10 = math.log2(10)


def exact(value: str | int) -> float:
    """Figures made of counts are the exact fraction, rounded once: compared with ==."""
    return float(Fraction(value))


VALUES: list[tuple[Any, ...]] = [
    ("auc B=.9 .6 .4, S=.8 .4 .1", auc, ([0.9, 0.6, 0.4, 0.8, 0.4, 0.1], [1, 1, 1, 0, 0, 0]), {}, "13/18"),
    ("auc all .5", auc, ([0.5] * 4, [1, 1, 0, 0]), {}, "1/2"),
    ("auc with ±inf scores (right side)", auc, ([INF, 1.0, -INF, 0.0], [1, 1, 0, 0]), {}, 1),
    ("auc labels bool", auc, ([0.9, 0.1], np.array([True, False])), {}, 1),
    ("auc labels list", auc, ([0.9, 0.1], [1, 0]), {}, 1),
    ("auc float32 .1 vs .1+1e-9", auc, (np.array([0.1 + 1e-9, 0.1], F32), [1, 0]), {}, "1/2"),
    ("auc float64 .1 vs .1+1e-9", auc, ([0.1 + 1e-9, 0.1], [1, 0]), {}, 1),
    ("auc 100k × 100k", auc, (np.arange(200_000), np.arange(200_000) >= 100_000), {}, 1),
    ("c@1 all .5, y=1,1,0,0", c_at_1, ([0.5] * 4, [1, 1, 0, 0]), {}, 0),
    ("c@1 all .5, y all 1", c_at_1, ([0.5] * 4, [1] * 4), {}, 0),
    ("c@1 all .5, margin .1", c_at_1, ([0.5] * 4, [1, 1, 0, 0]), {"unanswered_margin": 0.1}, 0),
    ("c@1 p=.9 .9 .1 .5, y=1 1 0 0, m=0", c_at_1, ([0.9, 0.9, 0.1, 0.5], [1, 1, 0, 0]), {}, "15/16"),
    ("c@1 same, y=1 1 0 1", c_at_1, ([0.9, 0.9, 0.1, 0.5], [1, 1, 0, 1]), {}, "15/16"),
    ("c@1 same, m=1e-9", c_at_1, ([0.9, 0.9, 0.1, 0.5], [1, 1, 0, 1]), {"unanswered_margin": 1e-9}, "15/16"),
    ("c@1 m=.05, both edges", c_at_1, ([0.55, 0.45, 0.9, 0.1], [0, 1, 1, 0]), {"unanswered_margin": 0.05}, "3/4"),
    ("c@1 m=.1, both edges", c_at_1, ([0.6, 0.4, 0.9, 0.1], [0, 1, 1, 0]), {"unanswered_margin": 0.1}, "3/4"),
    ("f05u all right", f05u, ([0.55, 0.58, 0.45, 0.42], [1, 1, 0, 0]), {}, 1),
    ("f05u p=.9 .9 .1 .5, y=1 1 0 0", f05u, ([0.9, 0.9, 0.1, 0.5], [1, 1, 0, 0]), {}, "10/11"),
    ("f05u p=.6 .4 .9 .1, y=1 0 1 0", f05u, ([0.6, 0.4, 0.9, 0.1], [1, 0, 1, 0]), {}, 1),
    ("f05u no targets, one accepted", f05u, ([0.9, 0.1], [0, 0]), {}, 0),
    ("f05u no targets, one unanswered", f05u, ([0.5, 0.1], [0, 0]), {}, 0),
    ("ece p=1.0 exactly, y=1", ece, ([1.0], [1]), {}, 0),
    ("ece p=1.0 exactly, y=0", ece, ([1.0], [0]), {}, 1),
    ("cllr all 0", cllr, ([0.0] * 5, [1, 0, 0, 1, 0]), {}, 1),
    ("cllr ±400 right", cllr, ([400.0, -400.0], [1, 0]), {}, 0),
    ("cllr ±inf right", cllr, ([INF, -INF], [1, 0]), {}, 0),
]  # fmt: skip

NEAR: list[tuple[Any, ...]] = [
    ("brier single class", brier, ([0.9, 0.8], [1, 1]), {}, 0.025),
    ("ece p=.3,.31, 10 bins", ece, ([0.3, 0.31], [0, 1]), {}, 0.195),
    ("ece p=.6,.65", ece, ([0.6, 0.65], [0, 1]), {}, 0.125),
    ("ece p=.7,.75", ece, ([0.7, 0.75], [0, 1]), {}, 0.225),
    ("ece one bin", ece, ([0.3, 0.31], [0, 1]), {"n_bins": 1}, 0.195),
    ("ece edge between", ece, ([0.29, 0.3], [0, 1]), {}, 0.495),
    ("cllr ±1 right", cllr, ([1.0, -1.0], [1, 0]), {}, 0.13750352374993502),
    ("cllr ±20 right", cllr, ([20.0, -20.0], [1, 0]), {}, 1.4426950408889633e-20),
    ("cllr ±400 wrong", cllr, ([-400.0, 400.0], [1, 0]), {}, 400 * LOG2_10),
    ("cllr unequal class sizes", cllr, ([1.0, 0.0, 0.0, 0.0], [1, 0, 0, 0]), {}, (math.log2(1.1) + 1) / 2),
    ("cllr one far wrong", cllr, ([-7e307, 0.0], [1, 0]), {}, 3.5e307 * LOG2_10),
    ("cllr many far wrong", cllr, ([-7e307, 0.0] * 50, [1, 0] * 50), {}, 3.5e307 * LOG2_10),
]  # fmt: skip

PROBABILITY_METRICS = [c_at_1, f05u, brier, ece]
REFUSED: list[tuple[Any, ...]] = [
    ("auc NaN target score", auc, ([NAN, 0.1], [1, 0]), {}, InputError, "scores: 1 missing .* at row 1"),
    ("auc NaN nontarget score", auc, ([0.9, NAN], [1, 0]), {}, InputError, "scores: 1 missing .* at row 2"),
    ("auc single class 1", auc, ([0.9, 0.1], [1, 1]), {}, SingleClassError, SINGLE),
    ("auc single class 0", auc, ([0.9, 0.1], [0, 0]), {}, SingleClassError, SINGLE),
    ("auc empty", auc, ([], []), {}, InputError, "no trials"),
    ("auc scalar", auc, (0.9, 1), {}, InputError, SHAPE),
    ("auc labels {-1,1}", auc, ([0.9, 0.1], [1, -1]), {}, InputError, LABEL),
    ("auc labels '1','0'", auc, ([0.9, 0.1], ["1", "0"]), {}, InputError, TEXT),
    ("auc labels {0,1,2}", auc, ([0.9, 0.1, 0.5], [1, 0, 2]), {}, InputError, LABEL),
    ("auc NaN label", auc, ([0.9, 0.1, 0.5], [1, 0, NAN]), {}, InputError, "y: 1 missing label .* at row 3"),
    ("auc shapes (n,1)", auc, ([[0.9], [0.1]], [[1], [0]]), {}, InputError, SHAPE),
    ("c@1 NaN", c_at_1, ([0.9, NAN], [1, 0]), {}, InputError, "probs: 1 missing"),
    ("c@1 1.1", c_at_1, ([1.1, 0.1], [1, 0]), {}, InputError, r"\[0, 1\]; found 1.1 at row 1"),
    ("c@1 -.1", c_at_1, ([0.9, -0.1], [1, 0]), {}, InputError, r"\[0, 1\]; found -0.1 at row 2"),
    ("c@1 empty", c_at_1, ([], []), {}, InputError, "no trials"),
    ("c@1 labels {-1,1}", c_at_1, ([0.9, 0.8, 0.2, 0.1], [1, 1, -1, -1]), {}, InputError, LABEL),
    ("c@1 labels '1','0'", c_at_1, ([0.9, 0.1], ["1", "0"]), {}, InputError, TEXT),
    ("f05u labels {-1,1}", f05u, ([0.9, 0.8, 0.9, 0.1], [1, 1, -1, -1]), {}, InputError, LABEL),
    ("f05u strings", f05u, ([0.9, 0.1], ["1", "0"]), {}, InputError, TEXT),
    ("f05u no targets, nothing accepted", f05u, ([0.1, 0.2], [0, 0]), {}, UndefinedMetricError, "0/0"),
    ("brier p=1.5,-.5", brier, ([1.5, -0.5], [1, 0]), {}, InputError, "found 1.5, -0.5 at rows 1, 2"),
    ("brier NaN", brier, ([NAN], [1]), {}, InputError, "missing"),
    ("brier empty", brier, ([], []), {}, InputError, "no trials"),
    ("brier labels {-1,1}", brier, ([1.0, 0.0], [1, -1]), {}, InputError, LABEL),
    ("brier labels '1','0'", brier, ([1.0, 0.0], ["1", "0"]), {}, InputError, TEXT),
    ("ece empty", ece, ([], []), {}, InputError, "no trials"),
    ("ece labels {-1,1}", ece, ([1.0, 0.0], [1, -1]), {}, InputError, LABEL),
    ("ece p=1.0000001", ece, ([1.0000001], [1]), {}, InputError, r"\[0, 1\]; found 1.0000001"),
    ("cllr NaN", cllr, ([NAN, 0.0], [1, 0]), {}, InputError, "log_lrs: 1 missing"),
    ("cllr -1e308 wrong", cllr, ([-1e308, 0.0], [1, 0]), {}, InputError, "natural logarithm is finite"),
    ("cllr labels 0,1,-1", cllr, ([1.0, 0.0, 5.0], [1, 0, -1]), {}, InputError, LABEL),
    ("cllr single class", cllr, ([1.0, 0.0], [1, 1]), {}, SingleClassError, SINGLE),
    ("cllr empty", cllr, ([], []), {}, InputError, "no trials"),
    ("cllr shape", cllr, ([[1.0, 0.0]], [[1, 0]]), {}, InputError, SHAPE),
    ("cllr str", cllr, (["1.0", "0.0"], [1, 0]), {}, InputError, "log_lrs: expected numbers, found text"),
    ("tippett NaN", tippett, ([NAN, 1.0, 0.0], [1, 1, 0]), {}, InputError, "log_lrs: 1 missing"),
    ("tippett label 2", tippett, ([3.0, 1.0, 0.0], [2, 1, 0]), {}, InputError, LABEL),
    ("tippett single class", tippett, ([1.0, 0.0], [0, 0]), {}, SingleClassError, SINGLE),
    ("compute_pan_report single class", compute_pan_report, ([0.9, 0.1], [1, 1]), {}, SingleClassError, SINGLE),
    ("lengths differ", brier, ([0.9, 0.1], [1]), {}, InputError, "one length, found probs 2, y 1"),
    ("arguments swapped", brier, ([1, 0], [0.9, 0.1]), {}, InputError, "arguments swapped"),
    ("text is no column", auc, ("0.9", [1]), {}, InputError, "found str"),
    ("complex scores", auc, ([1j, 0], [1, 0]), {}, InputError, "real numbers"),
]  # fmt: skip


def cases(table: list[tuple[Any, ...]]) -> list[Any]:
    return [pytest.param(*row[1:], id=row[0]) for row in table]


@pytest.mark.parametrize(("metric", "data", "options", "expected"), cases(VALUES))
def test_exact_values(metric, data, options, expected):
    assert metric(*data, **options) == exact(expected)


@pytest.mark.parametrize(("metric", "data", "options", "expected"), cases(NEAR))
def test_values_to_rounding(metric, data, options, expected):
    assert metric(*data, **options) == pytest.approx(expected, rel=1e-14, abs=0)


@pytest.mark.parametrize(("metric", "data", "options", "error", "message"), cases(REFUSED))
def test_refusals(metric, data, options, error, message):
    with pytest.raises(error, match=message):
        metric(*data, **options)


@pytest.mark.parametrize("margin", [NAN, 2, 0.5, -0.1, -INF, True, "0.1", None, np.array([0.1])])
@pytest.mark.parametrize("metric", [c_at_1, f05u])
def test_margins_that_are_none(metric, margin):
    with pytest.raises(OptionError, match=r"unanswered_margin: expected a number in \[0, 0.5\)"):
        metric([0.9, 0.1], [1, 0], unanswered_margin=margin)


@pytest.mark.parametrize("n_bins", [0, -1, 2.5, 10.0, True, "10", None, NAN])
def test_bins_that_are_none(n_bins):
    with pytest.raises(OptionError, match="n_bins: expected a whole number"):
        ece([0.9], [1], n_bins=n_bins)


def test_numpy_numbers_are_options_too():
    data = [0.55, 0.9], [0, 1]
    assert c_at_1(*data, unanswered_margin=np.float64(0.05)) == exact("3/4")
    assert ece(*data, n_bins=np.int64(10)) == ece(*data)


def test_ece_of_float32_uses_the_doubles_they_equal():
    assert ece(np.array([0.3, 0.31], F32), [0, 1]) == pytest.approx(0.195, abs=1e-7)
    p = np.array([0.7, 0.75], F32)
    assert float(p[0]) < 0.7
    assert ece(p, [0, 1]) == ece(p.astype(float), [0, 1]) == pytest.approx((0.7 + 0.25) / 2, abs=1e-7)


@pytest.mark.parametrize("wrong", [[-INF, 0.0], [0.0, INF], [-INF, INF]])
def test_cllr_is_infinite_for_a_wrong_infinity(wrong):
    assert cllr([*wrong, INF, -INF], [1, 0, 1, 0]) == INF


def test_tippett_with_ties_and_infinities():
    curves = tippett([INF, 1, 1, -1, 1, -INF, -INF, 0.5], [1, 1, 1, 1, 0, 0, 0, 0])
    assert list(curves) == ["thresholds", "target_cdf", "nontarget_cdf"]
    assert curves["thresholds"].tolist() == [-INF, -1, 0.5, 1, INF]
    assert curves["target_cdf"].tolist() == [1, 1, 0.75, 0.75, 0.25]
    assert curves["nontarget_cdf"].tolist() == [1, 0.5, 0.5, 0.25, 0]


def test_masked_arrays():
    p, y = np.ma.masked_equal([0.9, 0.1, 0.6], 0.6), np.ma.masked_equal([1, 0, 1], 0)
    for metric in [auc, *PROBABILITY_METRICS, cllr, tippett]:
        with pytest.raises(InputError, match=r"missing .* at row 3"):
            metric(p, [1, 0, 1])
        with pytest.raises(InputError, match=r"missing labels? .* at row 2"):
            metric([0.9, 0.1, 0.6], y)
    assert brier(np.ma.masked_array([1.0, 0.0]), np.ma.masked_array([True, False])) == 0


@pytest.mark.parametrize("metric", [auc, *PROBABILITY_METRICS, cllr])
def test_labels_of_every_allowed_kind_agree(metric):
    p, y = [0.9, 0.2, 0.5, 0.5, 0.7], [1, 0, 1, 0, 0]
    kinds = [np.bool_, np.int8, np.uint8, np.int64, np.float32, np.float64, object]
    values = {metric(p, np.array(y, kind)) for kind in kinds} | {metric(p, [bool(label) for label in y])}
    values |= {metric(pd.Series(p), pd.Series(y, dtype="Int64")), metric(tuple(p), pd.Series(y, dtype="boolean"))}
    assert values == {metric(p, y)}


@pytest.mark.parametrize("y", [[1, None], [1, 0.5], [1, np.inf], [True, "x"], pd.Series([1, pd.NA], dtype="Int64")])
@pytest.mark.parametrize("metric", [auc, *PROBABILITY_METRICS, cllr, tippett])
def test_other_labels_are_refused(metric, y):
    with pytest.raises(InputError, match="y: "):
        metric([0.9, 0.1], y)


def test_pandas_indexes_must_agree():
    p, y = pd.Series([0.9, 0.1]), pd.Series([0, 1], index=[1, 0])
    with pytest.raises(InputError, match="index of y differs"):
        brier(p, y)
    with pytest.raises(InputError, match="index of log_lrs differs"):
        compute_pan_report(p, [1, 0], log_lrs=pd.Series([1.0, -1.0], index=[1, 0]))


@pytest.mark.parametrize(
    ("p", "y", "expected"),
    [
        ([0.9, 0.9, 0.1, 0.5], [1, 1, 0, 0], (1, "15/16", "10/11", "93/100")),
        ([0.9, 0.5, 0.1, 0.3, 0.8, 0.5], [1, 1, 0, 1, 0, 0], ("11/18", "4/9", "5/12", "29/40")),
        ([0.5] * 4, [1, 1, 0, 0], ("1/2", 0, 0, "3/4")),
    ],
)
def test_hand_solved(p, y, expected):
    report = compute_pan_report(p, y)
    assert (report.auc, report.c_at_1, report.f05u) == tuple(exact(value) for value in expected[:3])
    assert 1 - report.brier == pytest.approx(exact(expected[3]), rel=1e-15)


def test_toys():
    y = [1, 1, 0, 0]
    assert auc([3, 4, 1, 2], y) == auc([103, 104, 101, 102], y) == 1
    assert auc([-0.9, -0.6, -0.4, -0.8, -0.4, -0.1], [1, 1, 1, 0, 0, 0]) == exact("5/18")


@pytest.mark.parametrize(("name", "metric"), [("c-at-1", c_at_1), ("f05u", f05u)])
def test_stored_vectors(name, metric):
    vectors = json.loads(shared("vectors.json").read_text(encoding="utf-8"))["vectors"]
    (vector,) = [vector for vector in vectors if vector["id"] == name]
    assert metric(vector["input"]["p"], vector["input"]["y"]) == exact(vector["expected"])


def read_pan20(name: str) -> dict[str, Any]:
    with gzip.open(shared("data/pan20") / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return {row["id"]: row.get("same", row.get("value")) for row in map(json.loads, lines)}


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ("boenninghoff20-large", (0.9692368659, 0.9282692805, 0.9181910968, 0.9334815464)),
        ("ordonez20-large", (0.6962814680, 0.6404164629, 0.6546905504, 0.6544452683)),
    ],
)
def test_pan20_submissions(system, expected):
    truth, answers = read_pan20("truth"), read_pan20(system)
    found = [answers.get(name, 0.5) for name in truth]
    p = np.array([value[0] if isinstance(value, list) else value for value in found])
    report = compute_pan_report(p, list(truth.values()))
    assert (report.n_target + report.n_nontarget, int(np.sum(p == 0.5))) == (14311, 648 if system[0] == "b" else 0)
    got = (report.auc, report.c_at_1, report.f05u, 1 - report.brier)
    assert [f"{value:.10f}" for value in got] == [f"{value:.10f}" for value in expected]


def test_report_holds_what_the_functions_return():
    p, y, log_lrs = [0.9, 0.55, 0.1, 0.45, 0.6], np.array([1, 1, 0, 0, 0]), [1.0, 0.1, -2.0, 0.0, INF]
    report = compute_pan_report(p, y, log_lrs=log_lrs, ece_bins=3, c_at_1_margin=0.05, f05u_margin=0.1)
    expected: dict[str, Any] = {
        "auc": auc(p, y),
        "c_at_1": c_at_1(p, y, unanswered_margin=0.05),
        "f05u": f05u(p, y, unanswered_margin=0.1),
        "brier": brier(p, y),
        "ece": ece(p, y, n_bins=3),
        "cllr_bits": cllr(log_lrs, y),
        "n_target": 2,
        "n_nontarget": 3,
    }
    assert list(report.to_dict().items()) == list(expected.items())
    assert expected["cllr_bits"] == INF
    assert len({expected["c_at_1"], c_at_1(p, y), expected["f05u"], f05u(p, y)}) == 4
    assert expected["ece"] != ece(p, y)
    assert PANReport(**expected) == report


def test_report_is_plain_and_frozen():
    report = compute_pan_report(np.array([0.9, 0.2], F32), np.array([True, False]))
    assert report.cllr_bits is None
    assert [type(value) for value in report.to_dict().values()] == [float] * 5 + [type(None), int, int]
    assert json.loads(json.dumps(report.to_dict())) == report.to_dict()
    with pytest.raises(FrozenInstanceError):
        report.auc = 0.0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"c_at_1_margin": 2}, OptionError, "c_at_1_margin"),
        ({"f05u_margin": NAN}, OptionError, "f05u_margin"),
        ({"ece_bins": 0}, OptionError, "ece_bins"),
        ({"log_lrs": [1.0]}, InputError, "log_lrs 1, y 2"),
        ({"log_lrs": [1.0, NAN]}, InputError, "log_lrs: 1 missing"),
    ],
)
def test_report_names_the_option_at_fault(options, error, message):
    with pytest.raises(error, match=message):
        compute_pan_report([0.9, 0.1], [1, 0], **options)


def test_import_loads_numpy_only():
    heavy = "scipy", "pandas", "narwhals", "duckdb", "typer", "rich", "matplotlib", "sklearn"
    code = f"import sys, deciban.pan; print(*(name for name in {heavy} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""

"""Areas, separation and distances of rankings: values worked out by hand, published, or stored with a derivation."""

import csv
import json
import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtri

import deciban as db
from deciban.counts.counts import Counts
from deciban.errors import OptionError, SingleClassError, UndefinedMetricError
from deciban.metrics.precision_gain import _gain_start
from deciban.metrics.precision_recall_area import segment_areas, x_minus_log1p
from deciban.metrics.separation import probit
from deciban.passes.cumulative import cumulate
from tests.shared_data import shared

INF = math.inf
F = Fraction

FIRST = db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1])
"""ROC in counts (fp, tp): (0,0) (0,1) (1,1) (1,2) (2,3) (3,3)."""
REVERSED = db.Counts.from_classes([0], [1])
PERFECT = db.Counts.from_classes([3, 4, 5], [1, 2])
TIED = db.Counts.from_classes([1, 1, 1], [1])
ONE_EACH = db.Counts.from_classes([1], [0])
ENDS = db.Counts.from_classes([INF, INF, 0.0], [INF, -INF, 0.0, 0.0])
"""(0,0) (1,2) (3,3) (4,3)."""

ALL = ("partial_auc", "partial_auc_standardised", "pr_trapezoid", "pr_davis_goadrich", "pr_gain_area", "d_prime_auc")
RANK_ONLY = (*ALL, "youden", "ks", "h_measure")


def value(name: str, counts: Counts, **options: Any) -> Any:
    if name.startswith("partial"):
        options = {"high": 0.5, **options}
    return getattr(db, name)(counts, **options)


@pytest.mark.parametrize(
    ("name", "counts", "options", "expected"),
    [
        # Area below the ROC of the first toy up to fp = 1.5: 1·1 + ½·(2 + 2.5)/2 = 17/8, of 3·3.
        ("partial_auc", FIRST, {}, F(17, 72)),
        ("partial_auc", FIRST, {"high": 1.0}, F(13, 18)),
        ("partial_auc", FIRST, {"low": 0.5, "high": 1.0}, F(13, 18) - F(17, 72)),
        # Within the one segment from fp 1 to 2: heights 2.25 and 2.625 at fp 1.25 and 1.625 (of N0 = 3).
        ("partial_auc", db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4]), {"low": 0.625, "high": 0.75}, F(19, 192)),
        ("partial_auc_standardised", FIRST, {}, F(35, 54)),
        # (fn, tn): (0,0) (0,1) (1,2) (2,2) (2,3) (3,3), up to fn = 1.5: 1·(1 + 2)/2 + ½·2 = 5/2.
        ("partial_auc", FIRST, {"axis": "p_miss"}, F(5, 18)),
        ("partial_auc", PERFECT, {"low": 0.25}, F(1, 4)),
        ("partial_auc_standardised", PERFECT, {"low": 0.25}, F(1)),
        ("partial_auc", TIED, {}, F(1, 8)),
        ("partial_auc_standardised", TIED, {"axis": "p_miss", "low": 0.25}, F(1, 2)),
        ("partial_auc", REVERSED, {}, F(0)),
        ("partial_auc_standardised", REVERSED, {}, F(1, 3)),
        ("partial_auc_standardised", REVERSED, {"low": 0.5, "high": 1.0}, F(-1)),
        ("partial_auc", ONE_EACH, {}, F(1, 2)),
        # Up to fp = 2 of 4: 1·(0 + 2)/2 + 1·(2 + 2.5)/2 = 13/4, of 3·4.
        ("partial_auc", ENDS, {}, F(13, 48)),
        ("pr_trapezoid", FIRST, {}, F(133, 180)),
        ("pr_trapezoid", PERFECT, {}, F(1)),
        ("pr_trapezoid", TIED, {}, F(7, 8)),
        ("pr_trapezoid", REVERSED, {}, F(1, 4)),
        ("pr_trapezoid", ENDS, {}, F(2, 3) * F(5, 6) + F(1, 3) * F(7, 12)),
        ("pr_gain_area", PERFECT, {}, F(1)),
        ("pr_gain_area", TIED, {}, F(0)),
        ("pr_gain_area", ONE_EACH, {}, F(1)),
        ("pr_gain_area", REVERSED, {}, F(-1, 2)),
        ("pr_gain_area", db.Counts.from_classes([0] * 3, [1] * 12), {}, F(-2)),
        # From TP 3/2, FP 1 (gain ⅓) to (2, 1) gain ½ and (3, 2) gain ⅓; recall gains 0, ½, 1.
        ("pr_gain_area", FIRST, {}, F(1, 4) * (F(1, 3) + F(1, 2) + F(1, 2) + F(1, 3))),
        ("youden", FIRST, {}, F(1, 3)),
        ("youden", REVERSED, {}, F(0)),
        ("youden", PERFECT, {}, F(1)),
        ("youden", TIED, {}, F(0)),
        ("youden", ENDS, {}, F(2, 3) - F(1, 4)),
        ("ks", FIRST, {}, F(1, 3)),
        ("ks", REVERSED, {}, F(1)),
        ("ks", PERFECT, {}, F(1)),
        ("ks", TIED, {}, F(0)),
        ("precision_at", FIRST, {"threshold": 0.6, "prevalence": 0.5}, F(2, 3)),
        ("precision_at", FIRST, {"threshold": 0.6, "prevalence": F(1, 100)}, F(2, 101)),
        ("precision_at", FIRST, {"threshold": 0.9, "prevalence": 0.125}, F(1)),
    ],
)
def test_exact_values(name, counts, options, expected):
    assert value(name, counts, **options, exact=True) == expected
    assert value(name, counts, **options) == pytest.approx(float(expected), rel=1e-15, abs=0)


@pytest.mark.parametrize(
    ("name", "counts", "options", "expected"),
    [
        ("pr_davis_goadrich", FIRST, {}, (1 + (1 - math.log(1.5)) + 0.5 + math.log(5 / 3) / 4) / 3),
        ("pr_davis_goadrich", PERFECT, {}, 1.0),
        ("pr_davis_goadrich", TIED, {}, 0.75),
        ("pr_davis_goadrich", REVERSED, {}, 1 - math.log(2)),
        ("d_prime_auc", PERFECT, {}, INF),
        ("d_prime_auc", REVERSED, {}, -INF),
        ("d_prime_auc", TIED, {}, 0.0),
        ("h_measure", PERFECT, {}, 1.0),
        ("h_measure", REVERSED, {}, 0.0),
        ("h_measure", TIED, {}, 0.0),
        ("h_measure", ONE_EACH, {"alpha": 0.5, "beta": 7.0}, 1.0),
        ("decidability", db.Counts.from_classes([3, 5], [0, 2]), {}, 1.5 * math.sqrt(2)),
        ("decidability", db.Counts.from_classes([7, 7], [7, 7, 7, 8, 6]), {}, 0.0),
        ("decidability", db.Counts.from_classes([0.1] * 3, [0.3] * 7), {}, -INF),
        ("decidability", db.Counts.from_classes([1e308, -1e308], [-1e308, 1e308]), {}, 0.0),
        ("decidability", db.Counts.from_classes([5e-324 * k for k in (3, 5)], [0, 1e-323]), {}, 1.5 * math.sqrt(2)),
        ("decidability", db.Counts.from_classes([1e15 + 3, 1e15 + 5], [1e15, 1e15 + 2]), {}, 1.5 * math.sqrt(2)),
        ("decidability", db.Counts.from_classes([1.5, 1.5 + 2**-40], [-(2**40), -(2**40) + 2**-40 * 0]), {}, None),
        ("d_prime", db.Counts.from_classes([1, 0], [1, 0]), {"threshold": 1}, 0.0),
        ("d_prime", FIRST, {"threshold": 0.6}, 2 * 0.43072729929545744),
        ("d_prime", PERFECT, {"threshold": 3}, INF),
        ("d_prime", FIRST, {"threshold": 0.9}, INF),
        ("d_prime", FIRST, {"threshold": 0.4}, INF),
        ("d_prime", db.Counts.from_classes([0, 0], [1, 0]), {"threshold": 1}, -INF),
        ("d_prime", db.Counts.from_classes([1, 0], [1, 1]), {"threshold": 1}, -INF),
        ("d_prime", REVERSED, {"threshold": 1}, -INF),
    ],
)
def test_float_values(name, counts, options, expected):
    if expected is None:
        # One class does not vary, the other by 2^-40 far away: 2^40 apart and √(½·½·2^-80) wide.
        assert value(name, counts) == pytest.approx((2.0**40 + 1.5) / 2.0**-41, rel=1e-12)
    else:
        assert value(name, counts, **options) == pytest.approx(expected, rel=1e-14, abs=0)


@pytest.mark.parametrize("name", RANK_ONLY)
def test_one_class_has_no_value(name):
    with pytest.raises(SingleClassError):
        value(name, db.Counts.from_classes([1, 2], []))


@pytest.mark.parametrize(
    ("name", "counts", "options", "reason"),
    [
        ("d_prime", FIRST, {"threshold": 2}, "infinite_end"),
        ("d_prime", FIRST, {"threshold": 0}, "infinite_end"),
        ("d_prime", db.Counts.from_classes([1, 2], []), {"threshold": 0}, "single_class"),
        ("precision_at", FIRST, {"threshold": 2, "prevalence": 0.5}, "undefined_ratio"),
        ("precision_at", db.Counts.from_classes([1, 2], []), {"threshold": 0, "prevalence": 0.5}, "undefined_ratio"),
        ("h_measure", FIRST, {"alpha": 1e308, "beta": 1e308}, "undefined_ratio"),
        ("decidability", ENDS, {}, "infinite_end"),
        ("decidability", ONE_EACH, {}, "too_few"),
        ("decidability", db.Counts.from_classes([1, 1], [1, 1]), {}, "undefined_ratio"),
        ("decidability", db.Counts.from_classes([], [1, 1]), {}, "single_class"),
        ("decidability", db.Counts([0, 1], [1.5, 2], [2.0, 1], weighted=True), {}, "weighted"),
    ],
)
def test_no_value_has_a_reason(name, counts, options, reason):
    with pytest.raises(UndefinedMetricError) as caught:
        value(name, counts, **options)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("partial_auc", {"low": -0.1}),
        ("partial_auc", {"high": 1.5}),
        ("partial_auc", {"low": 0.5}),
        ("partial_auc", {"high": math.nan}),
        ("partial_auc", {"axis": "recall"}),
        ("partial_auc_standardised", {"low": 0.7}),
        ("precision_at", {"threshold": 0.5, "prevalence": 0.0}),
        ("precision_at", {"threshold": 0.5, "prevalence": 1.5}),
        ("precision_at", {"threshold": 0.5}),
        ("h_measure", {"alpha": 0.0}),
        ("h_measure", {"beta": INF}),
        ("h_measure", {"alpha": math.nan}),
    ],
)
def test_illegal_options_are_refused(name, options):
    with pytest.raises(OptionError):
        value(name, FIRST, **options)


def test_partial_auc_of_published_data():
    with shared("data/asah.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    counts = db.Counts.from_arrays([float(row["s100b"]) for row in rows], [row["outcome"] == "Poor" for row in rows])
    assert db.partial_auc(counts, low=0.01, high=0.1) == pytest.approx(0.0298306233, abs=5e-11)


def vectors(function: str) -> list[Any]:
    stored = json.loads(shared("vectors.json").read_text(encoding="utf-8"))["vectors"]
    found = [vector for vector in stored if vector["function"] == function]
    assert found, function
    return found


def counts_of(given: dict[str, Any]) -> Counts:
    return Counts.from_classes(given["target"], given["nontarget"])


@pytest.mark.parametrize(
    ("function", "ours"),
    [
        ("partial_auc", lambda x: db.partial_auc(counts_of(x), high=float(F(x["max_fpr"])), exact=True)),
        (
            "partial_auc_standardised",
            lambda x: db.partial_auc_standardised(counts_of(x), high=float(F(x["max_fpr"])), exact=True),
        ),
        ("pr_auc_trapezoid", lambda x: db.pr_trapezoid(counts_of(x), exact=True)),
        ("pr_gain_auc", lambda x: db.pr_gain_area(counts_of(x), exact=True)),
        ("ks", lambda x: db.ks(counts_of(x), exact=True)),
        ("h_measure", lambda x: db.h_measure(counts_of(x))),
        ("decidability", lambda x: db.decidability(counts_of(x))),
        ("pr_auc_dg_segment", lambda x: segment(x["A"], x["B"]) / x["P"]),
    ],
)
def test_stored_vectors(function, ours):
    for vector in vectors(function):
        expected, found = vector["expected"], ours(vector["input"])
        if isinstance(found, Fraction):
            assert found == F(expected)
        else:
            want = float(F(expected)) if isinstance(expected, str) else expected
            assert found == pytest.approx(want, rel=min(vector["tolerance"], 1e-12))


def test_stored_youden():
    for vector in vectors("youden_index"):
        assert db.youden(counts_of(vector["input"]), exact=True) == F(vector["expected"]["j"])


def segment(a: dict[str, float], b: dict[str, float]) -> float:
    columns = (a["tp"], a["fp"], b["tp"] - a["tp"], b["fp"] - a["fp"])
    return float(segment_areas(*(np.array([column]) for column in columns))[0])


def test_stored_interpolation_is_the_curve_under_which_the_area_lies():
    """The area of each piece lies between those of its two precisions, and they add up to that of the whole."""
    for vector in vectors("pr_interpolate"):
        given, points = vector["input"], [(F(r), F(p)) for r, p in vector["expected"]]
        pieces = []
        for (r0, p0), (r1, p1) in pairwise(points):
            a, b = (
                {"tp": float(r * given["P"]), "fp": float(r * given["P"] * (1 / p - 1))}
                for r, p in ((r0, p0), (r1, p1))
            )
            pieces.append(segment(a, b))
            assert float(r1 - r0) * float(p1) * given["P"] < pieces[-1] < float(r1 - r0) * float(p0) * given["P"]
        assert sum(pieces) == pytest.approx(segment(given["A"], given["B"]), rel=1e-14)


def test_stored_probit():
    for vector in vectors("probit"):
        for p, expected in zip(vector["input"]["p"], vector["expected"], strict=True):
            assert probit(p, 1 - p) == pytest.approx(expected, abs=vector["tolerance"])


def test_probit_keeps_its_digits_at_both_ends():
    assert probit(1, 0) == -probit(0, 1) == INF
    assert str(probit(1, 1)) == "0.0"
    for small in (5e-324, 1e-300, 1e-100, 1e-20, 1e-5, 0.3):
        assert probit(small, 1.0) == pytest.approx(ndtri(small / (1 + small)), rel=1e-15)
        assert probit(1.0, small) == -probit(small, 1.0)


def test_stored_gain_point():
    """The stored point as the only one between the start of the curve and its end."""
    for vector in vectors("precision_gain_recall_gain"):
        tp, fp, fn, tn = (vector["input"][name] for name in ("tp", "fp", "fn", "tn"))
        recall_gain, precision_gain = (F(text) for text in vector["expected"])
        counts = db.Counts([0, 1], [fn, tp], [tn, fp])
        # Up to the point precision does not change, from there to (1, 0) the gains are a straight line.
        want = recall_gain * precision_gain + (1 - recall_gain) * precision_gain / 2
        assert db.pr_gain_area(counts, exact=True) == want


def test_stored_predictive_values():
    for vector in vectors("predictive_values"):
        hit, right = F(vector["input"]["sens"]), F(vector["input"]["spec"])
        prevalence = F(vector["input"]["prevalence"])
        counts = db.Counts(
            [0, 1],
            [hit.denominator - hit.numerator, hit.numerator],
            [right.numerator, right.denominator - right.numerator],
        )
        found = db.precision_at(counts, threshold=1, prevalence=prevalence, exact=True)
        assert found == F(vector["expected"]["ppv"])
        # The negative predictive value is the precision of the other class.
        other = db.Counts([-1, 0], counts.n_nontarget[::-1], counts.n_target[::-1])
        assert db.precision_at(other, threshold=0, prevalence=1 - prevalence, exact=True) == F(
            vector["expected"]["npv"]
        )


def test_gain_curve_starts_where_recall_gain_is_zero():
    assert _gain_start(cumulate(FIRST)) == (3, F(3, 2), F(1))
    assert _gain_start(cumulate(TIED)) == (1, F(9, 4), F(3, 4))
    # Where a point lies there exactly, the curve goes on from the last such point.
    assert _gain_start(cumulate(db.Counts.from_classes([3, 0], [1, 2]))) == (4, F(1), F(2))


def test_series_joins_the_formula():
    x = np.array([0.0, 1e-300, 1e-20, 1e-9, 0.0099999, 0.0100001, 1.0, 1e9])
    found = x_minus_log1p(x)
    assert found[:2].tolist() == [0.0, 0.0]
    assert found[2:4] == pytest.approx([5e-41, 5e-19 * (1 - 2e-9 / 3)], rel=1e-15)
    assert found[6:] == pytest.approx([1 - math.log(2), 1e9 - math.log1p(1e9)], rel=1e-15)
    # x²/2 − x³/3 + x⁴/4 − … by exact sums on both sides of the change of formula.
    for got, at in zip(found[4:6].tolist(), x[4:6].tolist(), strict=True):
        exact = sum(F(at) ** k * (-1) ** k / k for k in range(2, 30))
        assert got == pytest.approx(float(exact), rel=3e-14)
    assert found[4] == pytest.approx(float(sum(F(float(x[4])) ** k * (-1) ** k / k for k in range(2, 30))), rel=5e-16)


def test_weights_of_one_and_common_factors_change_nothing():
    for counts in (FIRST, PERFECT, TIED, REVERSED, ENDS):
        for weight in (1.0, 0.75, 2.0**-30):
            weighted = db.Counts(counts.score, counts.n_target * weight, counts.n_nontarget * weight, weighted=True)
            for name in RANK_ONLY:
                assert value(name, weighted) == pytest.approx(value(name, counts), rel=1e-12, abs=1e-15), name


def test_figures_of_an_evaluation():
    asked = ["partial_auc:high=0.5", "pr_gain_area", "d_prime_auc", "decidability", "h_measure:alpha=1,beta=3", "ks"]
    result = db.evaluate(FIRST, metrics=asked, exact=True, interval="none")
    assert result["partial_auc:high=0.5"].exact == "17/72"
    assert result["ks"].exact == "1/3"
    assert result["h_measure:alpha=1,beta=3"].value == db.h_measure(FIRST, alpha=1.0, beta=3.0)
    assert db.evaluate(PERFECT, metrics=["d_prime_auc"], interval="none")["d_prime_auc"].value == INF
    plain = db.evaluate(FIRST, interval="none").metrics
    assert not set(plain) & {*RANK_ONLY, "decidability", "d_prime", "precision_at"}
    optimistic = next(f for f in result.findings if f.code == "PAV-OPT")
    assert "ks" in optimistic.data["metrics"]

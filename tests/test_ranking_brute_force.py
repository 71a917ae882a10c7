"""Ranking figures beside second routes written straight from their definitions, in exact fractions or 60 digits."""

import math
import statistics
from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from math import comb

import numpy as np
import pytest
from scipy.special import ndtri

import deciban as db

INF = math.inf
F = Fraction


VALUES = (-INF, -5.0, -1.0, 0.0, 1e-300, 0.5, 1.0, 7.0, INF)
Points = list[tuple[int, int]]


def samples(seed: int, number: int, values: tuple[float, ...] = VALUES) -> Iterator[tuple[list[float], list[float]]]:
    """Targets and nontargets, few values so that ties are heavy, classes down to one trial."""
    random = np.random.default_rng(seed)
    for _ in range(number):
        palette = random.choice(values, size=random.integers(1, len(values) + 1), replace=False)
        n1, n0 = random.choice([1, 2, 3, 5, 9, 14], size=2)
        yield random.choice(palette, size=n1).tolist(), random.choice(palette, size=n0).tolist()


def roc(targets: list[float], nontargets: list[float]) -> Points:
    """(fp, tp) of reject-all and of each threshold downwards."""
    rules = [None, *sorted({*targets, *nontargets}, reverse=True)]

    def accepted(scores: list[float], threshold: float | None) -> int:
        return sum(threshold is not None and s >= threshold for s in scores)

    return [(accepted(nontargets, threshold), accepted(targets, threshold)) for threshold in rules]


def partial(points: Points, low: Fraction, high: Fraction) -> Fraction:
    """Each segment in rates cut to the range, width times mean height."""
    n0, n1 = points[-1]
    total = F(0)
    for (x0, y0), (x1, y1) in pairwise([(F(fp, n0), F(tp, n1)) for fp, tp in points]):
        a, b = max(x0, low), min(x1, high)
        if b > a:
            slope = (y1 - y0) / (x1 - x0)
            total += (b - a) * (2 * y0 + slope * (a - x0 + b - x0)) / 2
    return total


def other_class(points: Points) -> Points:
    """The points with both error rates exchanged."""
    n0, n1 = points[-1]
    return [(n1 - tp, n0 - fp) for fp, tp in reversed(points)]


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (0.0, 0.1), (0.1, 0.3), (0.25, 0.5), (0.9, 1.0), (0.62, 0.63)])
def test_partial_auc(low, high):
    for targets, nontargets in samples(1, 60):
        counts, points = db.Counts.from_classes(targets, nontargets), roc(targets, nontargets)
        a, b = F(low), F(high)
        for axis, drawn in (("p_fa", points), ("p_miss", other_class(points))):
            want = partial(drawn, a, b)
            options = {"axis": axis, "low": low, "high": high}
            assert db.partial_auc(counts, **options, exact=True) == want
            assert db.partial_auc(counts, **options) == float(want)
            m, most = (b**2 - a**2) / 2, b - a
            assert db.partial_auc_standardised(counts, **options, exact=True) == (1 + (want - m) / (most - m)) / 2
        if (low, high) == (0.0, 1.0):
            assert partial(points, a, b) == db.auc(counts, exact=True)


def test_pr_trapezoid():
    for targets, nontargets in samples(2, 150):
        points = [(F(tp, len(targets)), F(tp, tp + fp)) for fp, tp in roc(targets, nontargets)[1:]]
        want = sum(((r1 - r0) * (p0 + p1) / 2 for (r0, p0), (r1, p1) in pairwise([(F(0), F(1)), *points])), F(0))
        counts = db.Counts.from_classes(targets, nontargets)
        assert db.pr_trapezoid(counts, exact=True) == want
        assert db.pr_trapezoid(counts) == pytest.approx(float(want), rel=1e-15)


def davis_goadrich(points: Points) -> float:
    """∫ t/(t + fp) dt with fp linear in t, as ΔTP/a + (TP_A − u/a)/a·ln(1 + a·ΔTP/u), in 60 digits."""
    with localcontext() as context:
        context.prec = 60
        total = Decimal(0)
        for (fp0, tp0), (fp1, tp1) in pairwise(points):
            if tp1 == tp0:
                continue
            step, before = Decimal(tp1 - tp0), Decimal(tp0 + fp0)
            a = 1 + Decimal(fp1 - fp0) / step
            total += step / a
            if before:
                total += (tp0 - before / a) / a * (1 + a * step / before).ln()
        return float(total / points[-1][1])


def test_pr_davis_goadrich():
    for targets, nontargets in samples(3, 150):
        want = davis_goadrich(roc(targets, nontargets))
        found = db.pr_davis_goadrich(db.Counts.from_classes(targets, nontargets))
        assert found == pytest.approx(want, rel=3e-14)


@pytest.mark.parametrize(
    "blocks",
    [
        [(10**9, 0), (0, 1)],
        [(0, 1), (10**9, 0), (0, 1), (10**9, 1), (0, 10)],
        [(10**9, 1), (0, 1), (1, 1), (10**9, 2)],
        [(1, 1), (10**9, 10**9), (1, 0), (10**9, 1)],
        [(10**9, 3), (999, 1), (0, 10**7), (10**8, 10**8)],
    ],
)
def test_pr_davis_goadrich_with_very_many_false_alarms(blocks):
    nontargets, targets = (np.array(column) for column in zip(*blocks[::-1], strict=True))
    points = [(0, 0)]
    for fp, tp in blocks:
        points.append((points[-1][0] + fp, points[-1][1] + tp))
    counts = db.Counts(np.arange(len(blocks)), targets, nontargets)
    assert db.pr_davis_goadrich(counts) == pytest.approx(davis_goadrich(points), rel=1e-13, abs=0)


def gain_area(points: Points) -> Fraction:
    """Straight lines in the plane of the gains, cut where recall gain is 0."""
    n0, n1 = points[-1]
    share = F(n1, n0)

    def gains(fp: Fraction, tp: Fraction) -> tuple[Fraction, Fraction]:
        return 1 - share * (n1 - tp) / tp, 1 - share * F(fp) / tp

    start = F(n1 * n1, n0 + n1)
    total = F(0)
    for (fp0, tp0), (fp1, tp1) in pairwise([(F(fp), F(tp)) for fp, tp in points]):
        if tp1 <= start:
            continue
        first = (fp0, tp0) if tp0 > 0 else (fp0 + (fp1 - fp0) * start / tp1, start)
        (r0, p0), (r1, p1) = gains(*first), gains(fp1, tp1)
        if r0 < 0:
            r0, p0 = F(0), p0 + (p1 - p0) * (0 - r0) / (r1 - r0)
        total += (r1 - r0) * (p0 + p1) / 2
    return total


def test_pr_gain_area():
    for targets, nontargets in samples(4, 150):
        want = gain_area(roc(targets, nontargets))
        counts = db.Counts.from_classes(targets, nontargets)
        assert db.pr_gain_area(counts, exact=True) == want
        assert db.pr_gain_area(counts) == pytest.approx(float(want), rel=1e-14, abs=1e-15)


def beta_integral(power: int, other: int, low: Fraction, high: Fraction) -> Fraction:
    """∫ c^power·(1 − c)^other dc, expanded."""
    terms = (F(comb(other, k) * (-1) ** k, power + k + 1) for k in range(other + 1))
    return sum((t * (high ** (power + k + 1) - low ** (power + k + 1)) for k, t in enumerate(terms)), F(0))


def least_cost(rules: Points, alpha: int, beta: int) -> Fraction:
    """∫ of the least c·fp + (1 − c)·fn over all rules: cut wherever two rules cost the same, no hull."""
    cuts = {F(0), F(1)}
    for fp0, fn0 in rules:
        for fp1, fn1 in rules:
            slope = (fp0 - fn0) - (fp1 - fn1)
            if slope and 0 < F(fn1 - fn0, slope) < 1:
                cuts.add(F(fn1 - fn0, slope))
    total = F(0)
    for low, high in pairwise(sorted(cuts)):
        c = (low + high) / 2
        fp, fn = min(rules, key=lambda rule: c * rule[0] + (1 - c) * rule[1])
        total += fp * beta_integral(alpha, beta - 1, low, high) + fn * beta_integral(alpha - 1, beta, low, high)
    return total


@pytest.mark.parametrize(("alpha", "beta"), [(2, 2), (1, 1), (3, 2), (1, 4)])
def test_h_measure(alpha, beta):
    for targets, nontargets in samples(5, 40):
        n1, n0 = len(targets), len(nontargets)
        rules = [(fp, n1 - tp) for fp, tp in roc(targets, nontargets)]
        want = 1 - least_cost(rules, alpha, beta) / least_cost([(0, n1), (n0, 0)], alpha, beta)
        counts = db.Counts.from_classes(targets, nontargets)
        assert db.h_measure(counts, alpha=float(alpha), beta=float(beta)) == pytest.approx(float(want), abs=2e-15)


def test_youden_and_ks():
    for targets, nontargets in samples(6, 150):
        counts = db.Counts.from_classes(targets, nontargets)
        gaps = [F(tp, len(targets)) - F(fp, len(nontargets)) for fp, tp in roc(targets, nontargets)]
        assert db.youden(counts, exact=True) == max(gaps)
        assert db.ks(counts, exact=True) == max(abs(gap) for gap in gaps)
        at = max(db.informedness(counts, threshold=t) for t in {*targets, *nontargets})
        assert db.youden(counts) == pytest.approx(max(at, 0.0), abs=1e-15)


def test_d_prime_and_precision_at():
    for targets, nontargets in samples(7, 100):
        counts = db.Counts.from_classes(targets, nontargets)
        for t in (-1.0, 0.5, INF):
            hit, alarm = (sum(s >= t for s in scores) / len(scores) for scores in (targets, nontargets))
            if hit + alarm > 0:
                want = 0.3 * hit / (0.3 * hit + 0.7 * alarm)
                assert db.precision_at(counts, threshold=t, prevalence=0.3) == pytest.approx(want, rel=1e-14)
            if hit != alarm or 0 < hit < 1:
                assert db.d_prime(counts, threshold=t) == pytest.approx(ndtri(hit) - ndtri(alarm), rel=1e-12, abs=1e-14)


def test_d_prime_auc():
    for targets, nontargets in samples(8, 100):
        counts = db.Counts.from_classes(targets, nontargets)
        want = math.sqrt(2) * ndtri(db.auc(counts))
        assert db.d_prime_auc(counts) == pytest.approx(want, rel=1e-12, abs=1e-14)


def test_d_prime_auc_keeps_its_digits_near_one():
    """One pair lost of 10^18: 1 − AUC is far below what a double near 1 can hold."""
    n = 10**9
    counts = db.Counts([0, 1, 2, 3], [0, 1, 0, n - 1], [n - 1, 0, 1, 0])
    assert db.d_prime_auc(counts) == pytest.approx(-math.sqrt(2) * ndtri(1e-18), rel=1e-14)


def test_decidability():
    values = (-5.0, -1.0, 0.0, 0.1, 0.5, 1.0, 7.0, 1e3)
    for targets, nontargets in samples(9, 150, values):
        exact = [[F(s) for s in scores] for scores in (targets, nontargets)]
        if min(map(len, exact)) < 2 or len({*targets, *nontargets}) == 1:
            continue
        spread = sum(map(statistics.variance, exact)) / 2
        apart = statistics.mean(exact[0]) - statistics.mean(exact[1])
        want = float(apart) / math.sqrt(spread) if spread else math.copysign(INF, apart)
        assert db.decidability(db.Counts.from_classes(targets, nontargets)) == pytest.approx(want, rel=1e-12, abs=1e-14)


def test_auc_within():
    for seed in range(40):
        groups = {str(k): group for k, group in enumerate(samples(seed, 4))}
        groups["none"] = ([1.0, INF], [])
        pairs = [(t, n) for targets, nontargets in groups.values() for t in targets for n in nontargets]
        want = sum((F(t > n) + F(t == n) / 2 for t, n in pairs), F(0)) / len(pairs)
        counted = {name: db.Counts.from_classes(*group) for name, group in groups.items()}
        assert db.auc_within(counted, exact=True) == want
        assert db.auc_within(counted) == float(want)
        assert db.auc_within({"0": counted["0"]}, exact=True) == db.auc(counted["0"], exact=True)

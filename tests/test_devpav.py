"""devPAV, mean LRs and Turing's bound against stored values, closed forms and brute force."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

import deciban as db
from deciban.errors import OptionError, ScaleError, UndefinedMetricError
from tests.test_lr_bounds import INF, counts_of, nfi, number, random_data, vectors

# --- devPAV


def test_stored_devpav():
    for vector in vectors("devpav"):
        counts, expected = counts_of(vector["input"]), vector["expected"]
        if expected == "nan":
            with pytest.raises(UndefinedMetricError) as caught:
                db.devpav(counts)
            assert caught.value.reason == "degenerate"
        else:
            tolerance = vector["tolerance"]
            assert db.devpav(counts) == pytest.approx(number(expected), abs=tolerance, rel=0), vector["id"]


def test_devpav_of_the_cartridge_cases():
    assert db.devpav(nfi()) == pytest.approx(6.083836839361541, rel=1e-14)


def test_devpav_by_hand():
    # PAV LRs: 3/4 of the targets to 1/4 of the nontargets at 1000, the reverse at 1/10.
    counts = db.Counts(score=[-1, 3], n_target=[1, 3], n_nontarget=[3, 1], scale="log10_lr")
    start, end = math.log10(1 / 3) + 1, math.log10(3) - 3
    assert db.devpav(counts) == pytest.approx((start**2 + end**2) / (2 * (start - end)), rel=1e-14)
    # Both nodes above identity: no crossing.
    counts = db.Counts(score=[-3, -1], n_target=[1, 3], n_nontarget=[3, 1], scale="log10_lr")
    assert db.devpav(counts) == pytest.approx((math.log10(1 / 3) + 3 + math.log10(3) + 1) / 2, rel=1e-14)
    # One node: its distance.
    assert db.devpav(db.Counts.from_classes([2.5], [2.5, 2.5], scale="log10_lr")) == 2.5


@pytest.mark.parametrize("scale", ["ln_lr", "log10_lr", "lr"])
def test_devpav_at_the_ends_of_the_scale(scale):
    zero = 0.0 if scale == "lr" else -INF
    one = 1.0 if scale == "lr" else 0.0
    # A nontarget alone at LR 0 and a target alone at LR inf are no nodes; together with the other class they are.
    apart = db.Counts.from_classes([one, INF], [zero, one], scale=scale)
    assert db.devpav(apart) == 0.0
    assert db.devpav(db.Counts.from_classes([zero, INF], [zero, one], scale=scale)) == INF
    assert db.devpav(db.Counts.from_classes([one, INF], [zero, INF], scale=scale)) == INF


def test_devpav_of_lrs_beyond_every_double():
    counts = db.Counts(score=[-1e307, 1e307], n_target=[1, 3], n_nontarget=[3, 1], scale="log10_lr")
    assert db.devpav(counts) == pytest.approx(5e306, rel=1e-12)
    neighbours = db.Counts(score=[3.0, np.nextafter(3.0, 4)], n_target=[1, 3], n_nontarget=[3, 1], scale="lr")
    assert 0.0 < db.devpav(neighbours) < 1.0


def isotonic(n_target: list[int], n_nontarget: list[int]) -> list[Fraction]:
    """Share of targets at each place after pooling, by the max–min formula."""
    t = np.cumsum([0, *n_target]).tolist()
    n = (np.cumsum([0, *n_nontarget]) + t).tolist()
    u = len(n_target)
    return [
        max(min(Fraction(t[j + 1] - t[i], n[j + 1] - n[i]) for j in range(place, u)) for i in range(place + 1))
        for place in range(u)
    ]


def brute_devpav(counts: db.Counts) -> float | None:
    shares = isotonic(counts.n_target.tolist(), counts.n_nontarget.tolist())
    ratio = Fraction(counts.total_nontarget, counts.total_target)
    nodes = [
        (float(np.log10(lr)) if lr > 0 else -INF, math.log10(share / (1 - share) * ratio))
        for lr, share in zip(counts.score, shares, strict=True)
        if 0 < share < 1
    ]
    if not nodes:
        return None
    if any(math.isinf(x) for x, _ in nodes):
        return INF
    if len(nodes) == 1:
        return abs(nodes[0][1] - nodes[0][0])
    area = 0.0
    for (x0, y0), (x1, y1) in pairwise(nodes):
        slope = (y1 - y0) / (x1 - x0)
        cuts = [x0, x1]
        if slope != 1.0:
            cross = (y0 - slope * x0) / (1 - slope)
            cuts = sorted({x0, x1, min(max(cross, x0), x1)})
        for a, b in pairwise(cuts):
            middle = (a + b) / 2
            area += abs(y0 + slope * (middle - x0) - middle) * (b - a)
    return area / (nodes[-1][0] - nodes[0][0])


def test_devpav_equals_the_definition():
    generator = np.random.default_rng(11)
    finite = 0
    for _ in range(400):
        counts = db.Counts.from_classes(*random_data(generator), scale="lr")
        expected = brute_devpav(counts)
        if expected is None:
            with pytest.raises(UndefinedMetricError):
                db.devpav(counts)
            continue
        assert db.devpav(counts) == pytest.approx(expected, rel=1e-12, abs=1e-14)
        finite += 0 < expected < INF
    assert finite > 150


def test_devpav_does_not_mind_which_class_is_called_target():
    generator = np.random.default_rng(12)
    for _ in range(50):
        targets, nontargets = (np.round(generator.normal(shift, 2, 40), 1) for shift in (1, -1))
        straight = db.Counts.from_classes(targets, nontargets, scale="ln_lr")
        mirror = db.Counts.from_classes(-nontargets, -targets, scale="ln_lr")
        assert db.devpav(mirror) == pytest.approx(db.devpav(straight), rel=1e-12)
        assert db.cllr(mirror) == pytest.approx(db.cllr(straight), rel=1e-15)


# --- mean LRs


def test_stored_moments():
    for vector in vectors("expected_lr_moments"):
        moments = db.lr_moments(counts_of(vector["input"]))
        expected = [number(vector["expected"][key]) for key in ("mean_lr_h2", "mean_inv_lr_h1")]
        assert [moments.mean_lr_nontarget, moments.mean_inverse_lr_target] == pytest.approx(expected, abs=1e-12)


def test_moments_beyond_every_double():
    moments = db.lr_moments(db.Counts.from_classes([-800.0, 1e5], [900.0, 900.0, -1e300], scale="ln_lr"))
    assert moments.mean_lr_nontarget == INF
    assert moments.mean_inverse_lr_target == INF
    assert moments.ln_mean_lr_nontarget == pytest.approx(900 + math.log(2 / 3), rel=1e-15)
    assert moments.ln_mean_inverse_lr_target == pytest.approx(800 - math.log(2), rel=1e-15)


def test_moments_at_the_ends():
    perfect = db.lr_moments(db.Counts.from_classes([INF], [0.0], scale="lr"))
    assert (perfect.mean_lr_nontarget, perfect.ln_mean_inverse_lr_target) == (0.0, -INF)
    wrong = db.lr_moments(db.Counts.from_classes([0.0, INF], [1.0, INF], scale="lr"))
    assert (wrong.mean_inverse_lr_target, wrong.ln_mean_lr_nontarget) == (INF, INF)
    neutral = db.lr_moments(db.Counts.from_classes([1.0], [1.0, 1.0], scale="lr"))
    assert neutral.mean_lr_nontarget == 1.0
    assert neutral.ln_mean_inverse_lr_target == 0.0


def test_moments_against_plain_means():
    generator = np.random.default_rng(13)
    targets, nontargets = generator.normal(1, 3, 70_000).round(4), generator.normal(-1, 3, 150_000).round(4)
    moments = db.lr_moments(db.Counts.from_classes(targets, nontargets, scale="ln_lr"))
    assert moments.mean_lr_nontarget == pytest.approx(np.exp(nontargets).mean(), rel=1e-12)
    assert moments.mean_inverse_lr_target == pytest.approx(np.exp(-targets).mean(), rel=1e-12)


# --- Turing's bound


def test_stored_turing():
    for vector in vectors("turing_exceedance"):
        counts = db.Counts.from_classes([1.0], [number(lr) for lr in vector["input"]["nontarget_lr"]], scale="lr")
        result, expected = db.turing(counts, k=vector["input"]["k"]), vector["expected"]
        assert result.observed == number(expected["observed"])
        assert result.bound == number(expected["bound"])
        assert (result.observed > result.bound) == expected["exceeds"]
        assert result.p_value == pytest.approx(number(expected["p_value_binomial"]), abs=1e-12)


@pytest.mark.parametrize("k", [1.0, 2.0, 10.0, 1000.0])
def test_turing_is_the_upper_tail_of_a_binomial(k):
    for n in (1, 7, 40, 10_000):
        for x in {0, 1, n // 10, n // 2, n}:
            lrs = [k] * x + [k / 2] * (n - x)
            result = db.turing(db.Counts.from_classes([1.0], lrs, scale="lr"), k=k)
            assert result.observed == x / n
            assert result.p_value == pytest.approx(stats.binom.sf(x - 1, n, 1 / k), rel=1e-9, abs=1e-300)


def test_turing_limits():
    counts = db.Counts.from_classes([1.0], [INF, 0.5], scale="lr")
    assert db.turing(counts).observed == 0.5
    with pytest.raises(OptionError):
        db.turing(counts, k=0.5)
    with pytest.raises(ScaleError):
        db.turing(db.Counts.from_classes([1.0], [0.0]))
    weighted = db.Counts(score=[1.0, 2.0], n_target=[0, 1.5], n_nontarget=[1.0, 0], scale="lr", weighted=True)
    with pytest.raises(UndefinedMetricError) as caught:
        db.turing(weighted)
    assert caught.value.reason == "weighted"
    assert db.evaluate(weighted, metrics=["turing"], interval="none")["turing.p_value"].reason == "weighted"

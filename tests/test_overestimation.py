"""LR overestimation: bins by hand, by brute force, and what is left out."""

import math

import numpy as np
import pytest

import deciban as db
from deciban.errors import ScaleError, SingleClassError, UndefinedMetricError
from tests.test_lr_bounds import INF, nfi


def brute(targets: list[float], nontargets: list[float], n1: int, n0: int) -> list[tuple[float, ...]]:
    """Edges and contents of the bins, one interval after the other; finite log10 LRs."""
    lowest, highest = min([*targets, *nontargets]), max([*targets, *nontargets])
    bins: list[tuple[float, float]] = []
    start, k = lowest, 0
    while lowest + 0.5 * k <= highest:
        k += 1
        end = lowest + 0.5 * k
        if all(sum(start <= x < end for x in lrs) >= 5 for lrs in (targets, nontargets)):
            bins.append((start, end))
            start = end
    # What is left at the top joins the last full bin.
    bins[-1] = (bins[-1][0], math.nextafter(highest, INF))
    rows: list[tuple[float, ...]] = []
    for low, high in bins:
        inside = [[x for x in lrs if low <= x < high] for lrs in (targets, nontargets)]
        claimed = math.log10(sum(10.0**x for x in inside[1]) / len(inside[1]))
        empirical = math.log10(len(inside[0]) / n1 / (len(inside[1]) / n0))
        rows.append((low, claimed, empirical, len(inside[0]), len(inside[1])))
    return rows


@pytest.mark.parametrize("decimals", [1, 12])
def test_bins_equal_the_definition(decimals):
    generator = np.random.default_rng(21)
    sizes = set()
    for _ in range(150):
        targets, nontargets = (
            generator.normal(shift, generator.choice([0.2, 1, 4]), generator.integers(5, 60)).round(decimals)
            for shift in (0.5, -0.5)
        )
        curve = db.lr_overestimation(db.Counts.from_classes(targets, nontargets, scale="log10_lr"))
        rows = brute(targets.tolist(), nontargets.tolist(), targets.size, nontargets.size)
        low, claimed, empirical, n1, n0 = zip(*rows, strict=True)
        assert curve.n_target.tolist() == list(n1)
        assert curve.n_nontarget.tolist() == list(n0)
        assert curve.edges[:-1] == pytest.approx(low, rel=1e-12, abs=1e-12)
        assert curve.edges[-1] == pytest.approx(max(targets.max(), nontargets.max()), rel=1e-12)
        assert curve.claimed == pytest.approx(claimed, rel=1e-9, abs=1e-11)
        assert curve.empirical == pytest.approx(empirical, rel=1e-12, abs=1e-12)
        assert (curve.discrepancy == curve.claimed - curve.empirical).all()
        sizes.add(len(rows))
    assert len(sizes) > 2


def test_calibrated_lrs_have_no_discrepancy():
    generator = np.random.default_rng(22)
    ln = generator.normal(2, 2, 100_000), generator.normal(-2, 2, 100_000)
    curve = db.lr_overestimation(db.Counts.from_classes(*ln, scale="ln_lr"))
    assert np.abs(curve.discrepancy[2:-2]).max() < 0.05
    twice = db.lr_overestimation(db.Counts.from_classes(*(2 * x for x in ln), scale="ln_lr"))
    assert twice.discrepancy[-3] > 1.0
    assert twice.discrepancy[2] < -1.0


def test_infinite_lrs_are_in_no_bin_but_count():
    targets, nontargets = [0.0] * 6 + [INF] * 6, [0.0] * 5 + [-INF] * 15
    curve = db.lr_overestimation(db.Counts.from_classes(targets, nontargets, scale="log10_lr"))
    assert curve.edges.tolist() == [0.0, 0.5]
    assert curve.empirical == pytest.approx([math.log10(0.5 / 0.25)])
    assert (curve.infinite_target, curve.infinite_nontarget) == (6, 15)
    assert curve.band is None


def test_no_lr_is_too_large():
    counts = db.Counts.from_classes([1e5] * 5 + [-1e300] * 5, [1e5] * 5 + [-1e300] * 5, scale="ln_lr")
    curve = db.lr_overestimation(counts)
    assert curve.claimed == pytest.approx([-1e300 / math.log(10), 1e5 / math.log(10)])
    assert curve.empirical.tolist() == [0.0, 0.0]


def test_cartridge_cases_overstate_the_highest_lrs():
    curve = db.lr_overestimation(nfi())
    assert curve.n_target.sum() == 188
    assert curve.n_nontarget.sum() == 477
    assert (curve.n_target >= 5).all()
    assert (curve.n_nontarget >= 5).all()
    assert curve.discrepancy[-1] > 10


def test_what_cannot_be_asked():
    with pytest.raises(UndefinedMetricError) as caught:
        db.lr_overestimation(db.Counts.from_classes([1.0] * 4, [0.5] * 9, scale="lr"))
    assert caught.value.reason == "too_few"
    with pytest.raises(SingleClassError):
        db.lr_overestimation(db.Counts.from_arrays([1.0] * 9, [1] * 9, target=1, scale="lr"))
    with pytest.raises(ScaleError):
        db.lr_overestimation(db.Counts.from_classes([1.0], [0.0]))
    with pytest.raises(ValueError, match="read-only"):
        db.lr_overestimation(nfi()).edges[0] = 0.0

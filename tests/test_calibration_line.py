"""The calibration line: closed forms, other programs, invariance, data on which no line is best."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from sklearn.linear_model import LogisticRegression

import deciban as db
from deciban.passes import logistic_cells
from deciban.passes.logistic import fit_line, fit_offset

few = settings(max_examples=100, deadline=None)


def simulated(n: int, seed: int, intercept: float = 0.5, slope: float = 0.7) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    x = np.sort(rng.normal(size=n) * 3.0)
    target = (rng.random(n) < 1 / (1 + np.exp(-(intercept + slope * x)))).astype(np.int64)
    return x, target, 1 - target


def newton_step(x: Any, target: Any, nontarget: Any, intercept: float, slope: float) -> tuple[Any, Any]:
    """What one more Newton step in extended precision would change: how far the line is from the best one."""
    wide = x.astype(np.longdouble)
    with np.errstate(over="ignore"):
        p = 1 / (1 + np.exp(-(intercept + slope * wide)))
    gap, w = target * (1 - p) - nontarget * p, (target + nontarget) * p * (1 - p)
    information = np.array([[w.sum(), (w * wide).sum()], [(w * wide).sum(), (w * wide * wide).sum()]], dtype=float)
    return np.linalg.solve(information, np.array([gap.sum(), (gap * wide).sum()], dtype=float)), information


def test_two_probabilities_by_hand():
    # Shares 1/4 at log-odds 0 and 3/4 at ln 9: the line goes through ±ln 3.
    counts = db.Counts([0.5, 0.9], [1, 3], [3, 1], scale="probability")
    line = db.calibration_line(counts)
    assert line.intercept == pytest.approx(-math.log(3), rel=1e-14)
    assert line.slope == pytest.approx(1.0, rel=1e-14)
    # Stating ½ always: the log-odds of the share of targets.
    assert db.calibration_intercept(db.Counts([0.5], [3], [1], scale="probability")) == pytest.approx(math.log(3))


@pytest.mark.parametrize("n", [12, 300, 20_000, 200_000])
def test_no_step_is_left(n):
    x, target, nontarget = simulated(n, seed=n)
    line = fit_line(x, target, nontarget)
    step, _ = newton_step(x, target, nontarget, line.intercept, line.slope)
    assert np.abs(step) == pytest.approx([0, 0], abs=1e-10 * abs(line.slope))
    offset = fit_offset(x, target, nontarget)
    total = float((1 / (1 + np.exp(-(offset + x)))).sum())
    assert total == pytest.approx(target.sum(), rel=1e-11)


@pytest.mark.parametrize("seed", range(5))
def test_against_scikit_learn(seed):
    x, target, _ = simulated(400, seed)
    model = LogisticRegression(C=np.inf, tol=1e-12, max_iter=1000).fit(x[:, None], target)
    counts = db.Counts.from_arrays(x, target, scale="ln_lr")
    line = db.calibration_line(counts, p_target=0.5)
    assert [line.slope, line.intercept] == pytest.approx([model.coef_[0, 0], model.intercept_[0]], rel=1e-6)
    share = target.mean()
    log_odds = x + math.log(share / (1 - share))
    root = brentq(lambda a: (1 / (1 + np.exp(-(a + log_odds)))).sum() - target.sum(), -20, 20, xtol=1e-13)
    assert db.calibration_intercept(counts) == pytest.approx(root, abs=1e-11)


overlapping = st.lists(st.tuples(st.integers(-40, 40), st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=10)


def columns(rows: list[tuple[int, int, int]]) -> tuple[Any, Any, Any]:
    x = np.array(sorted({x for x, _, _ in rows}), dtype=float) / 8
    target = np.array([sum(k for at, k, _ in rows if at == 8 * value) for value in x])
    nontarget = np.array([sum(m for at, _, m in rows if at == 8 * value) for value in x])
    kept = target + nontarget > 0
    return x[kept], target[kept], nontarget[kept]


def fitted(x: Any, target: Any, nontarget: Any) -> Any:
    try:
        line = fit_line(x, target, nontarget)
    except db.UndefinedMetricError as error:
        return error.reason
    return np.array([line.intercept, line.slope])


@given(overlapping, st.sampled_from([1e-200, 1e-6, 0.5, 1e9]), st.sampled_from([0.0, -3.0, 40.0]))
@few
def test_affine_maps_mirror_and_swap(rows, scale, shift):
    x, target, nontarget = columns(rows)
    if not (target.any() and nontarget.any()):
        return
    line = fitted(x, target, nontarget)
    moved = fitted((x + shift) * scale, target, nontarget)
    mirrored = fitted(-x[::-1], target[::-1], nontarget[::-1])
    swapped = fitted(x, nontarget, target)
    if isinstance(line, str):
        separated = min(x[target > 0]) >= max(x[nontarget > 0]) or max(x[target > 0]) <= min(x[nontarget > 0])
        assert separated
        assert line == moved == mirrored == swapped == "separated"
        return
    intercept, slope = line
    size = 1 + abs(intercept) + abs(slope)
    assert moved[1] * scale == pytest.approx(slope, abs=1e-9 * size)
    assert moved[0] == pytest.approx(intercept - slope * shift, abs=1e-9 * size * (1 + abs(shift)))
    assert mirrored == pytest.approx([intercept, -slope], abs=1e-10 * size)
    assert swapped == pytest.approx([-intercept, -slope], abs=1e-10 * size)
    step, _ = newton_step(x, target, nontarget, intercept, slope)
    assert np.abs(step).max() <= 1e-10 * size


many = st.lists(st.tuples(st.integers(-40, 40), st.integers(0, 3), st.integers(0, 3)), min_size=20, max_size=80)


@given(many)
@few
def test_pieces_change_nothing(rows):
    x, target, nontarget = columns(rows)
    if not (target.any() and nontarget.any()):
        return
    whole = fitted(x, target, nontarget)
    offset = fit_offset(x, target, nontarget)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logistic_cells, "PIECES", 16)
        pieces = fitted(x, target, nontarget)
        assert fit_offset(x, target, nontarget) == pytest.approx(offset, abs=1e-10)
    assert pieces == whole if isinstance(whole, str) else pieces == pytest.approx(whole, rel=1e-8, abs=1e-10)


def reason(metric: Any, counts: db.Counts, **options: Any) -> str:
    with pytest.raises(db.UndefinedMetricError) as caught:
        metric(counts, **options)
    return str(caught.value.reason)


def test_no_line():
    certain = db.Counts.from_classes([1.0, 0.3], [0.6, 0.2], scale="probability")
    assert reason(db.calibration_line, certain) == reason(db.calibration_intercept, certain) == "infinite_end"
    apart = db.Counts.from_classes([0.6, 0.9], [0.6, 0.2], scale="probability")
    assert reason(db.calibration_line, apart) == "separated"
    assert math.isfinite(db.calibration_intercept(apart))
    backwards = db.Counts.from_classes([0.2, 0.3], [0.3, 0.9], scale="probability")
    assert reason(db.calibration_line, backwards) == "separated"


def test_a_line_where_newtons_method_is_lost():
    counts = db.Counts([0, 1, 2], [1, 100, 10], [10_000, 1, 0], scale="ln_lr")
    line = db.calibration_line(counts, p_target=0.5)
    step, _ = newton_step(counts.score, counts.n_target, counts.n_nontarget, line.intercept, line.slope)
    assert np.abs(step).max() <= 1e-10
    # As good as the line through the two lower scores, whose log-odds are ∓ln 10000 and ln 100.
    assert line.slope == pytest.approx(math.log(10_000) + math.log(100), abs=1e-3)


def test_a_target_that_is_certain_leaves_the_line_to_the_others():
    # 2 targets and 3 nontargets without any trend: at 10^300 all but a slope of 0 is certainty.
    far = db.Counts.from_classes([1.0, 2.0, 1e300], [0.0, 1.5, 3.0], scale="ln_lr")
    line = db.calibration_line(far, p_target=0.5)
    assert line.intercept == pytest.approx(math.log(2 / 3), rel=1e-12)
    assert 0.0 < line.slope < 1e-290


counted = st.integers(0, 9).map(lambda power: 10**power)
steep = st.lists(st.tuples(st.integers(-300, 300), counted, counted, st.integers(0, 2)), min_size=3, max_size=7)


@given(steep)
@few
def test_every_overlap_has_a_line(rows):
    rows = sorted({x: (k if which != 1 else 0, m if which != 2 else 0) for x, k, m, which in rows}.items())
    x = np.array([row[0] / 7.0 for row in rows])
    target, nontarget = (np.array([row[1][side] for row in rows]) for side in (0, 1))
    found = fitted(x, target, nontarget) if target.any() and nontarget.any() else "separated"
    assert np.isfinite(found).all() if not isinstance(found, str) else found == "separated"


@pytest.mark.parametrize("gap", [1.0, 40.0, 80.0, 600.0])
def test_an_intercept_where_all_probabilities_are_certain(gap):
    # By symmetry the shift puts the two trials at −gap/2 and gap/2, whatever a probability rounds to there.
    counts = db.Counts.from_classes([0.0], [gap], scale="ln_lr")
    assert db.calibration_intercept(counts, p_target=0.5) == pytest.approx(-gap / 2, rel=1e-14)
    pairs = db.Counts([0.0, gap], [4, 0], [0, 4], scale="ln_lr")
    assert db.calibration_intercept(pairs, p_target=0.5) == pytest.approx(-gap / 2, rel=1e-14)


@pytest.mark.parametrize("far", [1e3, 1e50, 1e140])
def test_one_value_very_far_away(far):
    counts = db.Counts.from_classes([0.0, 2.0, 3.0, far], [-1.0, 1.0], scale="ln_lr")
    line = db.calibration_line(counts, p_target=0.5)
    # The far target is as good as certain, so that the others alone decide.
    near = db.calibration_line(db.Counts.from_classes([0.0, 2.0, 3.0], [-1.0, 1.0], scale="ln_lr"), p_target=0.5)
    assert [line.intercept, line.slope] == pytest.approx([near.intercept, near.slope], rel=1e-10)


def test_posteriors_that_round_to_one_are_not_certain():
    counts = db.Counts.from_classes([700.0, 2.0], [800.0, -1.0], scale="ln_lr")
    assert (db.brier_murphy(counts, p_target=0.5, binning="unique").reliability) > 0
    assert math.isfinite(db.calibration_line(counts, p_target=0.5).slope)


def test_huge_log_odds_have_an_intercept():
    assert fit_offset(np.array([1e300]), np.array([1]), np.array([1])) == -1e300
    assert fit_offset(np.array([-1e308, 1e308]), np.array([0, 1]), np.array([1, 1])) == pytest.approx(-1e308)


def test_nearly_separated_millions():
    n = 200_000
    x, target = np.sort(np.random.default_rng(0).normal(size=n)), (np.arange(n) >= n // 2).astype(np.int64)
    target[n // 2 - 2] = 1
    line = fit_line(x, target, 1 - target)
    step, _ = newton_step(x, target, 1 - target, line.intercept, line.slope)
    assert np.abs(step).max() <= 1e-9 * line.slope

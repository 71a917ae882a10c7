"""The logistic line against SciPy, against closed forms, and under affine maps."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import deciban as db
from deciban.errors import InputError, OptionError, SingleClassError, UndefinedMetricError
from deciban.passes.logistic import fit_lr_line as fit
from deciban.passes.logistic import separated
from deciban.passes.logistic_cells import PIECES, join
from tests.test_lr_bounds import vectors


def by_scipy(x: Any, n1: Any, n0: Any, prior: float) -> Any:
    theta = math.log(prior / (1 - prior))

    def cost(line: Any) -> float:
        z = line[0] * x + line[1] + theta
        of_target, of_nontarget = np.dot(n1, np.logaddexp(0, -z)) / n1.sum(), np.dot(n0, np.logaddexp(0, z)) / n0.sum()
        return float(prior * of_target + (1 - prior) * of_nontarget)

    best = minimize(cost, [0.0, 0.0], method="BFGS", options={"gtol": 1e-10})
    return best.x, cost


@pytest.mark.parametrize("prior", [0.5, 0.01, 0.9])
def test_fit_agrees_with_scipy(prior):
    generator = np.random.default_rng(31)
    for _ in range(20):
        x = np.sort(generator.normal(0, 1, 60))
        n1, n0 = (generator.integers(0, 4, 60) * (generator.random(60) < 0.7) for _ in "ab")
        n1[[0, -1]], n0[[0, -1]] = 1, 1
        line = fit(x, n1, n0, prior=prior)
        (slope, offset), cost = by_scipy(x, n1, n0, prior)
        assert (line.slope, line.intercept) == pytest.approx((slope, offset), rel=1e-4, abs=1e-4)
        assert cost([line.slope, line.intercept]) <= cost([slope, offset]) + 1e-14


def test_stored_lines():
    (vector,) = vectors("logreg_llr_calibration")
    given, expected = vector["input"], vector["expected"]
    counts = db.Counts.from_classes(given["target_scores"], given["nontarget_scores"])
    for prior in (0.5, 0.001, 0.99):
        # Two scores: the line goes through both log ratios, whatever the prior.
        line = fit(counts.score, counts.n_target, counts.n_nontarget, prior=prior)
        assert line.slope == pytest.approx(expected["slope"], rel=1e-10)
        assert line.intercept == pytest.approx(expected["offset"], rel=1e-10)


@pytest.mark.parametrize(("scale", "shift"), [(1e-300, 0.0), (1e300, 0.0), (-2.0, 7.0), (1e-6, 1e3), (3.0, -1e6)])
def test_an_affine_map_maps_the_line_and_nothing_else(scale, shift):
    generator = np.random.default_rng(32)
    x = np.sort(generator.normal(0, 1, 200))
    n1, n0 = generator.integers(0, 3, 200), generator.integers(0, 3, 200)
    line = fit(x, n1, n0)
    mapped = fit(x * scale + shift, n1, n0)
    tolerance = 1e-10 if abs(shift) < 10 else 1e-5
    assert mapped.slope * scale == pytest.approx(line.slope, rel=tolerance)
    assert mapped.intercept + mapped.slope * shift == pytest.approx(line.intercept, rel=tolerance, abs=tolerance)


def test_exchanging_the_classes_turns_the_line_over():
    generator = np.random.default_rng(33)
    x = np.sort(generator.normal(0, 1, 100))
    n1, n0 = generator.integers(0, 3, 100), generator.integers(0, 3, 100)
    line, other = fit(x, n1, n0, prior=0.2), fit(x, n0, n1, prior=0.8)
    assert (other.slope, other.intercept) == pytest.approx((-line.slope, -line.intercept), rel=1e-9)


def test_separation_is_reported():
    one, none = np.array([0, 0, 1, 2]), np.array([1, 1, 0, 0])
    x = np.array([1.0, 2, 3, 4])
    for n1, n0 in ((one, none), (none, one), (np.array([0, 0, 1, 1]), np.array([1, 1, 1, 0]))):
        assert separated(x, n1, n0)
        with pytest.raises(UndefinedMetricError) as caught:
            fit(x, n1, n0)
        assert caught.value.reason == "separated"
    assert separated(np.array([5.0]), np.array([2]), np.array([3]))
    assert not separated(x, np.array([0, 1, 0, 1]), np.array([1, 0, 1, 0]))


def test_nearly_separated_and_outlying_scores_converge():
    x = np.concatenate([np.linspace(-1, 1, 2000), [1.5]])
    n1 = np.concatenate([(np.linspace(-1, 1, 2000) > 0).astype(int), [0]])
    n0 = 1 - n1
    assert 5 < fit(x, n1, n0).slope < 50
    far = np.array([-1e6, -1.0, 0.0, 1.0, 2.0])
    line = fit(far, np.array([0, 1, 1, 2, 3]), np.array([1, 3, 2, 1, 1]))
    near = fit(np.array([-1e3, -1.0, 0.0, 1.0, 2.0]), np.array([0, 1, 1, 2, 3]), np.array([1, 3, 2, 1, 1]))
    assert line.slope == pytest.approx(near.slope, rel=1e-6)


def test_large_data_and_their_pieces():
    generator = np.random.default_rng(34)
    ln = generator.normal(2, 2, 30_000), generator.normal(-2, 2, 70_000)
    counts = db.Counts.from_classes(*ln, scale="ln_lr")
    line = fit(counts.score, counts.n_target, counts.n_nontarget)
    assert (line.slope, line.intercept) == pytest.approx((1.0, 0.0), abs=0.03)
    x, n1, n0 = join(counts.score, counts.n_target, counts.n_nontarget)
    assert x.size <= PIECES
    assert (n1.sum(), n0.sum()) == (30_000, 70_000)
    assert np.dot(n1, x) == pytest.approx(ln[0].sum(), rel=1e-3)
    assert fit(x, n1, n0).slope == pytest.approx(line.slope, rel=1e-3)
    # The gradient over all of the data vanishes at the line.
    p = 1 / (1 + np.exp(-(line.slope * counts.score + line.intercept)))
    residual = counts.n_target / 30_000 * (1 - p) - counts.n_nontarget / 70_000 * p
    assert abs(residual.sum()) < 1e-12
    assert abs(np.dot(residual, counts.score)) < 1e-11


def test_scores_too_large_to_add_up():
    x = 1e308 * np.linspace(-1, 1, 2 * PIECES)
    n = np.ones(x.size, dtype=int)
    assert join(x, n, n)[0].size <= PIECES
    assert fit(x, n, n).slope == pytest.approx(0.0, abs=1e-310)


def test_what_cannot_be_fitted():
    x, n = np.array([0.0, 1.0]), np.array([1, 1])
    with pytest.raises(InputError, match="finite"):
        fit(np.array([-np.inf, 1.0]), n, n)
    with pytest.raises(SingleClassError):
        fit(x, n, 0 * n)
    with pytest.raises(OptionError):
        fit(x, n, n, prior=1.0)

"""Logistic regression on one variable from counts: the straight line that best turns scores into log LRs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from deciban.arrays import AnyArray, Floats
from deciban.errors import InputError, OptionError, SingleClassError, UndefinedMetricError
from deciban.log_domain import chunks, log_odds

PIECES: Final = 4096
"""Larger data are first fitted as this many pieces, which leaves two or three steps over the whole."""

LARGE: Final = 1e290
"""Scores beyond this one are not summed."""

STEPS: Final = 100
TOLERANCE: Final = 1e-9
"""A step smaller than this, relative to the line, is the last: each one squares the error."""

ROUNDING: Final = 1e-13
"""A rise of the objective, which is of order 1, that says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The fitted line ln LR = slope · x + offset.

    Attributes
    ----------
    slope, offset
        In the unit of x.
    converged
        Whether the last step was negligible.
    steps
        Newton steps over all of the data.
    """

    slope: float
    offset: float
    converged: bool
    steps: int


@dataclass(frozen=True, slots=True)
class _Weighted:
    """Standardised scores with the weight of the targets and of all trials at each; weights sum to 1."""

    x: Floats
    target: Floats
    both: Floats
    theta: float


@dataclass(frozen=True, slots=True)
class _Local:
    """The objective at a line, its slope and its curvature there."""

    value: float
    gradient: tuple[float, float]
    curvature: tuple[float, float, float]

    @property
    def determinant(self) -> float:
        """Of the curvature; 0 where the objective is flat to the last digit."""
        haa, hab, hbb = self.curvature
        return haa * hbb - hab * hab

    def step(self) -> tuple[float, float]:
        """Newton's step."""
        (ga, gb), (haa, hab, hbb) = self.gradient, self.curvature
        return (hab * gb - hbb * ga) / self.determinant, (hab * ga - haa * gb) / self.determinant


def separated(x: Floats, n_target: AnyArray, n_nontarget: AnyArray) -> bool:
    """Whether a threshold parts the classes, either way round, so that no finite slope is best.

    Scores that are all equal count as separated: any slope is as good as any other.
    """
    targets, nontargets = x[n_target > 0], x[n_nontarget > 0]
    return bool(targets.min() >= nontargets.max() or nontargets.min() >= targets.max())


def in_pieces(x: Floats, n_target: AnyArray, n_nontarget: AnyArray) -> tuple[Floats, AnyArray, AnyArray]:
    """Join neighbours into a few thousand pieces, each class at its own mean: nearly the same line, in no time.

    Data of few distinct scores are returned as they are, and so are scores whose sums could overflow.
    """
    if x.size <= PIECES or max(abs(x[0]), abs(x[-1])) > LARGE:
        return x, n_target, n_nontarget
    starts = np.linspace(0, x.size, PIECES // 2, endpoint=False).astype(np.intp)
    places, weights = [], []
    for n in (n_target, n_nontarget):
        weight = np.add.reduceat(n, starts)
        held = weight > 0
        places.append(np.add.reduceat(n * x, starts)[held] / weight[held])
        weights.append(weight[held])
    of_target = np.repeat([1, 0], [place.size for place in places])
    joined = np.concatenate(weights)
    return np.concatenate(places), joined * of_target, joined * (1 - of_target)


def fit(x: Floats, n_target: AnyArray, n_nontarget: AnyArray, *, prior: float = 0.5) -> Line:
    """Fit ln LR = a·x + b by maximum likelihood, each class with the weight of its prior.

    Minimises π·mean_targets softplus(−(a·x + b) − θ) + (1 − π)·mean_nontargets softplus(a·x + b + θ), θ = logit π, by
    Newton's method on standardised scores, so that an affine map of the scores maps the line and nothing else.

    Parameters
    ----------
    x
        Finite scores, shape (u,).
    n_target, n_nontarget
        Trials, or weights, of each class at each score, shape (u,).
    prior
        Prior π of the target, strictly between 0 and 1.

    Returns
    -------
    Line
        Slope, offset and whether the search converged.

    Raises
    ------
    InputError
        When a score is infinite.
    SingleClassError
        When a class is empty.
    UndefinedMetricError
        When a threshold parts the classes: no finite slope is best (reason ``separated``).

    References
    ----------
    Brümmer and du Preez (2006), Application-independent evaluation of speaker detection, CSL 20.

    Examples
    --------
    >>> import numpy as np
    >>> line = fit(np.array([-1.0, 1.0]), np.array([1, 3]), np.array([4, 1]))
    >>> round(line.slope, 10), round(line.offset, 10)
    (1.2424533249, 0.0793025151)
    """
    if not 0.0 < prior < 1.0:
        raise OptionError(f"prior: expected a probability strictly between 0 and 1, found {prior!r}")
    n1, n0 = float(n_target.sum()), float(n_nontarget.sum())
    if n1 == 0.0 or n0 == 0.0:
        raise SingleClassError(f"a logistic fit needs both classes: found {n1:g} targets and {n0:g} nontargets")
    if not np.isfinite(x).all():
        raise InputError("a logistic fit needs finite scores: leave infinite ones out and say so")
    if separated(x, n_target, n_nontarget):
        raise UndefinedMetricError("a threshold parts the classes, so that no finite slope is best", "separated")
    target, nontarget = n_target * (prior / n1), n_nontarget * ((1.0 - prior) / n0)
    scaled, centre, spread = _standardised(x, target + nontarget)
    theta = log_odds(prior)
    a, b = 0.0, 0.0
    if x.size > PIECES:
        a, b, _, _ = _descend(_weighted(*in_pieces(scaled, target, nontarget), theta), a, b)
    a, b, steps, converged = _descend(_weighted(scaled, target, nontarget, theta), a, b)
    slope = a / spread
    return Line(slope=slope, offset=b - slope * centre, converged=converged, steps=steps)


def _weighted(x: Floats, target: Floats, nontarget: Floats, theta: float) -> _Weighted:
    return _Weighted(x, target, target + nontarget, theta)


def _standardised(x: Floats, weight: Floats) -> tuple[Floats, float, float]:
    """Scores with weighted mean 0 and variance 1, and the mean and deviation that were taken out."""
    # Halves first: the range of doubles near the largest overflows, and its square would long before.
    low, high = float(x.min()), float(x.max())
    middle, half = low / 2.0 + high / 2.0, high / 2.0 - low / 2.0
    scaled = (x - middle) / half
    mean = float(np.dot(weight, scaled))
    scaled -= mean
    deviation = math.sqrt(float(np.dot(weight * scaled, scaled)))
    scaled /= deviation
    return scaled, middle + half * mean, half * deviation


def _descend(data: _Weighted, a: float, b: float) -> tuple[float, float, int, bool]:
    """Newton's method from a line; a step that raises the objective is halved until it does not."""
    here = _at(data, a, b)
    for steps in range(1, STEPS + 1):
        if here.determinant <= 0.0:
            return a, b, steps, False
        da, db = here.step()
        small = abs(da) + abs(db) <= TOLERANCE * (1.0 + abs(a) + abs(b))
        if small:
            return a + da, b + db, steps, True
        there = _at(data, a + da, b + db)
        while there.value > here.value + ROUNDING and abs(da) + abs(db) > TOLERANCE * (1.0 + abs(a) + abs(b)):
            da, db = da / 2.0, db / 2.0
            there = _at(data, a + da, b + db)
        a, b, here = a + da, b + db, there
    return a, b, STEPS, False


def _at(data: _Weighted, a: float, b: float) -> _Local:
    """Objective, gradient and curvature at a line, in chunks that stay in the processor's cache."""
    value, ga, gb, haa, hab, hbb = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for part in chunks(data.x.size):
        x, target, both = data.x[part], data.target[part], data.both[part]
        z = a * x
        z += b + data.theta
        small = np.exp(-np.abs(z))
        p = np.where(z >= 0.0, 1.0, small)
        small += 1.0
        p /= small
        # Σ w·softplus(z) − w1·z: the cost of both classes at once, for softplus(−z) = softplus(z) − z.
        value += float(np.dot(both, np.maximum(z, 0.0)) + np.dot(both, np.log(small)) - np.dot(target, z))
        residual = both * p
        curvature = residual * (1.0 - p)
        residual -= target
        ga += float(np.dot(residual, x))
        gb += float(residual.sum())
        weighted = curvature * x
        haa += float(np.dot(weighted, x))
        hab += float(weighted.sum())
        hbb += float(curvature.sum())
    return _Local(value, (ga, gb), (haa, hab, hbb))

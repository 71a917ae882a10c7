"""Logistic regression on several columns at once, each class with the weight of a prior: Newton's method."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from deciban.errors import UndefinedMetricError
from deciban.values.arrays import AnyArray, Floats
from deciban.values.log_domain import expit_pair, log_odds, softplus

STEPS: Final = 1000
"""Steps before giving up; ordinary data need ten, one number 10^100 times as far away as the others about 500."""

LARGEST: Final = float(np.finfo(np.float64).max)
FARTHEST: Final = 2.0**500
"""How many times as far away as the others a number may be: sums of squares then neither overflow nor vanish."""

DONE: Final = 1e-9
"""Relative change of log-odds after which the next step would be rounding."""

REPEATED: Final = 1e-12
"""Least eigenvalue of the correlations below which columns differ by rounding only."""


@dataclass(frozen=True, slots=True)
class Plane:
    """ln LR = Σ slope · (column − centre) + offset, and what it costs (in nats, penalty included).

    Each centre is one of the numbers in its column, so that columns far from 0 keep their digits.
    """

    slopes: Floats
    centres: Floats
    offset: float
    loss: float


def fit_plane(
    columns: Floats,
    n_target: AnyArray,
    n_nontarget: AnyArray,
    *,
    prior: float = 0.5,
    penalty: float = 0.0,
    centred: bool = False,
) -> Plane:
    """Fit ln LR = Σ a·x + b by maximum likelihood, each class with the weight of its prior.

    Parameters
    ----------
    columns
        Finite numbers, shape (u, k); k may be 0.
    n_target, n_nontarget
        Trials, or weights, of each class in each row, shape (u,); both classes present.
    prior
        Prior π of the target.
    penalty
        Half of it times the sum of squared slopes, each per standard deviation of its column, is added to the loss.
    centred
        Whether each column is a distance already, so that its centre is 0; else it is the median.

    Raises
    ------
    UndefinedMetricError
        Reason ``separated`` when some slopes part the classes, so that none are best; ``zero_variance`` when a column
        is constant; ``not_converged`` when columns repeat each other, a number is farther from the others than can be
        computed with, or a slope is beyond the largest double.
    """
    weight1 = n_target * (prior / float(n_target.sum()))
    weight0 = n_nontarget * ((1.0 - prior) / float(n_nontarget.sum()))
    share = np.where(np.abs(columns).max(axis=0, initial=0.0) > LARGEST / 8.0, 0.125, 1.0)
    centre, width = _centres_and_widths(columns if (share == 1.0).all() else columns * share)
    if centred:
        centre = np.zeros(centre.size)
    x = np.column_stack([(columns * share - centre) / width, np.ones(len(columns))])
    ridge = np.append(penalty * _variances(x[:, :-1], weight1 + weight0) if penalty else np.zeros(width.size), 0.0)
    if not penalty and repeated(x[:, :-1], weight1 + weight0):
        raise UndefinedMetricError(
            "columns repeat each other: one follows from others by a straight line; leave it out", "not_converged"
        )
    with np.errstate(over="ignore", invalid="ignore"):
        found, loss = _newton(x, weight1, weight0, log_odds(prior), ridge)
        slopes = found[:-1] / width * share
    if not np.isfinite(slopes).all():
        raise UndefinedMetricError(
            "a slope is beyond the largest double: the numbers in its column are too close together; rescale them",
            "not_converged",
        )
    return Plane(slopes, centre / share, float(found[-1]), loss)


def _centres_and_widths(columns: Floats) -> tuple[Floats, Floats]:
    """Median of each column and distance of its quartiles, or of its ends where that is 0.

    Unlike mean and standard deviation they keep the digits of the other numbers when one is very far away.
    """
    size = len(columns)
    places = [(size - 1) * quarter // 4 for quarter in (0, 1, 2, 3, 4)]
    lowest, low, centre, high, highest = np.partition(columns, sorted(set(places)), axis=0)[places]
    if (highest == lowest).any():
        raise UndefinedMetricError("all values of a column are equal: nothing can be fitted to them", "zero_variance")
    width = np.where(high > low, high - low, highest - lowest)
    far = float(((highest - lowest) / FARTHEST - width).max(initial=0.0))
    if far > 0.0:
        raise UndefinedMetricError(
            f"a number lies more than {FARTHEST:.0e} times as far from the others as these from one another, which "
            "cannot be computed with: leave it out and say so",
            "not_converged",
        )
    return centre, width


def _variances(x: Floats, weight: Floats) -> Floats:
    mean = weight @ x
    return np.asarray(weight @ (x - mean) ** 2)


def repeated(x: Floats, weight: Floats) -> bool:
    """Whether some columns say what others do: slopes that cancel one another would fit as well.

    What columns and 1 cancel to in all rows, they cancel to in any multiple of a row: rows of length 1 keep one that
    is very far away from drowning the others.
    """
    if x.shape[1] < 2:
        return False
    rows = np.column_stack([x, np.ones(len(x))])
    rows *= np.sqrt(weight / np.einsum("ij,ij->i", rows, rows))[:, None]
    squares = rows.T @ rows
    size = np.sqrt(np.diag(squares))
    return bool(np.linalg.eigvalsh(squares / np.outer(size, size))[0] < REPEATED)


def _newton(x: Floats, weight1: Floats, weight0: Floats, theta: float, ridge: Floats) -> tuple[Floats, float]:
    """Coefficients and loss; a step that would raise the loss is halved until it does not."""
    at = np.zeros(x.shape[1])
    loss = _loss(x @ at, weight1, weight0, theta, float(ridge @ at**2))
    for _ in range(STEPS):
        values = x @ at
        p, rest = expit_pair(values + theta)
        slope = x.T @ (weight1 * rest - weight0 * p) - ridge * at
        curvature = (x.T * ((weight1 + weight0) * p * rest)) @ x + np.diag(ridge)
        _refuse_separated(values, weight1, weight0, ridge)
        step = _step(curvature, slope)
        if step is None:
            break
        change = x @ step
        if float(np.max(np.abs(change) / (1.0 + np.abs(values)))) <= DONE:
            at = at + step
            return at, _loss(x @ at, weight1, weight0, theta, float(ridge @ at**2))
        share, after = 1.0, math.inf
        while share > 2.0**-40:
            after = _loss(values + share * change, weight1, weight0, theta, float(ridge @ (at + share * step) ** 2))
            if after <= loss * (1.0 + 1e-14):
                break
            share /= 2.0
        at, loss = at + share * step, after
    raise UndefinedMetricError(
        "no slopes found: columns repeat each other, numbers are too far from the others, or only ties keep the "
        "classes from being parted",
        "not_converged",
    )


def _step(curvature: Floats, slope: Floats) -> Floats | None:
    """Solve curvature · step = slope; None where there is no curvature in some direction.

    In units in which every coefficient has the same curvature. Where rounding has left two coefficients together none,
    as one number that is very far away does, a little is added: such a step is too short, but goes the right way.
    """
    diagonal = np.diag(curvature)
    if not ((diagonal > 0.0) & np.isfinite(diagonal)).all():
        return None
    unit = 1.0 / np.sqrt(diagonal)
    scaled = curvature * unit[:, None] * unit
    for added in (0.0, REPEATED):
        try:
            step = unit * np.linalg.solve(scaled + added * np.eye(unit.size), unit * slope)
        except np.linalg.LinAlgError:
            continue
        if np.isfinite(step).all() and step @ slope >= 0.0:
            return np.asarray(step)
    return None


def _loss(values: Floats, weight1: Floats, weight0: Floats, theta: float, squares: float) -> float:
    log_odds = values + theta
    return float(weight1 @ softplus(-log_odds) + weight0 @ softplus(log_odds) + 0.5 * squares)


def _refuse_separated(values: Floats, weight1: Floats, weight0: Floats, ridge: Floats) -> None:
    if not ridge.any() and values[weight1 > 0.0].min() > values[weight0 > 0.0].max():
        raise UndefinedMetricError(
            "some slopes part targets and nontargets: the steeper the better, and none are best", "separated"
        )

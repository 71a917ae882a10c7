"""Logistic regression on several columns at once, each class with the weight of a prior: Newton's method."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from deciban.arrays import AnyArray, Floats
from deciban.errors import UndefinedMetricError
from deciban.log_domain import expit_pair, log_odds, softplus

STEPS: Final = 200
DONE: Final = 1e-9
"""Relative change of log-odds after which the next step would be rounding."""

REPEATED: Final = 1e-12
"""Least eigenvalue of the correlations below which columns differ by rounding only."""


@dataclass(frozen=True, slots=True)
class Plane:
    """ln LR = Σ slope · column + offset, and what it costs (in nats, penalty included)."""

    slopes: Floats
    offset: float
    loss: float


def fit_plane(
    columns: Floats, n_target: AnyArray, n_nontarget: AnyArray, *, prior: float = 0.5, penalty: float = 0.0
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

    Raises
    ------
    UndefinedMetricError
        Reason ``separated`` when some slopes part the classes, so that none are best; ``zero_variance`` when a column
        is constant; ``not_converged`` when columns repeat each other.
    """
    weight1 = n_target * (prior / float(n_target.sum()))
    weight0 = n_nontarget * ((1.0 - prior) / float(n_nontarget.sum()))
    both = weight1 + weight0
    centre = both @ columns
    spread = np.sqrt(both @ (columns - centre) ** 2)
    # By its values: around the rounded mean of equal numbers a spread of rounding is left.
    if (columns.max(axis=0, initial=-math.inf) == columns.min(axis=0, initial=math.inf)).any() or (spread == 0.0).any():
        raise UndefinedMetricError("all values of a column are equal: nothing can be fitted to them", "zero_variance")
    x = np.column_stack([(columns - centre) / spread, np.ones(len(columns))])
    ridge = np.append(np.full(columns.shape[1], penalty), 0.0)
    _refuse_repeated(x[:, :-1], both, ridge)
    found, loss = _newton(x, weight1, weight0, log_odds(prior), ridge)
    slopes = found[:-1] / spread
    return Plane(slopes, float(found[-1] - slopes @ centre), loss)


def _refuse_repeated(x: Floats, both: Floats, ridge: Floats) -> None:
    """Columns of which some say what others do: slopes that cancel one another would fit as well."""
    if x.shape[1] > 1 and not ridge.any() and np.linalg.eigvalsh((x.T * both) @ x)[0] < REPEATED:
        raise UndefinedMetricError(
            "columns repeat each other: one follows from others by a straight line; leave it out", "not_converged"
        )


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
        try:
            step = np.linalg.solve(curvature, slope)
        except np.linalg.LinAlgError:
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
        "no slopes found: columns repeat each other, or only ties keep the classes from being parted", "not_converged"
    )


def _loss(values: Floats, weight1: Floats, weight0: Floats, theta: float, squares: float) -> float:
    log_odds = values + theta
    return float(weight1 @ softplus(-log_odds) + weight0 @ softplus(log_odds) + 0.5 * squares)


def _refuse_separated(values: Floats, weight1: Floats, weight0: Floats, ridge: Floats) -> None:
    if not ridge.any() and values[weight1 > 0.0].min() > values[weight0 > 0.0].max():
        raise UndefinedMetricError(
            "some slopes part targets and nontargets: the steeper the better, and none are best", "separated"
        )

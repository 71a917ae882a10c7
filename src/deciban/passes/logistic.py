"""Logistic regression of the class on one variable, by maximum likelihood on counts.

Every trial may count alike (:func:`fit_line`, :func:`fit_offset`: the calibration of stated log-odds), or each class
with the weight of a prior (:func:`fit_lr_line`: the straight line that best turns scores into log LRs).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from deciban.counts.columns import ends
from deciban.errors import InputError, SingleClassError, UndefinedMetricError
from deciban.passes.logistic_cells import PIECES, Cells
from deciban.passes.logistic_steps import best, best_slope, root
from deciban.values.arrays import AnyArray, Floats
from deciban.values.log_domain import log_odds as log_odds_of
from deciban.values.scale import check_prior

FARTHEST: Final = 2.0**400
"""How many widths a value may be away where squares of such distances are added up, as a variance does."""


@dataclass(frozen=True, slots=True)
class Line:
    """The line ``intercept + slope·x`` that makes the trials most probable as log-odds of a target."""

    intercept: float
    slope: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LrLine:
    """The line ln LR = slope · (x − centre) + offset; the centre is one of the values fitted.

    Far from 0 values differ by little of their size, which a line written with its intercept at 0 would lose.
    """

    slope: float
    centre: float
    offset: float

    @property
    def intercept(self) -> float:
        """The log LR at 0."""
        return self.offset - self.slope * self.centre


@dataclass(frozen=True, slots=True)
class _Fitted:
    """Log-odds a + b · (x − centre)/width."""

    a: float
    b: float
    centre: float
    width: float


def fit_line(x: Floats, n_target: AnyArray, n_nontarget: AnyArray) -> Line:
    """Fit intercept and slope, every trial counting alike.

    Parameters
    ----------
    x
        Log-odds (or scores) in increasing order, shape (u,).
    n_target, n_nontarget
        Trials or weight of each class at each, shape (u,); both classes present.

    Raises
    ------
    UndefinedMetricError
        Reason ``infinite_end`` when a value is infinite; ``separated`` when no target lies below a nontarget, or none
        above one, so that no finite line is best; ``not_converged`` when its slope is beyond the largest double.
    """
    _refuse_infinite(x)
    _refuse_separated(x, n_target, n_nontarget)
    found = _fit(x, n_target, n_nontarget)
    return Line(found.a - found.b * (found.centre / found.width), found.b / found.width)


def fit_offset(x: Floats, n_target: AnyArray, n_nontarget: AnyArray) -> float:
    """Fit the intercept alone, the slope being 1; parameters as for :func:`fit_line`.

    Raises
    ------
    UndefinedMetricError
        Reason ``infinite_end`` when a value is infinite.
    """
    _refuse_infinite(x)
    cells = Cells(x, n_target, n_nontarget, float(n_target.sum() + n_nontarget.sum()))
    log_odds = math.log(float(n_target.sum()) / float(n_nontarget.sum()))
    shift = log_odds - float(x[x.size // 2])
    with np.errstate(over="ignore"):
        if cells.many:
            shift = root(cells.joined(PIECES, 0, x.size - 1), shift, log_odds)
        return root(cells, shift, log_odds)


def fit_lr_line(
    x: Floats, n_target: AnyArray, n_nontarget: AnyArray, *, prior: float = 0.5, penalty: float = 0.0
) -> LrLine:
    """Fit ln LR = a·x + b by maximum likelihood, each class with the weight of its prior.

    Minimises π·mean_targets softplus(−(a·x + b) − θ) + (1 − π)·mean_nontargets softplus(a·x + b + θ), θ = logit π,
    and with a penalty λ also + ½·λ·(a·s)², s being the standard deviation of the scores where the classes have the
    weights π and 1 − π. An affine map of the scores maps the line and nothing else.

    Parameters
    ----------
    x
        Finite scores in increasing or in decreasing order, shape (u,).
    n_target, n_nontarget
        Trials, or weights, of each class at each score, shape (u,).
    prior
        Prior π of the target, strictly between 0 and 1.
    penalty
        λ >= 0; above 0 there is a line where the classes are separated, too.

    Returns
    -------
    LrLine
        Slope, centre and the offset there; its ``intercept`` is the log LR at 0.

    Raises
    ------
    OptionError
        When the prior is none.
    InputError
        When a score is infinite.
    SingleClassError
        When a class is empty.
    UndefinedMetricError
        Reason ``separated`` when a threshold parts the classes, so that no finite slope is best; ``not_converged`` when
        it is beyond the largest double.

    References
    ----------
    Brümmer and du Preez (2006), Application-independent evaluation of speaker detection, CSL 20.

    Examples
    --------
    >>> import numpy as np
    >>> line = fit_lr_line(np.array([-1.0, 1.0]), np.array([1, 3]), np.array([4, 1]))
    >>> round(line.slope, 10), round(line.intercept, 10)
    (1.2424533249, 0.0793025151)
    """
    check_prior(prior)
    n1, n0 = float(n_target.sum()), float(n_nontarget.sum())
    if n1 == 0.0 or n0 == 0.0:
        raise SingleClassError(f"a logistic fit needs both classes: found {n1:g} targets and {n0:g} nontargets")
    if not np.isfinite(x[[0, -1]]).all():
        raise InputError("a logistic fit needs finite scores: leave infinite ones out and say so")
    if x[0] > x[-1]:
        x, n_target, n_nontarget = x[::-1], n_target[::-1], n_nontarget[::-1]
    if not penalty:
        _refuse_separated(x, n_target, n_nontarget)
    found = _fit(x, *_weighed(n_target, n_nontarget, prior), penalty=penalty)
    return LrLine(slope=found.b / found.width, centre=found.centre, offset=found.a - log_odds_of(prior))


def fit_lr_slope(x: Floats, n_target: AnyArray, n_nontarget: AnyArray, *, prior: float = 0.5) -> float:
    """Fit ln LR = a·x with a > 0 by maximum likelihood; weights as in :func:`fit_lr_line`, x in increasing order.

    Raises
    ------
    UndefinedMetricError
        Reason ``separated`` when no target lies below 0 and no nontarget above it, so that no finite slope is best;
        ``degenerate`` when no slope above 0 is better than 0.
    """
    (first1, _), (_, last0) = ends(n_target), ends(n_nontarget)
    if x[first1] >= 0.0 >= x[last0] and x[-1] > x[0]:
        raise UndefinedMetricError(
            "0 parts targets from nontargets: the larger the slope the better, and none is best", "separated"
        )
    target, nontarget = _weighed(n_target, n_nontarget, prior)
    width = float(max(-x[0], x[-1])) or 1.0
    cells = Cells(x / width, target, nontarget, float(target.sum() + nontarget.sum()))
    offset = log_odds_of(prior)
    slope = 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        for level in cells.levels():
            slope = best_slope(level, offset, slope)
    return slope / width


def _weighed(n_target: AnyArray, n_nontarget: AnyArray, prior: float) -> tuple[AnyArray, AnyArray]:
    """Weights per trial whose sums are π·N and (1 − π)·N: the fit of such cells is the posterior at the prior π."""
    n1, n0 = float(n_target.sum()), float(n_nontarget.sum())
    return n_target * (prior * ((n1 + n0) / n1)), n_nontarget * ((1.0 - prior) * ((n1 + n0) / n0))


def separated(x: Floats, n_target: AnyArray, n_nontarget: AnyArray) -> bool:
    """Whether a threshold parts the classes, either way round, so that no finite slope is best; x increases.

    Scores that are all equal count as separated: any slope is as good as any other.
    """
    (first1, last1), (first0, last0) = ends(n_target), ends(n_nontarget)
    return bool(x[first1] >= x[last0] or x[first0] >= x[last1])


def _refuse_separated(x: Floats, n_target: AnyArray, n_nontarget: AnyArray) -> None:
    if separated(x, n_target, n_nontarget):
        raise UndefinedMetricError(
            "targets and nontargets do not overlap: the steeper the line the better, and none is best", "separated"
        )


def _refuse_infinite(x: Floats) -> None:
    if not np.isfinite(x[[0, -1]]).all():
        raise UndefinedMetricError("a probability of 0 or 1 has infinite log-odds: no line fits it", "infinite_end")


def _fit(x: Floats, target: AnyArray, nontarget: AnyArray, *, penalty: float = 0.0) -> _Fitted:
    """The line through cells of two classes that overlap, or whose slope has a penalty."""
    targets, nontargets = float(target.sum()), float(nontarget.sum())
    with np.errstate(over="ignore", invalid="ignore"):
        if not math.isfinite(float(x[-1] - x[0])):
            # The ends are farther apart than the largest double: a quarter of each has the same digits.
            found = _fit(x / 4.0, target, nontarget, penalty=penalty)
            return _Fitted(found.a, found.b / 4.0, found.centre * 4.0, found.width)
        centre, width = _centre_and_width(x)
        if penalty:
            width = max(width, float(x[-1] - x[0]) / FARTHEST)
        standardised = x - centre
        standardised /= width
        if penalty:
            penalty *= _variance(standardised, target + nontarget)
        cells = Cells(standardised, target, nontarget, targets + nontargets, penalty)
        a, b = math.log(targets / nontargets), 0.0
        for level in cells.levels():
            a, b = best(level, a, b)
        return _Fitted(a, b, centre, width)


def _variance(x: Floats, weight: AnyArray) -> float:
    total = float(weight.sum())
    mean = float(np.dot(x, weight)) / total
    return float(np.dot((x - mean) ** 2, weight)) / total


def _centre_and_width(x: Floats) -> tuple[float, float]:
    """Median of the values and distance of their quartiles, or of their ends where that is 0.

    Unlike mean and standard deviation they keep the digits of the other values when one is very far away.
    """
    low, centre, high = (float(x[(x.size - 1) * quarter // 4]) for quarter in (1, 2, 3))
    return centre, high - low or float(x[-1] - x[0]) or 1.0

"""Logistic regression of the class on one variable, by maximum likelihood on counts.

Every trial may count alike (:func:`fit_line`, :func:`fit_offset`: the calibration of stated log-odds), or each class
with the weight of a prior (:func:`fit_lr_line`: the straight line that best turns scores into log LRs).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from deciban.arrays import AnyArray, Floats
from deciban.counts import ends
from deciban.errors import InputError, SingleClassError, UndefinedMetricError
from deciban.log_domain import log_odds as log_odds_of
from deciban.logistic_cells import Cells, Derivatives, shared
from deciban.scale import check_prior

DONE: Final = 1e-5
"""A step that changes log-odds by less than this is the last of many cells: what is left is about half its square."""

NEAR: Final = 1e-3
"""A step below this share is taken without looking whether the loss falls: the method converges from there."""

STEPS: Final = 2000
"""Steps before giving up; ordinary data need ten, one value 10^100 times the others about 500."""

ROUNDING: Final = 1e-15
"""Share of a number below which a step is rounding."""

FLAT: Final = 1e-10
"""Share of the curvature below which what two subtracted terms leave of it is mostly rounding."""


@dataclass(frozen=True, slots=True)
class Line:
    """The line ``intercept + slope·x`` that makes the trials most probable as log-odds of a target."""

    intercept: float
    slope: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LrLine:
    """The line ln LR = slope · x + offset."""

    slope: float
    offset: float


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
    return _fit(x, n_target, n_nontarget)


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
            shift = _root(cells.joined(0, x.size - 1), shift, log_odds)
        return _root(cells, shift, log_odds)


def fit_lr_line(x: Floats, n_target: AnyArray, n_nontarget: AnyArray, *, prior: float = 0.5) -> LrLine:
    """Fit ln LR = a·x + b by maximum likelihood, each class with the weight of its prior.

    Minimises π·mean_targets softplus(−(a·x + b) − θ) + (1 − π)·mean_nontargets softplus(a·x + b + θ), θ = logit π. An
    affine map of the scores maps the line and nothing else.

    Parameters
    ----------
    x
        Finite scores in increasing or in decreasing order, shape (u,).
    n_target, n_nontarget
        Trials, or weights, of each class at each score, shape (u,).
    prior
        Prior π of the target, strictly between 0 and 1.

    Returns
    -------
    LrLine
        Slope and offset.

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
    >>> round(line.slope, 10), round(line.offset, 10)
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
    _refuse_separated(x, n_target, n_nontarget)
    # Weights per trial whose sums are π·N and (1 − π)·N: the fit of such cells is the posterior at the prior π.
    of_target, of_nontarget = prior * ((n1 + n0) / n1), (1.0 - prior) * ((n1 + n0) / n0)
    line = _fit(x, n_target * of_target, n_nontarget * of_nontarget)
    return LrLine(slope=line.slope, offset=line.intercept - log_odds_of(prior))


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


def _fit(x: Floats, target: AnyArray, nontarget: AnyArray) -> Line:
    """The line through cells of two classes that overlap."""
    targets, nontargets = float(target.sum()), float(nontarget.sum())
    centre, width = _centre_and_width(x)
    with np.errstate(over="ignore", invalid="ignore"):
        standardised = x - centre
        standardised /= width
        cells = Cells(standardised, target, nontarget, targets + nontargets)
        a, b = math.log(targets / nontargets), 0.0
        if cells.many:
            a, b = _best(cells.joined(*shared(target, nontarget)), a, b)
        a, b = _best(cells, a, b)
        return Line(a - b * (centre / width), b / width)


def _centre_and_width(x: Floats) -> tuple[float, float]:
    """Median of the values and distance of their quartiles, or of their ends where that is 0.

    Unlike mean and standard deviation they keep the digits of the other values when one is very far away.
    """
    low, centre, high = (float(x[(x.size - 1) * quarter // 4]) for quarter in (1, 2, 3))
    with np.errstate(over="ignore"):
        return centre, high - low or float(x[-1] - x[0]) or 1.0


def _done(cells: Cells) -> float:
    """The change of log-odds with which to stop; a step more costs nothing when there are few cells."""
    return DONE if cells.many else DONE / 1000.0


def _best(cells: Cells, a: float, b: float) -> tuple[float, float]:
    """Intercept and slope: by Newton's method, or by bisection where the loss is too flat in some direction for it."""
    found = _newton(cells, a, b)
    if found is None:
        a, b = _bisected(cells, a)
        found = _newton(cells, a, b) or (a, b)
    return found


def _newton(cells: Cells, a: float, b: float) -> tuple[float, float] | None:
    """Newton's method; a step that would raise the loss is halved until it does not. None where it is lost."""
    outermost, done = cells.x[[0, -1]], _done(cells)
    for _ in range(STEPS):
        at = cells.derivatives(a, b, free_slope=True)
        step = _step(at)
        if step is None:
            return None
        da, db = step
        # Changes of log-odds are the same in whatever unit x is: at the ends as a share, and the mean where they count.
        change = float(np.max(np.abs(da + db * outermost) / (1.0 + np.abs(a + b * outermost))))
        if change <= 10.0 * done and at.a * da + at.b * db <= done**2 * at.aa:
            return a + da, b + db
        if change > NEAR:
            loss = cells.loss(a, b)
            while change > NEAR and cells.loss(a + da, b + db) > loss:
                da, db, change = da / 2.0, db / 2.0, change / 2.0
        a, b = a + da, b + db
    return None


def _step(at: Derivatives) -> tuple[float, float] | None:
    """Solve curvature · step = slope; None where rounding leaves the curvature no inverse."""
    if not (at.aa > 0.0 and math.isfinite(at.aa + at.bb + at.a + at.b)):
        return None
    rest = at.bb - at.ab * (at.ab / at.aa)
    if rest <= FLAT * at.bb:
        return None
    db = (at.b - at.a * (at.ab / at.aa)) / rest
    return (at.a - at.ab * db) / at.aa, db


def _bisected(cells: Cells, a: float) -> tuple[float, float]:
    """Intercept and slope from bounds of the slope, at each the best intercept: slow, but sure where classes overlap.

    The loss is convex, and so is its least value at each slope: its derivative changes sign once.
    """
    log_odds = a

    def rise(b: float) -> tuple[float, float]:
        a = _root(cells, log_odds, log_odds, b)
        return a, cells.derivatives(a, b, free_slope=True).b

    _, first = rise(0.0)
    inner, outer = 0.0, math.copysign(1.0, first)
    while math.isfinite(outer) and rise(outer)[1] * first > 0.0:
        inner, outer = outer, 2.0 * outer
    if not math.isfinite(outer):
        raise _not_converged()
    while abs(outer - inner) > ROUNDING * abs(outer):
        middle = inner / 2.0 + outer / 2.0
        if middle in (inner, outer):
            break
        if rise(middle)[1] * first > 0.0:
            inner = middle
        else:
            outer = middle
    return rise(outer)[0], outer


def _root(cells: Cells, a: float, log_odds: float, b: float = 1.0) -> float:
    """The intercept at which probabilities add up to the targets: Newton's method between bounds, else bisection.

    Far from the root all probabilities may be 0 or 1 to the last digit, and Newton's step then infinite.
    """
    # Were all values as low as the least (as high as the largest), this would be the intercept.
    low, high = sorted((log_odds - b * float(cells.x[-1]), log_odds - b * float(cells.x[0])))
    last = math.inf
    for _ in range(STEPS):
        at = cells.derivatives(a, b, free_slope=False)
        low, high = (a, high) if at.a > 0.0 else (low, a)
        step = at.a / at.aa if at.aa > 0.0 else math.inf
        if abs(step) <= _done(cells) + ROUNDING * abs(a):
            return a + step
        if not (low < a + step < high and abs(step) < 0.5 * last):
            step = (low / 2.0 + high / 2.0) - a
            if abs(step) <= ROUNDING * abs(a):
                return a + step
        a, last = a + step, abs(step)
    raise _not_converged()


def _not_converged() -> UndefinedMetricError:
    return UndefinedMetricError(
        "no line found: its slope is beyond the largest double; check the unit of the scores", "not_converged"
    )

"""Logistic regression of the class on one log-odds, by maximum likelihood on counts: the fit of a calibration line."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from deciban.arrays import AnyArray, Floats
from deciban.errors import UndefinedMetricError
from deciban.log_domain import chunks

PIECES: Final = 1 << 14
"""Pieces that many distinct values are joined into for all steps but the last one or two."""

DONE: Final = 1e-5
"""A step that changes log-odds by less than this is the last of many cells: what is left is about half its square."""

NEAR: Final = 1e-3
"""A step below this share is taken without looking whether the loss falls: the method converges from there."""

STEPS: Final = 2000
"""Steps before giving up; ordinary data need ten, one value 10^100 times the others about 500."""

ROUNDING: Final = 1e-15
"""Share of a number below which a step is rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """The line ``intercept + slope·x`` that makes the trials most probable as log-odds of a target.

    ``covariance`` is the inverse of the information, shape (2, 2), in the order intercept, slope (Wald intervals).
    """

    intercept: float
    slope: float
    covariance: Floats


@dataclass(frozen=True, slots=True)
class _Derivatives:
    """First derivatives of the log-likelihood in a and b, and minus its second ones."""

    a: float
    b: float
    aa: float
    ab: float
    bb: float


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """Values in increasing order with the trials of each class there; what is computed is per trial."""

    x: Floats
    target: AnyArray
    nontarget: AnyArray
    total: float

    @property
    def done(self) -> float:
        """The change of log-odds with which to stop; a step more costs nothing when there are few cells."""
        return DONE if self.x.size > PIECES else DONE / 1000.0

    def joined(self, starts: AnyArray) -> _Cells:
        """Neighbours made one cell at the middle one, from each of ``starts`` to the next."""
        middle = (starts + np.append(starts[1:], self.x.size) - 1) // 2
        target, nontarget = (np.add.reduceat(k, starts) for k in (self.target, self.nontarget))
        return _Cells(self.x[middle], target, nontarget, self.total)

    def derivatives(self, a: float, b: float, free_slope: bool) -> _Derivatives:
        """Slope and curvature of the log-likelihood; those in b only where the slope is free."""
        sums = np.zeros(5)
        for part in chunks(self.x.size):
            x, k, m = self.x[part], self.target[part], self.nontarget[part]
            log_odds = a + b * x
            small = np.exp(-np.abs(log_odds))
            large = 1.0 / (1.0 + small)
            small *= large
            # k·(1 − p) − m·p, not k − (k + m)·p: what is left of a certain trial must not round to 0.
            above = log_odds >= 0
            missed = k * np.where(above, small, large)
            missed -= m * np.where(above, large, small)
            small *= large
            small *= k + m
            sums[0] += missed.sum()
            sums[2] += small.sum()
            if free_slope:
                missed *= x
                sums[1] += missed.sum()
                small *= x
                sums[3] += small.sum()
                small *= x
                sums[4] += small.sum()
        return _Derivatives(*(sums / self.total).tolist())

    def loss(self, a: float, b: float) -> float:
        """Minus the log-likelihood."""
        log_odds = a + b * self.x
        wrong = self.target * np.maximum(-log_odds, 0.0) + self.nontarget * np.maximum(log_odds, 0.0)
        unsure = (self.target + self.nontarget) * np.log1p(np.exp(-np.abs(log_odds)))
        return float((wrong + unsure).sum()) / self.total


def fit_line(x: Floats, n_target: AnyArray, n_nontarget: AnyArray) -> Line:
    """Fit intercept and slope.

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
        above one, so that no finite line is best; ``not_converged`` when the values differ by more orders of magnitude
        than doubles can square.
    """
    _refuse_infinite(x)
    edges = _overlap(x, n_target, n_nontarget)
    targets, nontargets = float(n_target.sum()), float(n_nontarget.sum())
    centre, width = _centre_and_width(x)
    with np.errstate(over="ignore", invalid="ignore"):
        cells = _Cells((x - centre) / width, n_target, n_nontarget, targets + nontargets)
        a, b = math.log(targets / nontargets), 0.0
        if x.size > PIECES:
            a, b, _ = _newton(cells.joined(_pieces(cells.x, *edges)), a, b)
        a, b, at = _newton(cells, a, b)
        back = np.array([[1.0, -centre / width], [0.0, 1.0 / width]])
        inverse = np.linalg.inv(np.array([[at.aa, at.ab], [at.ab, at.bb]])) / cells.total
        return Line(a - b * (centre / width), b / width, back @ inverse @ back.T)


def fit_offset(x: Floats, n_target: AnyArray, n_nontarget: AnyArray) -> float:
    """Fit the intercept alone, the slope being 1; parameters as for :func:`fit_line`.

    Raises
    ------
    UndefinedMetricError
        Reason ``infinite_end`` when a value is infinite.
    """
    _refuse_infinite(x)
    cells = _Cells(x, n_target, n_nontarget, float(n_target.sum() + n_nontarget.sum()))
    log_odds = math.log(float(n_target.sum()) / float(n_nontarget.sum()))
    shift = log_odds - float(x[x.size // 2])
    with np.errstate(over="ignore"):
        if x.size > PIECES:
            shift = _root(cells.joined(_pieces(x, 0, x.size - 1)), shift, log_odds)
        return _root(cells, shift, log_odds)


def _refuse_infinite(x: Floats) -> None:
    if not np.isfinite(x[[0, -1]]).all():
        raise UndefinedMetricError("a probability of 0 or 1 has infinite log-odds: no line fits it", "infinite_end")


def _overlap(x: Floats, n_target: AnyArray, n_nontarget: AnyArray) -> tuple[int, int]:
    """Where the classes begin and end to overlap, as indices; raises when they do not."""
    (first1, last1), (first0, last0) = (_ends(n > 0) for n in (n_target, n_nontarget))
    if x[first1] >= x[last0] or x[first0] >= x[last1]:
        raise UndefinedMetricError(
            "targets and nontargets do not overlap: the steeper the line the better, and none is best", "separated"
        )
    return max(first1, first0), min(last1, last0)


def _ends(present: AnyArray) -> tuple[int, int]:
    return int(present.argmax()), present.size - 1 - int(present[::-1].argmax())


def _centre_and_width(x: Floats) -> tuple[float, float]:
    """Median of the values and distance of their quartiles, or of their ends where that is 0.

    Unlike mean and standard deviation they keep the digits of the other values when one is very far away.
    """
    low, centre, high = (float(x[(x.size - 1) * quarter // 4]) for quarter in (1, 2, 3))
    with np.errstate(over="ignore"):
        return centre, high - low or float(x[-1] - x[0]) or 1.0


def _pieces(x: Floats, lo: int, hi: int) -> AnyArray:
    """Where the pieces start; three quarters of them lie where the classes overlap, from cell ``lo`` to ``hi``.

    There some hold equally many cells and some are equally wide, so that none is wide, in the tails either. Outside
    they widen with the distance from there: a steep line is decided by the cells next to the overlap.
    """
    by_rank = np.linspace(lo, hi + 1, min(PIECES // 2, hi + 1 - lo), endpoint=False)
    by_width = np.searchsorted(x[lo : hi + 1], np.linspace(x[lo], x[hi], PIECES // 4)) + lo
    below, above = (np.geomspace(1, n, PIECES // 8) if n else np.empty(0) for n in (lo, x.size - 1 - hi))
    starts = np.sort(np.concatenate([lo - below, by_rank, by_width, hi + above]).astype(np.intp))
    return starts[np.append(True, starts[1:] > starts[:-1]) & (starts < x.size)]


def _newton(cells: _Cells, a: float, b: float) -> tuple[float, float, _Derivatives]:
    """Newton's method; a step that would raise the loss is halved until it does not."""
    ends, done = cells.x[[0, -1]], cells.done
    for _ in range(STEPS):
        at = cells.derivatives(a, b, free_slope=True)
        da, db = _step(at)
        # Changes of log-odds are the same in whatever unit x is: at the ends as a share, and the mean where they count.
        change = float(np.max(np.abs(da + db * ends) / (1.0 + np.abs(a + b * ends))))
        if change <= 10.0 * done and at.a * da + at.b * db <= done**2 * at.aa:
            return a + da, b + db, at
        if change > NEAR:
            loss = cells.loss(a, b)
            while change > NEAR and cells.loss(a + da, b + db) > loss:
                da, db, change = da / 2.0, db / 2.0, change / 2.0
        a, b = a + da, b + db
    raise _not_converged()


def _step(at: _Derivatives) -> tuple[float, float]:
    """Solve curvature · step = slope."""
    if not (at.aa > 0.0 and math.isfinite(at.aa + at.bb + at.a + at.b)):
        raise _not_converged()
    rest = at.bb - at.ab * (at.ab / at.aa)
    if rest <= 0.0:
        raise _not_converged()
    db = (at.b - at.a * (at.ab / at.aa)) / rest
    return (at.a - at.ab * db) / at.aa, db


def _root(cells: _Cells, a: float, log_odds: float) -> float:
    """The shift at which probabilities add up to the targets: Newton's method between bounds, else bisection.

    Far from the root all probabilities may be 0 or 1 to the last digit, and Newton's step then infinite.
    """
    # Were all values as low as the least (as high as the largest), this would be the shift.
    low, high = log_odds - float(cells.x[-1]), log_odds - float(cells.x[0])
    last = math.inf
    for _ in range(STEPS):
        at = cells.derivatives(a, 1.0, free_slope=False)
        low, high = (a, high) if at.a > 0.0 else (low, a)
        step = at.a / at.aa if at.aa > 0.0 else math.inf
        if abs(step) <= cells.done + ROUNDING * abs(a):
            return a + step
        if not (low < a + step < high and abs(step) < 0.5 * last):
            step = (low / 2.0 + high / 2.0) - a
            if abs(step) <= ROUNDING * abs(a):
                return a + step
        a, last = a + step, abs(step)
    raise _not_converged()


def _not_converged() -> UndefinedMetricError:
    return UndefinedMetricError(
        "no line found: the log-odds differ by more orders of magnitude than doubles can square", "not_converged"
    )

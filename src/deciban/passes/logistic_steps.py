"""The steps of a logistic fit: Newton's method, and bisection where it is lost."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from deciban.errors import UndefinedMetricError
from deciban.passes.logistic_cells import Cells, Derivatives

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


def _done(cells: Cells) -> float:
    """The change of log-odds with which to stop; a step more costs nothing when there are few cells."""
    return DONE if cells.many else DONE / 1000.0


def best(cells: Cells, a: float, b: float) -> tuple[float, float]:
    """Intercept and slope: by Newton's method, or by bisection where the loss is too flat in some direction for it."""
    found = _newton(cells, a, b)
    if found is None:
        a, b = _bisected(cells, a)
        found = _newton(cells, a, b) or (a, b)
    return found


def _newton(cells: Cells, a: float, b: float) -> tuple[float, float] | None:
    """Newton's method; a step that would raise the loss is halved until it does not. None where it is lost."""
    outermost, done = cells.x[[0, -1]], _done(cells)
    loss = None  # at a, b, where the last step has looked at it
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
        after = None
        if change > NEAR:
            before = cells.loss(a, b) if loss is None else loss
            after = cells.loss(a + da, b + db)
            while change > NEAR and after > before:
                da, db, change = da / 2.0, db / 2.0, change / 2.0
                after = cells.loss(a + da, b + db)
        a, b, loss = a + da, b + db, after
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
        a = root(cells, log_odds, log_odds, b)
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


def root(cells: Cells, a: float, log_odds: float, b: float = 1.0) -> float:
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


def best_slope(cells: Cells, a: float, start: float) -> float:
    """The slope b > 0 that is best with an intercept a: Newton's method between bounds, else bisection."""
    if cells.derivatives(a, 0.0, free_slope=True).b <= 0.0:
        raise UndefinedMetricError(
            "larger values speak against the target: no slope above 0 is better than none", "degenerate"
        )
    low, high, b = 0.0, math.inf, start or 1.0
    for _ in range(STEPS):
        at = cells.derivatives(a, b, free_slope=True)
        low, high = (b, high) if at.b > 0.0 else (low, b)
        step = at.b / at.bb if at.bb > 0.0 else math.inf
        if abs(step) <= (_done(cells) + ROUNDING) * b:
            return b + step
        if not low < b + step < high:
            step = (low / 2.0 + high / 2.0 if math.isfinite(high) else 2.0 * b) - b
            if abs(step) <= ROUNDING * b:
                return b
        if not math.isfinite(b + step):
            break
        b += step
    raise _not_converged()


def _not_converged() -> UndefinedMetricError:
    return UndefinedMetricError(
        "no line found: its slope is beyond the largest double; check the unit of the scores", "not_converged"
    )

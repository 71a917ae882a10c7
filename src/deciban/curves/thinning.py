"""Fewer points for drawing, with a bound on what is lost; no number is ever read from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from deciban.curves.curve import Curve, columns, select
from deciban.curves.gain import PrGain
from deciban.curves.roc import Det, PrecisionRecall, Roc
from deciban.curves.tandem_cost import TandemCostCurve
from deciban.curves.thresholds import ThresholdCurve
from deciban.curves.tippett import Tippett
from deciban.errors import OptionError
from deciban.values.arrays import AnyArray, Floats
from deciban.values.log_domain import chunks
from deciban.values.option_checks import check_whole

LIMIT: Final = 500

C = TypeVar("C", bound=Curve)
Indices = NDArray[np.intp]


def evenly(along: Callable[[Indices], Floats], size: int, limit: int) -> Indices:
    """Which of ``size`` points to keep: both ends, and in between at equal steps of ``along``, at most ``limit``.

    ``along`` says how far the curve has come at given points, from 0 and never decreasing. Between two points kept it
    advances by less than 1/(limit − 2) of its whole, and then by one step between neighbouring points at most.
    """
    check_whole("limit", limit, 3, "at least 3 points")
    if size <= limit:
        return np.arange(size)
    last = np.array([size - 1])
    steps = np.linspace(0.0, along(last)[0], limit - 1)
    # All steps are bisected together: ``along`` is worked out at a few hundred points a round instead of at millions.
    low, high = np.zeros(steps.size, dtype=np.intp), np.full(steps.size, size - 1)
    while (low < high).any():
        middle = (low + high) // 2
        reached = along(middle) >= steps
        low, high = np.where(reached, low, middle + 1), np.where(reached, middle, high)
    # The end comes on top of the steps: where the curve stands still before it, the last jump must not be lost.
    return np.unique(np.append(low, last))


def thin(curve: C, limit: int = LIMIT) -> C:
    """Keep at most ``limit`` points of a curve, for drawing only.

    Parameters
    ----------
    curve
        What ``roc``, ``det``, ``precision_recall``, ``pr_gain``, ``tippett``, ``threshold_curve`` or ``t_dcf_curve``
        returned.
    limit
        Greatest number of points, at least 3.

    Returns
    -------
    Curve
        A record of the same kind with actual points only, both ends among them. Let L be the length of the curve, its
        steps in both coordinates added up: then the line through the points kept stays within L/(limit − 2) of the
        curve. L is 2 for the ROC and the Tippett plot; for DET it is measured on the probit axes of the drawing, cut
        off at half an error; values of other curves beyond ±1 count by their inverse, so that infinity is 2.

    Raises
    ------
    OptionError
        When the limit is below 3 or the curve is of another kind, whose points are few already.

    Notes
    -----
    Figures must not be computed from a thinned curve: areas and crossings change.

    Examples
    --------
    >>> import deciban as db
    >>> curve = db.roc(db.Counts.from_classes(range(1000, 3000), range(2000)))
    >>> curve.threshold.size, db.thin(curve, 100).threshold.size
    (3002, 100)
    """
    if not isinstance(curve, Curve):
        raise OptionError(f"thin: expected a curve such as deciban.roc(counts), found {type(curve).__name__}")
    if type(curve) not in COORDINATES:
        raise OptionError(f"thin: a {type(curve).__name__} has few points already; draw it as it is")
    return select(curve, rows_to_keep(curve, limit))


def rows_to_keep(curve: Curve, limit: int = LIMIT) -> Indices:
    """Which points :func:`thin` keeps, increasing; for the kinds of curves that it knows."""
    size = next(iter(columns(curve).values())).size
    step = -1 if _increasing(curve) else 1
    length = _length(curve, np.arange(size)[::step])
    kept = evenly(length.__getitem__, size, limit)
    return kept if step > 0 else size - 1 - kept[::-1]


def _increasing(curve: Curve) -> bool:
    """Whether the points go up: steps hold towards lower scores, so a jump must be met from above to be kept."""
    along = getattr(curve, "log10_lr", getattr(curve, "threshold", None))
    return along is not None and bool(along[0] < along[-1])


def _length(curve: Curve, order: Indices) -> Floats:
    """How far the curve has come at each point in an order: the sizes of its steps in all coordinates, added up.

    Coordinates are worked out in chunks: whole columns of them would take most of the time.
    """
    steps = np.zeros(order.size)
    for part in chunks(order.size):
        # With the point before the chunk, from which the first step comes.
        begun = max(part.start - 1, 0)
        for column in COORDINATES[type(curve)](select(curve, order[begun : part.stop])):
            steps[begun + 1 : part.stop] += np.abs(np.diff(column))
    return np.cumsum(steps, out=steps)


def probit(rate: Floats, n: float) -> Floats:
    """Rates of ``n`` trials on the axes of a DET plot, which end at half an error."""
    from scipy.special import ndtri

    half = min(0.5 / n, 0.5)
    return np.asarray(ndtri(rate.clip(half, 1.0 - half)))


def _bounded(values: AnyArray) -> Floats:
    """Values within [−1, 1] as they are, x beyond as 2 − 1/x: one scale for shares, gains and infinite ratios."""
    size = np.abs(values)
    return np.where(size <= 1.0, values, np.sign(values) * (2.0 - 1.0 / np.maximum(size, 1.0)))


def _ratios(curve: ThresholdCurve) -> list[Floats]:
    """Each ratio, and whether it has a value: where it gets or loses one, a point is kept."""
    columns = []
    for column in curve.values.values():
        mask = np.ma.getmaskarray(column)
        columns += [_bounded(np.where(mask, 0.0, column.data)), mask.astype(np.float64)]
    return columns


COORDINATES: Final[dict[type[Curve], Callable[..., Iterable[AnyArray]]]] = {
    Roc: lambda curve: (curve.p_fa, curve.recall),
    Det: lambda curve: (probit(curve.p_fa, curve.n_nontarget), probit(curve.p_miss, curve.n_target)),
    PrecisionRecall: lambda curve: (curve.recall, curve.precision),
    PrGain: lambda curve: (curve.recall_gain, _bounded(curve.precision_gain)),
    Tippett: lambda curve: (curve.target, curve.nontarget),
    ThresholdCurve: _ratios,
    TandemCostCurve: lambda curve: (_bounded(curve.t_dcf),),
}
"""What a drawing of each kind shows, as columns whose changes are what the eye can miss."""

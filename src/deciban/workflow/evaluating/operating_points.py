"""A few hundred actual operating points, for drawing and exploring; no number is ever read from them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

import numpy as np

from deciban.curves.thinning import Indices, evenly, probit
from deciban.passes.cumulative import Cumulative
from deciban.passes.pool import Pooled
from deciban.records.curves import OperatingPoints
from deciban.values.arrays import Floats

LIMIT: Final = 500
RATES: Final = (0.1, 0.01, 0.001, 0.0001)
"""Error rates that people read thresholds for."""


def which_points(points: Cumulative, pooled: Pooled, thresholds: Iterable[float], limit: int = LIMIT) -> Indices:
    """Choose about ``limit`` points at most, increasing; all of them where there are no more than twice as many.

    Those are both ends; what each of ``thresholds`` accepts; the points at the usual error rates and on both sides of
    the equal error rate; vertices of the convex hull, among which are the points of least cost; and as many each at
    equal steps along the ROC and along the DET curve, whose corners the ROC hides.
    """
    if points.tp.size <= 2 * limit:
        return np.arange(points.tp.size)
    asked = np.unique([_accepting(points, at) for at in thresholds])[: limit // 3]
    rates = [int(np.searchsorted(points.p_fa, rate, side="right")) - 1 for rate in RATES]
    rates += [int(np.searchsorted(points.tp, points.total_target * (1.0 - rate))) for rate in RATES]
    equal = _equal_errors(points)
    asked = np.concatenate([asked, rates, [equal - 1, equal]]).astype(np.intp)
    vertices = points.score.size - np.searchsorted(points.score, pooled.low[::-1])
    hull = vertices[evenly(lambda at: _along_roc(points, vertices[at]), vertices.size, (limit - asked.size) // 3)]
    share = (limit - asked.size - hull.size) // 2
    roc = evenly(lambda at: _along_roc(points, at), points.tp.size, share)
    det = evenly(lambda at: _along_det(points, at), points.tp.size, share)
    return np.unique(np.concatenate([asked, hull, roc, det]))


def _accepting(points: Cumulative, threshold: float) -> int:
    """The point that accepts what the threshold does."""
    return points.score.size - int(np.searchsorted(points.score, threshold))


def _equal_errors(points: Cumulative) -> int:
    """The first point with at least as many false alarms as misses, as shares; the one before it has fewer."""
    return bisect_left(range(points.tp.size), 1.0, lo=1, key=lambda at: float(_along_roc(points, np.array([at]))[0]))


def _along_roc(points: Cumulative, at: Indices) -> Floats:
    return np.asarray(points.tp[at] / points.total_target + points.fp[at] / points.total_nontarget)


def _along_det(points: Cumulative, at: Indices) -> Floats:
    """How far the DET curve has come on its probit axes, which both rates run along in one direction."""
    n1, n0 = points.total_target, points.total_nontarget
    come = probit(points.fp[at] / n0, n0) + probit(points.tp[at] / n1, n1)
    return np.asarray(come - probit(np.zeros(1), n0) - probit(np.zeros(1), n1))


def operating_points(points: Cumulative, kept: Indices) -> OperatingPoints:
    """Give the points chosen as columns of the record."""
    tp, fp = points.tp[kept], points.fp[kept]
    return OperatingPoints(
        threshold=tuple(points.threshold_at(index) for index in kept.tolist()),
        tp=tuple(tp.tolist()),
        fp=tuple(fp.tolist()),
        fn=tuple((points.total_target - tp).tolist()),
        tn=tuple((points.total_nontarget - fp).tolist()),
    )

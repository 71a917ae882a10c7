"""A few hundred actual operating points, for drawing and exploring; no number is ever read from them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from deciban.arrays import Floats
from deciban.counts import Counts
from deciban.cumulative import Cumulative, cumulate
from deciban.records.evaluation import OperatingPoints

LIMIT = 500


def operating_points(counts: Counts) -> OperatingPoints:
    """Keep at most 500 points of the ROC: both ends, and in between at equal steps along the curve.

    A step is 2/499 of recall plus p_fa together, so that between two points kept the curve moves by that much or by
    one block of equal scores, whichever is more.
    """
    points = cumulate(counts)
    n1, n0 = points.total_target, points.total_nontarget
    last = points.tp.size - 1
    if last < LIMIT:
        kept = np.arange(last + 1)
    else:
        kept = np.unique(_first_reaching(points, np.linspace(0.0, 2.0, LIMIT)))
        kept[-1] = last
    tp, fp = points.tp[kept], points.fp[kept]
    return OperatingPoints(
        threshold=tuple(points.threshold_at(index) for index in kept.tolist()),
        tp=tuple(tp.tolist()),
        fp=tuple(fp.tolist()),
        fn=tuple((n1 - tp).tolist()),
        tn=tuple((n0 - fp).tolist()),
    )


def _first_reaching(points: Cumulative, lengths: Floats) -> NDArray[np.intp]:
    """Index of the first point at which recall + p_fa reaches each length, else of the last point.

    All lengths are bisected together: the sum is taken at 500 points a round instead of at millions.
    """
    low, high = np.zeros(lengths.size, dtype=np.intp), np.full(lengths.size, points.tp.size - 1)
    while (low < high).any():
        middle = (low + high) // 2
        along = points.tp[middle] / points.total_target + points.fp[middle] / points.total_nontarget
        reached = along >= lengths
        low, high = np.where(reached, low, middle + 1), np.where(reached, middle, high)
    return low

"""A few hundred actual operating points, for drawing and exploring; no number is ever read from them."""

from __future__ import annotations

import numpy as np

from deciban.counts import Counts
from deciban.cumulative import cumulate
from deciban.records.evaluation import OperatingPoints

LIMIT = 500


def operating_points(counts: Counts) -> OperatingPoints:
    """Keep at most 500 points of the ROC: both ends, and in between at equal steps along the curve.

    A step is 2/499 of recall plus p_fa together, so that between two points kept the curve moves by that much or by
    one block of equal scores, whichever is more.
    """
    points = cumulate(counts)
    n1, n0 = points.total_target, points.total_nontarget
    kept = np.arange(points.tp.size)
    if kept.size > LIMIT:
        along = points.tp / n1 + points.fp / n0
        kept = np.unique(np.searchsorted(along, np.linspace(0.0, 2.0, LIMIT), side="left").clip(max=kept.size - 1))
        kept[-1] = points.tp.size - 1
    tp, fp = points.tp[kept], points.fp[kept]
    return OperatingPoints(
        threshold=tuple(points.threshold[kept].tolist()),
        tp=tuple(tp.tolist()),
        fp=tuple(fp.tolist()),
        fn=tuple((n1 - tp).tolist()),
        tn=tuple((n0 - fp).tolist()),
    )

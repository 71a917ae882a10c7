"""A few hundred actual operating points, for drawing and exploring; no number is ever read from them."""

from __future__ import annotations

from deciban.counts import Counts
from deciban.cumulative import cumulate
from deciban.curves.thinning import LIMIT, evenly
from deciban.records.evaluation import OperatingPoints


def operating_points(counts: Counts) -> OperatingPoints:
    """Keep at most 500 points of the ROC: both ends, and in between at equal steps along the curve.

    A step is 2/498 of recall plus p_fa together, so that between two points kept the curve moves by that much or by
    one block of equal scores, whichever is more.
    """
    points = cumulate(counts)
    n1, n0 = points.total_target, points.total_nontarget
    kept = evenly(lambda at: points.tp[at] / n1 + points.fp[at] / n0, points.tp.size, LIMIT)
    tp, fp = points.tp[kept], points.fp[kept]
    return OperatingPoints(
        threshold=tuple(points.threshold_at(index) for index in kept.tolist()),
        tp=tuple(tp.tolist()),
        fp=tuple(fp.tolist()),
        fn=tuple((n1 - tp).tolist()),
        tn=tuple((n0 - fp).tolist()),
    )

"""Precision and recall as gains over accepting everything: the plane in which their area means something."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deciban.counts.argument import of_counts
from deciban.counts.counts import Counts
from deciban.curves.curve import Curve
from deciban.passes.cumulative import Cumulative, cumulate
from deciban.values.arrays import AnyArray, Bools, Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrGain(Curve):
    """Precision gain and recall gain, in order of decreasing threshold, from recall gain 0 to 1.

    Attributes
    ----------
    threshold
        Accept when score >= threshold; at an interpolated start that of the point after it.
    precision_gain, recall_gain
        1 − (N1/N0)·FP/TP and 1 − (N1/N0)·FN/TP; straight lines join the points, as in the ROC. Precision gain is
        negative where accepting everything is more precise.
    tp, fp
        The counts behind them, fractional at an interpolated start.
    interpolated
        True for a start between two thresholds, which only randomising between them reaches.
    n_target, n_nontarget
        All targets and nontargets.
    """

    threshold: Floats
    precision_gain: Floats
    recall_gain: Floats
    tp: Floats
    fp: Floats
    interpolated: Bools
    n_target: int | float
    n_nontarget: int | float


@of_counts
def pr_gain(counts: Counts) -> PrGain:
    """Compute the precision–recall–gain curve.

    precG = 1 − (N1/N0)·FP/TP, recG = 1 − (N1/N0)·FN/TP, from recG = 0, where TP = N1²/N, to recG = 1.

    Parameters
    ----------
    counts
        Counts of both classes, on any scale.

    Returns
    -------
    PrGain
        Pure numbers. A perfect system keeps precision gain 1; an uninformative one 0. The last point accepts
        everything: (recall gain 1, precision gain 0).

    Raises
    ------
    SingleClassError
        When a class is empty.

    Notes
    -----
    Tied trials move together. Where no threshold accepts exactly N1²/N targets, the start lies on the straight line
    between the two counts around it. The plain precision–recall curve before that point is no better than accepting
    everything and is left out.

    References
    ----------
    Flach and Kull (2015), Precision-recall-gain curves: PR analysis done right, NeurIPS.

    Examples
    --------
    >>> import deciban as db
    >>> curve = db.pr_gain(db.Counts.from_classes([8, 7, 5, 3], [6, 4, 2, 1, 0, -1]))
    >>> curve.recall_gain[:3].round(6).tolist(), curve.precision_gain[:3].round(6).tolist()
    ([0.0, 0.333333, 0.333333], [1.0, 1.0, 0.666667])
    """
    points = cumulate(counts)
    first, tp, fp, interpolated = _start(points)
    tp = np.concatenate([tp, points.tp[first:-1]])
    fp = np.concatenate([fp, points.fp[first:-1]])
    n1, n0 = points.total_target, points.total_nontarget
    threshold = points.threshold[first:-1]
    marks = np.zeros(tp.size, dtype=bool)
    marks[0] = interpolated
    recall_gain = 1.0 - (n1 / n0) * ((n1 - tp) / tp)
    if interpolated:
        recall_gain[0] = 0.0
    return PrGain(
        threshold=np.concatenate([threshold[:1], threshold]) if interpolated else threshold,
        precision_gain=1.0 - (n1 / n0) * (fp / tp),
        recall_gain=recall_gain,
        tp=tp,
        fp=fp,
        interpolated=marks,
        n_target=n1,
        n_nontarget=n0,
    )


def _start(points: Cumulative) -> tuple[int, AnyArray, AnyArray, bool]:
    """The first point with recall gain >= 0, and the interpolated one before it (empty when it is exactly at 0)."""
    n1, n = points.total_target, points.total_target + points.total_nontarget
    # In Python's integers: N1² may not fit 64 bits.
    needed = -(-n1 * n1 // n) if isinstance(n1, int) else n1 * n1 / n
    first = int(np.searchsorted(points.tp[1:-1], needed, side="left")) + 1
    after, before = points.tp[first].item(), points.tp[first - 1].item()
    if after * n == n1 * n1:
        return first, np.empty(0), np.empty(0), False
    start = n1 * n1 / n
    share = (start - before) / (after - before)
    fp_before, fp_after = points.fp[first - 1].item(), points.fp[first].item()
    return first, np.array([start]), np.array([fp_before + share * (fp_after - fp_before)]), True

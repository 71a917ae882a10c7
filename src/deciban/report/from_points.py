"""Curves over thresholds from the operating points that a record keeps."""

from __future__ import annotations

import math

import numpy as np

from deciban.curves.roc import Det, PrecisionRecall, Roc
from deciban.records.curves import OperatingPoints
from deciban.values.arrays import Floats


def roc_of(points: OperatingPoints) -> Roc:
    """The ROC through the points."""
    tp, fp = np.array(points.tp), np.array(points.fp)
    n_target, n_nontarget = _totals(points)
    return Roc(
        threshold=_thresholds(points),
        p_fa=fp / n_nontarget,
        recall=tp / n_target,
        tp=tp,
        fp=fp,
        n_target=n_target,
        n_nontarget=n_nontarget,
        reject_all_reachable=_reachable(points),
    )


def det_of(points: OperatingPoints) -> Det:
    """The DET curve through the points."""
    n_target, n_nontarget = _totals(points)
    return Det(
        threshold=_thresholds(points),
        p_miss=np.array(points.fn) / n_target,
        p_fa=np.array(points.fp) / n_nontarget,
        n_target=n_target,
        n_nontarget=n_nontarget,
        reject_all_reachable=_reachable(points),
    )


def precision_recall_of(points: OperatingPoints) -> PrecisionRecall:
    """Precision against recall at the points; the first one, where nothing is accepted, is artificial."""
    n_target, n_nontarget = _totals(points)
    # The last point accepts all, as the one at the lowest score does already.
    tp, fp = np.array(points.tp[:-1]), np.array(points.fp[:-1])
    accepted = tp + fp
    artificial = np.arange(tp.size) == 0
    return PrecisionRecall(
        threshold=_thresholds(points)[:-1],
        precision=np.where(artificial, 1.0, tp / np.where(artificial, 1, accepted)),
        recall=tp / n_target,
        artificial=artificial,
        n_target=n_target,
        n_nontarget=n_nontarget,
    )


def _thresholds(points: OperatingPoints) -> Floats:
    return np.array(points.threshold, dtype=np.float64)


def _totals(points: OperatingPoints) -> tuple[int | float, int | float]:
    return points.tp[0] + points.fn[0], points.fp[0] + points.tn[0]


def _reachable(points: OperatingPoints) -> bool:
    """Whether some threshold rejects everything: none does where infinity is a score."""
    return not (len(points.threshold) > 1 and math.isinf(points.threshold[1]) and points.threshold[1] > 0)

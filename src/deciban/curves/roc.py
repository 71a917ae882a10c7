"""ROC, DET and precision–recall: every operating point, none dropped or invented unmarked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deciban.counts.argument import of_edges
from deciban.counts.counts import Counts
from deciban.curves.curve import Curve
from deciban.passes.cumulative import cumulate
from deciban.values.arrays import AnyArray, Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Roc(Curve):
    """Receiver operating characteristic, in order of decreasing threshold; arrays of shape (u + 2,).

    Attributes
    ----------
    threshold
        Accept when score >= threshold: inf (reject-all), each distinct score, −inf (accept-all).
    p_fa, recall
        Share of nontargets and of targets accepted.
    tp, fp
        The counts behind them.
    n_target, n_nontarget
        All targets and nontargets.
    reject_all_reachable
        False when inf is itself a score, so that no threshold rejects everything.
    """

    threshold: Floats
    p_fa: Floats
    recall: Floats
    tp: AnyArray
    fp: AnyArray
    n_target: int | float
    n_nontarget: int | float
    reject_all_reachable: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Det(Curve):
    """Detection error trade-off as rates, in order of decreasing threshold; arrays of shape (u + 2,).

    The probit of the rates belongs to the drawing: rates of 0 and 1 are infinite there.
    """

    threshold: Floats
    p_miss: Floats
    p_fa: Floats
    n_target: int | float
    n_nontarget: int | float
    reject_all_reachable: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrecisionRecall(Curve):
    """Precision and recall, in order of decreasing threshold; arrays of shape (u + 1,).

    The first point (threshold inf, recall 0, precision 1) is artificial: nothing is accepted there, and precision has
    no value; where inf is a score, no threshold leads there either. ``artificial`` marks it, and no area but
    ``pr_trapezoid`` uses it.
    """

    threshold: Floats
    precision: Floats
    recall: Floats
    artificial: AnyArray
    n_target: int | float
    n_nontarget: int | float


@of_edges
def roc(counts: Counts) -> Roc:
    """Compute the receiver operating characteristic: recall against p_fa at every threshold.

    Parameters
    ----------
    counts
        Counts of both classes with u distinct scores; of counts in buckets the points are those at their lower edges,
        which are exact, and between two of them the curve is not known.

    Returns
    -------
    Roc
        u + 2 points. A perfect system passes through (0, 1); an uninformative one follows the diagonal. Tied trials
        move together, so a tie of both classes is a diagonal step.

    Raises
    ------
    SingleClassError
        When a class is empty.

    References
    ----------
    Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27.

    Examples
    --------
    >>> import deciban as db
    >>> curve = db.roc(db.Counts.from_classes([0.9, 0.5], [0.8, 0.7]))
    >>> curve.recall.tolist(), curve.p_fa.tolist()
    ([0.0, 0.5, 0.5, 0.5, 1.0, 1.0], [0.0, 0.0, 0.5, 1.0, 1.0, 1.0])
    """
    points = cumulate(counts)
    return Roc(
        threshold=points.threshold,
        p_fa=points.p_fa,
        recall=points.tp / points.total_target,
        tp=points.tp,
        fp=points.fp,
        n_target=points.total_target,
        n_nontarget=points.total_nontarget,
        reject_all_reachable=points.reject_all_reachable,
    )


@of_edges
def det(counts: Counts) -> Det:
    """Compute the detection error trade-off: p_miss against p_fa at every threshold, as rates.

    Parameters
    ----------
    counts
        Counts of both classes with u distinct scores; of counts in buckets the points are those at their lower edges,
        which are exact, and between two of them the curve is not known.

    Returns
    -------
    Det
        u + 2 points. A perfect system passes through (0, 0); an uninformative one has p_miss = 1 − p_fa.

    Raises
    ------
    SingleClassError
        When a class is empty.

    References
    ----------
    Martin et al. (1997), The DET curve in assessment of detection task performance, Eurospeech.

    Examples
    --------
    >>> import deciban as db
    >>> curve = db.det(db.Counts.from_classes([3, 4], [1, 2]))
    >>> curve.p_miss.tolist(), curve.p_fa.tolist()
    ([1.0, 0.5, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.5, 1.0, 1.0])
    """
    points = cumulate(counts)
    return Det(
        threshold=points.threshold,
        p_miss=points.p_miss,
        p_fa=points.p_fa,
        n_target=points.total_target,
        n_nontarget=points.total_nontarget,
        reject_all_reachable=points.reject_all_reachable,
    )


@of_edges
def precision_recall(counts: Counts) -> PrecisionRecall:
    """Compute precision against recall at every threshold.

    Parameters
    ----------
    counts
        Counts of both classes with u distinct scores; of counts in buckets the points are those at their lower edges,
        which are exact, and between two of them the curve is not known.

    Returns
    -------
    PrecisionRecall
        u + 1 points, arrays of one length. A perfect system keeps precision 1; an uninformative one has precision
        N1/N at every recall.

    Raises
    ------
    SingleClassError
        When a class is empty.

    References
    ----------
    Davis and Goadrich (2006), The relationship between precision-recall and ROC curves, ICML.

    Examples
    --------
    >>> import deciban as db
    >>> curve = db.precision_recall(db.Counts.from_classes([0.9, 0.6], [0.8, 0.1]))
    >>> curve.precision.tolist()
    [1.0, 1.0, 0.5, 0.6666666666666666, 0.5]
    >>> curve.artificial.tolist()
    [True, False, False, False, False]
    """
    points = cumulate(counts)
    tp, fp = points.tp[:-1], points.fp[:-1]
    precision = np.empty(tp.size)
    precision[0] = 1.0
    np.divide(tp[1:], tp[1:] + fp[1:], out=precision[1:])
    artificial = np.zeros(tp.size, dtype=bool)
    artificial[0] = True
    return PrecisionRecall(
        threshold=points.threshold[:-1],
        precision=precision,
        recall=tp / points.total_target,
        artificial=artificial,
        n_target=points.total_target,
        n_nontarget=points.total_nontarget,
    )

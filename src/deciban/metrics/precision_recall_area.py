"""Areas in the precision–recall plane: straight lines between its points, and lines that are straight in counts."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, cast

import numpy as np

from deciban.metrics.spec import metric
from deciban.passes.cumulative import Cumulative, cumulate
from deciban.values.arrays import AnyArray, Floats
from deciban.values.log_domain import chunks

SERIES_BELOW: Final = 0.01
"""Where x − ln(1 + x) would lose two digits to cancellation, and ten terms of its series hold all of them."""

SERIES: Final = np.array([(-1.0) ** k / k for k in range(11, 1, -1)])
"""Coefficients of (x − ln(1 + x))/x², highest power first."""


@metric(
    of=cumulate,
    title="Trapezoidal area under the precision–recall curve",
    range=(0.0, 1.0),
    direction="higher",
    anchors=(1.0, None),
    shown=(),
    exact=True,
    rank_only=True,
    of_these_shares=True,
    use_when="reproducing a figure that was computed with straight lines between precision–recall points",
    avoid_when="anything else: no classifier moves along these lines (see average_precision, pr_davis_goadrich)",
    reference="Davis and Goadrich (2006), The relationship between precision-recall and ROC curves, ICML",
)
def pr_trapezoid(points: Cumulative, *, exact: bool = False) -> float:
    """Compute Σ (R_k − R_{k−1})·(P_k + P_{k−1})/2, from the point recall 0, precision 1 where nothing is accepted.

    Parameters
    ----------
    counts
        Counts of both classes.
    exact
        Return a Fraction (slow above some thousands of distinct scores).

    Returns
    -------
    float
        An area. Perfect 1; no information about N1/N, but (1 + N1/N)/2 when all scores are equal.

    Raises
    ------
    SingleClassError
        When a class is empty.

    Notes
    -----
    A block of equal scores is one step. The first point is artificial: precision has no value there.

    References
    ----------
    Davis and Goadrich (2006), The relationship between precision-recall and ROC curves, ICML.

    Examples
    --------
    >>> import deciban as db
    >>> db.pr_trapezoid(db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1]), exact=True)
    Fraction(133, 180)
    """
    steps = points.steps()
    if exact:
        tp, everyone = points.tp.tolist(), (points.tp + points.fp).tolist()
        precision = [Fraction(1), *(Fraction(k, n) for k, n in zip(tp[1:], everyone[1:], strict=True))]
        terms = zip((points.tp[steps + 1] - points.tp[steps]).tolist(), steps.tolist(), strict=True)
        total = sum((n * (precision[k] + precision[k + 1]) for n, k in terms), Fraction(0))
        return cast(float, total / (2 * int(points.total_target)))
    area = 0.0
    for part in chunks(steps.size):
        step = steps[part]
        found = points.tp[step + 1] - points.tp[step]
        area += float((found * (_precision(points, step) + _precision(points, step + 1))).sum())
    return min(area / (2.0 * points.total_target), 1.0)


def _precision(points: Cumulative, at: AnyArray) -> Floats:
    """Precision at some points in order, 1 where nothing is accepted."""
    rates = np.ones(at.size)
    accepting = slice(int(at[0] == 0), None)
    tp = points.tp[at[accepting]]
    np.divide(tp, tp + points.fp[at[accepting]], out=rates[accepting])
    return rates


def x_minus_log1p(x: Floats) -> Floats:
    """The difference x − ln(1 + x) for x >= 0, with all its digits however small x is."""
    result = np.asarray(x - np.log1p(x))
    small = x < SERIES_BELOW
    result[small] = x[small] ** 2 * np.polyval(SERIES, x[small])
    return result


def segment_areas(tp: Floats, fp: Floats, more_tp: Floats, more_fp: Floats) -> Floats:
    """∫ precision dTP from each point (tp, fp) while more_tp > 0 targets and more_fp nontargets enter side by side."""
    per_target = 1.0 + more_fp / more_tp
    areas = np.asarray(more_tp / per_target)
    # Where precision does not change (or nothing was accepted before) this is exact; elsewhere it would cancel.
    bent = np.flatnonzero(tp * more_fp != fp * more_tp)
    tp, before, a = tp[bent], tp[bent] + fp[bent], per_target[bent]
    x = a * more_tp[bent] / before
    areas[bent] = tp * np.log1p(x) / a + before * x_minus_log1p(x) / a**2
    return areas


@metric(
    of=cumulate,
    title="Area under the precision–recall curve of Davis and Goadrich",
    range=(0.0, 1.0),
    direction="higher",
    anchors=(1.0, None),
    shown=(),
    rank_only=True,
    of_these_shares=True,
    use_when="the area under the precision–recall curve is wanted with the points joined as the ROC joins them",
    avoid_when="data sets with different shares of targets are compared: no information gives N1/N, not a constant",
    reference="Davis and Goadrich (2006), The relationship between precision-recall and ROC curves, ICML",
)
def pr_davis_goadrich(points: Cumulative) -> float:
    """Compute the area under precision against recall, false alarms growing linearly with hits between two points.

    From A to B with s = ΔFP/ΔTP, a = 1 + s, u = TP_A + FP_A, x = a·ΔTP/u:
    [TP_A·ln(1 + x)/a + u·(x − ln(1 + x))/a²]/N1; ΔTP/(a·N1) from the point where nothing is accepted.

    Parameters
    ----------
    counts
        Counts of both classes.

    Returns
    -------
    float
        An area. Perfect 1; no information N1/N, the share of targets.

    Raises
    ------
    SingleClassError
        When a class is empty.

    Notes
    -----
    A block of equal scores is one segment, so all scores equal gives exactly N1/N. There is no artificial point at
    precision 1: precision is constant up to the end of the first block.

    References
    ----------
    Davis and Goadrich (2006), The relationship between precision-recall and ROC curves, ICML.

    Examples
    --------
    >>> import deciban as db
    >>> round(db.pr_davis_goadrich(db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1])), 9)
    0.740747099
    """
    steps, area = points.steps(), 0.0
    for part in chunks(steps.size):
        step = steps[part]
        tp, fp = points.tp[step], points.fp[step]
        area += float(segment_areas(tp, fp, points.tp[step + 1] - tp, points.fp[step + 1] - fp).sum())
    return min(area / points.total_target, 1.0)

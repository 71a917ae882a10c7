"""Precision and recall as gains over the share of targets, in which no information is 0 and perfect is 1."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from itertools import pairwise
from typing import cast

import numpy as np
from numpy.typing import NDArray

from deciban.metrics.spec import metric
from deciban.passes.cumulative import Cumulative, cumulate
from deciban.values.arrays import Floats


def _gain_start(points: Cumulative) -> tuple[int, Fraction, Fraction]:
    """Where recall gain is 0: index of the next point, and TP and FP there, counts joined by a straight line."""
    n1, n0 = Fraction(points.total_target), Fraction(points.total_nontarget)
    tp = n1 * n1 / (n1 + n0)
    after = bisect_right(range(points.tp.size), tp, key=lambda i: points.tp[i].item())
    (tp0, tp1), (fp0, fp1) = ([Fraction(c[i].item()) for i in (after - 1, after)] for c in (points.tp, points.fp))
    return after, tp, fp0 + (fp1 - fp0) * (tp - tp0) / (tp1 - tp0)


def _gain(points: Cumulative, index: NDArray[np.intp]) -> Floats:
    """Precision gain at some points; exactly 0 where precision is the share of targets."""
    tp, fp = points.tp[index], points.fp[index]
    return np.asarray((points.total_nontarget * tp - points.total_target * fp) / (float(points.total_nontarget) * tp))


def _widths(points: Cumulative, index: NDArray[np.intp]) -> Floats:
    """Steps of recall gain from each point to the next, divided by N1²/N0."""
    before, after = points.tp[index], points.tp[index + 1]
    return np.asarray((after - before) / before / after)


@metric(
    of=cumulate,
    title="Area under the precision–recall–gain curve",
    range=(float("-inf"), 1.0),
    direction="higher",
    anchors=(1.0, 0.0),
    shown=(),
    exact=True,
    rank_only=True,
    of_these_shares=True,
    use_when="areas of precision and recall are averaged or compared over data sets of different share of targets",
    avoid_when="the share of targets in use differs from that of the data, which is the baseline here",
    reference="Flach and Kull (2015), Precision-recall-gain curves: PR analysis done right, NeurIPS",
)
def pr_gain_area(points: Cumulative, *, exact: bool = False) -> float:
    """Compute the area under precision gain against recall gain, from recall gain 0 to 1.

    precG = 1 − (π/(1 − π))·FP/TP, recG = 1 − (π/(1 − π))·FN/TP, π = N1/N; counts between two points are joined by a
    straight line, which is straight in gains too. The curve starts at recG = 0, where TP = N1²/N.

    Parameters
    ----------
    counts
        Counts of both classes.
    exact
        Return a Fraction (slow above some thousands of distinct scores).

    Returns
    -------
    float
        An area. Perfect 1; no information 0; negative precision gain counts as negative area, down to −N0/(2·N1).

    Raises
    ------
    SingleClassError
        When a class is empty.

    Notes
    -----
    A block of equal scores is one segment. Infinite scores are scores.

    References
    ----------
    Flach and Kull (2015), Precision-recall-gain curves: PR analysis done right, NeurIPS.

    Examples
    --------
    >>> import deciban as db
    >>> db.pr_gain_area(db.Counts.from_classes([8, 7, 5, 3], [6, 4, 2, 1, 0, -1]), exact=True)
    Fraction(64, 81)
    """
    n1, n0 = points.total_target, points.total_nontarget
    after, tp_start, fp_start = _gain_start(points)
    first = 1 - Fraction(n1) * fp_start / (Fraction(n0) * tp_start)
    tp, fp = points.tp[after:], points.fp[after:]
    if exact:
        at = [tp_start, *(Fraction(n) for n in tp.tolist())]
        gains = [first, *(1 - Fraction(n1 * f, n0 * t) for t, f in zip(tp.tolist(), fp.tolist(), strict=True))]
        steps = [1 / a - 1 / b for a, b in pairwise(at)]
        area = sum((step * (a + b) for step, (a, b) in zip(steps, pairwise(gains), strict=True)), Fraction(0))
        return cast(float, area / (2 * sum(steps)))
    # Only where targets enter is there a step of recall gain; the first one ends in point ``after``.
    step = points.steps()
    step = step[np.searchsorted(step, after) :]
    width = np.append(float(1 / tp_start - 1 / Fraction(tp[0].item())), _widths(points, step))
    height = np.append(float(first) + _gain(points, np.array([after])), _gain(points, step) + _gain(points, step + 1))
    # The widths add up to 1 once divided by their sum: the area is a mean, exact where the gain is constant.
    return float((width * height).sum() / (2.0 * width.sum()))

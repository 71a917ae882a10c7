"""The part of the area under the ROC curve that an application uses: between two false-alarm or two miss rates."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction
from typing import Final, cast

import numpy as np

from deciban.errors import OptionError
from deciban.metrics.spec import metric
from deciban.passes.cumulative import Cumulative, cumulate
from deciban.values.arrays import AnyArray

AXES: Final = {"axis": ("p_fa", "p_miss")}

Point = tuple[Fraction, Fraction]


def _limits(low: float, high: float) -> tuple[Fraction, Fraction]:
    """Both limits as the exact values of their doubles."""
    if not 0.0 <= low < high <= 1.0:
        raise OptionError(f"low, high: expected 0 <= low < high <= 1, found low={low!r}, high={high!r}")
    return Fraction(low), Fraction(high)


def _area(points: Cumulative, axis: str, low: Fraction, high: Fraction) -> Fraction:
    """∫ (1 − other rate) over the rate named by ``axis``: the fraction that the counts (or doubles of weights) give."""
    across, up = points.fp, points.tp
    if axis == "p_miss":
        across, up = (points.total_target - points.tp)[::-1], (points.total_nontarget - points.fp)[::-1]
    n_across, n_up = (Fraction(column[-1].item()) for column in (across, up))
    area = _under(across, up, low * n_across, high * n_across) / (n_across * n_up)
    # Sums of weights may round to a little more than the whole strip.
    return min(area, high - low)


def _under(across: AnyArray, up: AnyArray, left: Fraction, right: Fraction) -> Fraction:
    """Area under straight lines through the points, between two abscissae in counts.

    Whole segments add up in integers (below 2^63); only the two pieces that the limits cut off need fractions.
    """
    first = bisect_left(range(across.size), left, key=lambda i: across[i].item())
    last = bisect_right(range(across.size), right, key=lambda i: across[i].item()) - 1

    def point(index: int) -> Point:
        return Fraction(across[index].item()), Fraction(up[index].item())

    start = point(0) if first == 0 else _on_line(point(first - 1), point(first), left)
    end = point(last) if last == across.size - 1 else _on_line(point(last), point(last + 1), right)
    if last < first:
        return _under_line(start, end)
    inner = np.dot(np.diff(across[first : last + 1]), up[first:last] + up[first + 1 : last + 1]).item()
    return _under_line(start, point(first)) + Fraction(inner) / 2 + _under_line(point(last), end)


def _on_line(a: Point, b: Point, x: Fraction) -> Point:
    return x, a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0])


def _under_line(a: Point, b: Point) -> Fraction:
    return (b[0] - a[0]) * (a[1] + b[1]) / 2


@metric(
    of=cumulate,
    title="Partial area under the ROC curve",
    range=(0.0, 1.0),
    direction="higher",
    anchors=(None, None),
    shown=(),
    choices=AXES,
    exact=True,
    rank_only=True,
    use_when="only false-alarm (or miss) rates of a known range are of use",
    avoid_when="ranges differ: the largest possible value is the width of the range (see partial_auc_standardised)",
    reference="McClish (1989), Analyzing a portion of the ROC curve, Medical Decision Making 9",
)
def partial_auc(points: Cumulative, *, axis: str = "p_fa", low: float = 0.0, high: float) -> float:
    """Compute the area under the ROC curve between two rates: ∫ (1 − p_miss) dp_fa, or ∫ (1 − p_fa) dp_miss.

    Parameters
    ----------
    counts
        Counts of both classes.
    axis
        The rate that ``low`` and ``high`` bound: ``p_fa`` or ``p_miss``.
    low, high
        The range of that rate, 0 <= low < high <= 1; each is taken as the exact value of its double.
    exact
        Return a Fraction.

    Returns
    -------
    float
        An area, not divided by the width of the range. Perfect high − low; no information (high² − low²)/2.

    Raises
    ------
    SingleClassError
        When a class is empty.
    OptionError
        When low and high are not such a range.

    Notes
    -----
    A block of equal scores is one straight segment, cut where a limit falls into it. Infinite scores are scores.

    References
    ----------
    McClish (1989), Analyzing a portion of the ROC curve, Medical Decision Making 9.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1])
    >>> db.partial_auc(counts, high=0.5, exact=True), db.auc(counts, exact=True)
    (Fraction(17, 72), Fraction(13, 18))
    """
    return cast(float, _area(points, axis, *_limits(low, high)))


@metric(
    of=cumulate,
    title="Standardised partial area under the ROC curve",
    range=(float("-inf"), 1.0),
    direction="higher",
    anchors=(1.0, 0.5),
    shown=(),
    choices=AXES,
    exact=True,
    rank_only=True,
    use_when="partial areas are to be read like an AUC, whatever the range",
    avoid_when="the range starts well above 0: values far below 0 are possible for systems worse than chance",
    reference="McClish (1989), Analyzing a portion of the ROC curve, Medical Decision Making 9",
)
def partial_auc_standardised(points: Cumulative, *, axis: str = "p_fa", low: float = 0.0, high: float) -> float:
    """Compute the partial area on the scale of an AUC: ½(1 + (A − m)/(M − m)), m = (high² − low²)/2, M = high − low.

    Parameters
    ----------
    counts
        Counts of both classes.
    axis
        The rate that ``low`` and ``high`` bound: ``p_fa`` or ``p_miss``.
    low, high
        The range of that rate, 0 <= low < high <= 1; each is taken as the exact value of its double.
    exact
        Return a Fraction.

    Returns
    -------
    float
        A pure number. Perfect 1, no information 0.5; below 0 is possible when low > 0.

    Raises
    ------
    SingleClassError
        When a class is empty.
    OptionError
        When low and high are not such a range.

    Notes
    -----
    A block of equal scores is one straight segment, cut where a limit falls into it. Infinite scores are scores.

    References
    ----------
    McClish (1989), Analyzing a portion of the ROC curve, Medical Decision Making 9.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1])
    >>> db.partial_auc_standardised(counts, high=0.5, exact=True)
    Fraction(35, 54)
    """
    a, b = _limits(low, high)
    least, most = (b * b - a * a) / 2, b - a
    return cast(float, (1 + (_area(points, axis, a, b) - least) / (most - least)) / 2)

"""The largest difference of recall and p_fa over all thresholds."""

from __future__ import annotations

from deciban.metrics.spec import metric
from deciban.passes.cumulative import Cumulative, cumulate
from deciban.values.log_domain import chunks
from deciban.values.ratio import divide


def extremes(points: Cumulative) -> tuple[int | float, int | float]:
    """Least and largest (TPR − FPR)·N1·N0 over all thresholds: integers unless weighted."""
    least, largest = [], []
    for part in chunks(points.tp.size):
        difference = points.tp[part] * points.total_nontarget
        difference -= points.fp[part] * points.total_target
        least.append(difference.min().item())
        largest.append(difference.max().item())
    return min(least), max(largest)


@metric(
    of=cumulate,
    title="Youden's J",
    range=(0.0, 1.0),
    direction="higher",
    anchors=(1.0, 0.0),
    shown=(),
    exact=True,
    rank_only=True,
    swapped="same",
    optimistic=True,
    use_when="misses and false alarms are equally dear as rates, and a threshold may be chosen freely",
    avoid_when="trials are few: the best of many thresholds on the same trials is optimistic",
    reference="Youden (1950), Index for rating diagnostic tests, Cancer 3",
)
def youden(points: Cumulative) -> float:
    """Compute the largest recall − p_fa over all thresholds, reject-all and accept-all among them.

    Parameters
    ----------
    counts
        Counts of both classes.
    exact
        Return a Fraction.

    Returns
    -------
    float
        A difference of rates. Perfect 1, no information 0; reversed scores 0 too (see ks).

    Raises
    ------
    SingleClassError
        When a class is empty.

    Notes
    -----
    Tied trials are accepted together. Infinite scores are scores.

    References
    ----------
    Youden (1950), Index for rating diagnostic tests, Cancer 3.

    Examples
    --------
    >>> import deciban as db
    >>> db.youden(db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1]), exact=True)
    Fraction(1, 3)
    """
    return divide(extremes(points)[1], points.total_target * points.total_nontarget)


@metric(
    of=cumulate,
    title="Kolmogorov–Smirnov distance",
    range=(0.0, 1.0),
    direction="higher",
    anchors=(1.0, 0.0),
    shown=(),
    exact=True,
    rank_only=True,
    swapped="same",
    optimistic=True,
    use_when="asking how far the score distributions of the classes differ at all, in either direction",
    avoid_when="the direction matters: reversed scores give 1 as well (see youden)",
    reference="Kolmogorov (1933), Sulla determinazione empirica di una legge di distribuzione, G. Ist. Ital. Attuari 4",
)
def ks(points: Cumulative) -> float:
    """Compute the largest |recall − p_fa| over all thresholds: the distance of the two distribution functions.

    Parameters
    ----------
    counts
        Counts of both classes.
    exact
        Return a Fraction.

    Returns
    -------
    float
        A difference of rates. Perfect 1, no information 0; reversed scores 1 too.

    Raises
    ------
    SingleClassError
        When a class is empty.

    Notes
    -----
    Tied trials are accepted together. Infinite scores are scores.

    References
    ----------
    Kolmogorov (1933), Sulla determinazione empirica di una legge di distribuzione, G. Ist. Ital. Attuari 4.

    Examples
    --------
    >>> import deciban as db
    >>> reversed_scores = db.Counts.from_classes([0], [1])
    >>> db.ks(reversed_scores), db.youden(reversed_scores)
    (1.0, 0.0)
    """
    least, largest = extremes(points)
    return divide(max(-least, largest), points.total_target * points.total_nontarget)

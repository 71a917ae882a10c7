"""How well scores rank targets above nontargets: figures that any increasing map of the scores leaves alone."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction
from typing import Any, cast

import numpy as np

from deciban.counts.counts import Counts
from deciban.counts.pairs import PairCounts, pair_counts
from deciban.errors import OptionError
from deciban.metrics.spec import metric, whole
from deciban.passes.cumulative import Cumulative, cumulate, running
from deciban.values.ratio import divide


@metric(
    of=pair_counts,
    title="Area under the ROC curve",
    range=(0.0, 1.0),
    direction="higher",
    anchors=(1.0, 0.5),
    exact=True,
    rank_only=True,
    swapped="same",
    bootstrap="halves-log",
    use_when="ranking matters and no operating point is fixed",
    avoid_when="only a small part of the curve will be used, or scores are to be taken as probabilities or LRs",
    reference="Bamber (1975), The area above the ordinal dominance graph, J. Math. Psychology 12",
)
def auc(pairs: PairCounts) -> float:
    """Compute the probability that a target scores higher than a nontarget, ties counted half.

    AUC = (wins + ties/2) / (N1·N0), from exact pair counts.

    Parameters
    ----------
    counts
        Counts of both classes.
    exact
        Return a Fraction.

    Returns
    -------
    float
        A share. Perfect 1, no information 0.5, reversed scores below 0.5 (never flipped).

    Raises
    ------
    SingleClassError
        When a class is empty.

    References
    ----------
    Bamber (1975), The area above the ordinal dominance graph, J. Math. Psychology 12.

    Examples
    --------
    >>> import deciban as db
    >>> db.auc(db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1]), exact=True)
    Fraction(13, 18)
    """
    wins, ties, losses = pairs
    return divide(2 * wins + ties, 2 * (wins + ties + losses))


@metric(
    of=whole,
    title="Average precision",
    range=(0.0, 1.0),
    direction="higher",
    anchors=(1.0, None),
    exact=True,
    rank_only=True,
    of_these_shares=True,
    bootstrap="halves-log",
    use_when="targets are rare and the question is how clean the top of the list is",
    avoid_when="data sets with different shares of targets are compared: no information gives N1/N, not a constant",
    reference="Zhu (2004), Recall, precision and average precision, University of Waterloo",
)
def average_precision(counts: Counts, *, exact: bool = False) -> float:
    """Compute the precision averaged over recall, in steps: Σ (R_k − R_{k−1})·P_k.

    Parameters
    ----------
    counts
        Counts of both classes.
    exact
        Return a Fraction (slow above some thousands of distinct scores).

    Returns
    -------
    float
        A share. Perfect 1; no information N1/N, the share of targets.

    Raises
    ------
    SingleClassError
        When a class is empty.

    Notes
    -----
    A block of equal scores is one step, so all scores equal gives exactly N1/N. Areas under straight lines between
    the points (``pr_trapezoid``) are another, flattering number.

    References
    ----------
    Zhu (2004), Recall, precision and average precision, University of Waterloo.

    Examples
    --------
    >>> import deciban as db
    >>> db.average_precision(db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1]), exact=True)
    Fraction(34, 45)
    """
    counts.require_both_classes("average precision")
    # Recall grows only where there are targets: all but one sum and one look-up are as short as their number.
    n_target, n_nontarget = counts.n_target[::-1], counts.n_nontarget[::-1]
    step = np.flatnonzero(n_target > 0)
    gained = n_target[step]
    tp = np.cumsum(gained)
    accepted = tp + running(n_nontarget, counts.total_nontarget)[step + 1]
    if exact:
        terms = zip(gained.tolist(), tp.tolist(), accepted.tolist(), strict=True)
        total = sum((Fraction(n * k, all_k) for n, k, all_k in terms), Fraction(0))
        return cast(float, total / int(counts.total_target))
    share: Any = gained * (tp / accepted)
    return min(float(share.sum()) / counts.total_target, 1.0)


def rate_limit(name: str, value: float) -> float:
    """Return a rate if it lies in [0, 1], else raise :class:`OptionError`."""
    if not 0.0 <= value <= 1.0:
        raise OptionError(f"{name}: expected a rate in [0, 1], found {value!r}")
    return value


@metric(
    of=cumulate,
    title="Miss rate at a false-alarm rate",
    range=(0.0, 1.0),
    direction="lower",
    anchors=(0.0, None),
    shown=(),
    exact=True,
    rank_only=True,
    bootstrap="bca",
    use_when="an operating point is set by the false-alarm rate (FNMR at FMR 10⁻³)",
    avoid_when="the rate is below 1/N0: it cannot be measured then, and the value is that of no false alarm at all",
    reference="ISO/IEC 19795-1:2021, Biometric performance testing and reporting",
)
def p_miss_at(points: Cumulative, *, p_fa: float) -> float:
    """Compute p_miss at the lowest threshold with p_fa at most the given rate, without interpolation.

    Parameters
    ----------
    counts
        Counts of both classes.
    p_fa
        The largest false-alarm rate allowed, in [0, 1].
    exact
        Return a Fraction.

    Returns
    -------
    float
        A rate. Perfect 0; no information about 1 − p_fa.

    Raises
    ------
    SingleClassError
        When a class is empty.
    OptionError
        When the rate is outside [0, 1].

    Notes
    -----
    Rejecting everything is allowed, so there is always an answer. Tied trials are accepted together or not at all. The
    rate of each threshold, rounded once, is compared with the limit as a double; sums of weights that doubles do not
    hold exactly (0.1, say) round too, and a rate equal to the limit may then fall on either side of it.

    References
    ----------
    ISO/IEC 19795-1:2021, Biometric performance testing and reporting.

    Examples
    --------
    >>> import deciban as db
    >>> db.p_miss_at(db.Counts.from_classes([9, 8, 3], [5, 4, 2, 1]), p_fa=0.25, exact=True)
    Fraction(1, 3)
    """
    limit = rate_limit("p_fa", p_fa)
    at = bisect_right(range(points.fp.size), limit, key=lambda i: points.fp[i].item() / points.total_nontarget) - 1
    return divide(points.total_target - points.tp[at].item(), points.total_target)


@metric(
    of=cumulate,
    title="False-alarm rate at a miss rate",
    range=(0.0, 1.0),
    direction="lower",
    anchors=(0.0, None),
    shown=(),
    exact=True,
    rank_only=True,
    bootstrap="bca",
    use_when="an operating point is set by the miss rate",
    avoid_when="the rate is below 1/N1: it cannot be measured then",
    reference="ISO/IEC 19795-1:2021, Biometric performance testing and reporting",
)
def p_fa_at(points: Cumulative, *, p_miss: float) -> float:
    """Compute p_fa at the highest threshold with p_miss at most the given rate, without interpolation.

    Parameters
    ----------
    counts
        Counts of both classes.
    p_miss
        The largest miss rate allowed, in [0, 1].
    exact
        Return a Fraction.

    Returns
    -------
    float
        A rate. Perfect 0; no information about 1 − p_miss.

    Raises
    ------
    SingleClassError
        When a class is empty.
    OptionError
        When the rate is outside [0, 1].

    Notes
    -----
    Accepting everything is allowed, so there is always an answer. Tied trials are accepted together or not at all. The
    rate of each threshold, rounded once, is compared with the limit as a double; sums of weights that doubles do not
    hold exactly (0.1, say) round too, and a rate equal to the limit may then fall on either side of it.

    References
    ----------
    ISO/IEC 19795-1:2021, Biometric performance testing and reporting.

    Examples
    --------
    >>> import deciban as db
    >>> db.p_fa_at(db.Counts.from_classes([9, 8, 3], [5, 4, 2, 1]), p_miss=0, exact=True)
    Fraction(1, 2)
    """
    limit = rate_limit("p_miss", p_miss)
    n1 = points.total_target
    at = bisect_left(range(points.tp.size), -limit, key=lambda i: -((n1 - points.tp[i].item()) / n1))
    return divide(points.fp[at].item(), points.total_nontarget)

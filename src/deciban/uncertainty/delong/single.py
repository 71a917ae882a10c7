"""Intervals of one AUC, in closed form and in the time of one pass over the distinct scores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from deciban.counts.argument import of_counts
from deciban.counts.counts import Counts
from deciban.errors import UndefinedMetricError
from deciban.uncertainty.delong.newcombe import hanley_mcneil_variance, newcombe_ends
from deciban.uncertainty.delong.placements import PairShares, pair_shares, variance_of_auc
from deciban.uncertainty.interval import Interval, normal_deviate
from deciban.values.log_domain import expit
from deciban.values.option_checks import check_known

AucMethod = Literal["delong-logit", "delong", "newcombe", "hanley-mcneil"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AucVariance:
    """An AUC, and the variance of it over samples of trials."""

    auc: float
    variance: float


@of_counts
def delong_variance(counts: Counts) -> AucVariance:
    """Compute DeLong's variance of the AUC: var(V10)/N1 + var(V01)/N0.

    V10 is, for each target, the share of nontargets below it (ties half); V01, for each nontarget, the share of
    targets above it; variances have divisors N1 − 1 and N0 − 1.

    Parameters
    ----------
    counts
        Unweighted counts with two trials of each class.

    Returns
    -------
    AucVariance
        ``auc`` and ``variance``. The variance is exactly 0 when the classes are separated or all scores equal, which
        does not mean that the AUC is known for certain.

    Raises
    ------
    SingleClassError
        When a class is empty.
    UndefinedMetricError
        Reason ``too_few`` when a class has one trial, ``weighted`` when the counts are weights.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), Comparing the areas under two or more correlated ROC curves,
    Biometrics 44.

    Examples
    --------
    >>> import deciban as db
    >>> db.delong_variance(db.Counts.from_classes([3, 2, 2, 0], [2, 1, 0, -1])).variance * 1536
    47.0
    """
    shares = pair_shares(counts, "DeLong's variance")
    if min(shares.n1, shares.n0) < 2:
        raise UndefinedMetricError("DeLong's variance needs two trials of each class", "too_few")
    return AucVariance(auc=shares.auc, variance=variance_of_auc(counts, shares))


@of_counts
def auc_interval(counts: Counts, level: float = 0.95, method: AucMethod = "delong-logit") -> Interval:
    """Compute an interval of the AUC; trials are taken to be independent.

    Parameters
    ----------
    counts
        Unweighted counts of both classes.
    level
        Two-sided confidence level.
    method
        ``delong-logit``: DeLong's standard error on the log-odds of the AUC, mapped back. ``delong``: A ± z·SE, cut
        to [0, 1]. ``newcombe``: Newcombe's method 5, from the AUC and the class sizes alone. ``hanley-mcneil``:
        A ± z·SE with the standard error of exponentially distributed scores, cut to [0, 1].

    Returns
    -------
    Interval
        Shares within [0, 1], never of zero width. Where the variance is 0 (separated classes, all scores equal) or,
        for DeLong's, a class has one trial, Newcombe's method 5 takes over and ``method`` says so.

    Raises
    ------
    SingleClassError
        When a class is empty.
    UndefinedMetricError
        Reason ``weighted`` when the counts are weights.
    OptionError
        When the level or the method is not legal.

    Notes
    -----
    With every source compared to every other, trials are not independent: a nominal 95 % then covers some 86 %;
    resample sources. Of independent normal scores, 20 of one class and 500 of the other, a nominal 95 % covers 89–94 %
    by ``delong-logit``, 73–92 % by ``delong`` and 95–98 % by ``newcombe``.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), Comparing the areas under two or more correlated ROC curves,
    Biometrics 44; Newcombe (2006), Confidence intervals for an effect size measure based on the Mann–Whitney
    statistic, Statistics in Medicine 25.

    Examples
    --------
    >>> import deciban as db
    >>> found = db.auc_interval(db.Counts.from_classes([3, 2, 2, 0], [2, 1, 0, -1]))
    >>> round(found.low, 4), round(found.high, 4), found.method
    (0.3245, 0.9637, 'delong-logit')
    >>> found = db.auc_interval(db.Counts.from_classes([4, 5, 6], [1, 2, 3]))
    >>> round(found.low, 6), found.high, found.method
    (0.501019, 1.0, 'newcombe')
    """
    check_known("method", method, get_args(AucMethod))
    z = normal_deviate(level)
    shares = pair_shares(counts, "an interval of the AUC")
    variance = _variance(counts, shares, method)
    auc, low, high = shares.auc, 1.0, 0.0
    if variance > 0.0:
        reach = z * math.sqrt(variance)
        low, high = _on_log_odds(shares, reach) if method == "delong-logit" else (auc - reach, auc + reach)
        low, high = max(low, 0.0), min(high, 1.0)
    if not low < high:
        # No variance, or one so small beside an AUC of nearly 1 that doubles do not show it.
        method = "newcombe"
        low, high = newcombe_ends(auc, shares.complement, shares.n1, shares.n0, z)
    return Interval(low=min(low, auc), high=max(high, auc), level=level, method=method)


def _variance(counts: Counts, shares: PairShares, method: AucMethod) -> float:
    """The variance that a method takes, 0 where it has none."""
    if method == "hanley-mcneil":
        return hanley_mcneil_variance(shares.auc, shares.n1, shares.n0)
    if method == "newcombe" or min(shares.n1, shares.n0) < 2:
        return 0.0
    return variance_of_auc(counts, shares)


def _on_log_odds(shares: PairShares, reach: float) -> tuple[float, float]:
    middle = math.log(shares.won) - math.log(shares.lost)
    step = reach / (shares.auc * shares.complement)
    low, high = expit(np.array([middle - step, middle + step])).tolist()
    return low, high

"""Intervals of a rate: a number of independent trials, and in how many of them something happened."""

from __future__ import annotations

import math
from typing import Literal

from deciban.errors import OptionError, UndefinedMetricError
from deciban.uncertainty.interval import Interval, normal_deviate
from deciban.values.option_checks import check_known, check_level

ProportionMethod = Literal["wilson", "clopper-pearson", "jeffreys"]

Ends = tuple[float, float]


def proportion_interval(k: float, n: float, level: float = 0.95, method: ProportionMethod = "wilson") -> Interval:
    """Compute an interval of the rate behind k of n.

    Parameters
    ----------
    k, n
        In how many of how many independent trials it happened: whole numbers, 0 <= k <= n.
    level
        Two-sided confidence level.
    method
        ``wilson``: the rates from which k/n is at most z standard errors away; covers the level on average.
        ``clopper-pearson``: never covers less than the level, and therefore more on average; what "exact" means.
        ``jeffreys``: quantiles of Beta(k + ½, n − k + ½), like Wilson on average and of equal tails.

    Returns
    -------
    Interval
        Rates within [0, 1], never of zero width. Without errors low is exactly 0, with errors only high is exactly 1.

    Raises
    ------
    UndefinedMetricError
        Reason ``undefined_ratio`` when n is 0; ``weighted`` when k or n is no whole number, since a sum of weights is
        no number of trials.
    OptionError
        When k, n, the level or the method is out of range.

    References
    ----------
    Newcombe (1998), Two-sided confidence intervals for the single proportion, Statistics in Medicine 17.

    Examples
    --------
    >>> import deciban as db
    >>> found = db.proportion_interval(15, 148)
    >>> round(found.low, 4), round(found.high, 4), found.method
    (0.0624, 0.1605, 'wilson')
    >>> found = db.proportion_interval(0, 20, method="clopper-pearson")
    >>> found.low, round(found.high, 4)
    (0.0, 0.1684)
    """
    check_known("method", method, METHODS)
    check_level(level)
    _check_counts(k, n)
    low, high = METHODS[method](float(k), float(n), float(level))
    return Interval(low=low, high=high, level=level, method=method)


def wilson(k: float, n: float, level: float = 0.95) -> Interval:
    """Wilson's score interval of the rate behind k of n; see :func:`proportion_interval`.

    Examples
    --------
    >>> found = wilson(1, 29)
    >>> round(found.low, 4), round(found.high, 4)
    (0.0061, 0.1718)
    """
    return proportion_interval(k, n, level, "wilson")


def clopper_pearson(k: float, n: float, level: float = 0.95) -> Interval:
    """Clopper and Pearson's exact interval of the rate behind k of n; see :func:`proportion_interval`.

    Examples
    --------
    >>> found = clopper_pearson(1, 29)
    >>> round(found.low, 4), round(found.high, 4)
    (0.0009, 0.1776)
    """
    return proportion_interval(k, n, level, "clopper-pearson")


def jeffreys(k: float, n: float, level: float = 0.95) -> Interval:
    """Interval of equal tails under Jeffreys' prior of the rate behind k of n; see :func:`proportion_interval`.

    Examples
    --------
    >>> found = jeffreys(9, 10)
    >>> round(found.low, 4), round(found.high, 4)
    (0.6187, 0.989)
    """
    return proportion_interval(k, n, level, "jeffreys")


def wilson_ends(k: float, n: float, level: float) -> Ends:
    """The two rates at which (k/n − p)² = z²·p(1 − p)/n; k need not be whole, as for an expected number of errors.

    The lower is written as a quotient without a difference: small rates keep their digits, and at k = 0 it is 0.
    """
    square = normal_deviate(level) ** 2
    middle = 2.0 * k + square
    reach = math.sqrt(square * (square + 4.0 * k * ((n - k) / n)))
    low = 2.0 * k * (k / n) / (middle + reach)
    high = 1.0 if k == n else (middle + reach) / (2.0 * (n + square))
    return min(low, k / n), min(max(high, k / n), 1.0)


def _clopper_pearson_ends(k: float, n: float, level: float) -> Ends:
    from scipy.special import betainccinv, betaincinv

    tail = (1.0 - level) / 2.0
    low = 0.0 if k == 0 else float(betaincinv(k, n - k + 1.0, tail))
    high = 1.0 if k == n else float(betainccinv(k + 1.0, n - k, tail))
    return low, high


def _jeffreys_ends(k: float, n: float, level: float) -> Ends:
    from scipy.special import betainccinv, betaincinv

    tail = (1.0 - level) / 2.0
    low = 0.0 if k == 0 else float(betaincinv(k + 0.5, n - k + 0.5, tail))
    high = 1.0 if k == n else float(betainccinv(k + 0.5, n - k + 0.5, tail))
    return low, high


METHODS = {"wilson": wilson_ends, "clopper-pearson": _clopper_pearson_ends, "jeffreys": _jeffreys_ends}


def _check_counts(k: float, n: float) -> None:
    if not (math.isfinite(k) and math.isfinite(n) and 0 <= k <= n):
        raise OptionError(f"k, n: expected 0 <= k <= n, found {k!r} of {n!r}")
    if k != math.floor(k) or n != math.floor(n):
        raise UndefinedMetricError(f"an interval of a rate counts trials; {k!r} of {n!r} are weights", "weighted")
    if n == 0:
        raise UndefinedMetricError("there is no trial, so there is no rate")

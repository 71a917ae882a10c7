"""What numbers of trials at hand can show: the smallest rates, and how wide the interval of a figure would be."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from deciban.passes.simulate import calibrated_cost
from deciban.uncertainty.delong.newcombe import check_auc, newcombe_ends
from deciban.uncertainty.interval import normal_deviate
from deciban.uncertainty.planning.rules_of_thumb import zero_error_bound
from deciban.uncertainty.proportion import wilson_ends
from deciban.values.option_checks import check_level, check_whole

SHOWN_RATES: Final = (0.001, 0.01, 0.05, 0.1, 0.5)
"""Rates of which it is shown how precisely a number of trials knows them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedInterval:
    """The interval around a figure, were it observed."""

    value: float
    low: float
    high: float

    @property
    def width(self) -> float:
        """Distance between the two ends."""
        return self.high - self.low


@dataclass(frozen=True, slots=True, kw_only=True)
class RatePrecision:
    """What n trials can say of the error rate of one class.

    Attributes
    ----------
    n
        Trials of the class.
    smallest
        Smallest rate above 0 that they can show, 1/n.
    bound_without_errors, two_sided_bound
        Upper bound of the rate when none of them is an error: one-sided, about 3/n at 95 %, and the upper end of the
        two-sided exact interval, about 3.69/n.
    rule_of_30
        Smallest rate that gives 30 errors, 30/n; None when n is below 30.
    intervals
        Wilson's interval around each of some rates, were it observed.
    """

    n: int
    smallest: float
    bound_without_errors: float
    two_sided_bound: float
    rule_of_30: float | None
    intervals: tuple[ExpectedInterval, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Visible:
    """What a number of trials can show: of misses among the targets and of false alarms among the nontargets."""

    p_miss: RatePrecision
    p_fa: RatePrecision
    level: float


def what_can_be_seen(n1: int, n0: int, level: float = 0.95) -> Visible:
    """Say how small and how well error rates can be measured with n1 targets and n0 nontargets.

    Parameters
    ----------
    n1, n0
        Independent targets and nontargets, at least 1 each.
    level
        Confidence level: one-sided of the bounds without errors, two-sided of the intervals.

    Returns
    -------
    Visible
        ``p_miss`` and ``p_fa``, each with the smallest rate above 0, the bound without errors, the smallest rate with
        30 errors, and Wilson's interval around rates of 0.1, 1, 5, 10 and 50 %.

    Raises
    ------
    OptionError
        When n1, n0 or the level is out of range.

    References
    ----------
    Newcombe (1998), Two-sided confidence intervals for the single proportion, Statistics in Medicine 17; Hanley and
    Lippman-Hand (1983), If nothing goes wrong, is everything all right?, JAMA 249.

    Examples
    --------
    >>> import deciban as db
    >>> seen = db.what_can_be_seen(n1=100, n0=10_000)
    >>> seen.p_fa.smallest, round(seen.p_fa.bound_without_errors, 6), seen.p_fa.rule_of_30
    (0.0001, 0.0003, 0.003)
    >>> five_percent = seen.p_miss.intervals[2]
    >>> five_percent.value, round(five_percent.low, 4), round(five_percent.high, 4)
    (0.05, 0.0215, 0.1118)
    """
    return Visible(p_miss=_precision(n1, "n1", level), p_fa=_precision(n0, "n0", level), level=check_level(level))


def _precision(n: int, name: str, level: float) -> RatePrecision:
    n = check_whole(name, n, 1, "at least one trial")
    ends = [(rate, *wilson_ends(rate * n, n, level)) for rate in SHOWN_RATES]
    return RatePrecision(
        n=n,
        smallest=1 / n,
        bound_without_errors=zero_error_bound(n, level),
        two_sided_bound=zero_error_bound(n, (1.0 + level) / 2.0),
        rule_of_30=30 / n if n >= 30 else None,
        intervals=tuple(ExpectedInterval(value=rate, low=low, high=high) for rate, low, high in ends),
    )


def expected_auc(auc: float, n1: int, n0: int, level: float = 0.95) -> ExpectedInterval:
    """Return the interval that an AUC would have, by Newcombe's method 5, which needs no scores.

    Examples
    --------
    >>> found = expected_auc(0.9, 83, 83)
    >>> round(found.low, 4), round(found.high, 4), round(found.width, 5)
    (0.8387, 0.9383, 0.09959)
    """
    check_auc(auc, n1, n0)
    low, high = newcombe_ends(auc, 1.0 - auc, n1, n0, normal_deviate(level))
    return ExpectedInterval(value=auc, low=low, high=high)


def expected_cllr(sigma: float, n1: int, n0: int, level: float = 0.95) -> ExpectedInterval:
    """Return the interval that Cllr would have, in bits, if log LRs are N(±σ²/2, σ²), which is perfect calibration.

    Cllr ± z/2·√(variance of a trial's cost · (1/n1 + 1/n0)), cut at 0: the costs of both classes have one variance.

    Examples
    --------
    >>> found = expected_cllr(2.0, 500, 500)
    >>> round(found.value, 4), round(found.width, 4)
    (0.5141, 0.1007)
    """
    value, variance = calibrated_cost(sigma)
    reach = cllr_width(variance, n1, n0, normal_deviate(level)) / 2.0
    return ExpectedInterval(value=value, low=max(value - reach, 0.0), high=value + reach)


def cllr_width(variance: float, n1: int, n0: int, z: float) -> float:
    """Width of the interval of Cllr, the mean of two class means whose terms have this variance."""
    return z * math.sqrt(variance * (1.0 / n1 + 1.0 / n0))

"""How many independent trials a rate needs, and what few or no errors say of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from deciban.errors import OptionError
from deciban.option_checks import check_level, check_number, check_whole
from deciban.uncertainty.interval import normal_deviate
from deciban.uncertainty.proportion import wilson_ends

SHOWN_RATES: Final = (0.01, 0.05, 0.1, 0.5)
"""Rates of which it is shown how precisely a number of trials knows them."""


def zero_error_bound(n: int, level: float = 0.95) -> float:
    """Compute the one-sided upper bound of an error rate when none of n trials was an error: 1 − (1 − level)^(1/n).

    Parameters
    ----------
    n
        Independent trials of a rule that was fixed beforehand, at least 1.
    level
        Confidence level of the one-sided bound. The upper limit of a two-sided exact interval is that of a one-sided
        bound of level (1 + level)/2, about 3.69/n instead of 3/n at 95 %.

    Returns
    -------
    float
        A rate above 0, about 3/n at 95 % (the rule of three).

    Raises
    ------
    OptionError
        When n or level is out of range.

    References
    ----------
    Hanley and Lippman-Hand (1983), If nothing goes wrong, is everything all right?, JAMA 249.

    Examples
    --------
    >>> import deciban as db
    >>> round(db.zero_error_bound(100), 7), round(db.zero_error_bound(10_000), 9)
    (0.029513, 0.000299528)
    """
    check_whole("n", n, 1, "at least one trial")
    check_level(level)
    return -math.expm1(math.log1p(-level) / n)


def rule_of_30(errors: float, level: float = 0.9) -> float:
    """Compute how precisely a small rate is known from the number of errors: ±z/√errors, as a share of the rate.

    Parameters
    ----------
    errors
        Errors seen in independent trials of a rule that was fixed beforehand, above 0.
    level
        Two-sided confidence level.

    Returns
    -------
    float
        Half-width of the interval divided by the rate: 0.3 for 30 errors at 90 %, hence the name.

    Raises
    ------
    OptionError
        When errors or level is out of range.

    References
    ----------
    Doddington et al. (2000), The NIST speaker recognition evaluation, Speech Communication 31.

    Examples
    --------
    >>> import deciban as db
    >>> round(db.rule_of_30(30), 7)
    0.3003078
    """
    if not 0.0 < check_number("errors", errors, "a finite number above 0") < math.inf:
        raise OptionError(f"errors: expected a finite number above 0, found {errors!r}")
    return normal_deviate(level) / math.sqrt(errors)


def trials_for_rule_of_30(rate: float, errors: int = 30) -> int:
    """Compute how many trials give 30 errors at a rate: 30/rate, rounded up.

    Parameters
    ----------
    rate
        Expected error rate, above 0 and at most 1.
    errors
        Errors that are wanted; 30 know the rate to ±30 % of itself at 90 %.

    Returns
    -------
    int
        Independent trials of the class whose error it is.

    Raises
    ------
    OptionError
        When the rate or the number of errors is out of range.

    References
    ----------
    Doddington et al. (2000), The NIST speaker recognition evaluation, Speech Communication 31.

    Examples
    --------
    >>> import deciban as db
    >>> db.trials_for_rule_of_30(0.001)
    30000
    """
    if not 0.0 < rate <= 1.0 or not 1 <= errors < math.inf:
        raise OptionError(f"expected a rate in (0, 1] and at least one error, found {rate!r} and {errors!r}")
    quotient = errors / rate
    if not quotient < 2.0**53:
        raise OptionError(f"rate: {rate!r} needs more than 2^53 trials")
    # 0.0003 is not 3/10000 to the last bit: what is whole but for rounding is whole.
    nearest = round(quotient)
    return nearest if abs(nearest - quotient) <= 1e-12 * quotient else math.ceil(quotient)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedInterval:
    """Wilson's interval around a rate, were it observed."""

    rate: float
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
    bound_without_errors
        One-sided upper bound of the rate when none of them is an error.
    rule_of_30
        Smallest rate that gives 30 errors, 30/n; None when n is below 30.
    intervals
        Wilson's interval around each of some rates, were it observed.
    """

    n: int
    smallest: float
    bound_without_errors: float
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
        30 errors, and Wilson's interval around rates of 1, 5, 10 and 50 %.

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
    >>> five_percent = seen.p_miss.intervals[1]
    >>> five_percent.rate, round(five_percent.low, 4), round(five_percent.high, 4)
    (0.05, 0.0215, 0.1118)
    """
    return Visible(p_miss=_precision(n1, "n1", level), p_fa=_precision(n0, "n0", level), level=check_level(level))


def _precision(n: int, name: str, level: float) -> RatePrecision:
    if not 1 <= n < math.inf:
        raise OptionError(f"{name}: expected at least one trial, found {n!r}")
    n = int(n)
    ends = [(rate, *wilson_ends(rate * n, n, level)) for rate in SHOWN_RATES]
    return RatePrecision(
        n=n,
        smallest=1 / n,
        bound_without_errors=zero_error_bound(n, level),
        rule_of_30=30 / n if n >= 30 else None,
        intervals=tuple(ExpectedInterval(rate=rate, low=low, high=high) for rate, low, high in ends),
    )

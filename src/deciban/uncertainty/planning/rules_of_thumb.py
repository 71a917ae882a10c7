"""Rules of thumb for rates: what few or no errors say, and how many independent trials that takes."""

from __future__ import annotations

import math

from deciban.errors import OptionError
from deciban.uncertainty.interval import normal_deviate
from deciban.values.option_checks import check_level, check_number, check_whole


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
    return _rounded_up(errors / rate, rate)


def trials_for_rule_of_3(rate: float, level: float = 0.95) -> int:
    """Compute how many trials without an error show that the rate lies below another: ln(1 − level)/ln(1 − rate).

    Rounded up, and about 3/rate at 95 %, hence the name: the fewest whose ``zero_error_bound`` is not above the rate.

    Parameters
    ----------
    rate
        Error rate to be excluded, strictly between 0 and 1.
    level
        Confidence level of the one-sided bound.

    Returns
    -------
    int
        Independent trials of the class whose error it is. They suffice only if none of them is an error.

    Raises
    ------
    OptionError
        When the rate or the level is out of range.

    References
    ----------
    Hanley and Lippman-Hand (1983), If nothing goes wrong, is everything all right?, JAMA 249.

    Examples
    --------
    >>> import deciban as db
    >>> db.trials_for_rule_of_3(0.01), db.trials_for_rule_of_3(0.001)
    (299, 2995)
    """
    if not 0.0 < check_number("rate", rate) < 1.0:
        raise OptionError(f"rate: expected a share strictly between 0 and 1, found {rate!r}")
    return _rounded_up(math.log1p(-check_level(level)) / math.log1p(-rate), rate)


def _rounded_up(quotient: float, rate: float) -> int:
    if not quotient < 2.0**53:
        raise OptionError(f"rate: {rate!r} needs more than 2^53 trials")
    # 0.0003 is not 3/10000 to the last bit: what is whole but for rounding is whole.
    nearest = round(quotient)
    return nearest if abs(nearest - quotient) <= 1e-12 * quotient else math.ceil(quotient)

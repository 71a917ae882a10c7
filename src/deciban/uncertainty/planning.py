"""How many independent trials a rate needs, and what few or no errors say of it."""

from __future__ import annotations

import math
from statistics import NormalDist

from deciban.errors import OptionError


def _check_level(level: float) -> None:
    if not 0.0 < level < 1.0:
        raise OptionError(f"level: expected a confidence level strictly between 0 and 1, found {level!r}")


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
    if not n >= 1:
        raise OptionError(f"n: expected at least one trial, found {n!r}")
    _check_level(level)
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
    if not 0.0 < errors < math.inf:
        raise OptionError(f"errors: expected a finite number above 0, found {errors!r}")
    _check_level(level)
    return -NormalDist().inv_cdf((1.0 - level) / 2.0) / math.sqrt(errors)

"""How many trials a figure needs so that its interval has a given width."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from deciban.errors import OptionError
from deciban.passes.simulate import calibrated_cost
from deciban.uncertainty.delong.newcombe import newcombe_ends
from deciban.uncertainty.interval import normal_deviate
from deciban.uncertainty.planning.visible import cllr_width
from deciban.uncertainty.proportion import wilson_ends
from deciban.values.option_checks import check_number

MOST: Final = 2**53
"""More trials than this are refused: doubles no longer count them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTrials:
    """Numbers of independent trials, and the width that the interval is then expected to have."""

    n_target: int
    n_nontarget: int
    width: float


def trials_for_rate(rate: float, width: float, level: float = 0.95) -> int:
    """Compute how many trials make Wilson's interval of a rate no wider than wanted.

    Parameters
    ----------
    rate
        Expected rate, within [0, 1].
    width
        Wanted distance between the two ends of the interval, between 0 and 1.
    level
        Two-sided confidence level.

    Returns
    -------
    int
        Independent trials of the class whose rate it is, at least 1.

    Raises
    ------
    OptionError
        When an argument is out of range.

    References
    ----------
    Newcombe (1998), Two-sided confidence intervals for the single proportion, Statistics in Medicine 17.

    Examples
    --------
    >>> import deciban as db
    >>> db.trials_for_rate(0.01, width=0.01), db.trials_for_rate(0.0, width=0.01)
    (1606, 381)
    """
    if not 0.0 <= check_number("rate", rate) <= 1.0:
        raise OptionError(f"rate: expected a share between 0 and 1, found {rate!r}")
    _check_width(width, 1.0)

    def wide(n: int) -> float:
        low, high = wilson_ends(rate * n, n, level)
        return high - low

    return _fewest(lambda n: wide(n) <= width)


def trials_for_auc(auc: float, width: float, level: float = 0.95, *, ratio: float = 1.0) -> PlannedTrials:
    """Compute how many trials make the interval of an AUC (Newcombe's method 5) no wider than wanted.

    Parameters
    ----------
    auc
        Expected AUC, within [0, 1].
    width
        Wanted distance between the two ends of the interval, between 0 and 1.
    level
        Two-sided confidence level.
    ratio
        Nontargets for each target.

    Returns
    -------
    PlannedTrials
        Independent trials of each class. Method 5 takes the scores to be exponentially distributed, as Hanley and
        McNeil do; at an AUC of 1 it still has a width.

    Raises
    ------
    OptionError
        When an argument is out of range.

    References
    ----------
    Newcombe (2006), Confidence intervals for an effect size measure based on the Mann–Whitney statistic, Statistics
    in Medicine 25.

    Examples
    --------
    >>> import deciban as db
    >>> found = db.trials_for_auc(0.9, width=0.1)
    >>> found.n_target, found.n_nontarget, round(found.width, 5)
    (83, 83, 0.09959)
    """
    if not 0.0 <= check_number("auc", auc) <= 1.0:
        raise OptionError(f"auc: expected a share between 0 and 1, found {auc!r}")
    _check_width(width, 1.0)
    _check_ratio(ratio)
    z = normal_deviate(level)

    def wide(n1: int) -> float:
        low, high = newcombe_ends(auc, 1.0 - auc, n1, _nontargets(ratio, n1), z)
        return high - low

    n1 = _fewest(lambda n: wide(n) <= width)
    return PlannedTrials(n_target=n1, n_nontarget=_nontargets(ratio, n1), width=wide(n1))


def trials_for_cllr(cllr: float, width: float, level: float = 0.95, *, ratio: float = 1.0) -> PlannedTrials:
    """Compute how many trials make the interval of Cllr no wider than wanted, if the LRs are perfectly calibrated.

    Assumes log likelihood ratios of targets N(σ²/2, σ²) and of nontargets N(−σ²/2, σ²), with the σ that has this
    Cllr: the only normal distributions whose log likelihood ratio is the score itself. The width is 2z·SE, from the
    variance of the per-trial costs of both classes.

    Parameters
    ----------
    cllr
        Expected Cllr in bits, between 0.001 and 0.999.
    width
        Wanted distance between the two ends of the interval, in bits.
    level
        Two-sided confidence level.
    ratio
        Nontargets for each target.

    Returns
    -------
    PlannedTrials
        Independent trials of each class, at least 2.

    Raises
    ------
    OptionError
        When an argument is out of range.

    Notes
    -----
    Poorly calibrated LRs have heavier costs: the numbers are the least that will do.

    References
    ----------
    Van Leeuwen and Brümmer (2013), The distribution of calibrated likelihood-ratios in speaker recognition,
    Interspeech.

    Examples
    --------
    >>> import deciban as db
    >>> found = db.trials_for_cllr(0.5, width=0.1)
    >>> found.n_target, found.n_nontarget
    (507, 507)
    """
    if not 0.001 <= check_number("cllr", cllr) <= 0.999:
        raise OptionError(f"cllr: expected bits between 0.001 and 0.999, found {cllr!r}")
    _check_width(width, math.inf)
    _check_ratio(ratio)
    z = normal_deviate(level)
    variance = calibrated_cost(_sigma(cllr))[1]

    def wide(n1: int) -> float:
        return cllr_width(variance, n1, _nontargets(ratio, n1), z)

    n1 = _fewest(lambda n: min(n, _nontargets(ratio, n)) >= 2 and wide(n) <= width)
    return PlannedTrials(n_target=n1, n_nontarget=_nontargets(ratio, n1), width=wide(n1))


def _sigma(cllr: float) -> float:
    """The spread at which a perfectly calibrated normal system has this Cllr: it falls as the spread grows."""
    low, high = 0.0, 16.0
    for _ in range(50):
        middle = (low + high) / 2.0
        if calibrated_cost(middle)[0] > cllr:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0


def _fewest(enough: Callable[[int], bool]) -> int:
    """The smallest whole number from 1 that is enough, if every larger one is too."""
    high = 1
    while not enough(high):
        high *= 2
        if high > MOST:
            raise OptionError("width: it would need more than 2^53 trials")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _nontargets(ratio: float, n1: int) -> int:
    """How many nontargets go with so many targets."""
    if not ratio * n1 <= MOST:
        raise OptionError("ratio: it would need more than 2^53 nontargets")
    return math.ceil(ratio * n1)


def _check_width(width: float, limit: float) -> None:
    if not 0.0 < check_number("width", width) < limit:
        raise OptionError(f"width: expected a number above 0 and below {limit:g}, found {width!r}")


def _check_ratio(ratio: float) -> None:
    if not 0.0 < check_number("ratio", ratio) < math.inf:
        raise OptionError(f"ratio: expected a finite number of nontargets for each target above 0, found {ratio!r}")

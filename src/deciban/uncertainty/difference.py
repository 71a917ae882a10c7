"""The difference of two independent figures from the interval of each."""

from __future__ import annotations

import math

from deciban.errors import OptionError
from deciban.uncertainty.interval import Interval


def difference_interval(first: float, of_first: Interval, second: float, of_second: Interval) -> Interval:
    """Compute the interval of ``first − second`` for independent figures, by recovering variances from their limits.

    d = x − y; low = d − √((x − l_x)² + (u_y − y)²), high = d + √((u_x − x)² + (y − l_y)²). What each figure can still
    be on the side that matters stands for its variance there, so that skewed intervals give a skewed one. Of two Wilson
    intervals this is Newcombe's method for the difference of proportions.

    Parameters
    ----------
    first, second
        The two figures.
    of_first, of_second
        Their intervals, of one level.

    Returns
    -------
    Interval
        Method ``mover`` and those of the two; contains d whenever each interval contains its figure.

    Raises
    ------
    OptionError
        When the levels differ.

    Notes
    -----
    Infinite limits give infinite ones.

    References
    ----------
    Zou and Donner (2008), Construction of confidence limits about effect measures, Statistics in Medicine 27; Newcombe
    (1998), Interval estimation for the difference between independent proportions, Statistics in Medicine 17.

    Examples
    --------
    >>> from deciban.uncertainty.proportion import proportion_interval
    >>> found = difference_interval(56 / 70, proportion_interval(56, 70), 48 / 80, proportion_interval(48, 80))
    >>> round(found.low, 4), round(found.high, 4)
    (0.0524, 0.3339)
    """
    if of_first.level != of_second.level:
        raise OptionError(f"level: expected two intervals of one level, found {of_first.level} and {of_second.level}")
    apart = first - second
    low = apart - math.hypot(first - of_first.low, of_second.high - second)
    high = apart + math.hypot(of_first.high - first, second - of_second.low)
    methods = dict.fromkeys((of_first.method, of_second.method))
    return Interval(low=low, high=high, level=of_first.level, method=f"mover ({', '.join(methods)})")

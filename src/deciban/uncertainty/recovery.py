"""Sums and differences of independent figures from the interval of each: variances recovered from their limits."""

from __future__ import annotations

import math
from collections.abc import Iterable

from deciban.errors import OptionError
from deciban.uncertainty.interval import Interval

Part = tuple[float, float, float]
"""A figure with its limits: value, low, high."""


def sum_ends(parts: Iterable[Part]) -> tuple[float, float]:
    """Limits of a sum of independent figures: Σv ∓ √Σ(v − low)² and √Σ(high − v)² (Zou and Donner, 2008).

    >>> sum_ends([(0.5, 0.2, 0.9), (0.25, -0.15, 0.55)])
    (0.25, 1.25)
    """
    values, down, up = [], [], []
    for value, low, high in parts:
        values.append(value)
        down.append(value - low)
        up.append(high - value)
    return math.fsum(values) - math.hypot(*down), math.fsum(values) + math.hypot(*up)


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
    low, high = sum_ends([(first, of_first.low, of_first.high), (-second, -of_second.high, -of_second.low)])
    methods = dict.fromkeys((of_first.method, of_second.method))
    return Interval(low=low, high=high, level=of_first.level, method=f"mover ({', '.join(methods)})")

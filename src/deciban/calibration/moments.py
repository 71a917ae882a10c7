"""Mean and spread of the scores of one class, with all the digits that differences of scores have."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from deciban.calibration.reading import too_close, too_far
from deciban.counts.columns import ends
from deciban.values.arrays import AnyArray, Floats

TINY: Final = float(np.finfo(np.float64).tiny)
"""The smallest double with all its digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """Mean and spread of one class.

    Attributes
    ----------
    origin
        A score of the trials, in the middle of the class; far from 0 a mean itself would be rounded to its digits.
    from_origin
        Mean of the class less the origin.
    root_mean_square
        Of the distances from the mean.
    constant
        Whether all scores of the class are equal.
    """

    origin: float
    from_origin: float
    root_mean_square: float
    constant: bool


def moments(x: Floats, n: AnyArray, total: float) -> Moments:
    """Mean and spread of the x of one class, which has ``n`` trials at each and ``total`` in all; x increases."""
    first, last = ends(n)
    x, n = x[first : last + 1], n[first : last + 1]
    origin = float(x[x.size // 2])
    with np.errstate(over="ignore"):
        width = float(x[-1] - x[0])
    if width == 0.0:
        return Moments(origin=origin, from_origin=0.0, root_mean_square=0.0, constant=True)
    # Halves, where the distance of the ends overflows: not always, since the smallest doubles have none.
    share = 1.0 if math.isfinite(width) else 0.5
    if share == 1.0:
        y = x - origin
    else:
        y, width = x * share - origin * share, float(x[-1] * share - x[0] * share)
    y /= width
    weight = n.astype(np.float64)
    mean = float(np.dot(weight, y)) / total
    y -= mean
    y *= y
    root = math.sqrt(float(np.dot(weight, y)) / total)
    return Moments(
        origin=origin, from_origin=width * mean / share, root_mean_square=width * root / share, constant=False
    )


def checked_spread(spread: float, what: str) -> float:
    """The spread of scores that are not all equal.

    Raises
    ------
    UndefinedMetricError
        Reason ``not_converged`` where no double holds it with all its digits.
    """
    if spread < TINY:
        raise too_close(what)
    if not math.isfinite(spread):
        raise too_far(what)
    return spread

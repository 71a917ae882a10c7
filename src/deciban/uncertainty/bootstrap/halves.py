"""Intervals from halves of the data: how far a figure is moved and spread by having only so many trials.

A figure that is fitted to the trials it judges (min Cllr, EER on the hull) is better the fewer they are, and its
bootstrap distribution does not tell by how much: a replicate holds trials several times, which the fit takes for
structure. Halves drawn without replacement hold each trial at most once. What a half adds to the bias tells how large
it is; and over halves a figure spreads as over new samples, since halves of one sample share half of its variance.
Of n units (sources, say) a bootstrap spreads (n − 1)/n as much, in variance; halves do not, which serves every figure.

    bias(n) = (mean over halves − value) / (2^r − 1)        where bias(n) is proportional to n^−r, r the rate
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from deciban.uncertainty.interval import normal_deviate
from deciban.values.arrays import Floats

METHOD: Final = "halves-log"

FAR: Final = 700.0
"""Logarithm of the largest factor, about what a double holds."""


def halved_ends(
    value: float,
    halves: Floats,
    level: float,
    *,
    limits: tuple[float, float],
    perfect: float | None = None,
    rate: float = 1.0,
) -> tuple[float, float, str]:
    """Read the ends of an interval from a figure's value and its values in halves of the data, all finite.

    Parameters
    ----------
    value, halves
        The figure of the data, and of halves of them.
    level
        Two-sided confidence level.
    limits
        Smallest and largest value that the figure can take; the ends may still lie beyond them.
    perfect
        The limit that a perfect system reaches. Distances from it spread in proportion to their size, and the interval
        is symmetrical on their logarithm: (distance − bias)·exp(±z·spread/distance). None, or where the value is
        perfect: value − bias ± z·spread.
    rate
        How fast the bias shrinks: 1 for smooth functions of means, 2/3 for what isotonic regression is part of.

    Returns
    -------
    low, high, method
        ``halves-log`` or ``halves``, whichever of the two it is.

    References
    ----------
    Politis, Romano and Wolf (1999), Subsampling, section 2; Shao and Wu (1989), A general theory for jackknife variance
    estimation, Annals of Statistics 17.

    Examples
    --------
    >>> import numpy as np
    >>> low, high, method = halved_ends(0.2, np.array([0.16, 0.18, 0.2, 0.22]), 0.95, limits=(0.0, 0.5), perfect=0.0)
    >>> round(low, 3), round(high, 3), method
    (0.169, 0.261, 'halves-log')
    """
    on_log = perfect is not None and perfect in limits and math.isfinite(perfect) and value != perfect
    # In shares of the largest, whose square is a double.
    unit = float(np.abs(halves).max()) or 1.0
    shares = halves / unit
    reach = normal_deviate(level) * float(shares.std()) * unit
    bias = (float(shares.mean()) * unit - value) / (2.0**rate - 1.0)
    centre = min(max(value - bias, limits[0]), limits[1])
    if perfect is None or not on_log:
        return centre - reach, centre + reach, "halves"
    distance = abs(value - perfect)
    # A bias that would leave nothing of the distance is not corrected: zero has no logarithm.
    middle = abs(centre - perfect) or distance
    factor = math.exp(min(reach / distance, FAR))
    near, far = middle / factor, middle * factor
    return (perfect + near, perfect + far, METHOD) if perfect == limits[0] else (perfect - far, perfect - near, METHOD)

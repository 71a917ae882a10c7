"""The sum of several straight lines, one for each system that is fused."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from deciban.calibration.reading import LARGEST
from deciban.values.arrays import Floats

Columns = Mapping[str, Floats]
Numbers = Mapping[str, float]


def summed_lines(columns: Columns, slopes: Numbers, centres: Numbers, offset: float) -> Floats:
    """Σ slope · (x − centre) + offset; a slope of 0 leaves a column out, infinite numbers included.

    NaN where infinite numbers contradict one another, and nowhere else: what finite ones give is finite.
    """
    total = np.full(len(next(iter(columns.values()))), offset)
    with np.errstate(over="ignore", invalid="ignore"):
        for name, x in columns.items():
            if slopes[name]:
                term = x - centres[name]
                term *= slopes[name]
                total += term
        beyond = np.flatnonzero(~np.isfinite(total))
        if beyond.size:
            beyond = beyond[np.logical_and.reduce([np.isfinite(x[beyond]) for x in columns.values()])]
            total[beyond] = _far({name: x[beyond] for name, x in columns.items()}, slopes, centres, offset)
    return total


def _far(columns: Columns, slopes: Numbers, centres: Numbers, offset: float) -> Floats:
    """Where a term overflows: small shares of all terms, then of their sum."""
    steepest, few = max(map(abs, slopes.values())), 4.0 * len(slopes)
    total = np.zeros(len(next(iter(columns.values()))))
    for name, x in columns.items():
        total += slopes[name] / steepest * (x / few - centres[name] / few)
    return np.clip(total * steepest * few + offset, -LARGEST, LARGEST)

"""The values at which a curve is computed: those given, or a default that hits the points people read."""

from __future__ import annotations

from typing import Final

import numpy as np

from deciban.errors import OptionError, Problems
from deciban.values.arrays import Floats, as_floats

LOG10_ODDS: Final = np.arange(-60, 61) / 20
"""−3 to 3 in steps of 0.05: both ends and 0 exactly."""


def grid(values: object, name: str, default: Floats, *, low: float = -np.inf, high: float = np.inf) -> Floats:
    """The values given, in their order, or the default; NaN and what lies outside ``[low, high]`` is refused."""
    if values is None:
        return default
    problems = Problems(name)
    # A copy: the curve must not change when the caller's array does.
    given = np.array(as_floats(values, name, problems))
    problems.raise_if_any()
    if given.size == 0:
        raise OptionError(f"{name}: expected at least one value, found none")
    outside = ~((given >= low) & (given <= high))
    if outside.any():
        unbounded = low == -np.inf and high == np.inf
        expected = "numbers" if unbounded else f"numbers from {low:g} to {high:g}"
        raise OptionError(f"{name}: expected {expected}, found {given[outside][0]!r}")
    return given


def log10_odds_grid(values: object, *, finite: bool) -> Floats:
    """Prior log10 odds; infinite ones (the priors 0 and 1) unless they must be finite."""
    limit = float(np.finfo(np.float64).max) if finite else np.inf
    return grid(values, "log10_odds", LOG10_ODDS, low=-limit, high=limit)

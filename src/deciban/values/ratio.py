"""Ratios of counts: exact fractions for whole trials, doubles for weights."""

from __future__ import annotations

from fractions import Fraction
from typing import cast


def divide(numerator: float, denominator: float) -> float:
    """Divide; two integers give a Fraction, which knows its value exactly and rounds once when made a float.

    A Fraction is no float to the type checker, but does everything here that one does.
    """
    if isinstance(numerator, int) and isinstance(denominator, int):
        return cast(float, Fraction(numerator, denominator))
    return numerator / denominator

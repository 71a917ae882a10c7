"""Bounds of LRs by a word: ``elub``, ``sources=30``, ``1/1000,1000``."""

from __future__ import annotations

from typing import Final

from deciban.calibration.bounds import RULES, BoundedCalibrator
from deciban.calibration.kinds import PlainCalibrator
from deciban.errors import OptionError
from deciban.values.spelled import spelled_float, spelled_int

BOUNDS_SAID: Final = "elub, elub-one-sided, iv, sources, sources=N, or LOWER,UPPER"


def bounded(plain: PlainCalibrator, bound: str) -> BoundedCalibrator:
    """The settings with bounds by a rule; raises :class:`OptionError` when there is no such rule."""
    rule, equals, number = bound.partition("=")
    lower, comma, upper = bound.partition(",")
    try:
        if bound in RULES or bound == "sources":
            return BoundedCalibrator(plain, bound)  # type: ignore[arg-type]
        if equals and rule == "sources":
            return BoundedCalibrator(plain, "sources", n_sources=spelled_int(number))
        if comma:
            return BoundedCalibrator(plain, "fixed", lower=_ratio(lower), upper=_ratio(upper))
    except ValueError as error:
        if isinstance(error, OptionError):
            raise
        raise OptionError(f"bound: {error}; expected {BOUNDS_SAID}") from None
    raise OptionError(f"bound: expected {BOUNDS_SAID}, found {bound!r}")


def _ratio(text: str) -> float:
    top, slash, bottom = text.partition("/")
    divisor = spelled_float(bottom) if slash else 1.0
    if divisor == 0.0:
        raise OptionError(f"bound: expected an LR, found {text!r}")
    return spelled_float(top) / divisor

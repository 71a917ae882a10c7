"""Bounds around any calibrator: LRs beyond what the data support become the bound."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

import numpy as np

from deciban.calibration.fitting import Fits
from deciban.calibration.kinds import PlainCalibrator
from deciban.counts.counts import Counts
from deciban.errors import InputError, NeedsTrialsError, OptionError
from deciban.passes.lr_support import ELUB, ELUB_ONE_SIDED, INVARIANCE, Rule, lr_sides, supported
from deciban.values.arrays import Bools, Floats
from deciban.values.option_checks import check_choice, check_number, check_whole

BoundRule = Literal["elub", "elub-one-sided", "iv", "sources", "fixed"]

RULES: Final[dict[str, Rule]] = {"elub": ELUB, "elub-one-sided": ELUB_ONE_SIDED, "iv": INVARIANCE}
"""The rules that look at LRs."""

BY: Final = (*RULES, "sources", "fixed")


@dataclass(frozen=True, slots=True, kw_only=True)
class LrBounds:
    """The smallest and the largest LR that a calibration gives, and the rule they come from.

    Attributes
    ----------
    by
        ``elub``, ``elub-one-sided``, ``iv``, ``sources`` or ``fixed``.
    lower, upper
        LRs, 0 < lower <= 1 <= upper.
    """

    by: BoundRule
    lower: float
    upper: float

    def __post_init__(self) -> None:
        if not 0.0 < self.lower <= 1.0 <= self.upper:
            raise InputError(f"bounds: expected 0 < lower <= 1 <= upper, found {self.lower!r} and {self.upper!r}")

    def said(self) -> str:
        """The bounds in a sentence."""
        return f"LRs kept within {self.lower:.6g} and {self.upper:.6g} (bounds by {self.by})"

    def clip(self, ln_lr: Floats) -> Floats:
        """The log LRs, those beyond a bound being the bound."""
        return np.clip(ln_lr, math.log(self.lower), math.log(self.upper))

    def within(self, ln_lr: Floats) -> Bools:
        """Whether each log LR is left as it is."""
        return np.asarray((ln_lr >= math.log(self.lower)) & (ln_lr <= math.log(self.upper)))


@dataclass(frozen=True, slots=True)
class BoundedCalibrator(Fits):
    """Calibrate with any calibrator, and give no LR beyond the bounds of what the development trials support.

    Parameters
    ----------
    calibrator
        The settings that do the calibration.
    by
        The rule of the bounds: ``"elub"`` (default), ``"elub-one-sided"`` and ``"iv"`` of the calibrated development
        trials, as the metrics ``elub``, ``elub_one_sided`` and ``iv_bounds`` define them; ``"sources"``: 1/n and n for
        n sources; ``"fixed"``: those given.
    grid
        Step of log10 LR for the first three rules; None (default) is exact.
    n_sources
        How many sources, for ``"sources"``; None takes those of the trials.
    lower, upper
        The LRs of ``"fixed"``, 0 < lower <= 1 <= upper.

    Raises
    ------
    OptionError
        When an option is not one of the rule's, or out of range.

    Notes
    -----
    Infinite LRs become the bound, too. The bounds are recorded in the calibration and its file; ``supported`` tells
    which scores were given a bound instead of their LR. What ``fit`` raises is what the calibrator raises, and
    :class:`NeedsTrialsError` for ``"sources"`` without any. The same trials fit and bound, which flatters a flexible
    calibrator.

    References
    ----------
    Vergeer, van Es, de Jongh, Alberink and Stoel (2016), Numerical likelihood ratios outputted by LR systems are often
    based on extrapolation, Science & Justice 56.

    Examples
    --------
    >>> import deciban as db
    >>> development = db.Counts.from_classes([1, 2, 3, 4], [-3, -2, -1, 1.5])
    >>> bounded = db.BoundedCalibrator(db.GaussianCalibrator(), "elub").fit(development)
    >>> bounded.bounds.by, round(bounded.bounds.lower, 9), round(bounded.bounds.upper, 9)
    ('elub', 0.333333333, 1.521785277)
    """

    calibrator: PlainCalibrator
    by: BoundRule = "elub"
    grid: float | None = None
    n_sources: int | None = None
    lower: float | None = None
    upper: float | None = None
    kind: Literal["bounded"] = field(default="bounded", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        check_choice("bound", self.by, BY)
        given: object = self.calibrator
        if not isinstance(given, get_args(PlainCalibrator)):
            raise OptionError(f"calibrator: expected one without bounds, such as LogisticCalibrator(), found {given!r}")
        allowed = {"sources": ("n_sources",), "fixed": ("lower", "upper")}.get(self.by, ("grid",))
        for name in ("grid", "n_sources", "lower", "upper"):
            value = getattr(self, name)
            if value is not None and name not in allowed:
                raise OptionError(f"{name}: bounds by {self.by!r} have no such option; they have {', '.join(allowed)}")
            if value is not None and name != "n_sources":
                object.__setattr__(self, name, check_number(name, value))
        if self.n_sources is not None:
            object.__setattr__(self, "n_sources", check_whole("n_sources", self.n_sources, 1))
        if self.by == "fixed":
            self._check_fixed()

    def _check_fixed(self) -> None:
        if self.lower is None or self.upper is None:
            raise OptionError("bounds that are fixed: expected lower= and upper=, found one or none of them")
        if not 0.0 < self.lower <= 1.0 <= self.upper:
            raise OptionError(f"bounds: expected 0 < lower <= 1 <= upper, found {self.lower!r} and {self.upper!r}")

    def bounds(self, calibrated: Counts, n_sources: int | None) -> LrBounds:
        """The bounds by the rule, of calibrated development trials from so many sources (None: not known)."""
        if self.by == "fixed" and self.lower is not None and self.upper is not None:
            return LrBounds(by=self.by, lower=self.lower, upper=self.upper)
        if self.by in RULES:
            lower, upper = supported(lr_sides(calibrated), RULES[self.by], self.grid, "bounds")
            return LrBounds(by=self.by, lower=lower, upper=upper)
        n = self.n_sources or n_sources
        if n is None:
            raise NeedsTrialsError(
                "bounds by number of sources: fit trials with sources= (--source), or say n_sources= (--bound "
                "sources=N)"
            )
        return LrBounds(by=self.by, lower=1.0 / n, upper=float(n))

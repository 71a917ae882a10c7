"""Detection costs and the named presets of evaluation campaigns."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from deciban.errors import OptionError, did_you_mean
from deciban.values.option_checks import check_number
from deciban.values.scale import Scale, check_prior, threshold_of_log10_lr, threshold_of_lr


@dataclass(frozen=True, slots=True)
class Cost:
    """An application: prior of a target, cost of a miss, cost of a false alarm."""

    p_target: float
    c_miss: float
    c_fa: float

    def __post_init__(self) -> None:
        check_prior(self.p_target, "p_target")
        for name, value in (("c_miss", self.c_miss), ("c_fa", self.c_fa)):
            if not 0.0 < check_number(name, value, "a finite cost above 0") < math.inf:
                raise OptionError(f"{name}: expected a finite cost above 0, found {value!r}")
        if not (min(self.weight_miss, self.weight_fa) > 0.0 and max(self.weight_miss, self.weight_fa) < math.inf):
            raise OptionError(
                f"costs too far apart: p_target {self.p_target!r}, c_miss {self.c_miss!r} and c_fa {self.c_fa!r} give "
                f"{self.weight_miss!r} for always rejecting and {self.weight_fa!r} for always accepting; expected "
                "finite numbers above 0: multiply both costs by one number"
            )

    @property
    def _weights(self) -> tuple[Fraction, Fraction]:
        """Cmiss·π and Cfa·(1 − π) of the decimals that were written: 1 − 0.95 is 0.05, and β of it no other double."""
        prior, c_miss, c_fa = (Fraction(repr(float(value))) for value in (self.p_target, self.c_miss, self.c_fa))
        return c_miss * prior, c_fa * (1 - prior)

    @property
    def weight_miss(self) -> float:
        """Cmiss·π: what always rejecting costs."""
        return rounded(self._weights[0])

    @property
    def weight_fa(self) -> float:
        """Cfa·(1 − π): what always accepting costs."""
        return rounded(self._weights[1])

    @property
    def default(self) -> float:
        """The cost of the better of always rejecting and always accepting."""
        return min(self.weight_miss, self.weight_fa)

    @property
    def beta(self) -> float:
        """The likelihood ratio at and above which accepting is the cheaper decision: (Cfa/Cmiss)·(1 − π)/π."""
        miss, fa = self._weights
        return rounded(fa / miss)

    def threshold(self, scale: Scale, prior: float | None) -> float:
        """β in the unit of the scores; by its logarithm where it is no double itself."""
        beta = self.beta
        if 0.0 < beta < math.inf:
            return threshold_of_lr(beta, scale, prior)
        miss, fa = self._weights
        ratio = fa / miss
        return threshold_of_log10_lr(math.log10(ratio.numerator) - math.log10(ratio.denominator), scale, prior)


def rounded(value: Fraction) -> float:
    """The nearest double, inf beyond the largest."""
    try:
        return float(value)
    except OverflowError:
        return math.inf


PRESETS: Final[dict[str, tuple[Cost, ...]]] = {
    "sre08": (Cost(0.01, 10, 1),),
    "sre16": (Cost(0.01, 1, 1), Cost(0.005, 1, 1)),
    "voxsrc": (Cost(0.05, 1, 1),),
    "asvspoof5": (Cost(0.95, 1, 10),),
}
"""Costs by name; a preset of several costs is the mean of the normalised ones, each with its own threshold.

``asvspoof5`` has prior 0.05 of a spoof; bona fide is the target.
"""


def costs_of(preset: str | None, p_target: float | None, c_miss: float | None, c_fa: float | None) -> tuple[Cost, ...]:
    """The costs that the options describe: a preset, or all three parameters; there is no default."""
    given = {"p_target": p_target, "c_miss": c_miss, "c_fa": c_fa}
    named = [name for name, value in given.items() if value is not None]
    if preset is not None:
        if named:
            raise OptionError(f"give either preset={preset} or {', '.join(named)}, not both")
        if preset not in PRESETS:
            raise OptionError(f"preset: {preset!r} is not one; {did_you_mean(preset, PRESETS)}")
        return PRESETS[preset]
    if p_target is None or c_miss is None or c_fa is None:
        missing = ", ".join(name for name in given if name not in named)
        raise OptionError(f"costs have no default: give {missing}, or preset= one of {', '.join(PRESETS)}")
    return (Cost(p_target, c_miss, c_fa),)


def bayes_threshold(p_target: float, c_miss: float = 1.0, c_fa: float = 1.0) -> float:
    """Return the natural-log likelihood ratio at and above which accepting costs less than rejecting.

    ln β, β = (Cfa/Cmiss)·(1 − π)/π.

    Parameters
    ----------
    p_target
        Prior of a target, strictly between 0 and 1.
    c_miss, c_fa
        Costs of a miss and of a false alarm, above 0.

    Returns
    -------
    float
        Threshold for ln LR.

    Raises
    ------
    OptionError
        When a parameter is out of range.

    References
    ----------
    Brümmer and du Preez (2006), Application-independent evaluation of speaker detection, CSL 20.

    Examples
    --------
    >>> import deciban as db
    >>> db.bayes_threshold(0.5)
    0.0
    >>> round(db.bayes_threshold(0.01, c_miss=10, c_fa=1), 6)
    2.292535
    """
    return Cost(p_target, c_miss, c_fa).threshold("ln_lr", None)

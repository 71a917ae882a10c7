"""Beta calibration: the log LR that two beta distributions of the probabilities would have."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from deciban.arrays import Floats
from deciban.calibration.fitting import Fits
from deciban.calibration.reading import Reading, kept_finite, read, refuse_constant
from deciban.counts import Counts, ends
from deciban.errors import InputError, UndefinedMetricError
from deciban.log_domain import softplus
from deciban.logistic_columns import Plane, fit_plane
from deciban.scale import check_prior


@dataclass(frozen=True, slots=True, kw_only=True)
class BetaModel:
    """ln LR = a · ln p − b · ln(1 − p) + c, with ln p and ln(1 − p) from the log-odds x of p."""

    a: float
    b: float
    c: float
    kind: Literal["beta"] = "beta"
    reads: ClassVar[Reading] = "log_odds"

    def __post_init__(self) -> None:
        if not (self.a >= 0.0 and self.b >= 0.0 and math.isfinite(self.a + self.b + self.c)):
            raise InputError(f"beta: expected finite a, b >= 0 and c, found {self.a!r}, {self.b!r} and {self.c!r}")

    def ln_lr(self, x: Floats) -> Floats:
        """The log LRs; a coefficient of 0 leaves its end of the probabilities finite."""
        ln_lr = np.full(x.shape, self.c)
        with np.errstate(over="ignore"):
            if self.a:
                ln_lr -= self.a * softplus(-x)
            if self.b:
                ln_lr += self.b * softplus(x)
        return kept_finite(ln_lr, x)


@dataclass(frozen=True, slots=True)
class BetaCalibrator(Fits):
    """Calibrate probabilities by ln LR = a·ln p − b·ln(1 − p) + c with a, b >= 0.

    By maximum likelihood, each class with the weight of the prior; LRs are read as probabilities at even prior odds.

    Parameters
    ----------
    prior
        Prior π of the target that weighs the two classes; None (default) is ½.

    Raises
    ------
    OptionError
        When the prior is out of range.

    Notes
    -----
    A coefficient that would be negative is 0, and the others are the best beside it. ``fit`` raises
    :class:`ScaleError` for raw scores, :class:`UndefinedMetricError` (reason ``separated``) when a threshold parts the
    classes with the targets above, :class:`InputError` for probabilities of 0 and 1. In ``apply`` p = 1 is inf and
    p = 0 is −inf, unless b or a is 0. Calibrated log-odds have a = b = 1; probabilities that tell nothing have ln LR 0.

    References
    ----------
    Kull, Silva Filho and Flach (2017), Beta calibration, Electronic Journal of Statistics 11.

    Examples
    --------
    >>> import deciban as db
    >>> development = db.Counts.from_classes([0.9, 0.6, 0.8, 0.4], [0.2, 0.5, 0.1, 0.7], scale="probability")
    >>> db.BetaCalibrator().fit(development).transform([0.5]).round(3).tolist()
    [-0.122]
    """

    prior: float | None = None
    kind: Literal["beta"] = field(default="beta", kw_only=True, repr=False)
    reads: ClassVar[Reading] = "log_odds"
    finite_only: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "prior", check_prior(self.prior))

    def model(self, counts: Counts) -> BetaModel:
        """Fit the three parameters to counts of both classes."""
        x = read(counts.score, counts.scale, counts.prior, self.reads)
        refuse_constant(counts)
        if x[ends(counts.n_target)[0]] >= x[ends(counts.n_nontarget)[1]]:
            raise UndefinedMetricError(
                "calibration: a threshold parts targets and nontargets, so that the larger the parameters the better "
                "and none are best; collect harder trials, or use the logistic calibrator with a penalty",
                "separated",
            )
        features = np.column_stack([-softplus(-x), softplus(x)])
        candidates = [found for pick in ([0, 1], [0], [1]) if (found := self._fit(features, counts, pick)) is not None]
        # Cost is convex: the best of both is best of all where it is allowed, else the best lies on an edge.
        a, b, c, _ = min(candidates, key=lambda found: found[3], default=(0.0, 0.0, 0.0, math.inf))
        return BetaModel(a=a, b=b, c=c)

    def _fit(self, features: Floats, counts: Counts, pick: list[int]) -> tuple[float, float, float, float] | None:
        """a, b, c and their cost with some of the two slopes free; None where that leads to a negative one."""
        prior = 0.5 if self.prior is None else self.prior
        try:
            plane: Plane = fit_plane(features[:, pick], counts.n_target, counts.n_nontarget, prior=prior)
        except UndefinedMetricError:
            return None  # the best slopes are infinite, which is possible with a negative one only
        if plane.slopes.min() < 0.0:
            return None
        slopes = np.zeros(2)
        slopes[pick] = plane.slopes
        return float(slopes[0]), float(slopes[1]), plane.offset, plane.loss

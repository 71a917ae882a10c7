"""Bi-Gaussianised calibration: the scores' ranks take the places of perfectly calibrated log LRs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal

import numpy as np

from deciban.calibration.fitting import EqualByContent, Fits
from deciban.calibration.reading import Reading
from deciban.counts.counts import Counts
from deciban.errors import InputError, OptionError, UndefinedMetricError
from deciban.passes.simulate import SigmaFrom, sigma_of
from deciban.values.arrays import AnyArray, Floats, owned
from deciban.values.option_checks import check_number

STEPS: Final = 100
ROUNDING: Final = 1e-14


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BigaussianModel(EqualByContent):
    """ln LR = G⁻¹(½F_target + ½F_nontarget), G the equal mixture of N(±σ²/2, σ²); scores in the unit given."""

    score: Floats
    n_target: AnyArray
    n_nontarget: AnyArray
    sigma: float
    sigma_from: SigmaFrom
    kind: Literal["bigaussian"] = "bigaussian"
    reads: ClassVar[Reading] = "score"
    formula: ClassVar[str] = "ln LR = G⁻¹(½F_target(x) + ½F_nontarget(x)), G the equal mixture of N(±sigma²/2, sigma²)"
    derived: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        score, n1, n0 = self.score, self.n_target, self.n_nontarget
        sound = score.size == n1.size == n0.size > 0 and (score[1:] > score[:-1]).all() and not np.isnan(score[0])
        if not (sound and min(n1.min(), n0.min()) >= 0 and n1.any() and n0.any() and 0.0 <= self.sigma < math.inf):
            raise InputError("bigaussian: expected increasing scores with numbers of trials, and a sigma >= 0")
        for name in ("score", "n_target", "n_nontarget"):
            object.__setattr__(self, name, owned(getattr(self, name)))

    def ln_lr(self, x: Floats) -> Floats:
        """The log LRs; scores beyond the ends have that of the end, infinite ones too."""
        if self.sigma == 0.0:
            return np.zeros(x.shape)
        within = np.clip(x, self.score[0], self.score[-1])
        distinct, where = np.unique(within, return_inverse=True)
        below, above = (self._share(distinct, from_top=from_top) for from_top in (False, True))
        # G is symmetric: the smaller tail has all its digits.
        size = mixture_quantile(np.minimum(below, above), self.sigma)
        return np.where(below <= above, size, -size)[where]

    def _share(self, x: Floats, *, from_top: bool) -> Floats:
        """Mean of the two classes' shares of trials below x (above it), those at x counted half."""
        at = np.searchsorted(self.score, x, side="left")
        hit = self.score[at] == x
        shares = np.zeros(x.size)
        for n in (self.n_target, self.n_nontarget):
            up_to = np.concatenate([[0], np.cumsum(n)])
            here = np.where(hit, n[at], 0)
            outside = up_to[-1] - up_to[at] - here if from_top else up_to[at]
            shares += (outside + here / 2.0) / up_to[-1] / 2.0
        return shares


def mixture_quantile(share: Floats, sigma: float) -> Floats:
    """G⁻¹ of shares up to ½, G the equal mixture of N(±σ²/2, σ²): Newton's method on ln G between bounds."""
    from scipy.special import log_ndtr, ndtri

    middle, target = sigma**2 / 2.0, np.log(share)
    # Of the two terms of G the upper component's is the smaller one: G is between half the lower one's and all of it.
    low, high = sigma * ndtri(share) - middle, np.minimum(sigma * ndtri(np.minimum(2.0 * share, 1.0)) - middle, 0.0)
    x, found = low.copy(), np.zeros(low.size, dtype=bool)
    for _ in range(STEPS):
        z = np.array([(x + middle) / sigma, (x - middle) / sigma])
        value = np.logaddexp(*log_ndtr(z)) - math.log(2.0)
        excess = value - target
        high, low = np.where(excess > 0.0, x, high), np.where(excess > 0.0, low, x)
        density = np.exp(np.logaddexp(*(-0.5 * z**2)) - value) / (sigma * math.sqrt(8.0 * math.pi))
        with np.errstate(divide="ignore", invalid="ignore"):
            step = -excess / density
        inside = (x + step >= low) & (x + step <= high)
        moved = np.where(inside, x + step, low / 2.0 + high / 2.0)
        # What has been found stays, so that a quantile does not depend on those it is looked for together with.
        x, found = np.where(found, x, moved), found | (np.abs(moved - x) <= ROUNDING * (1.0 + np.abs(x)))
        if found.all():
            break
    return np.asarray(x)


@dataclass(frozen=True, slots=True)
class BigaussianCalibrator(Fits):
    """Calibrate by ranks: ln LR = G⁻¹(½F_t + ½F_n), as perfectly calibrated LRs of the same AUC would be distributed.

    F_t and F_n are the classes' distributions (trials at the score counted half), G the equal mixture of N(±σ²/2, σ²),
    σ = √2·probit(AUC), 0 where the AUC is at most ½.

    Parameters
    ----------
    auc_low
        Lower end of an interval of the AUC, which σ is taken from where the AUC is 1.

    Raises
    ------
    OptionError
        When ``auc_low`` is no number from 0 to below 1.

    Notes
    -----
    Scores beyond the ends have the LR of the end, and between two scores the LR does not change; ±inf are scores like
    others. ``fit`` raises :class:`UndefinedMetricError`, reason ``separated``, when the AUC is 1 and ``auc_low`` is not
    given. An AUC of ½ or less gives LR 1 everywhere.

    References
    ----------
    Morrison (2024), Bi-Gaussianized calibration of likelihood ratios, Law, Probability and Risk 23.

    Examples
    --------
    >>> import deciban as db
    >>> development = db.Counts.from_classes([1, 3, 4], [0, 1, 2])
    >>> db.BigaussianCalibrator().fit(development).transform([0, 2, 9]).round(4).tolist()
    [-2.3088, 0.3634, 2.3088]
    """

    auc_low: float | None = None
    kind: Literal["bigaussian"] = field(default="bigaussian", kw_only=True, repr=False)
    reads: ClassVar[Reading] = "score"
    finite_only: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.auc_low is None:
            return
        auc_low = check_number("auc_low", self.auc_low)
        if not 0.0 <= auc_low < 1.0:
            raise OptionError(f"auc_low: expected a number from 0 to below 1, found {self.auc_low!r}")
        object.__setattr__(self, "auc_low", auc_low)

    def model(self, counts: Counts) -> BigaussianModel:
        """Remember the distributions, and take σ from the AUC."""
        try:
            sigma, sigma_from = sigma_of(counts, self.auc_low)
        except UndefinedMetricError as error:
            raise UndefinedMetricError(
                "calibration: the AUC is 1, which calibrated LRs of any strength may have; say auc_low= (--auc-low), "
                "the lower end of an interval of the AUC",
                error.reason,
            ) from None
        return BigaussianModel(
            score=counts.score,
            n_target=counts.n_target,
            n_nontarget=counts.n_nontarget,
            sigma=sigma,
            sigma_from=sigma_from,
        )

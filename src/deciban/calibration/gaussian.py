"""Normal distributions of the scores of each class, and the log LR that follows from them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from deciban.calibration.fitting import Fits
from deciban.calibration.moments import checked_spread, moments
from deciban.calibration.reading import Reading, kept_finite, read, refuse_constant, too_far
from deciban.counts.counts import Counts
from deciban.errors import InputError, UndefinedMetricError
from deciban.values.arrays import Floats
from deciban.values.log_domain import chunks
from deciban.values.option_checks import check_flag


@dataclass(frozen=True, slots=True, kw_only=True)
class GaussianModel:
    """ln LR = ln N(x; mean_target, sd_target²) − ln N(x; mean_nontarget, sd_nontarget²).

    Means are kept as distances from a centre, which is a score in the middle of the class with the smaller spread:
    where scores lie far from 0 and close together, a mean itself would lose their digits.
    """

    centre: float
    target_from_centre: float
    nontarget_from_centre: float
    sd_target: float
    sd_nontarget: float
    kind: Literal["gaussian"] = "gaussian"
    reads: ClassVar[Reading] = "log"
    formula: ClassVar[str] = "ln LR = ln N(x; mean_target, sd_target²) − ln N(x; mean_nontarget, sd_nontarget²)"
    derived: ClassVar[tuple[str, ...]] = ("mean_target", "mean_nontarget")

    def __post_init__(self) -> None:
        if not (0.0 < self.sd_target < math.inf and 0.0 < self.sd_nontarget < math.inf):
            raise InputError(
                f"gaussian: expected standard deviations above 0, found {self.sd_target!r} and {self.sd_nontarget!r}"
            )
        if not all(map(math.isfinite, (self.centre, *self._shape))):
            raise InputError("gaussian: expected a finite centre, and finite distances of both means from it")

    @property
    def mean_target(self) -> float:
        """Mean of the targets."""
        return self.centre + self.target_from_centre

    @property
    def mean_nontarget(self) -> float:
        """Mean of the nontargets."""
        return self.centre + self.nontarget_from_centre

    @property
    def _shape(self) -> tuple[float, float, float, float, float]:
        """Mean (from the centre) and sd of the narrower class, its sd and its distance from the other in the wider sd.

        The last one is the sign of its density in ln LR turned round: 1 where it is the nontargets, or neither.
        """
        target = (self.target_from_centre, self.sd_target)
        nontarget = (self.nontarget_from_centre, self.sd_nontarget)
        sign = -1.0 if self.sd_target < self.sd_nontarget else 1.0
        (mean, sd), (other, wider) = (target, nontarget) if sign < 0.0 else (nontarget, target)
        return mean, sd, sd / wider, (other - mean) / wider, sign

    def ln_lr(self, x: Floats) -> Floats:
        """The log LRs; at ±inf their limit."""
        mean, sd, *rest = self._shape
        ln_lr = np.empty(x.shape)
        with np.errstate(over="ignore", invalid="ignore"):
            for part in chunks(x.size):
                z = x[part] - self.centre
                z -= mean
                z /= sd
                ln_lr[part] = _of_squares(z, *rest)
        ln_lr = kept_finite(ln_lr, x, self._far)
        if not np.isfinite(ln_lr).all():
            ln_lr[x == np.inf], ln_lr[x == -np.inf] = self._limit(1.0), self._limit(-1.0)
        return ln_lr

    def _far(self, x: Floats) -> Floats:
        """Where x is so far away that its distance, or that in standard deviations, overflows."""
        mean, sd, ratio, apart, sign = self._shape
        half = x / 2.0 - self.centre / 2.0 - mean / 2.0
        if ratio < 1.0:
            return _of_squares(half / (sd / 2.0), ratio, apart, sign)
        z = half / sd
        return 2.0 * np.where(np.isfinite(z), apart * (z - apart / 4.0), half * apart / sd)

    def _limit(self, end: float) -> float:
        """The limit at −inf or inf."""
        _, _, ratio, apart, sign = self._shape
        if ratio < 1.0:
            return sign * math.inf
        return math.copysign(math.inf, apart * end) if apart else 0.0


def _of_squares(z: Floats, ratio: float, apart: float, sign: float) -> Floats:
    """The log LRs from z of the narrower class; that of the other one is ratio · z − apart.

    Half the difference of their squares is written as a product: it is linear where the variances are equal, and far
    out, where the squares would be all but equal, nothing is lost.
    """
    ln_lr = z * (1.0 - ratio)
    ln_lr += apart
    z *= 0.5 * (1.0 + ratio)
    z -= 0.5 * apart
    ln_lr *= z
    ln_lr += math.log(ratio)
    ln_lr *= sign
    return ln_lr


@dataclass(frozen=True, slots=True)
class GaussianCalibrator(Fits):
    """Calibrate by a normal distribution of the scores of each class.

    ln LR = ln N(s; m1, s1²) − ln N(s; m0, s0²): linear in the score with one variance for both (sums of squares over
    N1 + N0 − 2), a parabola with a variance each (over N − 1).

    Parameters
    ----------
    equal_variance
        Whether both classes have one variance (default), which keeps the map from falling anywhere.

    Raises
    ------
    OptionError
        When the option is no flag.

    Notes
    -----
    LRs are read as natural logarithms, probabilities as log-odds. ``fit`` raises :class:`UndefinedMetricError`: reason
    ``too_few`` with fewer than two trials a class (three in all for one variance), ``zero_variance`` when a variance is
    0. Infinite scores are refused; in ``apply`` ±inf has the limit of the map. Weights count as numbers of trials.
    Scores that tell nothing give ln LR near 0.

    References
    ----------
    Morrison (2013), Tutorial on logistic-regression calibration and fusion, Australian Journal of Forensic Sciences 45.

    Examples
    --------
    >>> import deciban as db
    >>> development = db.Counts.from_classes([0, 1, 2], [-2, -1, 0])
    >>> db.GaussianCalibrator().fit(development).transform([-1, 0, 1]).round(9).tolist()
    [-2.0, 0.0, 2.0]
    """

    equal_variance: bool = True
    kind: Literal["gaussian"] = field(default="gaussian", kw_only=True, repr=False)
    reads: ClassVar[Reading] = "log"
    finite_only: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_flag("equal_variance", self.equal_variance)

    def model(self, counts: Counts) -> GaussianModel:
        """Fit means and variances to counts of both classes."""
        refuse_constant(counts)
        x = read(counts.score, counts.scale, counts.prior, self.reads)
        n1, n0 = counts.total_target, counts.total_nontarget
        of_target, of_nontarget = moments(x, counts.n_target, n1), moments(x, counts.n_nontarget, n0)
        if n1 + n0 <= 2 or (not self.equal_variance and min(n1, n0) <= 1):
            raise UndefinedMetricError(f"too few trials for a variance: {n1:g} targets, {n0:g} nontargets", "too_few")
        constant = (of_target.constant, of_nontarget.constant)
        if all(constant) if self.equal_variance else any(constant):
            raise UndefinedMetricError(
                "the scores of a class are all equal: its variance is 0, and no normal distribution fits it",
                "zero_variance",
            )
        sd1, sd0 = self._deviations(of_target.root_mean_square, of_nontarget.root_mean_square, n1, n0)
        centre = of_target.origin if sd1 < sd0 else of_nontarget.origin
        target, nontarget = ((of.origin - centre) + of.from_origin for of in (of_target, of_nontarget))
        if not math.isfinite((target - nontarget) / max(sd1, sd0)):
            raise too_far("distance of the means")
        return GaussianModel(
            centre=centre, target_from_centre=target, nontarget_from_centre=nontarget, sd_target=sd1, sd_nontarget=sd0
        )

    def _deviations(self, root1: float, root0: float, n1: float, n0: float) -> tuple[float, float]:
        """Standard deviations of both classes from the roots of their mean squares, whose squares may overflow."""
        if self.equal_variance:
            pooled = math.hypot(root1 * math.sqrt(n1 / (n1 + n0 - 2)), root0 * math.sqrt(n0 / (n1 + n0 - 2)))
            sds = (pooled, pooled)
        else:
            sds = (root1 * math.sqrt(n1 / (n1 - 1)), root0 * math.sqrt(n0 / (n0 - 1)))
        return checked_spread(sds[0], "standard deviation"), checked_spread(sds[1], "standard deviation")

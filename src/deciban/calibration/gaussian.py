"""Normal distributions of the scores of each class, and the log LR that follows from them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from deciban.arrays import AnyArray, Floats
from deciban.calibration.fitting import Fits
from deciban.calibration.reading import LARGEST, Reading, kept_finite, read, refuse_constant
from deciban.counts import Counts
from deciban.errors import InputError, UndefinedMetricError
from deciban.option_checks import check_flag


@dataclass(frozen=True, slots=True, kw_only=True)
class GaussianModel:
    """ln LR = ln φ((x − m1)/s1)/s1 − ln φ((x − m0)/s0)/s0."""

    mean_target: float
    mean_nontarget: float
    sd_target: float
    sd_nontarget: float
    kind: Literal["gaussian"] = "gaussian"
    reads: ClassVar[Reading] = "log"

    def __post_init__(self) -> None:
        if not (0.0 < self.sd_target < math.inf and 0.0 < self.sd_nontarget < math.inf):
            raise InputError(
                f"gaussian: expected standard deviations above 0, found {self.sd_target!r} and {self.sd_nontarget!r}"
            )

    def ln_lr(self, x: Floats) -> Floats:
        """The log LRs; at ±inf their limit.

        The difference of the two squares is written as a product, which neither overflows early nor cancels: it is
        linear where the variances are equal.
        """
        unit, ratio = self.sd_target, self.sd_target / self.sd_nontarget
        half = (self.mean_target / 2.0 - self.mean_nontarget / 2.0) / unit
        with np.errstate(over="ignore"):
            y = (x - (self.mean_target / 2.0 + self.mean_nontarget / 2.0)) / unit
            # So far out the value is the limit, and neither factor overflows: 0 · inf never arises.
            np.clip(y, -LARGEST / (4.0 * (ratio + 1.0)), LARGEST / (4.0 * (ratio + 1.0)), out=y)
            first = y * (ratio - 1.0) + half * (ratio + 1.0)
            ln_lr = first * (y * (ratio + 1.0) + half * (ratio - 1.0))
            ln_lr *= 0.5
            ln_lr -= math.log(ratio)
        outside = ~np.isfinite(x)
        if outside.any():
            leading = ratio - 1.0 or half
            ends = np.sign(x[outside]) if ratio == 1.0 else np.ones(np.count_nonzero(outside))
            ln_lr[outside] = np.copysign(np.inf, leading * ends) if leading else 0.0
        return kept_finite(ln_lr, x)


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
    >>> db.GaussianCalibrator().fit(development).transform([-1, 0, 1]).tolist()
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
        mean1, squares1 = moments(x, counts.n_target, n1)
        mean0, squares0 = moments(x, counts.n_nontarget, n0)
        if n1 + n0 <= 2 or (not self.equal_variance and min(n1, n0) <= 1):
            raise UndefinedMetricError(f"too few trials for a variance: {n1:g} targets, {n0:g} nontargets", "too_few")
        # Roots of both before they are added: squares of scores far beyond 1 would overflow.
        if self.equal_variance:
            sd1 = sd0 = math.hypot(squares1, squares0) / math.sqrt(n1 + n0 - 2)
        else:
            sd1, sd0 = squares1 / math.sqrt(n1 - 1), squares0 / math.sqrt(n0 - 1)
        if min(sd1, sd0) == 0.0:
            raise UndefinedMetricError(
                "the scores of a class are all equal: its variance is 0, and no normal distribution fits it",
                "zero_variance",
            )
        return GaussianModel(mean_target=mean1, mean_nontarget=mean0, sd_target=sd1, sd_nontarget=sd0)


def moments(x: Floats, n: AnyArray, total: float) -> tuple[float, float]:
    """Mean of the x of one class, and the root of the sum of squared distances from it; x in increasing order."""
    # Halves keep all digits and their differences never overflow; the middle one as origin loses none of the others.
    origin, width = x[x.size // 2] / 2.0, x[-1] / 2.0 - x[0] / 2.0
    y = (x / 2.0 - origin) / width
    weight = n.astype(np.float64)
    mean = float(np.dot(weight, y)) / total
    y -= mean
    y *= y
    squares = float(np.dot(weight, y))
    return float(2.0 * (origin + width * mean)), 2.0 * float(width) * math.sqrt(squares)

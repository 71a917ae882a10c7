"""Kernel density estimates of the scores of each class, and the log LR that follows from them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal

import numpy as np
from numpy.typing import NDArray

from deciban.calibration.fitting import EqualByContent, Fits
from deciban.calibration.moments import checked_spread, moments
from deciban.calibration.reading import LARGEST, Reading, kept_finite, read, refuse_constant
from deciban.counts.counts import Counts
from deciban.errors import InputError, OptionError, UndefinedMetricError
from deciban.values.arrays import AnyArray, Floats, owned
from deciban.values.option_checks import check_number

PIECE: Final = 1 << 20
"""Kernels that are evaluated at once."""

MOST: Final = 1 << 12
"""Scores that are looked at together at most."""

SMALLEST: Final = 5e-324
"""The smallest double above 0, for bandwidths of which an eighth would be none."""

Windows = tuple[NDArray[np.intp], NDArray[np.intp]]
"""First point that counts for each score, and the one after the last."""

NEGLIGIBLE: Final = 45.0
"""A kernel whose logarithm is this far below the nearest one's, beside that of the number of trials, adds nothing."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KernelModel(EqualByContent):
    """Normal kernels at the distinct scores of each class, which have ``n`` trials each."""

    target: Floats
    n_target: AnyArray
    bandwidth_target: float
    nontarget: Floats
    n_nontarget: AnyArray
    bandwidth_nontarget: float
    kind: Literal["kernels"] = "kernels"
    reads: ClassVar[Reading] = "log"
    formula: ClassVar[str] = "ln LR = ln f_target(x) − ln f_nontarget(x), f the mean of N(x; score, bandwidth²)"
    derived: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        for score, n, bandwidth in (
            (self.target, self.n_target, self.bandwidth_target),
            (self.nontarget, self.n_nontarget, self.bandwidth_nontarget),
        ):
            sound = score.size == n.size > 0 and np.isfinite(score).all() and (score[1:] > score[:-1]).all()
            if not (sound and (n > 0).all() and 0.0 < bandwidth < math.inf):
                raise InputError("kernels: expected increasing finite scores with numbers of trials, and a bandwidth")
        for name in ("target", "n_target", "nontarget", "n_nontarget"):
            object.__setattr__(self, name, owned(getattr(self, name)))

    def ln_lr(self, x: Floats) -> Floats:
        """The log LRs of each distinct x, in the log domain; at ±inf their limit."""
        distinct, where = np.unique(x, return_inverse=True)
        ln_lr = np.empty(distinct.size)
        finite = np.isfinite(distinct)
        # Where distances or their sums might overflow, those of an eighth of every number do not.
        ends = np.concatenate([of_class[[0, -1]] for of_class in (self.target, self.nontarget)])
        huge = finite & (np.abs(distinct) > LARGEST / 8.0) if np.abs(ends).max() <= LARGEST / 8.0 else finite
        for these, share in ((finite & ~huge, 1.0), (huge, 0.125)):
            if these.any():
                ln_lr[these] = kept_finite(self._at(distinct[these] * share, share), distinct[these])
        for end in (-1, 1):
            ln_lr[distinct == end * np.inf] = self._limit(end)
        return ln_lr[where]

    def _at(self, x: Floats, share: float) -> Floats:
        """At increasing finite x: what the nearest kernels of the classes say, and the sums beyond those.

        Scores and bandwidths are made a ``share`` of what they are, as x is already.
        """
        h1, h0 = (max(h * share, SMALLEST) for h in (self.bandwidth_target, self.bandwidth_nontarget))
        near1, sums1 = _kernel_sums(x, self.target * share, self.n_target, h1)
        near0, sums0 = _kernel_sums(x, self.nontarget * share, self.n_nontarget, h0)
        narrow = min(h1, h0)
        ratio1, ratio0 = narrow / h1, narrow / h0
        with np.errstate(over="ignore", invalid="ignore"):
            # The difference of two squares as a product, the first factor without x where bandwidths are equal: far
            # out the squares would overflow, and nothing would be left of their difference.
            first = (x - near1) * (ratio0 - ratio1) - (near0 - near1) * ratio0
            second = (x - near0) * ratio0 + (x - near1) * ratio1
            nearest = 0.5 * (first / narrow) * (second / narrow)
        # A factor of 0 is 0 whatever the other has become.
        return np.where((first == 0.0) | (second == 0.0), 0.0, nearest) + (sums1 - sums0)

    def _limit(self, end: int) -> float:
        """The limit at −inf or inf: the wider kernels win, then the outermost one, then how often it occurs."""
        at = 0 if end < 0 else -1
        wider = self.bandwidth_target - self.bandwidth_nontarget
        farther = end * (float(self.target[at]) - float(self.nontarget[at]))
        for lead in (wider, farther):
            if lead:
                return math.copysign(math.inf, lead)
        share1, share0 = self.n_target[at] / self.n_target.sum(), self.n_nontarget[at] / self.n_nontarget.sum()
        return math.log(share1 / share0)


def _kernel_sums(x: Floats, points: Floats, n: AnyArray, bandwidth: float) -> tuple[Floats, Floats]:
    """The nearest point, and the log of the density relative to a kernel there; x and points increase."""
    total, weight = float(n.sum()), n.astype(np.float64)
    right = np.clip(np.searchsorted(points, x), 0, points.size - 1)
    left = np.maximum(right - 1, 0)
    with np.errstate(over="ignore"):
        below, above = np.abs(x - points[left]), np.abs(x - points[right])
        nearest = np.where(below < above, points[left], points[right])
        around = bandwidth * math.sqrt(2.0 * (NEGLIGIBLE + math.log(total)))
        reach = np.hypot(np.minimum(below, above), around)
        # Far away rounding could leave out what is as near as the nearest point.
        first = np.searchsorted(points, np.minimum(x - reach, nearest - around), "left")
        last = np.searchsorted(points, np.maximum(x + reach, nearest + around), "right")
    sums = np.empty(x.size)
    start = 0
    while start < x.size:
        # Windows move to the right with x, so that one of several x is from the first of one to the last of another.
        several = np.arange(start, min(start + MOST, x.size))
        wide = (last[several] - first[start]) * (several - start + 1)
        stop = start + max(1, int(np.searchsorted(wide, PIECE, "right")))
        window = slice(int(first[start:stop].min()), int(last[start:stop].max()))
        own = first[start:stop] - window.start, last[start:stop] - window.start
        sums[start:stop] = _sums(x[start:stop], nearest[start:stop], points[window], weight[window], own, bandwidth)
        start = stop
    return nearest, sums - math.log(total) - math.log(bandwidth)


def _sums(x: Floats, nearest: Floats, points: Floats, n: Floats, own: Windows, bandwidth: float) -> Floats:
    """The logarithm of Σ n·exp(−½(d² − d_nearest²)/h²) of each x over its own window of the points.

    Each sum is over the very points that x has by itself, in one order: what x is looked at together with does not
    change its last digit.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        # d² − d_nearest² as a product, of which the first factor keeps its digits however far away x is.
        exponent = points - nearest[:, None]
        exponent /= bandwidth
        both = points - x[:, None]
        both += (nearest - x)[:, None]
        both /= bandwidth
        exponent *= both
    # No point is nearer than the nearest one; 0 · inf, which is 0 here, is left out as well.
    np.fmax(exponent, 0.0, out=exponent)
    exponent *= -0.5
    terms = np.exp(exponent, out=exponent)
    terms *= n
    starts, stops = own
    rows = np.arange(x.size) * points.size
    ends = np.column_stack([rows + starts, rows + stops]).ravel()
    # One more number, so that the last window may end where the terms do.
    return np.asarray(np.log(np.add.reduceat(np.append(terms, 0.0), ends)[::2]))


@dataclass(frozen=True, slots=True)
class KDECalibrator(Fits):
    """Calibrate by a kernel density estimate of the scores of each class.

    ln LR = ln f1(s) − ln f0(s), f = mean of N(s; s_i, h²), h = sd·(4/(3N))^(1/5) of each class.

    Parameters
    ----------
    bandwidth
        h of both classes, in the unit that is read: natural logarithms of LRs, log-odds of probabilities, raw scores as
        given. None (default) takes the rule above.

    Raises
    ------
    OptionError
        When the bandwidth is no number above 0.

    Notes
    -----
    The map need not increase, and far out the wider kernels win, whatever side that is: ``calibration_findings`` says
    so, and a bound keeps such LRs within what the data support. ``fit`` raises :class:`UndefinedMetricError`: reason
    ``too_few`` with a single trial of a class and no bandwidth, ``zero_variance`` when the scores of a class are equal.
    Infinite scores are refused; in ``apply`` ±inf has the limit of the map. The time grows with the number of distinct
    scores fitted times those applied to. Scores that tell nothing give ln LR near 0.

    References
    ----------
    Silverman (1986), Density Estimation for Statistics and Data Analysis, section 3.4.

    Examples
    --------
    >>> import deciban as db
    >>> development = db.Counts.from_classes([0, 1, 2], [-2, -1, 0])
    >>> db.KDECalibrator().fit(development).transform([-1, 0, 1]).round(6).tolist()
    [-1.263697, 0.0, 1.263697]
    """

    bandwidth: float | None = None
    kind: Literal["kde"] = field(default="kde", kw_only=True, repr=False)
    reads: ClassVar[Reading] = "log"
    finite_only: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.bandwidth is None:
            return
        bandwidth = check_number("bandwidth", self.bandwidth)
        if not 0.0 < bandwidth < math.inf:
            raise OptionError(f"bandwidth: expected a finite number above 0, found {self.bandwidth!r}")
        object.__setattr__(self, "bandwidth", bandwidth)

    def model(self, counts: Counts) -> KernelModel:
        """Place the kernels."""
        refuse_constant(counts)
        x = read(counts.score, counts.scale, counts.prior, self.reads)
        columns = []
        for n, total in ((counts.n_target, counts.total_target), (counts.n_nontarget, counts.total_nontarget)):
            distinct, where = np.unique(x[n > 0], return_inverse=True)  # two scores may have one logarithm
            summed = np.bincount(where, weights=n[n > 0]) if distinct.size < where.size else n[n > 0]
            columns.append((distinct, summed.astype(n.dtype), self._bandwidth(x, n, total)))
        (target, n_target, h_target), (nontarget, n_nontarget, h_nontarget) = columns
        return KernelModel(
            target=target,
            n_target=n_target,
            bandwidth_target=h_target,
            nontarget=nontarget,
            n_nontarget=n_nontarget,
            bandwidth_nontarget=h_nontarget,
        )

    def _bandwidth(self, x: Floats, n: AnyArray, total: float) -> float:
        if self.bandwidth is not None:
            return self.bandwidth
        if total <= 1:
            raise UndefinedMetricError("one trial of a class has no spread: say bandwidth= (--bandwidth)", "too_few")
        of_class = moments(x, n, total)
        if of_class.constant:
            raise UndefinedMetricError(
                "the scores of a class are all equal and have no spread: say bandwidth= (--bandwidth)", "zero_variance"
            )
        per_root = math.sqrt(total / (total - 1)) * math.pow(4.0 / (3.0 * total), 0.2)
        return checked_spread(of_class.root_mean_square * per_root, "bandwidth")

"""Is a likelihood ratio what it claims to be? Turing's bound, mean LRs, and the distance of PAV from identity."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from deciban.counts.columns import ends
from deciban.counts.counts import Counts
from deciban.errors import UndefinedMetricError
from deciban.metrics.misleading import strength
from deciban.metrics.spec import metric, whole
from deciban.passes.forecasts import as_trials
from deciban.passes.pool import Pooled, pool
from deciban.values.arrays import AnyArray, Floats
from deciban.values.log_domain import LN10, chunks
from deciban.values.scale import threshold_of_lr, to_ln_lr, to_log10_lr

INFINITE = float("inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Turing:
    """Nontargets with strong evidence against them: their share, its bound under calibration, and a one-sided test."""

    observed: float
    bound: float
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """Mean LR of the nontargets and mean 1/LR of the targets, and the natural logarithms of both."""

    mean_lr_nontarget: float
    mean_inverse_lr_target: float
    ln_mean_lr_nontarget: float
    ln_mean_inverse_lr_target: float


@metric(
    of=whole,
    title="Turing's bound on misleading evidence",
    range=(0.0, 1.0),
    direction="target value",
    needs="lr",
    anchors=(None, None),
    shown=(),
    parts=("observed", "bound", "p_value"),
    bootstrap=None,
    use_when="testing whether large LRs occur among nontargets more often than calibrated LRs could",
    avoid_when="taking a large p-value for calibration: the bound is loose, and few trials hardly test it",
    reference="Royall (2000), On the probability of observing misleading statistical evidence, JASA 95",
)
def turing(counts: Counts, *, k: float = 10.0) -> Turing:
    """Compare the share of nontargets with LR >= k to 1/k, which calibrated LRs cannot exceed.

    P(LR >= k | nontarget) <= 1/k; p_value = P(X >= x) for X ~ Bin(N0, 1/k) and x nontargets with LR >= k.

    Parameters
    ----------
    counts
        Counts of both classes on an LR scale.
    k
        Strength of evidence, at least 1.

    Returns
    -------
    Turing
        Shares and a one-sided p-value. A perfect system has observed 0 and p_value 1, and so has LR = 1 for every
        trial at k > 1.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are not LRs.
    OptionError
        When k is below 1.
    UndefinedMetricError
        Reason ``weighted`` when weights are not whole numbers: the test counts trials.

    Notes
    -----
    The limit is converted once to the unit of the scores; an LR equal to it counts, and so does an infinite one.

    References
    ----------
    Royall (2000), On the probability of observing misleading statistical evidence, JASA 95; the bound is Turing's.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([100.0], [0.01, 0.05, 2, 1, 0.3, 0.1, 30, 0.5], scale="lr")
    >>> result = db.turing(counts)
    >>> result.observed, result.bound, round(result.p_value, 8)
    (0.125, 0.1, 0.56953279)
    """
    limit = threshold_of_lr(strength(k), counts.scale, counts.prior)
    counts.require_both_classes("turing")
    counts = as_trials(counts, "a binomial test")
    above = int(np.searchsorted(counts.score, limit, side="left"))
    n, x = int(counts.total_nontarget), int(counts.n_nontarget[above:].sum())
    return Turing(observed=x / n, bound=1.0 / k, p_value=at_least(x, n, 1.0 / k))


def at_least(x: int, n: int, p: float) -> float:
    """Return P(X >= x) of a binomial variable of n trials, by the incomplete beta function."""
    if x == 0:
        return 1.0
    from scipy.special import betainc

    return float(betainc(x, n - x + 1, p))


def ln_means(counts: Counts) -> tuple[float, float]:
    """Logarithms of the mean LR of the nontargets and of the mean 1/LR of the targets: the pass of ``lr_moments``."""
    to_ln_lr(counts.score[:1], counts.scale, counts.prior)
    counts.require_both_classes("lr_moments")
    nontarget = _ln_mean(counts, counts.n_nontarget, counts.total_nontarget, 1.0)
    return nontarget, _ln_mean(counts, counts.n_target, counts.total_target, -1.0)


def _ln_mean(counts: Counts, n: AnyArray, total: float, sign: float) -> float:
    """Logarithm of the mean of LR (sign 1) or 1/LR (sign −1) over the trials of one class."""
    extreme = ends(n)[sign > 0]
    largest = sign * float(to_ln_lr(counts.score[extreme : extreme + 1], counts.scale, counts.prior)[0])
    if math.isinf(largest):
        return largest
    total_relative = 0.0
    for part in chunks(counts.n_distinct):
        has = np.flatnonzero(n[part] > 0)  # picking by index is 1.5 × faster than by mask
        ln_lr = to_ln_lr(counts.score[part][has], counts.scale, counts.prior)
        total_relative += float((n[part][has] * np.exp(sign * ln_lr - largest)).sum())
    return largest + math.log(total_relative / total)


@metric(
    of=ln_means,
    title="Mean LR of nontargets and mean 1/LR of targets",
    range=(-INFINITE, INFINITE),
    direction="target value",
    needs="lr",
    anchors=(None, None),
    shown=(),
    parts=("mean_lr_nontarget", "mean_inverse_lr_target", "ln_mean_lr_nontarget", "ln_mean_inverse_lr_target"),
    use_when="checking calibration where each class covers the range of the other: both means are then 1",
    avoid_when="the classes hardly overlap, or trials are few: single trials then decide the means",
    reference="Vergeer, van Schaik and Sjerps (2021), Measuring calibration of likelihood-ratio systems, FSI 321",
)
def lr_moments(logarithms: tuple[float, float]) -> Moments:
    """Compute the mean LR of the nontargets and the mean 1/LR of the targets, and the logarithms of both.

    Parameters
    ----------
    counts
        Counts of both classes on an LR scale.

    Returns
    -------
    Moments
        Pure numbers and natural logarithms. Perfectly calibrated LRs have means of 1 where the classes cover the same
        range and smaller ones otherwise; a perfect system (LR inf and 0) has means of 0 and logarithms of −inf, LR = 1
        for every trial means of 1 and logarithms of 0.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are not LRs.

    Notes
    -----
    Summed relative to the largest term, so that the logarithms stay finite where a mean is beyond the largest double.
    A nontarget with LR inf or a target with LR 0 makes its mean infinite.

    References
    ----------
    Vergeer, van Schaik and Sjerps (2021), Measuring calibration of likelihood-ratio systems, Forensic Science
    International 321.

    Examples
    --------
    >>> import deciban as db
    >>> moments = db.lr_moments(db.Counts.from_classes([2.0, 4.0], [0.5, 2.5], scale="lr"))
    >>> round(moments.mean_lr_nontarget, 12), round(moments.mean_inverse_lr_target, 12)
    (1.5, 0.375)
    """
    with np.errstate(over="ignore"):
        means = np.exp(logarithms)
    return Moments(
        mean_lr_nontarget=float(means[0]),
        mean_inverse_lr_target=float(means[1]),
        ln_mean_lr_nontarget=logarithms[0],
        ln_mean_inverse_lr_target=logarithms[1],
    )


@metric(
    of=(whole, pool),
    title="Distance of the PAV curve from identity",
    unit="log10 LR",
    range=(0.0, INFINITE),
    direction="lower",
    needs="lr",
    anchors=(None, 0.0),
    swapped="same",
    bootstrap="basic",
    use_when="judging calibration by itself, in the unit of the LRs",
    avoid_when="judging it by a fixed limit: its size under perfect calibration depends on the number of trials",
    reference="Vergeer, van Schaik and Sjerps (2021), Measuring calibration of likelihood-ratio systems, FSI 321",
)
def devpav(counts: Counts, pooled: Pooled) -> float:
    """Compute the mean distance of the PAV curve from identity in log10 LR.

    Nodes are (log10 LR, log10 PAV LR) at every distinct LR whose PAV LR is finite and above 0, joined by straight
    lines; devPAV = ∫|PAV − identity| / range, the integral and the range over log10 LR from the first node to the last.

    Parameters
    ----------
    counts
        Counts of both classes on an LR scale.

    Returns
    -------
    float
        Units of log10 LR. Perfectly calibrated 0, LR = 1 for every trial 0; with one node its distance |y − x|; inf
        when a node lies at LR 0 or inf.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are not LRs.
    UndefinedMetricError
        When there is no node: the classes are separated, PAV knows only 0 and inf (reason ``degenerate``).

    Notes
    -----
    Inside a pooled block the curve is level, so that the two ends of each block are all the nodes it takes.

    References
    ----------
    Vergeer, van Schaik and Sjerps (2021), Measuring calibration of likelihood-ratio systems, Forensic Science
    International 321.

    Examples
    --------
    >>> import deciban as db
    >>> db.devpav(db.Counts.from_classes([1.0, 1.0, 0.0], [1.0, 0.0, 0.0], scale="log10_lr"))
    0.5
    """
    finite = np.isfinite(pooled.ln_lr)
    ends = np.column_stack([pooled.low[finite], pooled.high[finite]]).ravel()
    x = to_log10_lr(ends, counts.scale, counts.prior)
    y = np.repeat(pooled.ln_lr[finite] / LN10, 2)
    if x.size == 0:
        raise UndefinedMetricError(
            "devpav: the classes are separated, so no PAV LR is finite and above 0", "degenerate"
        )
    if np.isinf(x).any():
        return INFINITE
    width = float(x[-1] - x[0])
    if width == 0.0:
        return float(abs(y[0] - x[0]))
    return float((np.diff(x) / width * _mean_distance(y - x)).sum())


def _mean_distance(gap: Floats) -> Floats:
    """Mean of |g| along straight lines between neighbouring values of g, split where they cross 0."""
    start, end = np.abs(gap[:-1]), np.abs(gap[1:])
    total = start + end
    crosses = (gap[:-1] < 0.0) != (gap[1:] < 0.0)
    share = np.divide(start, total, out=np.zeros_like(start), where=total > 0.0)
    return np.asarray(np.where(crosses, start * share + end * (1.0 - share), total) / 2.0)

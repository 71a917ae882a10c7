"""Scores of stated probabilities taken apart: how much is calibration, how much discrimination."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from deciban.metrics.spec import metric
from deciban.passes.binning import BINNINGS, Bins, bins
from deciban.passes.forecasts import Probabilities, probabilities
from deciban.passes.losses import log_losses, squared_error
from deciban.passes.pool import Pooled, pool
from deciban.values.arrays import AnyArray, Floats
from deciban.values.log_domain import LN2, chunks

CORP_REFERENCE = "Dimitriadis, Gneiting and Jordan (2021), Stable reliability diagrams, PNAS 118"


@dataclass(frozen=True, slots=True, kw_only=True)
class Corp:
    """A mean score S as S = miscalibration − discrimination + uncertainty."""

    miscalibration: float
    discrimination: float
    uncertainty: float


def corp(score: float, pooled: Pooled, least: Callable[[AnyArray, AnyArray], Floats]) -> Corp:
    """Take ``score`` apart; ``least`` is the sum of it over trials that are all told their own share of targets."""
    n_target, n_nontarget = np.array([pooled.total_target]), np.array([pooled.total_nontarget])
    total = pooled.total_target + pooled.total_nontarget
    uncertainty = float(least(n_target, n_nontarget).sum()) / total
    calibrated = float(least(pooled.n_target, pooled.n_nontarget).sum()) / total
    # Neither difference can be negative but for rounding: pooling gives the best increasing map, the mean is one.
    return Corp(
        miscalibration=max(score - calibrated, 0.0),
        discrimination=max(uncertainty - calibrated, 0.0),
        uncertainty=uncertainty,
    )


def _brier_at_share(k: AnyArray, m: AnyArray) -> Floats:
    return np.asarray(k * (m / (k + m)))


def _log_loss_at_share(k: AnyArray, m: AnyArray) -> Floats:
    # k·ln(n/k) as k·ln(1 + m/k), which keeps its digits when the other class is rare.
    terms = [one * np.log1p(other / np.where(one > 0, one, 1)) for one, other in ((k, m), (m, k))]
    return np.asarray(terms[0] + terms[1])


@metric(
    of=(squared_error, pool),
    title="Brier score, taken apart by PAV",
    range=(0.0, 1.0),
    narrower=lambda part, _: (0.0, 1.0 if part == "miscalibration" else 0.25),
    direction="lower",
    needs="probability",
    anchors=(None, None),
    parts=("miscalibration", "discrimination", "uncertainty"),
    of_these_shares=True,
    optimistic=("miscalibration", "discrimination"),
    bootstrap="basic",
    use_when="asking whether probabilities are badly calibrated or their scores separate badly, without any bins",
    avoid_when="few trials: PAV is fitted to the trials it judges, so both parts come out too large",
    reference=CORP_REFERENCE,
)
def brier_corp(loss: float, pooled: Pooled) -> Corp:
    """Take the Brier score S apart: S = miscalibration − discrimination + uncertainty.

    With S(PAV) the score after the best increasing map of the scores (pool-adjacent-violators) and S(mean) that of
    stating the share of targets for every trial: miscalibration = S − S(PAV), discrimination = S(mean) − S(PAV),
    uncertainty = S(mean).

    Parameters
    ----------
    counts
        Counts of both classes on the probability scale or an LR scale.
    p_target
        Prior at which LRs become posteriors, default the share of targets in the data.

    Returns
    -------
    Corp
        ``miscalibration``: perfectly calibrated 0, lower is better; ``discrimination``: scores that order the trials
        no better than chance 0, those that separate the classes the whole uncertainty, higher is better;
        ``uncertainty``: π(1 − π) for a share of targets π, whatever was stated. None is negative.

    Raises
    ------
    SingleClassError
        When a class is empty: there is nothing to discriminate, and the Brier score is all miscalibration.
    ScaleError
        When the scores are neither probabilities nor LRs.
    OptionError
        When p_target is no prior.

    Notes
    -----
    PAV works on the scores as given, in integers, so that ``p_target`` and the unit of LRs leave discrimination and
    uncertainty alone. Two different LRs whose posteriors are the same double remain two: should they separate classes,
    that counts as discrimination.

    References
    ----------
    Dimitriadis, Gneiting and Jordan (2021), Stable reliability diagrams for probabilistic classifiers, PNAS 118.

    Examples
    --------
    >>> import deciban as db
    >>> db.brier_corp(db.Counts.from_classes([1.0, 0.75], [0.25, 0.5], scale="probability"))
    Corp(miscalibration=0.09375, discrimination=0.25, uncertainty=0.25)
    """
    return corp(loss, pooled, _brier_at_share)


@metric(
    of=(log_losses, pool),
    title="Log loss, taken apart by PAV",
    unit="nats",
    range=(0.0, math.inf),
    narrower=lambda part, _: (0.0, math.inf if part == "miscalibration" else LN2),
    direction="lower",
    needs="probability",
    anchors=(None, None),
    shown=(),
    parts=("miscalibration", "discrimination", "uncertainty"),
    of_these_shares=True,
    optimistic=("miscalibration", "discrimination"),
    bootstrap="basic",
    use_when="asking the same of probabilities whose confident errors must count heavily",
    avoid_when="a certain prediction may be wrong: miscalibration is then infinite",
    reference=CORP_REFERENCE,
)
def log_loss_corp(loss: float, pooled: Pooled) -> Corp:
    """Take the log loss S apart: S = miscalibration − discrimination + uncertainty, the parts as in ``brier_corp``.

    Parameters
    ----------
    counts
        Counts of both classes on the probability scale or an LR scale.
    p_target
        Prior at which LRs become posteriors, default the share of targets in the data.

    Returns
    -------
    Corp
        Nats. ``miscalibration``: perfectly calibrated 0, inf when a certain statement is wrong (as log loss is);
        ``discrimination``: 0 for scores that order the trials no better than chance, the whole uncertainty for those
        that separate the classes; ``uncertainty``: the entropy of the share of targets. The last two are finite.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are neither probabilities nor LRs.
    OptionError
        When p_target is no prior.

    Notes
    -----
    With as many targets as nontargets, LRs at p_target = 0.5 have miscalibration ln 2 · ``cllr_cal`` and
    uncertainty − discrimination = ln 2 · ``cllr_min``.

    References
    ----------
    Dimitriadis, Gneiting and Jordan (2021), Stable reliability diagrams for probabilistic classifiers, PNAS 118.

    Examples
    --------
    >>> import deciban as db
    >>> found = db.log_loss_corp(db.Counts.from_classes([1.0, 0.0], [0.0, 0.0], scale="probability"))
    >>> found.miscalibration, round(found.discrimination, 6), round(found.uncertainty, 6)
    (inf, 0.215762, 0.693147)
    """
    return corp(loss, pooled, _log_loss_at_share)


@dataclass(frozen=True, slots=True, kw_only=True)
class Murphy:
    """Brier = reliability − resolution + uncertainty + within_bin_variance − within_bin_covariance."""

    reliability: float
    resolution: float
    uncertainty: float
    within_bin_variance: float
    within_bin_covariance: float


@metric(
    of=probabilities,
    title="Brier score, taken apart over bins",
    range=(-0.5, 1.0),
    direction="lower",
    needs="probability",
    anchors=(None, None),
    shown=(),
    choices={"binning": BINNINGS},
    parts=("reliability", "resolution", "uncertainty", "within_bin_variance", "within_bin_covariance"),
    of_these_shares=True,
    use_when="reproducing figures of forecast verification, or probabilities take a few values only",
    avoid_when="probabilities are continuous: the parts depend on the bins; brier_corp needs none",
    reference="Murphy (1973), A new vector partition of the probability score, J. Applied Meteorology 12",
)
def brier_murphy(forecast: Probabilities, *, n_bins: int = 10, binning: str = "equal-width") -> Murphy:
    """Take the Brier score apart over bins: reliability − resolution + uncertainty + WBV − WBC.

    With p̄_b and ȳ_b the mean probability and the share of targets of the n_b trials of bin b: reliability =
    Σ (n_b/N)(p̄_b − ȳ_b)², resolution = Σ (n_b/N)(ȳ_b − ȳ)², uncertainty = ȳ(1 − ȳ), within-bin variance WBV =
    (1/N) Σ (p − p̄_b)², within-bin covariance WBC = (2/N) Σ (p − p̄_b)(y − ȳ_b).

    Parameters
    ----------
    counts
        Counts of both classes on the probability scale or an LR scale.
    p_target
        Prior at which LRs become posteriors, default the share of targets in the data.
    n_bins, binning
        As in :func:`calibration_error`; ``unique`` makes a bin of each stated probability, whatever ``n_bins`` is, and
        leaves both within-bin terms 0.

    Returns
    -------
    Murphy
        ``reliability``: perfectly calibrated 0, lower is better; ``resolution``: no information 0, the whole
        uncertainty when the classes are apart, higher is better; ``uncertainty``: π(1 − π) for a share of targets π;
        the within-bin terms: 0 when a bin holds one probability. Only the covariance can be negative.

    Raises
    ------
    SingleClassError
        When a class is empty: there is nothing to resolve.
    ScaleError
        When the scores are neither probabilities nor LRs.
    UndefinedMetricError
        Reason ``weighted``: equal mass needs ranks, which weights that are not whole numbers do not have.
    OptionError
        When there is no bin, or p_target is no prior.

    References
    ----------
    Murphy (1973), A new vector partition of the probability score, J. Applied Meteorology 12. Stephenson, Coelho and
    Jolliffe (2008), Two extra components in the Brier score decomposition, Weather and Forecasting 23.

    Examples
    --------
    >>> import deciban as db
    >>> found = db.brier_murphy(db.Counts.from_classes([0.75, 0.75], [0.25, 0.75], scale="probability"), n_bins=2)
    >>> round(found.reliability, 6), round(found.resolution, 6), found.uncertainty
    (0.020833, 0.083333, 0.25)
    """
    forecast.counts.require_both_classes("a decomposition of the Brier score")
    found = bins(forecast, binning, n_bins)
    total = forecast.total
    mean, share = found.stated / found.n, found.n_target / found.n
    overall = forecast.counts.total_target / total
    variance = covariance = 0.0
    if binning != "unique":
        variance, covariance = _within_bins(forecast, found, mean)
    return Murphy(
        reliability=float((found.n * (mean - share) ** 2).sum()) / total,
        resolution=float((found.n * (share - overall) ** 2).sum()) / total,
        uncertainty=overall * (forecast.counts.total_nontarget / total),
        within_bin_variance=variance / total,
        within_bin_covariance=2.0 * covariance / total,
    )


def _within_bins(forecast: Probabilities, found: Bins, mean: Floats) -> tuple[float, float]:
    """Σ (p − p̄_b)² over all trials, and Σ (p − p̄_b) over the targets."""
    variance = covariance = 0.0
    for part in chunks(forecast.probability.size):
        p, n_target = forecast.probability[part], forecast.n_target[part]
        first, after = np.searchsorted(found.starts, [part.start + 1, part.start + p.size])
        lengths = np.diff(found.starts[first:after], prepend=part.start, append=part.start + p.size)
        apart = p - np.repeat(mean[first - 1 : after], lengths)
        # ȳ_b drops out of the covariance: the distances of a bin from their own mean add up to 0.
        covariance += float((n_target * apart).sum())
        apart *= apart
        apart *= n_target + forecast.n_nontarget[part]
        variance += float(apart.sum())
    return variance, covariance

"""Calibration error over bins: of any kind and norm, without its bias, with as many bins as the data bear."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from deciban.errors import UndefinedMetricError
from deciban.metrics.spec import metric
from deciban.metrics.sweep import sweep
from deciban.passes.binning import BINNINGS, Bins, bins, filled
from deciban.passes.forecasts import Probabilities, probabilities, whole_trials


def mean_distance(found: Bins, forecast: Probabilities) -> float:
    """Σ (n_b/N)·|mean p − observed share|: n_b cancels, and each bin gives |sum of p − targets| / N."""
    # Sums of weights in another order can miss the total by rounding.
    return min(float(np.abs(found.excess).sum() / forecast.total), 1.0)


@metric(
    of=probabilities,
    title="Expected calibration error",
    range=(0.0, 1.0),
    direction="lower",
    needs="probability",
    anchors=(0.0, None),
    choices={"binning": BINNINGS[:2], "norm": ("l1", "l2", "max")},
    bootstrap="basic",
    use_when="a familiar number is wanted beside a reliability diagram",
    avoid_when="few trials or a choice between systems: it depends on the bins and is biased upwards",
    reference="Naeini et al. (2015), Obtaining well calibrated probabilities using Bayesian binning, AAAI",
)
def calibration_error(
    forecast: Probabilities, *, n_bins: int = 10, binning: str = "equal-width", norm: str = "l1"
) -> float:
    """Compute the mean distance between stated probability and observed share of targets, over bins.

    ``l1``: Σ (n_b/N)·|mean p − observed share|; ``l2``: √Σ (n_b/N)·(mean p − observed share)²; ``max``: the largest
    distance of any bin. ``equal-width``: bins [k/n, (k+1)/n), the last one closed. ``equal-mass``: trials in order of
    their scores are cut as by ``numpy.array_split``; a cut between equal scores moves to their nearer end, the lower
    when both are as near, and bins left empty vanish.

    Parameters
    ----------
    counts
        Counts on the probability scale or an LR scale; one class may be empty.
    p_target
        Prior at which LRs become posteriors, default the share of targets in the data.
    n_bins
        Number of bins, at least 1.
    binning
        ``equal-width`` or ``equal-mass``.
    norm
        ``l1``, ``l2`` or ``max``.

    Returns
    -------
    float
        A difference of probabilities. Perfectly calibrated 0 (up to sampling); stating the share of targets for every
        trial gives 0 too, so it says nothing about discrimination.

    Raises
    ------
    ScaleError
        When the scores are neither probabilities nor LRs.
    SingleClassError
        When LRs are to become posteriors at the share of targets and a class is empty.
    UndefinedMetricError
        Reason ``weighted``: equal mass needs ranks, which weights that are not whole numbers do not have.
    OptionError
        When there is no bin, or p_target is no prior.

    Notes
    -----
    The edge k/n is the double nearest to it: 0.3 lies in the fourth of ten bins. This is the expected calibration
    error of machine learning, not the empirical cross-entropy. With equal mass, every trial twice may move a cut.

    References
    ----------
    Naeini, Cooper and Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian binning, AAAI.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([0.31], [0.3], scale="probability")
    >>> round(db.calibration_error(counts), 12)
    0.195
    >>> round(db.calibration_error(counts, n_bins=2, binning="equal-mass", norm="max"), 12)
    0.69
    """
    found = bins(forecast, binning, n_bins)
    if norm == "l1":
        return mean_distance(found, forecast)
    if norm == "max":
        return float(np.max(np.abs(found.excess) / found.n))
    return min(math.sqrt(float((found.excess**2 / found.n).sum() / forecast.total)), 1.0)


@metric(
    of=probabilities,
    title="Squared calibration error without bias",
    range=(-0.25, 1.0),
    direction="target value",
    needs="probability",
    anchors=(0.0, None),
    shown=(),
    choices={"binning": BINNINGS[:2]},
    use_when="comparing the calibration of systems, or of one system on samples of different size",
    avoid_when="a value that can be negative would be misread, or bins hold a handful of trials",
    reference="Kumar, Liang and Ma (2019), Verified uncertainty calibration, NeurIPS",
)
def calibration_error_debiased(forecast: Probabilities, *, n_bins: int = 10, binning: str = "equal-mass") -> float:
    """Compute the squared calibration error over bins less what chance alone adds to it.

    Σ (n_b/N)·[(mean p − ȳ_b)² − ȳ_b·(1 − ȳ_b)/(n_b − 1)], with ȳ_b the share of targets among the n_b trials of a bin.

    Parameters
    ----------
    counts
        Counts on the probability scale or an LR scale; one class may be empty.
    p_target
        Prior at which LRs become posteriors, default the share of targets in the data.
    n_bins, binning
        As in :func:`calibration_error`; equal mass is the default here, since a bin of one trial has no value.

    Returns
    -------
    float
        A squared difference of probabilities. Perfectly calibrated 0 on average, and below 0 about half of the time:
        that is returned as it is.

    Raises
    ------
    ScaleError
        When the scores are neither probabilities nor LRs.
    SingleClassError
        When LRs are to become posteriors at the share of targets and a class is empty.
    UndefinedMetricError
        Reason ``single_trial_bin`` when a bin holds one trial; ``weighted`` when weights are not whole numbers.
    OptionError
        When there is no bin, or p_target is no prior.

    Notes
    -----
    Every trial twice is another value by definition: it claims twice the evidence, and the correction halves.

    References
    ----------
    Kumar, Liang and Ma (2019), Verified uncertainty calibration, NeurIPS. Bröcker (2012), Estimating reliability and
    resolution of probability forecasts, Climate Dynamics 39.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([0.5, 0.75], [0.5, 0.25], scale="probability")
    >>> db.calibration_error_debiased(counts, n_bins=1)
    -0.08333333333333333
    """
    whole_trials(forecast.counts, "the correction for chance")
    found = bins(forecast, binning, n_bins)
    if (found.n == 1).any():
        raise UndefinedMetricError(
            f"{int((found.n == 1).sum())} of {found.n.size} bins hold one trial, whose spread is unknown: take fewer "
            "bins, or bins of equal mass",
            "single_trial_bin",
        )
    chance = (found.n_target / found.n) * ((found.n - found.n_target) / (found.n - 1))
    return float((found.excess**2 / found.n - chance).sum() / forecast.total)


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationSweep:
    """The calibration error with as many bins as keep the observed shares increasing, and how many those are."""

    error: float
    bins: float


@metric(
    of=probabilities,
    title="Calibration error, swept",
    range=(0.0, math.inf),
    direction="lower",
    needs="probability",
    anchors=(None, None),
    shown=(),
    parts=("error", "bins"),
    use_when="a calibration error is wanted whose number of bins nobody chose",
    avoid_when="samples are compared: one trial can end the sweep early and change the number of bins",
    reference="Roelofs et al. (2022), Mitigating bias in calibration error estimation, AISTATS",
)
def calibration_sweep(forecast: Probabilities) -> CalibrationSweep:
    """Compute the calibration error (``l1``, equal mass) with the most bins whose shares of targets do not decrease.

    1, 2, 3, … bins are tried; the first number with a decrease from one bin to the next ends the sweep, and the one
    before it is taken, even if a larger one would do again. The error is Σ (n_b/N)·|mean p − observed share|.

    Parameters
    ----------
    counts
        Counts on the probability scale or an LR scale; one class may be empty.
    p_target
        Prior at which LRs become posteriors, default the share of targets in the data.

    Returns
    -------
    CalibrationSweep
        ``error``: a difference of probabilities, perfectly calibrated 0 (up to sampling), stating the share of targets
        for every trial 0 too; ``bins``: how many bins that are not empty it was taken over.

    Raises
    ------
    ScaleError
        When the scores are neither probabilities nor LRs.
    SingleClassError
        When LRs are to become posteriors at the share of targets and a class is empty.
    UndefinedMetricError
        Reason ``weighted`` when weights are not whole numbers: they have no ranks.
    OptionError
        When p_target is no prior.

    Notes
    -----
    Cuts as in :func:`calibration_error`; shares are compared in integers. Where no number of bins shows a decrease, as
    with separated classes, each distinct score becomes a bin. Every trial twice may move a cut.

    References
    ----------
    Roelofs, Cain, Shlens and Mozer (2022), Mitigating bias in calibration error estimation, AISTATS.

    Examples
    --------
    >>> import deciban as db
    >>> db.calibration_sweep(db.Counts.from_classes([0.75, 0.5], [0.25, 0.75], scale="probability"))
    CalibrationSweep(error=0.1875, bins=2.0)
    """
    found = filled(forecast, sweep(*whole_trials(forecast.counts, "equal-mass binning")))
    return CalibrationSweep(error=mean_distance(found, forecast), bins=float(found.n.size))

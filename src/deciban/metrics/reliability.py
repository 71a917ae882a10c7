"""How good stated probabilities are: Brier score, log loss, calibration error."""

from __future__ import annotations

import numpy as np

from deciban.binning import equal_width_bins
from deciban.forecasts import Forecasts, forecasts
from deciban.log_domain import share_of_mean
from deciban.metrics.spec import metric


@metric(
    of=forecasts,
    title="Brier score",
    range=(0.0, 1.0),
    direction="lower",
    needs="probability",
    anchors=(0.0, None),
    use_when="judging probabilities by one number that rewards both calibration and discrimination",
    avoid_when="rare events matter most: errors of small probabilities hardly show",
    reference="Brier (1950), Verification of forecasts expressed in terms of probability, Monthly Weather Review 78",
)
def brier(forecast: Forecasts) -> float:
    """Compute the mean squared error of the stated probabilities: (1/N)·[Σ_targets (1 − p)² + Σ_nontargets p²].

    Parameters
    ----------
    counts
        Counts on the probability scale or an LR scale; one class may be empty.
    p_target
        Prior at which LRs become posteriors, default the share of targets in the data.

    Returns
    -------
    float
        A loss. Perfect 0; stating the share of targets π for every trial gives π(1 − π), stating ½ gives 0.25.

    Raises
    ------
    ScaleError
        When the scores are neither probabilities nor LRs.
    SingleClassError
        When LRs are to become posteriors at the share of targets and a class is empty.
    OptionError
        When p_target is no prior.

    References
    ----------
    Brier (1950), Verification of forecasts expressed in terms of probability, Monthly Weather Review 78.

    Examples
    --------
    >>> import deciban as db
    >>> db.brier(db.Counts.from_classes([0.75, 0.5], [0.25, 0.5], scale="probability"))
    0.15625
    """
    target, nontarget = 0.0, 0.0
    for stated, n_target, n_nontarget in forecast.parts():
        # Every loss is finite, so a score without trials of a class adds 0 and need not be left out.
        target += float((n_target * stated.complement() ** 2).sum())
        nontarget += float((n_nontarget * stated.probability() ** 2).sum())
    return (target + nontarget) / forecast.total


@metric(
    of=forecasts,
    title="Log loss",
    unit="nats",
    range=(0.0, float("inf")),
    direction="lower",
    needs="probability",
    anchors=(0.0, None),
    use_when="judging probabilities where confident errors must count heavily",
    avoid_when="a certain prediction may be wrong and one such trial must not decide: the loss is then infinite",
    reference="Good (1952), Rational decisions, J. Royal Statistical Society B 14",
)
def log_loss(forecast: Forecasts) -> float:
    """Compute the mean negative log-probability of what was true: −(1/N)·[Σ_targets ln p + Σ_nontargets ln(1 − p)].

    Parameters
    ----------
    counts
        Counts on the probability scale or an LR scale; one class may be empty.
    p_target
        Prior at which LRs become posteriors, default the share of targets in the data.

    Returns
    -------
    float
        Nats. Perfect 0; stating the share of targets gives the entropy of it; inf when a certain statement is wrong
        (nothing is clipped).

    Raises
    ------
    ScaleError
        When the scores are neither probabilities nor LRs.
    SingleClassError
        When LRs are to become posteriors at the share of targets and a class is empty.
    OptionError
        When p_target is no prior.

    References
    ----------
    Good (1952), Rational decisions, J. Royal Statistical Society B 14.

    Examples
    --------
    >>> import deciban as db
    >>> round(db.log_loss(db.Counts.from_classes([0.5], [0.5], scale="probability")), 6)
    0.693147
    """
    loss = 0.0
    for stated, n_target, n_nontarget in forecast.parts():
        loss += share_of_mean(stated.target_log_loss, stated.values, n_target, forecast.total)
        loss += share_of_mean(stated.nontarget_log_loss, stated.values, n_nontarget, forecast.total)
    return loss


@metric(
    of=forecasts,
    title="Expected calibration error",
    range=(0.0, 1.0),
    direction="lower",
    needs="probability",
    anchors=(0.0, None),
    use_when="a familiar number is wanted beside a reliability diagram",
    avoid_when="few trials or a choice between systems: it depends on the bins and is biased upwards",
    reference="Naeini et al. (2015), Obtaining well calibrated probabilities using Bayesian binning, AAAI",
)
def calibration_error(forecast: Forecasts, *, n_bins: int = 10) -> float:
    """Compute the mean distance between stated probability and observed share of targets, over equal-width bins.

    Σ (n_b/N)·|mean p − observed share| over bins [k/n, (k+1)/n), the last one closed.

    Parameters
    ----------
    counts
        Counts on the probability scale or an LR scale; one class may be empty.
    p_target
        Prior at which LRs become posteriors, default the share of targets in the data.
    n_bins
        Number of bins, at least 1.

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
    OptionError
        When there is no bin, or p_target is no prior.

    Notes
    -----
    The edge k/n is the double nearest to it: 0.3 lies in the fourth of ten bins. This is the expected calibration
    error of machine learning, not the empirical cross-entropy.

    References
    ----------
    Naeini, Cooper and Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian binning, AAAI.

    Examples
    --------
    >>> import deciban as db
    >>> round(db.calibration_error(db.Counts.from_classes([0.31], [0.3], scale="probability")), 12)
    0.195
    """
    starts = equal_width_bins(forecast.probability, n_bins)
    targets = np.add.reduceat(forecast.n_target, starts)
    # n_b cancels: each bin contributes |sum of p − targets| / N.
    stated = np.add.reduceat(forecast.probability * (forecast.n_target + forecast.n_nontarget), starts)
    return float(np.abs(stated - targets).sum() / forecast.total)

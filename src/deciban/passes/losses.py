"""The passes behind scores of stated probabilities: sums over the trials, each made in one go through the scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from deciban.counts.counts import Counts
from deciban.passes.forecasts import forecasts
from deciban.values.log_domain import share_of_mean

ROUNDING: Final = 8.0 * float(np.finfo(np.float64).eps)
"""Share of a log-odds that its rounding, and that of the prior, can make up."""


def squared_error(counts: Counts, *, p_target: float | None = None) -> float:
    """Mean of (1 − p)² of targets and p² of nontargets: the pass of the Brier score and its parts."""
    forecast = forecasts(counts, p_target=p_target)
    target, nontarget = 0.0, 0.0
    for stated, n_target, n_nontarget in forecast.parts():
        # Every loss is finite, so a score without trials of a class adds 0 and need not be left out.
        p, q = stated.both()
        target += float((n_target * q**2).sum())
        nontarget += float((n_nontarget * p**2).sum())
    return (target + nontarget) / forecast.total


def log_losses(counts: Counts, *, p_target: float | None = None) -> float:
    """Mean of −ln p of targets and −ln(1 − p) of nontargets: the pass of the log loss and its parts."""
    forecast = forecasts(counts, p_target=p_target)
    loss = 0.0
    for stated, n_target, n_nontarget in forecast.parts():
        loss += share_of_mean(stated.target_log_loss, stated.values, n_target, forecast.total)
        loss += share_of_mean(stated.nontarget_log_loss, stated.values, n_nontarget, forecast.total)
    return loss


@dataclass(frozen=True, slots=True, eq=False)
class Departures:
    """How far outcomes are from what was stated, summed over the trials.

    Attributes
    ----------
    over
        Σ (p − y): how many targets were promised beyond those that came.
    lean, variance
        Σ (y − p)(1 − 2p), and its variance if every p were right.
    total
        All trials.
    counts
        What was counted.
    """

    over: float
    lean: float
    variance: float
    total: int | float
    counts: Counts


def departures(counts: Counts, *, p_target: float | None = None) -> Departures:
    """Sum what mean calibration and Spiegelhalter's test compare with chance."""
    forecast = forecasts(counts, p_target=p_target)
    over = lean = variance = 0.0
    for stated, n_target, n_nontarget in forecast.parts():
        # What a target lacks is taken from 1 − p: a probability near 1 keeps its digits.
        p, q = stated.both()
        away = n_target * q
        away -= n_nontarget * p
        over -= float(away.sum())
        apart = q - p
        if stated.prior is not None:
            # Where prior and LR cancel, what rounding leaves of 1 − 2p is no variance.
            apart[np.abs(apart) <= ROUNDING * (1.0 + np.abs(stated.values))] = 0.0
        away *= apart
        lean += float(away.sum())
        apart *= apart
        apart *= p
        apart *= q
        apart *= n_target + n_nontarget
        variance += float(apart.sum())
    return Departures(over, lean, variance, forecast.total, counts)

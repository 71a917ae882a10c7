"""The pass behind probability metrics: the probability of a target that each score states, at a prior."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from deciban.arrays import AnyArray, Floats
from deciban.counts import Counts
from deciban.errors import ScaleError
from deciban.log_domain import expit, log_odds, logit, softplus
from deciban.scale import check_prior, to_ln_lr


@dataclass(frozen=True, slots=True, eq=False)
class Forecasts:
    """Stated probabilities of a target, one for each distinct score, in increasing order.

    Attributes
    ----------
    probability, complement
        p and 1 − p, each without cancellation, shape (u,).
    log_odds
        ln(p / (1 − p)) where the probabilities came from LRs; None where they were given.
    n_target, n_nontarget
        Trials of each class with that probability.
    total
        All trials.
    """

    probability: Floats
    complement: Floats
    log_odds: Floats | None
    n_target: AnyArray
    n_nontarget: AnyArray
    total: int | float

    def target_log_loss(self) -> Floats:
        """−ln p, inf at p = 0."""
        if self.log_odds is not None:
            return softplus(-self.log_odds)
        with np.errstate(divide="ignore"):
            return np.asarray(-np.log(self.probability))

    def nontarget_log_loss(self) -> Floats:
        """−ln(1 − p), inf at p = 1."""
        if self.log_odds is not None:
            return softplus(self.log_odds)
        with np.errstate(divide="ignore"):
            return np.asarray(-np.log1p(-self.probability))


def forecasts(counts: Counts, *, p_target: float | None = None) -> Forecasts:
    """State probabilities at the prior ``p_target``.

    LRs become posteriors at ``p_target`` (default: the share of targets in the data). Probabilities are taken as given;
    with a ``p_target`` other than the ``prior`` they were made under they are re-weighted, and without a known prior
    that raises :class:`ScaleError`.
    """
    check_prior(p_target, "p_target")
    scores = counts.score
    if counts.scale == "score":
        raise ScaleError("needs probabilities or likelihood ratios, and the scores have scale 'score'")
    if counts.scale == "probability":
        if p_target is None or p_target == counts.prior:
            return _forecasts(counts, scores, 1.0 - scores, None)
        if counts.prior is None:
            raise ScaleError(
                f"p_target={p_target:g} re-weights probabilities, which needs the prior they were made under: pass "
                "prior= (--prior)"
            )
        stated = logit(scores) + (log_odds(p_target) - log_odds(counts.prior))
    else:
        if p_target is None:
            counts.require_both_classes("a posterior at the share of targets in the data (pass p_target)")
            # One quotient, so that the same shares give the same double, and the same bins, however many trials.
            theta = math.log(counts.total_target / counts.total_nontarget)
        else:
            theta = log_odds(p_target)
        stated = to_ln_lr(scores, counts.scale, counts.prior) + theta
    return _forecasts(counts, expit(stated), expit(-stated), stated)


def _forecasts(counts: Counts, p: Floats, complement: Floats, stated: Floats | None) -> Forecasts:
    return Forecasts(p, complement, stated, counts.n_target, counts.n_nontarget, counts.total)

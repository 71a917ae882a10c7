"""Empirical cross-entropy over priors: what the likelihood ratios leave unknown, whatever was known before."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deciban.counts.argument import of_counts
from deciban.counts.counts import Counts
from deciban.curves.cost_sums import DIRECT, bucketed_costs, counts_costs
from deciban.curves.curve import Curve
from deciban.curves.grid import log10_odds_grid
from deciban.passes.evidence import ClassCosts, cost, evidence, pooled_costs
from deciban.passes.pool import Pooled, pool
from deciban.values.arrays import Floats
from deciban.values.log_domain import LN10, expit, prior_weights


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CrossEntropyCurve(Curve):
    """Empirical cross-entropy in bits at each prior.

    Attributes
    ----------
    log10_odds
        Prior log10 odds of the target, in the order given.
    p_target
        The same prior as a probability, the axis of the original plot.
    system
        Cross-entropy of the LRs as they are.
    pav
        After the best increasing map of them: what discrimination alone leaves unknown.
    neutral
        With LR = 1 for every trial: the entropy of the prior.
    n_target, n_nontarget
        All targets and nontargets.
    """

    log10_odds: Floats
    p_target: Floats
    system: Floats
    pav: Floats
    neutral: Floats
    n_target: int | float
    n_nontarget: int | float


@of_counts
def empirical_cross_entropy_curve(counts: Counts, *, log10_odds: object = None) -> CrossEntropyCurve:
    """Compute the cross-entropy of the posteriors over priors, beside its best and its uninformed value.

    H = π·mean_targets log2(1 + e^−(ℓ+θ)) + (1 − π)·mean_nontargets log2(1 + e^(ℓ+θ)), θ = x·ln 10, π = expit(θ).

    Parameters
    ----------
    counts
        Counts of both classes on an LR scale.
    log10_odds
        Prior log10 odds x of the target, shape (d,); −inf and inf are the priors 0 and 1. Default: −3 to 3 in steps of
        0.05.

    Returns
    -------
    CrossEntropyCurve
        Bits, shape (d,). Perfect 0 everywhere; an uninformative system equals ``neutral`` (1 at x = 0), and where
        ``system`` lies above it the LRs mislead. ``pav`` is never above the other two. At x = 0 they are Cllr, min
        Cllr and 1.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are not LRs.
    OptionError, InputError
        When the log-odds are no column of numbers.

    Notes
    -----
    Exact for any finite LR and any prior. A target with LR 0 or a nontarget with LR inf makes ``system`` inf at every
    finite log-odds, also where a weight is no double any more; at the priors 0 and 1 a term of weight 0 is skipped.
    Many LRs are summed in buckets with a relative error below 1.4e-13.

    References
    ----------
    Ramos and Gonzalez-Rodriguez (2013), Reliable support, Forensic Science International 230.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([0.5, 2.0], [-1.0, 0.0], scale="log10_lr")
    >>> curve = db.empirical_cross_entropy_curve(counts, log10_odds=[-1, 0, 1])
    >>> curve.neutral.round(6).tolist(), curve.pav.tolist()
    ([0.439497, 1.0, 0.439497], [0.0, 0.0, 0.0])
    """
    odds = log10_odds_grid(log10_odds, finite=False)
    with np.errstate(over="ignore"):
        theta = odds * LN10
    inner = theta[np.isfinite(theta)]
    neutral = [ClassCosts(*pair) for pair in zip(cost(-inner).tolist(), cost(inner).tolist(), strict=True)]
    uninformed, system = _bits(neutral, theta), _bits(counts_costs(counts, inner), theta)
    if evidence(counts).infinite():
        # At every finite log-odds both weights are above 0, even where they are no double any more.
        system[np.isfinite(odds)] = np.inf
    # PAV is the best of all increasing maps, among them identity and LR = 1: only rounding can put it above them.
    return CrossEntropyCurve(
        log10_odds=odds,
        p_target=expit(theta),
        system=system,
        pav=np.minimum(_bits(_pooled_costs(pool(counts), inner), theta), np.minimum(system, uninformed)),
        neutral=uninformed,
        n_target=counts.total_target,
        n_nontarget=counts.total_nontarget,
    )


def _bits(costs: list[ClassCosts], theta: Floats) -> Floats:
    """Cross-entropy at each prior from the costs at the finite ones; nothing is unknown at the priors 0 and 1."""
    finite = np.isfinite(theta)
    bits = np.zeros(theta.size)
    bits[finite] = [each.bits(*prior_weights(shift)) for each, shift in zip(costs, theta[finite].tolist(), strict=True)]
    return bits


def _pooled_costs(pooled: Pooled, theta: Floats) -> list[ClassCosts]:
    if pooled.ln_lr.size * theta.size <= DIRECT:
        return [pooled_costs(pooled, shift) for shift in theta.tolist()]
    parts = iter([(pooled.ln_lr, pooled.n_target, pooled.n_nontarget)])
    return bucketed_costs(parts, pooled.total_target, pooled.total_nontarget, theta)

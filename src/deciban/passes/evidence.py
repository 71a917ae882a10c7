"""The pass behind Cllr: what the likelihood ratios of each class cost."""

from __future__ import annotations

import math
from dataclasses import dataclass

from deciban.counts.counts import Counts
from deciban.passes.pool import Pooled
from deciban.values.arrays import Floats
from deciban.values.log_domain import LN2, chunks, share_of_mean, softplus
from deciban.values.scale import to_ln_lr

UNIT = 2.0 * LN2
"""Costs are kept in units of two bits: LR = 1 then costs exactly half a unit whatever it is multiplied with and divided
by, and the largest double does not overflow."""


@dataclass(frozen=True, slots=True)
class ClassCosts:
    """Mean cost, in units of two bits, of the trials of each class at one prior log-odds θ.

    ``target`` is half the mean over targets of log2(1 + e^−(ℓ+θ)), ``nontarget`` half that over nontargets of
    log2(1 + e^(ℓ+θ)).
    """

    target: float
    nontarget: float

    def bits(self, weight_target: float = 0.5, weight_nontarget: float = 0.5) -> float:
        """Weighted sum of the two in bits; a term of weight 0 is skipped, even when its cost is infinite."""
        terms = ((weight_target, self.target), (weight_nontarget, self.nontarget))
        return sum(2.0 * weight * cost for weight, cost in terms if weight > 0.0)

    def infinite(self) -> bool:
        """Whether an LR is certain and wrong."""
        return math.inf in (self.target, self.nontarget)


def evidence(counts: Counts) -> ClassCosts:
    """Costs at even prior odds, the two halves of Cllr; :class:`ScaleError` unless the scores are LRs."""
    return class_costs(counts, 0.0)


def class_costs(counts: Counts, log_odds: float) -> ClassCosts:
    """Costs at a prior log-odds, in chunks so that nothing of the size of the data is made.

    Each class uses only its own term, and a score without trials of the class is skipped: no 0·inf arises.
    """
    to_ln_lr(counts.score[:1], counts.scale, counts.prior)
    counts.require_both_classes("a cost of likelihood ratios")
    target, nontarget = 0.0, 0.0
    for part in chunks(counts.n_distinct):
        ln_lr = to_ln_lr(counts.score[part], counts.scale, counts.prior) + log_odds
        target += share_of_mean(cost, -ln_lr, counts.n_target[part], counts.total_target)
        nontarget += share_of_mean(cost, ln_lr, counts.n_nontarget[part], counts.total_nontarget)
    return ClassCosts(target, nontarget)


def pooled_costs(pooled: Pooled, log_odds: float) -> ClassCosts:
    """Costs of the pooled blocks' own likelihood ratios: what perfect calibration of these very trials would cost."""
    ln_lr = pooled.ln_lr + log_odds
    target = share_of_mean(cost, -ln_lr, pooled.n_target, pooled.total_target)
    nontarget = share_of_mean(cost, ln_lr, pooled.n_nontarget, pooled.total_nontarget)
    return ClassCosts(target, nontarget)


def cost(x: Floats) -> Floats:
    """ln(1 + e^x) in units of two bits."""
    return softplus(x) / UNIT

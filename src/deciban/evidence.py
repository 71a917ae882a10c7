"""The pass behind Cllr: what the likelihood ratios of each class cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deciban.arrays import AnyArray, Floats
from deciban.counts import Counts
from deciban.log_domain import LN2, chunks, softplus
from deciban.pool import Pooled
from deciban.scale import to_ln_lr


@dataclass(frozen=True, slots=True)
class ClassCosts:
    """Mean cost in nats of the trials of each class at one prior log-odds θ.

    ``target`` is the mean over targets of ln(1 + e^−(ℓ+θ)), ``nontarget`` that over nontargets of ln(1 + e^(ℓ+θ)).
    """

    target: float
    nontarget: float

    def bits(self, weight_target: float = 0.5, weight_nontarget: float = 0.5) -> float:
        """Weighted sum of the two in bits; a term of weight 0 is skipped, even when its cost is infinite.

        Weighted before the change of unit, so that nothing overflows unless the result does.
        """
        terms = ((weight_target, self.target), (weight_nontarget, self.nontarget))
        return sum(weight * cost / LN2 for weight, cost in terms if weight > 0.0)


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
        target += _share_of_mean(-ln_lr, counts.n_target[part], counts.total_target)
        nontarget += _share_of_mean(ln_lr, counts.n_nontarget[part], counts.total_nontarget)
    return ClassCosts(target, nontarget)


def pooled_costs(pooled: Pooled, log_odds: float) -> ClassCosts:
    """Costs of the pooled blocks' own likelihood ratios: what perfect calibration of these very trials would cost."""
    ln_lr = pooled.ln_lr + log_odds
    target = _share_of_mean(-ln_lr, pooled.n_target, pooled.total_target)
    nontarget = _share_of_mean(ln_lr, pooled.n_nontarget, pooled.total_nontarget)
    return ClassCosts(target, nontarget)


def _share_of_mean(x: Floats, weight: AnyArray, total: float) -> float:
    """Σ w·ln(1 + e^x) / total over the cells with weight."""
    members = np.flatnonzero(weight > 0)  # picking by index is 1.5 × faster than by mask
    if members.size < weight.size:
        x, weight = x[members], weight[members]
    cost = softplus(x)
    with np.errstate(over="ignore"):
        share = float((weight * cost).sum()) / total
    if np.isinf(share) and np.isfinite(cost).all():
        # Costs near the largest double: their sum overflows, their mean does not.
        share = float((weight / total * cost).sum())
    return share

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
    """Mean cost in bits of the trials of each class at one prior log-odds θ.

    ``target`` is the mean over targets of log2(1 + e^−(ℓ+θ)), ``nontarget`` that over nontargets of log2(1 + e^(ℓ+θ)).
    """

    target: float
    nontarget: float


def evidence(counts: Counts) -> ClassCosts:
    """Costs at even prior odds, the two halves of Cllr; :class:`ScaleError` unless the scores are LRs."""
    return class_costs(counts, 0.0)


def class_costs(counts: Counts, log_odds: float) -> ClassCosts:
    """Costs at a prior log-odds, in chunks so that nothing of the size of the data is made.

    Each class uses only its own term, and a score without trials of the class is skipped: no 0·inf arises.
    """
    to_ln_lr(counts.score[:1], counts.scale, counts.prior)
    counts.require_both_classes("a cost of likelihood ratios")
    sums = [0.0, 0.0]
    for part in chunks(counts.n_distinct):
        ln_lr = to_ln_lr(counts.score[part], counts.scale, counts.prior) + log_odds
        sums[0] += _weighted_softplus(-ln_lr, counts.n_target[part])
        sums[1] += _weighted_softplus(ln_lr, counts.n_nontarget[part])
    return ClassCosts(sums[0] / counts.total_target / LN2, sums[1] / counts.total_nontarget / LN2)


def pooled_costs(pooled: Pooled, log_odds: float) -> ClassCosts:
    """Costs of the pooled blocks' own likelihood ratios: what perfect calibration of these very trials would cost."""
    ln_lr = pooled.ln_lr + log_odds
    target = _weighted_softplus(-ln_lr, pooled.n_target)
    nontarget = _weighted_softplus(ln_lr, pooled.n_nontarget)
    return ClassCosts(target / pooled.total_target / LN2, nontarget / pooled.total_nontarget / LN2)


def _weighted_softplus(x: Floats, weight: AnyArray) -> float:
    """Σ w·ln(1 + e^x) over the cells with weight."""
    has = weight > 0
    if not has.all():
        x, weight = x[has], weight[has]
    # A finite cost times a weight can pass the largest double; inf is then the honest sum.
    with np.errstate(over="ignore"):
        return float((weight * softplus(x)).sum())

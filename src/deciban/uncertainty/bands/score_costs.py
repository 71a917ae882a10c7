"""Cross-entropy of re-weighted counts at many priors; what scores cost is worked out once for all replicates."""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np

from deciban.counts.counts import Counts
from deciban.passes.evidence import UNIT, cost
from deciban.passes.pool import pool
from deciban.values.arrays import AnyArray, Floats
from deciban.values.log_domain import LN2, LN10, prior_weights

PER_UNIT: Final = 16.0
"""Groups per unit of ln LR: LRs closer than that share the mean of their costs, which they have within 1/16 nat."""

LARGEST: Final = 1 << 23
"""Costs that are kept (groups times priors); where there would be more, groups are wider."""


class Priors:
    """Prior log10 odds, and how much the costs of both classes weigh at those that are finite."""

    def __init__(self, log10_odds: Floats) -> None:
        with np.errstate(over="ignore"):
            theta = log10_odds * LN10
        self.finite = np.isfinite(theta)
        self.theta = theta[self.finite]
        weights = [prior_weights(shift) for shift in self.theta.tolist()]
        self.weights = np.array(weights).reshape(-1, 2).T * (UNIT / LN2)

    def bits(self, target: Floats, nontarget: Floats) -> Floats:
        """Weigh the mean costs of both classes at the finite priors; at the priors 0 and 1 nothing is unknown."""
        bits = np.zeros(self.finite.size)
        # An LR that is certain and wrong costs inf at every finite log-odds, also where its weight is no double.
        infinite = np.isinf(target).any() or np.isinf(nontarget).any()
        bits[self.finite] = np.inf if infinite else self.weights[0] * target + self.weights[1] * nontarget
        return bits


class MeanCosts:
    """Cross-entropy in bits at each prior, of any counts that have some of the scores of those given."""

    def __init__(self, counts: Counts, log10_odds: Floats) -> None:
        self.counts = counts
        self.priors = Priors(log10_odds)

    @cached_property
    def starts(self) -> AnyArray:
        """Which distinct score each group begins at."""
        return _groups(self.counts.ln_lr(), self.priors.theta.size)

    @cached_property
    def of_class(self) -> list[tuple[Floats, AnyArray]]:
        """Costs of targets and of nontargets; worked out only where a replicate asks for them."""
        ln_lr, theta = self.counts.ln_lr(), self.priors.theta
        classes = (-1.0, self.counts.n_target), (1.0, self.counts.n_nontarget)
        return [_mean_costs(sign * ln_lr, n, self.starts, sign * theta) for sign, n in classes]

    def __call__(self, counts: Counts) -> Floats:
        """Return the cross-entropy of a replicate; inf where an LR that is certain and wrong was drawn."""
        counts.require_both_classes("a cost of likelihood ratios")
        group = np.searchsorted(self.counts.score[self.starts], counts.score, side="right") - 1
        means = []
        for (costs, infinite), n, total in zip(
            self.of_class,
            (counts.n_target, counts.n_nontarget),
            (counts.total_target, counts.total_nontarget),
            strict=True,
        ):
            drawn = np.bincount(group, n, minlength=self.starts.size)
            means.append(
                _weighed(costs, drawn / total) if not drawn[infinite].any() else np.full(costs.shape[1], np.inf)
            )
        return self.priors.bits(*means)


class PavCosts:
    """Cross-entropy in bits at each prior after PAV, which is fitted to the counts that are given."""

    def __init__(self, log10_odds: Floats) -> None:
        self.priors = Priors(log10_odds)

    def __call__(self, counts: Counts) -> Floats:
        """Return the cross-entropy of a replicate."""
        pooled = pool(counts)
        means = []
        for sign, n, total in (
            (-1.0, pooled.n_target, pooled.total_target),
            (1.0, pooled.n_nontarget, pooled.total_nontarget),
        ):
            there = n > 0
            costs = cost(sign * (pooled.ln_lr[there, np.newaxis] + self.priors.theta))
            means.append(_weighed(costs, n[there] / total))
        return self.priors.bits(*means)


def _weighed(costs: Floats, weight: Floats) -> Floats:
    # Without BLAS, whose threads would wait for one another on a busy machine.
    return np.asarray(np.einsum("g,gp->p", weight, costs))


def _groups(ln_lr: Floats, priors: int) -> AnyArray:
    """Where groups of near LRs start; infinite ones are on their own."""
    per_unit = PER_UNIT
    while True:
        middle = np.where(np.isfinite(ln_lr), np.floor(ln_lr.clip(-1e300, 1e300) * per_unit), ln_lr)
        starts = np.flatnonzero(np.append(True, middle[1:] != middle[:-1]))
        if starts.size * priors <= LARGEST:
            return starts
        per_unit /= 2.0


def _mean_costs(x: Floats, n: AnyArray, starts: AnyArray, shift: Floats) -> tuple[Floats, AnyArray]:
    """Mean cost of the class in each group at each prior, 0 where it has no trial, and the groups that cost inf."""
    total = np.add.reduceat(n, starts).astype(np.float64)
    there = np.flatnonzero(n)
    group = np.searchsorted(starts, there, side="right") - 1
    share = n[there] / total[group]
    infinite = np.unique(group[np.isposinf(x[there])])
    ends = x[there].clip(-1e300, 1e300)
    costs = np.empty((starts.size, shift.size))
    for column, by in enumerate(shift.tolist()):
        costs[:, column] = np.bincount(group, share * cost(ends + by), minlength=starts.size)
    costs[infinite] = 0.0
    return costs, infinite

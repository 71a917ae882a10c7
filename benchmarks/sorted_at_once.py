"""Figures of continuous log LRs by NumPy alone, all trials sorted in memory: what brackets are held against.

No code of deciban is used, and little of its ways: nothing is counted in blocks but equal scores, and pooling is
scikit-learn's. Ratios of counts are fractions of whole numbers. Means over trials are added by ``math.fsum``, so that
what is left is the rounding of single terms: relative errors of a few 10⁻¹⁶.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from sklearn.isotonic import isotonic_regression

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

PART = 1 << 20
"""Terms of a sum that are Python floats at a time."""


@dataclass(frozen=True)
class Sorted:
    """Trials in increasing order of their scores.

    ``last`` is the place of the last trial of each different score; ``targets`` and ``nontargets`` are how many trials
    of each class lie at or below it.
    """

    score: Floats
    is_target: NDArray[np.bool_]

    @classmethod
    def of(cls, score: Floats, is_target: NDArray[np.bool_]) -> Sorted:
        order = np.argsort(score)
        return cls(score[order], is_target[order])

    @cached_property
    def last(self) -> Whole:
        return np.append(np.flatnonzero(self.score[1:] != self.score[:-1]), self.score.size - 1)

    @cached_property
    def targets(self) -> Whole:
        return np.cumsum(self.is_target, dtype=np.int64)[self.last]

    @cached_property
    def nontargets(self) -> Whole:
        return self.last + 1 - self.targets

    @property
    def totals(self) -> tuple[int, int]:
        return int(self.targets[-1]), int(self.nontargets[-1])

    def errors_at(self, threshold: float) -> tuple[Fraction, Fraction]:
        """The rates p_miss and p_fa where scores at and above a threshold are accepted."""
        rejected = int(np.searchsorted(self.score, threshold))
        missed = int(np.count_nonzero(self.is_target[:rejected]))
        n_target, n_nontarget = self.totals
        return Fraction(missed, n_target), 1 - Fraction(rejected - missed, n_nontarget)


def figures(trials: Sorted) -> dict[str, float]:
    """Every figure by the expression that deciban knows it by."""
    pooled = hull(trials)
    least = cllr_min(*pooled)
    means = of_means(trials)
    exact = {**of_ranks(trials), **of_hull(*pooled), **at_thresholds(trials)}
    return {
        **{name: float(value) for name, value in exact.items()},
        "average_precision": average_precision(trials),
        **means,
        "cllr_min": least,
        "cllr_cal": means["cllr"] - least,
    }


def of_ranks(trials: Sorted) -> dict[str, Fraction]:
    """Figures of the steps of the ROC."""
    n_target, n_nontarget = trials.totals
    new_targets = np.diff(trials.targets, prepend=0)
    below = np.append(0, trials.nontargets[:-1])
    pairs = int((new_targets * (below + trials.nontargets)).sum())
    # Thresholds from accept-all to reject-all: targets that are rejected, nontargets that are accepted.
    missed, accepted = np.append(0, trials.targets), n_nontarget - np.append(0, trials.nontargets)
    after = int(np.argmax(missed * n_nontarget >= accepted * n_target))
    ends = [(Fraction(int(missed[i]), n_target), Fraction(int(accepted[i]), n_nontarget)) for i in (after - 1, after)]
    allowed = int(np.argmax(accepted / n_nontarget <= 0.001))
    return {
        "auc": Fraction(pairs, 2 * n_target * n_nontarget),
        "eer:method=interpolated": crossing(*ends),
        "p_miss_at:p_fa=0.001": Fraction(int(missed[allowed]), n_target),
    }


def crossing(one: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction]) -> Fraction:
    """Where the straight line between two pairs of rates has p_miss = p_fa."""
    before, after = one[0] - one[1], other[0] - other[1]
    way = before / (before - after) if before != after else Fraction(0)
    return one[0] + way * (other[0] - one[0])


def average_precision(trials: Sorted) -> float:
    """The mean over targets of the precision where each is accepted."""
    n_target, n_nontarget = trials.totals
    tp = n_target - np.append(0, trials.targets[:-1])
    fp = n_nontarget - np.append(0, trials.nontargets[:-1])
    return total(np.diff(trials.targets, prepend=0) * (tp / (tp + fp))) / n_target


def hull(trials: Sorted) -> tuple[Whole, Whole]:
    """Targets and nontargets in each block of the pooled scores, the lowest first."""
    here = np.diff(trials.last, prepend=-1)
    share = isotonic_regression(np.diff(trials.targets, prepend=0) / here, sample_weight=here.astype(np.float64))
    ends = np.append(np.flatnonzero(share[1:] != share[:-1]), share.size - 1)
    return np.diff(trials.targets[ends], prepend=0), np.diff(trials.nontargets[ends], prepend=0)


def of_hull(targets: Whole, nontargets: Whole) -> dict[str, Fraction]:
    """Figures of the convex hull of the ROC; costs are those of a target in twenty, whose errors cost 1."""
    n_target, n_nontarget = int(targets.sum()), int(nontargets.sum())
    missed = np.append(0, np.cumsum(targets)).tolist()
    accepted = (n_nontarget - np.append(0, np.cumsum(nontargets))).tolist()
    rates = [(Fraction(m, n_target), Fraction(a, n_nontarget)) for m, a in zip(missed, accepted, strict=True)]
    after = next(i for i, (p_miss, p_fa) in enumerate(rates) if p_miss >= p_fa)
    return {
        "eer": crossing(rates[after - 1], rates[after]),
        "min_dcf:preset=voxsrc": min(p_miss + 19 * p_fa for p_miss, p_fa in rates),
    }


def cllr_min(targets: Whole, nontargets: Whole) -> float:
    """The cost of the pooled scores as LRs, in bits."""
    n_target, n_nontarget = int(targets.sum()), int(nontargets.sum())
    mixed = (targets > 0) & (nontargets > 0)  # a block of one class costs nothing
    p_target, p_nontarget = targets[mixed] / n_target, nontargets[mixed] / n_nontarget
    lr = p_target / p_nontarget
    halves = total(p_target * np.log1p(1.0 / lr)), total(p_nontarget * np.log1p(lr))
    return sum(halves) / (2.0 * math.log(2.0))


def at_thresholds(trials: Sorted) -> dict[str, Fraction]:
    """Rates at a threshold that is no multiple of a power of two, and the cost at that of Bayes."""
    p_miss, p_fa = trials.errors_at(0.1)
    bayes = trials.errors_at(math.log(19.0))
    return {
        "p_miss:threshold=0.1": p_miss,
        "p_fa:threshold=0.1": p_fa,
        "act_dcf:preset=voxsrc": bayes[0] + 19 * bayes[1],
    }


def of_means(trials: Sorted) -> dict[str, float]:
    """Figures that are means over trials; probabilities are posteriors at the share of targets."""
    n_target, n_nontarget = trials.totals
    odds = math.log(n_target / n_nontarget)
    sums = {name: [0.0, 0.0] for name in ("cllr", "brier", "log_loss")}
    for is_target, sign in ((True, -1.0), (False, 1.0)):
        against = sign * trials.score[trials.is_target == is_target]
        sums["cllr"][is_target] = total(np.logaddexp(0.0, against))
        against += sign * odds
        sums["log_loss"][is_target] = total(np.logaddexp(0.0, against))
        sums["brier"][is_target] = total((1.0 / (1.0 + np.exp(-against))) ** 2)
    halves = sums["cllr"][0] / n_nontarget, sums["cllr"][1] / n_target
    n = n_target + n_nontarget
    return {
        "cllr": sum(halves) / (2.0 * math.log(2.0)),
        "brier": sum(sums["brier"]) / n,
        "log_loss": sum(sums["log_loss"]) / n,
    }


def total(terms: Floats) -> float:
    """The sum of many terms, rounded once for each part of them."""
    return math.fsum(math.fsum(terms[at : at + PART].tolist()) for at in range(0, terms.size, PART))

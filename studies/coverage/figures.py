"""The nine figures of the study, as a statistic of replicates that is fast enough to be asked millions of times."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from deciban.metrics.catalogue import BY_NAME
from deciban.uncertainty.bootstrap.bootstrap import Figure, Method
from deciban.uncertainty.bootstrap.replicate import Blocks, Replicate
from deciban.workflow.intervals.replicated import FAST, FastFigures
from studies.coverage.truth import P_FA

FIGURES: Final = (
    *("auc", "eer", "cllr", "cllr_min", "cllr_cal", "average_precision", "p_miss_at", "brier", "accuracy"),
)
"""By the names of their metrics; p_miss at p_fa 0.01, Brier score at the share of targets, accuracy at LR 1."""

NAN: Final = float("nan")


def figure(name: str, method: Method) -> Figure:
    """Describe a figure as ``evaluate`` does."""
    spec = BY_NAME[name].spec
    return Figure(name=name, range=spec.range, method=method, perfect=spec.anchors[0], rate=spec.bias_rate)


class Statistic:
    """All figures of one replicate of the same counts: the six that deciban has a fast way for, and three more.

    A test holds them against the metrics themselves.
    """

    def __init__(self, blocks: Blocks, share: float) -> None:
        counts = blocks.counts
        self.fast = FastFigures(blocks, FAST)
        # Scores of targets below each score of nontargets, for the miss rate at the threshold chosen there.
        self.below = np.searchsorted(blocks.target_at, blocks.nontarget_at, side="right")
        ln_lr = counts.ln_lr()
        posterior = 1.0 / (1.0 + np.exp(-(ln_lr + math.log(share / (1.0 - share)))))
        self.squares = (1.0 - posterior[blocks.target_at]) ** 2, posterior[blocks.nontarget_at] ** 2
        self.rejected = ln_lr[blocks.target_at] < 0.0, ln_lr[blocks.nontarget_at] < 0.0

    def __call__(self, replicate: Replicate) -> Sequence[float]:
        """Return the figures in the order of :data:`FIGURES`; NaN where a class is absent."""
        target, nontarget = replicate.n_target, replicate.n_nontarget
        n1, n0 = int(target.sum()), int(nontarget.sum())
        if 0 in (n1, n0):
            return [NAN] * len(FIGURES)
        found = dict(zip(FAST, self.fast(replicate), strict=True))
        found["p_miss_at"] = self._p_miss(replicate, n1, n0)
        lost = float((target * self.squares[0]).sum() + (nontarget * self.squares[1]).sum())
        found["brier"] = lost / (n1 + n0)
        right = int(target[~self.rejected[0]].sum()) + int(nontarget[self.rejected[1]].sum())
        found["accuracy"] = right / (n1 + n0)
        return [found[name] for name in FIGURES]

    def _p_miss(self, replicate: Replicate, n1: int, n0: int) -> float:
        """Share of targets at or below the highest score of nontargets that must be rejected."""
        accepted = n0 - np.cumsum(replicate.n_nontarget)
        # Nontargets at and above each score, with the one that is rejected last: at most P_FA may stay accepted.
        stays = np.flatnonzero(accepted / n0 <= P_FA)
        at = self.below[int(stays[0])]
        return float(replicate.n_target[:at].sum()) / n1

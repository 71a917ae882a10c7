"""The pass behind ROC, DET and precision–recall: what each threshold accepts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deciban.arrays import AnyArray, Floats, read_only
from deciban.counts import Counts


@dataclass(frozen=True, slots=True, eq=False)
class Cumulative:
    """Accepted targets and nontargets at every threshold, in order of decreasing threshold.

    U distinct scores make U + 2 points: reject-all (threshold inf), one for each score, accept-all (threshold −inf).

    Attributes
    ----------
    threshold
        Accept when score >= threshold, shape (u + 2,).
    tp, fp
        Accepted targets and nontargets, int64 (float64 when weighted), shape (u + 2,).
    total_target, total_nontarget
        All targets and nontargets.
    reject_all_reachable
        False when inf itself is a score: then no threshold rejects everything.
    """

    threshold: Floats
    tp: AnyArray
    fp: AnyArray
    total_target: int | float
    total_nontarget: int | float
    reject_all_reachable: bool

    @property
    def weighted(self) -> bool:
        """Whether the counts are sums of weights."""
        return self.tp.dtype.kind == "f"

    @property
    def p_miss(self) -> Floats:
        """Share of targets below each threshold."""
        return np.asarray((self.total_target - self.tp) / self.total_target)

    @property
    def p_fa(self) -> Floats:
        """Share of nontargets at or above each threshold."""
        return np.asarray(self.fp / self.total_nontarget)


def cumulate(counts: Counts) -> Cumulative:
    """Accumulate the counts from the highest score down; raises :class:`SingleClassError` without both classes."""
    counts.require_both_classes("a curve over thresholds")
    u = counts.n_distinct
    threshold = np.empty(u + 2)
    threshold[0], threshold[1:-1], threshold[-1] = np.inf, counts.score[::-1], -np.inf
    columns = []
    for n, total in ((counts.n_target, counts.total_target), (counts.n_nontarget, counts.total_nontarget)):
        column: AnyArray = np.empty(u + 2, dtype=n.dtype)
        column[0] = 0
        np.cumsum(n[::-1], out=column[1:-1])
        # Summed in another order, weights may miss the total by rounding; the corner is exact by definition.
        column[-2:] = total
        columns.append(read_only(column))
    return Cumulative(
        read_only(threshold),
        columns[0],
        columns[1],
        counts.total_target,
        counts.total_nontarget,
        reject_all_reachable=not np.isposinf(counts.score[-1]),
    )


def accepted(counts: Counts, threshold: Floats) -> tuple[AnyArray, AnyArray]:
    """Accepted targets and nontargets at each of some thresholds, in their order; one class may be empty.

    As ``confusion`` counts them: at inf the infinite scores are accepted.
    """
    at = np.searchsorted(counts.score, threshold, side="left")
    columns = []
    for n, total in ((counts.n_target, counts.total_target), (counts.n_nontarget, counts.total_nontarget)):
        from_here: AnyArray = np.zeros(n.size + 1, dtype=n.dtype)
        np.cumsum(n[::-1], out=from_here[-2::-1])
        from_here[0] = total
        columns.append(from_here[at])
    return columns[0], columns[1]

"""The pass behind ROC, DET and precision–recall: what each threshold accepts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deciban.counts.counts import Counts
from deciban.values.arrays import AnyArray, Floats, read_only


@dataclass(frozen=True, slots=True, eq=False)
class Cumulative:
    """Accepted targets and nontargets at every threshold, in order of decreasing threshold.

    U distinct scores make U + 2 points: reject-all (threshold inf), one for each score, accept-all (threshold −inf).

    Attributes
    ----------
    score
        The distinct scores in increasing order, shape (u,).
    tp, fp
        Accepted targets and nontargets, int64 (float64 when weighted), shape (u + 2,).
    total_target, total_nontarget
        All targets and nontargets.
    reject_all_reachable
        False when inf itself is a score: then no threshold rejects everything.
    """

    score: Floats
    tp: AnyArray
    fp: AnyArray
    total_target: int | float
    total_nontarget: int | float
    reject_all_reachable: bool

    @property
    def threshold(self) -> Floats:
        """Accept when score >= threshold, shape (u + 2,); made anew when asked for, as few figures need all of them."""
        threshold = np.empty(self.score.size + 2)
        threshold[0], threshold[1:-1], threshold[-1] = np.inf, self.score[::-1], -np.inf
        return threshold

    def threshold_at(self, index: int) -> float:
        """Return the threshold of one point."""
        if index == 0:
            return np.inf
        below = self.score.size - index
        return float(self.score[below]) if below >= 0 else -np.inf

    def steps(self) -> NDArray[np.intp]:
        """The points after which recall grows: where the next score in decreasing order has targets."""
        return np.flatnonzero(self.tp[1:] > self.tp[:-1])

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


def running(n: AnyArray, total: float) -> AnyArray:
    """Cumulative sums of ``n`` from 0, shape (size + 1,), that are ``total`` once the last member is in.

    Summed in another order than the total, weights may miss it by rounding; the rates 0 and 1 are exact by definition.
    """
    sums: AnyArray = np.empty(n.size + 1, dtype=n.dtype)
    _run(n, total, sums)
    return sums


def _from_the_top(n: AnyArray, total: float) -> AnyArray:
    """The same from the last to the first, and the total once more."""
    sums: AnyArray = np.empty(n.size + 2, dtype=n.dtype)
    _run(n[::-1], total, sums[:-1])
    sums[-1] = total
    return sums


def _run(n: AnyArray, total: float, sums: AnyArray) -> None:
    # Summed in place: NumPy accumulates backwards three times more slowly than it copies and accumulates forwards.
    sums[0], sums[1:] = 0, n
    np.cumsum(sums[1:], out=sums[1:])
    held = np.flatnonzero(n) if n.dtype.kind == "f" else n[:0]
    if held.size:
        np.minimum(sums, total, out=sums)
        sums[held[-1] + 1 :] = total


def cumulate(counts: Counts) -> Cumulative:
    """Accumulate the counts from the highest score down; raises :class:`SingleClassError` without both classes."""
    counts.require_both_classes("a curve over thresholds")
    tp, fp = (
        _from_the_top(n, total)
        for n, total in ((counts.n_target, counts.total_target), (counts.n_nontarget, counts.total_nontarget))
    )
    return Cumulative(
        counts.score,
        read_only(tp),
        read_only(fp),
        counts.total_target,
        counts.total_nontarget,
        reject_all_reachable=not np.isposinf(counts.score[-1]),
    )


def accepted_at_all(counts: Counts) -> tuple[Floats, AnyArray, AnyArray]:
    """Every threshold (inf, each finite score in decreasing order, −inf) with what it accepts, as :func:`accepted`."""
    score = counts.score
    finite = score[np.searchsorted(score, -np.inf, side="right") : np.searchsorted(score, np.inf, side="left")]
    threshold = np.empty(finite.size + 2)
    threshold[0], threshold[1:-1], threshold[-1] = np.inf, finite[::-1], -np.inf
    # Infinite scores have their point among the two that no score has.
    first = int(score.size > 0 and np.isposinf(score[-1]))
    tp, fp = (
        _from_the_top(n, total)[first : first + threshold.size]
        for n, total in ((counts.n_target, counts.total_target), (counts.n_nontarget, counts.total_nontarget))
    )
    return threshold, tp, fp


def accepted(counts: Counts, threshold: Floats) -> tuple[AnyArray, AnyArray]:
    """Accepted targets and nontargets at each of some thresholds, in their order; one class may be empty.

    As ``confusion`` counts them: at inf the infinite scores are accepted.
    """
    at = np.searchsorted(counts.score, threshold, side="left")
    tp, fp = sums_from(counts.n_target, at), sums_from(counts.n_nontarget, at)
    # Sums of weights in another order may miss the total by rounding.
    tp[at == 0], fp[at == 0] = counts.total_target, counts.total_nontarget
    return tp, fp


def sums_from(n: AnyArray, at: AnyArray) -> AnyArray:
    """Sum from each of some places to the end, 0 at the end itself; without the sums from all other places."""
    places, which = np.unique(np.append(at, n.size), return_inverse=True)
    sums: AnyArray = np.zeros(places.size, dtype=n.dtype)
    if places.size > 1:
        sums[:-1] = np.cumsum(np.add.reduceat(n, places[:-1])[::-1])[::-1]
    return sums[which[:-1]]

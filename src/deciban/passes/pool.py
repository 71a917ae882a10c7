"""Pool-adjacent-violators in integers: blocks of increasing likelihood ratio, and the ROC convex hull at their ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deciban.counts.columns import MAX_PAIRS
from deciban.counts.counts import Counts
from deciban.errors import InputError
from deciban.passes.cumulative import running
from deciban.values.arrays import AnyArray, Floats, read_only

ROUNDS = 40
"""Rounds of pooling all violating runs at once before the one-by-one pass takes over (10 to 21 are usual)."""


@dataclass(frozen=True, slots=True, eq=False)
class Pooled:
    """Blocks of neighbouring scores that isotonic regression gives one likelihood ratio, in increasing order.

    Attributes
    ----------
    low, high
        Lowest and highest score of each block, shape (k,).
    n_target, n_nontarget
        Trials of each class in each block, shape (k,).
    ln_lr
        ln[(k1/N1) / (k0/N0)] of each block, increasing; −inf and inf for pure blocks (finite after Laplace).
    total_target, total_nontarget
        All targets and nontargets.
    """

    low: Floats
    high: Floats
    n_target: AnyArray
    n_nontarget: AnyArray
    ln_lr: Floats
    total_target: int | float
    total_nontarget: int | float

    def hull(self) -> tuple[AnyArray, AnyArray]:
        """Vertices of the ROC convex hull: missed targets and false alarms from reject-all to accept-all.

        Returns
        -------
        fn, fp
            Cumulative counts, shape (k + 1,) each.
        """
        fn = running(self.n_target, self.total_target)
        tn = running(self.n_nontarget, self.total_nontarget)
        return fn[::-1], (tn[-1] - tn)[::-1]


def pool(counts: Counts) -> Pooled:
    """Pool the counts; raises :class:`SingleClassError` without both classes."""
    counts.require_both_classes("pooling (PAV, the ROC convex hull)")
    start, n_target, n_nontarget = _collapse(counts.n_target, counts.n_nontarget)
    keep = _pool(n_target, n_nontarget)
    return _pooled(counts, start, n_target, n_nontarget, keep, extra=None)


def pool_laplace(counts: Counts) -> Pooled:
    """Pool with one extra target and nontarget beyond each end, removed again afterwards.

    Likelihood ratios come from the pooled counts with the extra trials and the original N1 and N0, so that none is 0
    or infinite; the counts of the blocks hold the real trials only.
    """
    counts.require_both_classes("pooling (PAV with Laplace's extra trials)")
    if (counts.total_target + 2) * (counts.total_nontarget + 2) >= 2 * MAX_PAIRS and not counts.weighted:
        raise InputError("Laplace's extra trials make more pairs than 64 bits hold: count a sample")
    start, n_target, n_nontarget = _collapse(counts.n_target, counts.n_nontarget)
    one = np.ones(1, dtype=n_target.dtype)
    padded_target = np.concatenate([one, n_target, one])
    padded_nontarget = np.concatenate([one, n_nontarget, one])
    keep = _pool(padded_target, padded_nontarget)
    blocks = np.add.reduceat(padded_target, keep), np.add.reduceat(padded_nontarget, keep)
    # Position 0 is the pair below all scores: the block it opens starts at the first real score.
    real = np.maximum(keep - 1, 0)
    if real.size > 1 and real[-1] == start.size:
        # The pair above all scores stayed alone; no real trial is in its block.
        real, blocks = real[:-1], (blocks[0][:-1], blocks[1][:-1])
    if real.size > 1 and real[1] == 0:
        # The pair below all scores stayed alone.
        real, blocks = real[1:], (blocks[0][1:], blocks[1][1:])
    return _pooled(counts, start, n_target, n_nontarget, real, extra=blocks)


def _pooled(
    counts: Counts,
    start: NDArray[np.intp],
    n_target: AnyArray,
    n_nontarget: AnyArray,
    keep: NDArray[np.intp],
    extra: tuple[AnyArray, AnyArray] | None,
) -> Pooled:
    """The record: blocks that begin at the runs ``keep``, with LRs from ``extra`` counts where given."""
    k1, k0 = np.add.reduceat(n_target, keep), np.add.reduceat(n_nontarget, keep)
    for_lr = (k1, k0) if extra is None else extra
    with np.errstate(divide="ignore"):
        # Rounded quotients keep their order and are near 1; logarithms of large counts would lose digits and order.
        ln_lr = np.log(for_lr[0] / for_lr[1] * (counts.total_nontarget / counts.total_target))
    equal = for_lr[0] * counts.total_nontarget == for_lr[1] * counts.total_target
    ln_lr[equal] = 0.0
    first = start[keep]
    last = np.append(first[1:], counts.n_distinct) - 1
    return Pooled(
        read_only(counts.score[first]),
        read_only(counts.score[last]),
        read_only(k1),
        read_only(k0),
        read_only(ln_lr),
        counts.total_target,
        counts.total_nontarget,
    )


def _collapse(n_target: AnyArray, n_nontarget: AnyArray) -> tuple[NDArray[np.intp], AnyArray, AnyArray]:
    """Join neighbouring scores that hold the same one class: their ratio is equal (0 or infinite).

    With distinct scores this leaves far fewer runs than scores, and the ROC between them is straight.
    """
    has_target, has_nontarget = n_target > 0, n_nontarget > 0
    first = np.ones(n_target.size, dtype=bool)
    np.not_equal(has_target[1:], has_target[:-1], out=first[1:])
    mixed = has_target & has_nontarget
    first |= mixed
    first[1:] |= mixed[:-1]
    start = np.flatnonzero(first)
    return start, np.add.reduceat(n_target, start), np.add.reduceat(n_nontarget, start)


def _pool(n_target: AnyArray, n_nontarget: AnyArray) -> NDArray[np.intp]:
    """Where the pooled blocks start.

    A block whose ratio k1/k0 is at least that of the next violates; a whole chain of violations pools into one block,
    so all chains are pooled at once, until none is left. Ratios are compared by cross products, exact in integers.
    """
    start = np.arange(n_target.size)
    for _ in range(ROUNDS):
        violates = n_target[:-1] * n_nontarget[1:] >= n_target[1:] * n_nontarget[:-1]
        if not violates.any():
            return start
        head = np.flatnonzero(np.concatenate([[True], ~violates]))
        n_target, n_nontarget = np.add.reduceat(n_target, head), np.add.reduceat(n_nontarget, head)
        start = start[head]
    return start[pool_one_by_one(n_target.tolist(), n_nontarget.tolist())]


def pool_one_by_one(n_target: list[int], n_nontarget: list[int]) -> NDArray[np.intp]:
    """Where the pooled blocks start, found with a stack: in linear time, for sequences that unzip one block a round."""
    stack: list[tuple[int, int, int]] = []
    for index, (k1, k0) in enumerate(zip(n_target, n_nontarget, strict=True)):
        block = (index, k1, k0)
        while stack and stack[-1][1] * block[2] >= block[1] * stack[-1][2]:
            first, above1, above0 = stack.pop()
            block = (first, above1 + block[1], above0 + block[2])
        stack.append(block)
    return np.array([block[0] for block in stack], dtype=np.intp)

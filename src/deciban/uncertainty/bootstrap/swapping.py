"""Swap the scores of two systems trial by trial, for all figures at once and without sorting again.

If the systems are alike, which of the two gave which score of a trial is a toss of a coin. The scores of both are
counted together once; a system after a swap is those counts with weight 1 at the scores that became its own and 0 at
the others, so that a permutation is a re-weighting like a bootstrap replicate.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deciban.trials.trials import Trials
from deciban.uncertainty.bootstrap.bootstrap import SAME
from deciban.uncertainty.bootstrap.repeat import Progress, child, repeat
from deciban.uncertainty.bootstrap.replicate import Blocks, Statistic
from deciban.uncertainty.bootstrap.sources import BySource, Sources, placed_sources
from deciban.values.arrays import AnyArray, Floats


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """The scores of two systems on the same trials, counted together; made by :func:`pair_up`."""

    both: BySource

    @property
    def blocks(self) -> Blocks:
        """The scores of both systems."""
        return self.both.blocks

    def difference(self, statistic: Statistic, swapped: AnyArray) -> Floats:
        """Figures of the first less those of the second, when the scores of some trials are swapped."""
        theirs = np.asarray(swapped, dtype=np.int64)
        first = statistic(self.both.weigh([np.concatenate([1 - theirs, theirs])]))
        second = statistic(self.both.weigh([np.concatenate([theirs, 1 - theirs])]))
        # Two infinite figures have no difference.
        with np.errstate(invalid="ignore"):
            return np.asarray(np.subtract(first, second), dtype=np.float64)


def pair_up(first: Trials, second: Trials) -> Pair:
    """Count the scores of two systems together.

    Parameters
    ----------
    first, second
        The same trials in the same order, none of weight 0, with scores that mean the same: on one scale, or mid-ranks.
    """
    both = Trials(
        score=np.concatenate([first.score, second.score]),
        is_target=np.concatenate([first.is_target, second.is_target]),
        scale=first.scale,
        prior=first.prior,
        weight=None if first.weight is None else np.concatenate([first.weight, first.weight]),
    )
    return Pair(placed_sources(both, Sources((len(both),), (np.arange(len(both)),))))


def swapped_differences(
    pairs: Sequence[tuple[Pair, Statistic]],
    width: int,
    *,
    draws: int,
    seed: int,
    progress: Progress | None = None,
) -> Floats:
    """Compute the differences of all figures under random swaps.

    Parameters
    ----------
    pairs, width
        Ways in which the scores of the same two systems are looked at, with the figures of each; how many in all.
    draws, seed
        How many permutations, and the seed of which each has a child of its own.
    progress
        Told how many permutations are done.

    Returns
    -------
    array of float
        Shape (draws, width); NaN where a figure has no value.
    """
    return repeat(_Swapped(tuple(pairs), seed), draws, width, progress=progress)


@dataclass(frozen=True, slots=True)
class _Swapped:
    """The differences under the permutation of a number."""

    pairs: tuple[tuple[Pair, Statistic], ...]
    seed: int

    def __call__(self, number: int) -> list[float]:
        size = self.pairs[0][0].both.pools[0] // 2
        swapped = child(self.seed, number).integers(0, 2, size)
        return [value for pair, of in self.pairs for value in pair.difference(of, swapped).tolist()]


def p_of_swaps(observed: float, drawn: Floats) -> float:
    """(1 + permutations that go at least as far to either side) / (permutations + 1); undefined ones count as far.

    Differences that are equal but for rounding go as far.
    """
    far = np.count_nonzero(~(np.abs(drawn) < abs(observed) * (1.0 - SAME)))
    return float(1 + far) / (drawn.size + 1)


def p_of_replicates(observed: float, drawn: Floats, *, reflected: bool) -> float:
    """Two-sided p-value of a difference of 0 from bootstrap replicates: the level whose interval ends at 0.

    Twice the share of replicates that lie on or beyond 0, the observed data counted as one of them, at most 1; of
    replicates reflected at the observed difference where its interval is ``basic``. NaN when no replicate has a value.
    """
    known = drawn[~np.isnan(drawn)]
    if known.size == 0 or not math.isfinite(observed):
        return math.nan
    if observed == 0.0:
        return 1.0
    at = 2.0 * observed - known if reflected else known
    fewer = min(np.count_nonzero(at <= 0.0), np.count_nonzero(at >= 0.0))
    return min(1.0, 2.0 * float(1 + fewer) / (known.size + 1))

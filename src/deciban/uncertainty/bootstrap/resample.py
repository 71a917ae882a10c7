"""Draw trials with replacement; a replicate re-weights the observed scores and sorts nothing again.

Each class is drawn from itself, so that N1 and N0 stay as they are. Trials that share a source are not independent:
where sources are known, :mod:`~deciban.uncertainty.bootstrap.sources` draws those.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from deciban.counts.argument import unbucketed
from deciban.counts.counts import Counts
from deciban.counts.of_trials import count_trials, present
from deciban.errors import UndefinedMetricError
from deciban.trials.trials import Trials
from deciban.uncertainty.bootstrap.replicate import Blocks, Replicate
from deciban.values.arrays import AnyArray, Bools, Floats

PER_CELL = 20
"""Trials per distinct score above which NumPy's multinomial is faster than drawing trials one by one: it takes some
80 ns a score, a drawn trial some 4 ns."""


Draw = Callable[[np.random.Generator], Replicate]
"""Makes one replicate."""

COUNTED = 10**9
"""From so many trials on, NumPy draws no hypergeometric numbers."""


class Resampling(Protocol):
    """What a bootstrap draws from."""

    @property
    def blocks(self) -> Blocks:
        """The observed counts."""

    @property
    def resampled(self) -> Literal["trials", "sources"]:
        """What is drawn."""

    def draw(self, generator: np.random.Generator) -> Replicate:
        """Return one replicate."""

    def half(self, generator: np.random.Generator) -> Replicate:
        """Return half of the units of each stratum, drawn without replacement."""

    def strata(self) -> Sequence[AnyArray]:
        """Return, for each stratum, its units that differ and how many of each there are; neighbours are alike."""

    def without(self, stratum: int, unit: int) -> Replicate:
        """Return the data without one unit, for the jackknife."""


@dataclass(frozen=True, slots=True, eq=False)
class _Trials:
    """The trials of one class in order of their scores.

    Attributes
    ----------
    n
        How many trials at each score that has any.
    total, share
        Their number in all, and the share of each score in it.
    one_by_one
        Whether trials are drawn one by one rather than numbers of them at each score, whichever is faster.
    block
        Position among those scores of each trial, where trials are drawn and some share a score, else None.
    weight
        Of each trial, or None.
    """

    n: AnyArray
    total: int
    share: Floats
    one_by_one: bool
    block: NDArray[np.intp] | None
    weight: Floats | None

    @classmethod
    def of(cls, n: AnyArray, weight: Floats | None) -> _Trials:
        total = int(n.sum())
        one_by_one = weight is not None or total <= PER_CELL * n.size
        block = np.repeat(np.arange(n.size), n) if one_by_one and total > n.size else None
        return cls(n, total, n / max(total, 1), one_by_one, block, weight)

    def draw(self, generator: np.random.Generator) -> AnyArray:
        """Draw as many as there are, with replacement."""
        if self.total == 0:
            return self.n
        if not self.one_by_one:
            return generator.multinomial(self.total, self.share)
        return self._numbers(generator.integers(0, self.total, self.total))

    def half(self, generator: np.random.Generator) -> AnyArray:
        """Draw half of them, without replacement."""
        if self.total == 0:
            return self.n
        if not self.one_by_one:
            if self.total >= COUNTED:
                return generator.binomial(self.n, 0.5)
            return generator.multivariate_hypergeometric(self.n, half_of(self.total, generator), method="marginals")
        drawn = generator.choice(self.total, half_of(self.total, generator), replace=False, shuffle=False)
        return self._numbers(drawn)

    def _numbers(self, drawn: NDArray[np.intp]) -> AnyArray:
        """Numbers (or weights) at each score of trials drawn one by one."""
        if self.weight is None:
            return np.bincount(drawn if self.block is None else self.block[drawn], minlength=self.n.size)
        return self.placed(np.bincount(drawn, minlength=self.total) * self.weight)

    def placed(self, weight: Floats) -> Floats:
        """Sum the weights of the trials at each score."""
        return weight if self.block is None else np.add.reduceat(weight, np.cumsum(self.n) - self.n)

    def units(self) -> AnyArray:
        """One unit for each score, since the trials at it are alike; one for each trial when weights differ."""
        return self.n if self.weight is None else np.ones(self.total, dtype=np.int64)

    def without(self, unit: int) -> AnyArray:
        """All but one trial."""
        left = self.n.copy() if self.weight is None else self.weight.copy()
        left[unit] = left[unit] - 1 if self.weight is None else 0.0
        return left if self.weight is None else self.placed(left)


@dataclass(frozen=True, slots=True, eq=False)
class ByTrial:
    """Trials drawn with replacement within each class; made by :func:`by_trial`."""

    blocks: Blocks
    classes: tuple[_Trials, _Trials]
    resampled: Literal["trials"] = "trials"

    def draw(self, generator: np.random.Generator) -> Replicate:
        """Return one replicate."""
        targets, nontargets = self.classes
        return Replicate(self.blocks, targets.draw(generator), nontargets.draw(generator))

    def half(self, generator: np.random.Generator) -> Replicate:
        """Return half of the trials of each class."""
        targets, nontargets = self.classes
        return Replicate(self.blocks, targets.half(generator), nontargets.half(generator))

    def strata(self) -> Sequence[AnyArray]:
        """Return the units of each class: trials, those of one score together."""
        return [trials.units() for trials in self.classes]

    def without(self, stratum: int, unit: int) -> Replicate:
        """Return the data without one trial."""
        observed = self.blocks.observed()
        left = self.classes[stratum].without(unit)
        if stratum == 0:
            return Replicate(self.blocks, left, observed.n_nontarget)
        return Replicate(self.blocks, observed.n_target, left)


def half_of(n: int, generator: np.random.Generator) -> int:
    """How many of n units make a half, at least one; of an odd number the larger and the smaller half equally often."""
    return max((n + int(generator.integers(0, 2))) // 2, 1) if n % 2 else n // 2


def by_trial(data: Counts | Trials) -> ByTrial:
    """Prepare to draw trials with replacement, each class from itself.

    Parameters
    ----------
    data
        Trials, or counts of them. Weighted trials are drawn as they are and carry their weight.

    Returns
    -------
    ByTrial
        Its replicates have as many targets and as many nontargets as the data.

    Raises
    ------
    UndefinedMetricError
        Reason ``weighted``, for counts that are sums of weights: which trials they are sums of is gone.

    Examples
    --------
    >>> import numpy as np, deciban as db
    >>> by_trial(db.Counts.from_classes([3, 4], [1, 2])).draw(np.random.default_rng(1)).counts()
    Counts(n_target=2, n_nontarget=2, n_distinct=3, scale='score')
    """
    if isinstance(data, Counts) or data.weight is None:
        counts = unbucketed(data, "resampling") if isinstance(data, Counts) else count_trials(data)
        if counts.weighted:
            raise UndefinedMetricError(
                "sums of weights cannot be resampled: give the trials rather than their counts", "weighted"
            )
        blocks = Blocks.of(counts)
        columns = counts.n_target[blocks.target_at], counts.n_nontarget[blocks.nontarget_at]
        return ByTrial(blocks, (_Trials.of(columns[0], None), _Trials.of(columns[1], None)))
    trials = present(data)
    targets, nontargets = (
        _Trials.of(n, trials.weight[order])  # type: ignore[index]
        for n, order in (ordered(trials, of_class) for of_class in (trials.is_target, ~trials.is_target))
    )
    return ByTrial(Blocks.of(count_trials(trials)), (targets, nontargets))


def ordered(trials: Trials, of_class: Bools) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """Find how many trials of a class there are at each of its scores, and which they are, in order of their scores."""
    members = np.flatnonzero(of_class)
    order = members[np.argsort(trials.score[members], kind="stable")]
    if trials.weight is not None:
        # Equal scores of different weight: what a draw means must not depend on the order of rows.
        order = members[np.lexsort((trials.weight[members], trials.score[members]))]
    score = trials.score[order]
    starts = np.flatnonzero(np.concatenate([[True], score[1:] != score[:-1]])) if order.size else order
    return np.diff(starts, append=order.size).astype(np.int64, copy=False), order

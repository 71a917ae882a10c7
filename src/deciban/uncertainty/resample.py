"""Draw trials or sources with replacement; a replicate re-weights the observed scores and sorts nothing again.

By trial, each class is drawn from itself, so that N1 and N0 stay as they are. By source, all trials of a source are
drawn together, as often as the source is: a replicate then differs from the data as new data of other sources would.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from deciban.arrays import AnyArray, Bools, Floats
from deciban.counting import count_trials
from deciban.counts import Counts
from deciban.errors import NeedsTrialsError, OptionError, UndefinedMetricError
from deciban.trials import Trials
from deciban.uncertainty.replicate import Blocks, Replicate
from deciban.uncertainty.sources import Sources, number_sources

SameSource = Literal["once", "ferrer"]
SAME_SOURCE = ("once", "ferrer")

PER_CELL = 20
"""Trials per distinct score above which NumPy's multinomial is faster than drawing trials one by one: it takes some
80 ns a score, a drawn trial some 4 ns."""


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
        drawn = generator.integers(0, self.total, self.total)
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
        counts = data if isinstance(data, Counts) else count_trials(data)
        if counts.weighted:
            raise UndefinedMetricError(
                "sums of weights cannot be resampled: give the trials rather than their counts", "weighted"
            )
        blocks = Blocks.of(counts)
        columns = counts.n_target[blocks.target_at], counts.n_nontarget[blocks.nontarget_at]
        return ByTrial(blocks, (_Trials.of(columns[0], None), _Trials.of(columns[1], None)))
    trials = _present(data)
    targets, nontargets = (
        _Trials.of(n, trials.weight[order])  # type: ignore[index]
        for n, order in (_ordered(trials, of_class) for of_class in (trials.is_target, ~trials.is_target))
    )
    return ByTrial(Blocks.of(count_trials(trials)), (targets, nontargets))


@dataclass(frozen=True, slots=True, eq=False)
class _Sourced:
    """The trials of one class in order of their scores, with the numbers of their sources."""

    first: NDArray[np.intp]
    second: NDArray[np.intp] | None
    weight: Floats | None
    starts: NDArray[np.intp] | None

    def weigh(self, drawn: NDArray[np.int64]) -> AnyArray:
        """Weight at each score when each source was drawn so often."""
        n: AnyArray = drawn[self.first]
        if self.second is not None:
            n *= drawn[self.second]
        if self.weight is not None:
            n = n * self.weight
        return n if self.starts is None else np.add.reduceat(n, self.starts)


@dataclass(frozen=True, slots=True, eq=False)
class BySource:
    """Sources drawn with replacement from one or two pools; made by :func:`by_source`."""

    blocks: Blocks
    pools: tuple[int, ...]
    classes: tuple[_Sourced, _Sourced]
    resampled: Literal["sources"] = "sources"

    def draw(self, generator: np.random.Generator) -> Replicate:
        """Return one replicate."""
        return self._weigh([np.bincount(generator.integers(0, size, size), minlength=size) for size in self.pools])

    def strata(self) -> Sequence[AnyArray]:
        """Return the sources of each pool."""
        return [np.ones(size, dtype=np.int64) for size in self.pools]

    def without(self, stratum: int, unit: int) -> Replicate:
        """Return the data without the trials of one source."""
        drawn = [np.ones(size, dtype=np.int64) for size in self.pools]
        drawn[stratum][unit] = 0
        return self._weigh(drawn)

    def _weigh(self, drawn: Sequence[AnyArray]) -> Replicate:
        # One more, always drawn once: the second source of a trial whose sources are the same.
        times = np.concatenate([*drawn, np.ones(1, dtype=np.int64)])
        return Replicate(self.blocks, *(trials.weigh(times) for trials in self.classes))


def by_source(data: Counts | Trials, *, same_source: SameSource = "once") -> BySource:
    """Prepare to draw sources with replacement, each with all of its trials.

    A source drawn c times gives its trials the weight c. A trial of two sources weighs c_a·c_b; when both are the same
    source it weighs c_a. Two columns share one pool of sources when an id occurs in both, else each has its own.

    Parameters
    ----------
    data
        Trials with one or two columns of sources.
    same_source
        ``"ferrer"`` gives a trial of twice the same source the weight c_a² instead, as if all pairs of copies were
        compared.

    Returns
    -------
    BySource
        Its replicates differ in the number of trials, and now and then one class may be absent.

    Raises
    ------
    NeedsTrialsError
        For counts, and for trials without sources.
    InputError
        When a trial has no source.

    References
    ----------
    Owen (2007), The pigeonhole bootstrap, Annals of Applied Statistics 1.

    Examples
    --------
    >>> import numpy as np, deciban as db
    >>> trials = db.Trials.from_arrays([3, 4, 1, 2], [1, 1, 0, 0], sources=["a", "b", "a", "b"])
    >>> by_source(trials).draw(np.random.default_rng(0)).counts()
    Counts(n_target=2, n_nontarget=2, n_distinct=2, scale='score')
    """
    if same_source not in SAME_SOURCE:
        raise OptionError(f"same_source: expected one of {', '.join(SAME_SOURCE)}, found {same_source!r}")
    if isinstance(data, Counts) or not data.sources:
        raise NeedsTrialsError("drawing sources needs trials that name theirs: give sources= (--source)")
    trials = _present(data)
    sources = number_sources(trials)
    targets, nontargets = (
        _sourced(trials, sources, same_source, of_class) for of_class in (trials.is_target, ~trials.is_target)
    )
    return BySource(Blocks.of(count_trials(trials)), sources.pools, (targets, nontargets))


def _sourced(trials: Trials, sources: Sources, same_source: SameSource, of_class: Bools) -> _Sourced:
    """The trials of one class, in order of their scores."""
    n, order = _ordered(trials, of_class)
    first, *second = (column[order] for column in sources.columns)
    if second and same_source == "once":
        second[0][first == second[0]] = sum(sources.pools)
    return _Sourced(
        first,
        second[0] if second else None,
        None if trials.weight is None else trials.weight[order],
        None if n.size == order.size else np.cumsum(n) - n,
    )


def _present(trials: Trials) -> Trials:
    """Trials without those of weight 0, which are absence."""
    return trials if trials.weight is None or trials.weight.all() else trials.select(trials.weight > 0)


def _ordered(trials: Trials, of_class: Bools) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """How many trials of a class there are at each of its scores, and which they are, in order of their scores."""
    members = np.flatnonzero(of_class)
    order = members[np.argsort(trials.score[members], kind="stable")]
    score = trials.score[order]
    starts = np.flatnonzero(np.concatenate([[True], score[1:] != score[:-1]])) if order.size else order
    return np.diff(starts, append=order.size).astype(np.int64, copy=False), order

"""Draw sources with replacement, each with all of its trials.

A replicate then differs from the data as new data of other sources would; by trial, trials that share a source would
pass for independent ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from deciban.counts.counts import Counts
from deciban.counts.of_trials import count_trials, present
from deciban.counts.tally import Known, Tally
from deciban.errors import InputError, NeedsTrialsError, rows
from deciban.trials.source_keys import comparable
from deciban.trials.trials import Trials
from deciban.uncertainty.bootstrap.replicate import Blocks, Replicate
from deciban.uncertainty.bootstrap.resample import half_of, ordered
from deciban.values.arrays import AnyArray, Bools, nulls
from deciban.values.option_checks import check_choice

SameSource = Literal["once", "ferrer"]
SAME_SOURCE = ("once", "ferrer")


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """Sources by number, in one or two pools; those of the second pool follow those of the first.

    Attributes
    ----------
    pools
        How many sources each pool has. Two columns share one pool when an id occurs in both: then both name the same
        kind of thing (speakers), else two kinds (speakers and microphones), which are drawn independently.
    columns
        Number of each trial's source in each column, shape (n,).
    """

    pools: tuple[int, ...]
    columns: tuple[NDArray[np.intp], ...]


def number_sources(trials: Known) -> Sources:
    """Number the sources of trials that have one or two columns of them.

    A source is the same whatever type its column has (``source_keys``): 12 in a column that a file reader took for
    numbers is the 12 of a column that also holds names, and the 12.0 of one that was written from numbers with gaps.

    Raises
    ------
    InputError
        When a trial has no source.
    """
    for number, column in enumerate(trials.sources, 1):
        _refuse_missing(column, f"sources {number}", trials)
    columns = comparable(trials.sources)
    names, codes = np.unique(np.concatenate(columns), return_inverse=True)
    if len(columns) == 1:
        return Sources((names.size,), (codes,))
    first, second = np.split(codes, 2)
    in_first = np.bincount(first, minlength=names.size) > 0
    in_second = np.bincount(second, minlength=names.size) > 0
    if (in_first & in_second).any():
        return Sources((names.size,), (first, second))
    sizes = int(np.count_nonzero(in_first)), int(np.count_nonzero(in_second))
    numbers = np.where(in_first, np.cumsum(in_first) - 1, sizes[0] + np.cumsum(in_second) - 1)
    return Sources(sizes, (numbers[first], numbers[second]))


def _refuse_missing(column: AnyArray, name: str, trials: Known) -> None:
    missing = nulls(column)
    if missing.any():
        without = np.flatnonzero(missing)
        if isinstance(trials, Tally):
            said = f"{trials.times[without].sum()} trials without a source"
        else:
            where = [trials.row_number(index) - 1 for index in without.tolist()]
            said = f"{len(where)} without a source ({rows(where)})"
        raise InputError(
            f"{name}: {said}; name it, give a trial that stands alone an id of its own, or leave those trials out"
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Sourced:
    """The trials of one class in order of their scores, with the numbers of their sources."""

    first: NDArray[np.intp]
    second: NDArray[np.intp] | None
    weight: AnyArray | None
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
    """Sources drawn with replacement from one or more pools; made by :func:`by_source`."""

    blocks: Blocks
    pools: tuple[int, ...]
    classes: tuple[_Sourced, _Sourced]
    resampled: Literal["trials", "sources"] = "sources"

    def draw(self, generator: np.random.Generator) -> Replicate:
        """Return one replicate."""
        return self.weigh([np.bincount(generator.integers(0, size, size), minlength=size) for size in self.pools])

    def half(self, generator: np.random.Generator) -> Replicate:
        """Return the trials of half of the sources of each pool: those of two sources when both are drawn."""
        chosen = [generator.choice(size, half_of(size, generator), replace=False, shuffle=False) for size in self.pools]
        return self.weigh([np.bincount(drawn, minlength=size) for drawn, size in zip(chosen, self.pools, strict=True)])

    def strata(self) -> Sequence[AnyArray]:
        """Return the sources of each pool."""
        return [np.ones(size, dtype=np.int64) for size in self.pools]

    def without(self, stratum: int, unit: int) -> Replicate:
        """Return the data without the trials of one source."""
        drawn = [np.ones(size, dtype=np.int64) for size in self.pools]
        drawn[stratum][unit] = 0
        return self.weigh(drawn)

    def weigh(self, drawn: Sequence[AnyArray]) -> Replicate:
        """Return the data with each source counted as often as it was drawn: one array for each pool."""
        # One more, always drawn once: the second source of a trial whose sources are the same.
        times = np.concatenate([*drawn, np.ones(1, dtype=np.int64)])
        return Replicate(self.blocks, *(trials.weigh(times) for trials in self.classes))


def by_source(data: Counts | Known, *, same_source: SameSource = "once") -> BySource:
    """Prepare to draw sources with replacement, each with all of its trials.

    A source drawn c times gives its trials the weight c. A trial of two sources weighs c_a·c_b; when both are the same
    source it weighs c_a. Two columns share one pool of sources when an id occurs in both, else each has its own.

    Parameters
    ----------
    data
        Trials with one or two columns of sources, or a tally of such trials.
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
    check_choice("same_source", same_source, SAME_SOURCE)
    if isinstance(data, Counts) or not data.sources:
        raise NeedsTrialsError("drawing sources needs trials that name theirs: give sources= (--source)")
    if isinstance(data, Tally) and data.weight is not None:
        # Sums of weights cannot tell which trials they are of.
        data = data.trials()
    trials = present(data)
    return placed_sources(trials, number_sources(trials), same_source)


def placed_sources(trials: Known, sources: Sources, same_source: SameSource = "once") -> BySource:
    """Place the sources of trials, numbered already, at their scores; no trial has weight 0."""
    rows, times = (trials.rows, trials.times) if isinstance(trials, Tally) else (trials, trials.weight)
    targets, nontargets = (
        _sourced(rows, times, sources, same_source, of_class) for of_class in (rows.is_target, ~rows.is_target)
    )
    return BySource(Blocks.of(count_trials(trials)), sources.pools, (targets, nontargets))


def _sourced(
    trials: Trials, weight: AnyArray | None, sources: Sources, same_source: SameSource, of_class: Bools
) -> _Sourced:
    """The trials of one class, in order of their scores; ``weight`` is that of each, or how many it stands for."""
    n, order = ordered(trials, of_class)
    first, *second = (column[order] for column in sources.columns)
    if second and same_source == "once":
        second[0][first == second[0]] = sum(sources.pools)
    return _Sourced(
        first,
        second[0] if second else None,
        None if weight is None else weight[order],
        None if n.size == order.size else np.cumsum(n) - n,
    )

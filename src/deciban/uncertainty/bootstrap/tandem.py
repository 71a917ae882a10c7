"""Bootstrap of three-class trials: each class drawn from itself, or sources with all of their trials.

A replicate is counts again: drawn trials re-weight the scores observed. Tables of different trials, of a verifier and
of a countermeasure, are drawn apart by trial, and together by source: a speaker is in both or in none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from deciban.counts.counts import Counts
from deciban.counts.tandem import TandemCounts, ThreeClassCounts
from deciban.errors import InputError, UndefinedMetricError
from deciban.trials.tandem import CLASSES, TandemTrials
from deciban.trials.trials import Trials
from deciban.uncertainty.bootstrap.bootstrap import HALVED, Figure, interval_of
from deciban.uncertainty.bootstrap.repeat import Progress, child, part_of, repeat
from deciban.uncertainty.bootstrap.resample import half_of
from deciban.uncertainty.bootstrap.sources import Sources, number_sources
from deciban.uncertainty.interval import Interval
from deciban.values.arrays import AnyArray, Floats

Function = Callable[[TandemCounts], float]
SPOOF = CLASSES.index("spoof")


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """The trials of one table: their classes, and where each of their scores is among the distinct ones."""

    code: NDArray[np.int8]
    distinct: dict[str, Floats]
    block: dict[str, NDArray[np.intp]]

    @classmethod
    def of(cls, trials: TandemTrials) -> _Table:
        distinct, block = {}, {}
        for name, score in trials.scores.items():
            distinct[name], block[name] = np.unique(score, return_inverse=True)
        return cls(trials.code, distinct, block)

    def classes(self) -> list[NDArray[np.intp]]:
        """The trials of each class that occurs."""
        return [where for code in range(len(CLASSES)) if (where := np.flatnonzero(self.code == code)).size]

    def weighed(self, times: AnyArray) -> dict[str, ThreeClassCounts | Counts]:
        """The counts when each trial counts so many times."""
        found: dict[str, ThreeClassCounts | Counts] = {}
        for name, score in self.distinct.items():
            kept = times > 0
            n = [
                np.bincount(self.block[name][which], weights=times[which], minlength=score.size).astype(np.int64)
                for which in ((self.code == code) & kept for code in range(len(CLASSES)))
            ]
            if name == "cm":
                found[name] = Counts(score, n[0] + n[1] + n[3], n[SPOOF])
            else:
                found[name] = ThreeClassCounts(score, n[0], n[1], n[SPOOF])
        return found


@dataclass(frozen=True, slots=True, eq=False)
class TandemResampling:
    """What replicates are drawn from; made by :func:`resampling_of`.

    Attributes
    ----------
    tables
        The trials of each table.
    sources
        Their sources, numbered through all tables; None where trials are drawn.
    """

    tables: tuple[_Table, ...]
    sources: Sources | None

    @property
    def resampled(self) -> Literal["trials", "sources"]:
        """What is drawn."""
        return "trials" if self.sources is None else "sources"

    def draw(self, generator: np.random.Generator, *, half: bool) -> TandemCounts:
        """Return one replicate, or half of the data."""
        if self.sources is None:
            times = [_times(table, generator, half=half) for table in self.tables]
        else:
            times = self._times_of_sources(self.sources, generator, half=half)
        found: dict[str, ThreeClassCounts | Counts] = {}
        for table, each in zip(self.tables, times, strict=True):
            found |= table.weighed(each)
        return TandemCounts(**found)  # type: ignore[arg-type]

    def _times_of_sources(self, sources: Sources, generator: np.random.Generator, *, half: bool) -> list[AnyArray]:
        """How often each trial counts when sources are drawn: the product of its two, once when they are the same."""
        drawn = np.concatenate([_drawn(size, generator, half=half) for size in sources.pools])
        first, *second = sources.columns
        times = drawn[first]
        if second:
            times = times * np.where(second[0] == first, 1, drawn[second[0]])
        return np.split(times, np.cumsum([table.code.size for table in self.tables])[:-1])


def _drawn(size: int, generator: np.random.Generator, *, half: bool) -> NDArray[np.int64]:
    """How often each of some units is drawn."""
    if half:
        chosen = generator.choice(size, half_of(size, generator), replace=False, shuffle=False)
    else:
        chosen = generator.integers(0, size, size)
    return np.bincount(chosen, minlength=size)


def _times(table: _Table, generator: np.random.Generator, *, half: bool) -> AnyArray:
    """How often each trial is drawn, each class from itself."""
    times = np.zeros(table.code.size, dtype=np.int64)
    for members in table.classes():
        times[members] = _drawn(members.size, generator, half=half)
    return times


def resampling_of(tables: Sequence[TandemTrials]) -> TandemResampling:
    """Prepare to draw from the trials of one table or several: sources where they are named, else trials.

    Raises
    ------
    InputError
        When one table names sources and another does not, or a trial has no source.
    """
    made = tuple(_Table.of(_in_order(trials)) for trials in tables)
    columns = {len(trials.sources) for trials in tables}
    if columns == {0}:
        return TandemResampling(made, None)
    if len(columns) > 1:
        raise InputError(
            "sources: one table names other sources than the other; name as many columns of each, or none (sources=())"
        )
    together = Trials(
        score=np.zeros(sum(map(len, tables))),
        is_target=np.zeros(sum(map(len, tables)), dtype=bool),
        sources=tuple(
            np.concatenate([_in_order(trials).sources[place].astype(object) for trials in tables])
            for place in range(columns.pop())
        ),
    )
    return TandemResampling(made, number_sources(together))


def _in_order(trials: TandemTrials) -> TandemTrials:
    """The trials in an order that does not depend on that of rows, so that the same seed draws the same."""
    keys = [*(column.astype(str) for column in trials.sources), *trials.scores.values(), trials.code]
    return trials.select(np.lexsort(keys))


@dataclass(frozen=True, slots=True, eq=False)
class _Work:
    """The figures of one replicate or half, given its number."""

    resampling: TandemResampling
    functions: tuple[Function, ...]
    seed: int
    half: bool

    def __call__(self, number: int) -> list[float]:
        counts = self.resampling.draw(child(self.seed, number), half=self.half)
        return [_value(function, counts) for function in self.functions]


def _value(function: Function, counts: TandemCounts) -> float:
    try:
        return float(function(counts))
    except UndefinedMetricError:
        return float("nan")


def tandem_intervals(
    tables: Sequence[TandemTrials],
    functions: dict[str, Function],
    figures: Sequence[tuple[Figure, float]],
    *,
    replicates: int,
    level: float,
    seed: int,
    progress: Progress | None = None,
) -> dict[str, Interval | str]:
    """Compute the bootstrap interval of each figure of three-class trials.

    Parameters
    ----------
    tables
        The trials: of one table, or of a verifier and a countermeasure apart.
    functions
        Each figure as a function of counts, by name.
    figures
        Which figures have an interval, how it is read, and their values.
    replicates, level, seed, progress
        As in :func:`~deciban.uncertainty.bootstrap.bootstrap.bootstrap`.

    Returns
    -------
    dict of str to Interval or str
        By name; where there is no interval, the reason.
    """
    resampling = resampling_of(tables)
    found: dict[str, Interval | str] = {}
    kinds = [half for half in (False, True) if any((figure.method in HALVED) == half for figure, _ in figures)]
    for place, half in enumerate(kinds):
        asked = [(figure, value) for figure, value in figures if (figure.method in HALVED) == half]
        work = _Work(resampling, tuple(functions[figure.name] for figure, _ in asked), seed, half)
        told = part_of(progress, place * replicates, len(kinds) * replicates)
        drawn = repeat(work, replicates, len(asked), progress=told)
        for (figure, value), values in zip(asked, drawn.T, strict=True):
            found[figure.name] = interval_of(figure, value, values, level, 0.0, resampling.resampled)
    return found

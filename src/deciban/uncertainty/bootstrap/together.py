"""Draw the trials of several systems: one draw for all of them where they share trials, else one for each.

What all systems find hard or easy in the trials drawn then cancels in their differences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from deciban.counts.counts import Counts
from deciban.counts.of_trials import present
from deciban.trials.trials import Trials
from deciban.uncertainty.bootstrap.repeat import Progress, child, repeat
from deciban.uncertainty.bootstrap.replicate import Replicate, Statistic
from deciban.uncertainty.bootstrap.resample import Resampling, by_trial
from deciban.uncertainty.bootstrap.sources import BySource, Sources, by_source, number_sources, placed_sources
from deciban.values.arrays import Bools, Floats


class Drawing(Protocol):
    """What a bootstrap of several systems draws from."""

    @property
    def parts(self) -> Sequence[Resampling]:
        """What each system is drawn from, in their order."""

    def draw(self, generator: np.random.Generator) -> Sequence[Replicate]:
        """Return one replicate of each system."""


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """Systems on the same trials, each of which gets the same weight in all of them; made by :func:`together`."""

    parts: tuple[BySource, ...]

    def draw(self, generator: np.random.Generator) -> list[Replicate]:
        """Return one replicate of each system, all of the same draw."""
        pools = self.parts[0].pools
        drawn = [np.bincount(generator.integers(0, size, size), minlength=size) for size in pools]
        return [part.weigh(drawn) for part in self.parts]


@dataclass(frozen=True, slots=True, eq=False)
class Apart:
    """Systems on trials of their own; made by :func:`apart`."""

    parts: tuple[Resampling, ...]

    def draw(self, generator: np.random.Generator) -> list[Replicate]:
        """Return one replicate of each system, each of a draw of its own."""
        return [part.draw(generator) for part in self.parts]


def together(systems: Sequence[Trials]) -> Together:
    """Prepare to draw the trials that systems share: by source where the first names sources, else by trial.

    Parameters
    ----------
    systems
        Trials of each system, the same ones in the same order; classes, weights and sources are those of the first.

    Returns
    -------
    Together
        Each class is drawn from itself where trials are drawn.
    """
    trials = [present(one) for one in systems]
    first = trials[0]
    if first.sources:
        sources = number_sources(first)
        return Together(tuple(placed_sources(one, sources) for one in trials))
    sources = _each_its_own(first.is_target)
    return Together(tuple(replace(placed_sources(one, sources), resampled="trials") for one in trials))


def apart(systems: Sequence[Trials | Counts]) -> Apart:
    """Prepare to draw the trials of each system by themselves: by source where it names sources, else by trial.

    Raises
    ------
    UndefinedMetricError
        Reason ``weighted``, for counts that are sums of weights.
    """
    return Apart(tuple(by_source(one) if isinstance(one, Trials) and one.sources else by_trial(one) for one in systems))


def figures_of_draws(
    drawing: Drawing,
    statistics: Sequence[Statistic],
    width: int,
    *,
    replicates: int,
    seed: int,
    progress: Progress | None = None,
) -> Floats:
    """Compute the figures of each system in each replicate.

    Parameters
    ----------
    drawing
        What is drawn.
    statistics, width
        The function of each system; all give the same figures in the same order, and so many.
    replicates, seed
        How many replicates, and the seed of which each has a child of its own.
    progress
        Told how many replicates are done.

    Returns
    -------
    array of float
        Shape (replicates, systems, figures); NaN where a figure has no value.
    """
    work = _Drawn(drawing, tuple(statistics), seed)
    drawn = repeat(work, replicates, width * len(statistics), progress=progress)
    return drawn.reshape(replicates, len(statistics), width)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The figures of all systems in the replicate of a number."""

    drawing: Drawing
    statistics: tuple[Statistic, ...]
    seed: int

    def __call__(self, number: int) -> list[float]:
        replicates = self.drawing.draw(child(self.seed, number))
        return [value for of, one in zip(self.statistics, replicates, strict=True) for value in of(one)]


def _each_its_own(is_target: Bools) -> Sources:
    """Each trial a source of its own, in one pool for each class: to draw sources is to draw trials within classes."""
    n1 = int(np.count_nonzero(is_target))
    number = np.where(is_target, np.cumsum(is_target) - 1, n1 + np.cumsum(~is_target) - 1)
    return Sources((n1, is_target.size - n1), (number,))

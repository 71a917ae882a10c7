"""One replicate of a bootstrap: the observed scores with other numbers of trials at them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from deciban.counts.counts import Counts
from deciban.errors import UndefinedMetricError
from deciban.values.arrays import AnyArray


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """The observed counts, and at which of their scores there are trials of each class.

    With distinct scores each class is at a part of them only; what is kept per class is then half as long as the
    scores in all.

    Attributes
    ----------
    counts
        The observed counts.
    target_at, nontarget_at
        Index of each score that has targets (nontargets), increasing.
    """

    counts: Counts
    target_at: NDArray[np.intp]
    nontarget_at: NDArray[np.intp]

    @classmethod
    def of(cls, counts: Counts) -> Blocks:
        """Find where the trials of each class are."""
        return cls(counts, np.flatnonzero(counts.n_target), np.flatnonzero(counts.n_nontarget))

    def observed(self) -> Replicate:
        """Return the observed numbers of trials."""
        return Replicate(self, self.counts.n_target[self.target_at], self.counts.n_nontarget[self.nontarget_at])


@dataclass(frozen=True, slots=True, eq=False)
class Replicate:
    """Numbers (or weights) of trials drawn at the observed scores.

    Attributes
    ----------
    blocks
        Where they are.
    n_target, n_nontarget
        Targets at ``blocks.target_at`` and nontargets at ``blocks.nontarget_at``; 0 where none was drawn.
    """

    blocks: Blocks
    n_target: AnyArray
    n_nontarget: AnyArray

    def counts(self) -> Counts:
        """Return the replicate as counts, without the scores that were not drawn."""
        size = self.blocks.counts.n_distinct
        return self.blocks.counts.reweighted(
            _spread(self.n_target, self.blocks.target_at, size),
            _spread(self.n_nontarget, self.blocks.nontarget_at, size),
        )


def _spread(n: AnyArray, at: NDArray[np.intp], size: int) -> AnyArray:
    """Numbers at all scores, 0 where the class has none."""
    if at.size == size:
        return n
    everywhere: AnyArray = np.zeros(size, dtype=n.dtype)
    everywhere[at] = n
    return everywhere


Statistic = Callable[[Replicate], Sequence[float]]
"""Figures of one replicate, in a fixed order; NaN where one has no value."""


class StatisticFor(Protocol):
    """Makes the statistic of some figures, so that those which only some of them need are not computed for all."""

    def __call__(self, names: Sequence[str]) -> Statistic:
        """Return the function that gives these figures in this order."""


def each(functions: Mapping[str, Callable[[Counts], float]]) -> StatisticFor:
    """Compute each figure by a function of its own, such as a metric; one that is undefined is NaN.

    Examples
    --------
    >>> import deciban as db
    >>> observed = Blocks.of(db.Counts.from_classes([3, 4], [1, 3])).observed()
    >>> each({"auc": db.auc, "eer": db.eer})(["auc"])(observed)
    [0.875]
    """
    return _Each(dict(functions))


@dataclass(frozen=True, slots=True)
class _Each:
    """The functions by name; a class rather than closures, so that it can be sent to other processes."""

    functions: dict[str, Callable[[Counts], float]]

    def __call__(self, names: Sequence[str]) -> Statistic:
        return _Values([self.functions[name] for name in names])


@dataclass(frozen=True, slots=True)
class _Values:
    functions: list[Callable[[Counts], float]]

    def __call__(self, replicate: Replicate) -> list[float]:
        counts = replicate.counts()
        return [value_or_nan(function, counts) for function in self.functions]


def value_or_nan(function: Callable[[Counts], float], counts: Counts) -> float:
    """Return a figure of counts, NaN when it has no value for them."""
    try:
        return float(function(counts))
    except UndefinedMetricError:
        return float("nan")

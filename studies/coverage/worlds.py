"""Worlds: simulated populations of trials whose figures of merit are known.

In every world the true log likelihood ratios are normal, targets N(σ²/2, σ²) and nontargets N(−σ²/2, σ²): the only
pair of normal distributions whose log likelihood ratio is the score itself. What differs is what the system states
(the truth, a scaled and shifted one, a rounded one) and whether trials share sources.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

import deciban as db

Floats = NDArray[np.float64]
Columns = tuple[NDArray[np.int64], ...]
Sharing = Literal["none", "one-way", "two-way"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How many trials of each class a data set has, and how many sources they come from (0: each stands alone)."""

    n_target: int
    n_nontarget: int
    sources: int = 0

    @property
    def share(self) -> float:
        """Share of targets."""
        return self.n_target / (self.n_target + self.n_nontarget)

    def __str__(self) -> str:
        trials = f"{self.n_target} + {self.n_nontarget}"
        return f"{trials}, {self.sources} sources" if self.sources else trials


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A population of trials.

    Attributes
    ----------
    name
        What it is called in tables.
    sigma
        Spread of the true natural-log likelihood ratios.
    scale, shift
        The system states scale·(true ln LR) + shift; 1 and 0 is perfect calibration.
    decimals
        To how many decimals of a log10 LR it rounds; None: not at all.
    sharing
        ``one-way``: a source has as many trials of either class as every other. ``two-way``: the nontargets are all
        pairs of different sources, and each source has its share of the targets.
    effect
        Share of the variance that the sources of a trial are the cause of.
    """

    name: str
    sigma: float
    scale: float = 1.0
    shift: float = 0.0
    decimals: int | None = None
    sharing: Sharing = "none"
    effect: float = 0.0

    def draw(self, size: Size, generator: np.random.Generator) -> db.Trials:
        """Draw a data set."""
        labels = np.repeat([1, 0], [size.n_target, size.n_nontarget])
        if self.sharing == "none":
            sources: Columns = ()
            deviations = generator.standard_normal(labels.size)
        else:
            sources = one_way(size) if self.sharing == "one-way" else two_way(size)
            deviations = self._shared(size, sources, generator)
        ln_lr = np.where(labels == 1, 1.0, -1.0) * self.sigma**2 / 2.0 + self.sigma * deviations
        scale, scores = self.stated(ln_lr)
        return db.Trials.from_arrays(scores, labels, target=1, scale=scale, sources=sources)

    def stated(self, ln_lr: Floats) -> tuple[str, Floats]:
        """What the system states for true ln LRs, and on which scale."""
        stated = self.scale * ln_lr + self.shift
        if self.decimals is None:
            return "ln_lr", stated
        return "log10_lr", np.round(stated / math.log(10.0), self.decimals)

    def _shared(self, size: Size, columns: Columns, generator: np.random.Generator) -> Floats:
        """Standard normal deviations with effects of sources: those of a source's targets and nontargets differ.

        An effect of both classes would move all scores of a source together, and differences between classes would
        hardly feel it. The deviation of each trial alone is standard normal, so that the truth is that of independent
        trials.
        """
        of_target, of_nontarget = generator.standard_normal((2, size.sources))
        first = columns[0]
        n1 = size.n_target
        own = generator.standard_normal(first.size)
        effects = np.concatenate([of_target[first[:n1]], of_nontarget[first[n1:]]])
        if len(columns) == 2:
            effects[n1:] = (effects[n1:] + of_nontarget[columns[1][n1:]]) / math.sqrt(2.0)
        return math.sqrt(self.effect) * effects + math.sqrt(1.0 - self.effect) * own


def one_way(size: Size) -> Columns:
    """Source of each trial, targets first: as many trials of either class from each."""
    return (np.concatenate([np.arange(size.n_target) % size.sources, np.arange(size.n_nontarget) % size.sources]),)


def two_way(size: Size) -> Columns:
    """Both sources of each trial: targets within a source, nontargets all pairs of two."""
    same = np.arange(size.n_target) % size.sources
    first, second = np.triu_indices(size.sources, 1)
    return np.concatenate([same, first]), np.concatenate([same, second])


def all_pairs(sources: int, targets_each: int) -> Size:
    """Size of a two-way data set."""
    return Size(n_target=sources * targets_each, n_nontarget=sources * (sources - 1) // 2, sources=sources)

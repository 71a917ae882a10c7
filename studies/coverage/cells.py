"""Cells of the study: which world, how large the data sets, and how many of them."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from typing import Final

from studies.coverage.worlds import Size, World, all_pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """Data sets of one size from one world.

    Attributes
    ----------
    world, size
        What is drawn.
    data_sets
        How many data sets.
    jackknifed
        How many of them BCa is tried on, which leaves out every trial in turn.
    replicates, halves
        How many of either are drawn of each data set.
    """

    world: World
    size: Size
    data_sets: int
    jackknifed: int
    replicates: int = 300
    halves: int = 150

    @property
    def name(self) -> str:
        """What it is called in tables and results."""
        return f"{self.world.name}: {self.size}"

    @property
    def key(self) -> int:
        """A number of its own, for seeds: cells do not share their luck."""
        return zlib.crc32(self.name.encode())


WEAK: Final = World(name="σ 1", sigma=1.0)
FAIR: Final = World(name="σ 2", sigma=2.0)
STRONG: Final = World(name="σ 4", sigma=4.0)
BOLD: Final = World(name="σ 2, LRs too bold", sigma=2.0, scale=1.5, shift=1.0)
TIED: Final = World(name="σ 2, one decimal", sigma=2.0, decimals=1)
ONE_WAY: Final = World(name="σ 2, one-way", sigma=2.0, sharing="one-way", effect=0.5)
TWO_WAY: Final = World(name="σ 2, two-way", sigma=2.0, sharing="two-way", effect=0.5)

SMALL, LOPSIDED = Size(n_target=20, n_nontarget=20), Size(n_target=20, n_nontarget=500)
FIFTY, FIFTY_AND_MORE = Size(n_target=50, n_nontarget=50), Size(n_target=50, n_nontarget=500)
MIDDLE, LARGE = Size(n_target=200, n_nontarget=2000), Size(n_target=2000, n_nontarget=20000)

DATA_SETS: Final = {SMALL: 400, LOPSIDED: 400, FIFTY: 400, FIFTY_AND_MORE: 400, MIDDLE: 200, LARGE: 200}
JACKKNIFED: Final = {SMALL: 400, LOPSIDED: 200, FIFTY: 400, FIFTY_AND_MORE: 200, MIDDLE: 200, LARGE: 60}


def _independent(world: World, sizes: tuple[Size, ...]) -> list[Cell]:
    return [Cell(world=world, size=size, data_sets=DATA_SETS[size], jackknifed=JACKKNIFED[size]) for size in sizes]


def _shared(world: World, sizes: tuple[Size, ...], data_sets: int) -> list[Cell]:
    return [Cell(world=world, size=size, data_sets=data_sets, jackknifed=data_sets) for size in sizes]


SOURCES: Final = (
    *_shared(
        ONE_WAY,
        (Size(n_target=150, n_nontarget=300, sources=30), Size(n_target=500, n_nontarget=1000, sources=100)),
        500,
    ),
    *_shared(TWO_WAY, (all_pairs(30, 3), all_pairs(100, 3)), 250),
)
"""Cells whose trials share sources: each source has five targets and ten nontargets, or three targets and all pairs."""

INDEPENDENT: Final = (
    *_independent(FAIR, (SMALL, LOPSIDED, FIFTY, FIFTY_AND_MORE, MIDDLE, LARGE)),
    *_independent(WEAK, (FIFTY, FIFTY_AND_MORE, MIDDLE)),
    *_independent(STRONG, (FIFTY, FIFTY_AND_MORE, MIDDLE)),
    *_independent(BOLD, (FIFTY, FIFTY_AND_MORE, MIDDLE)),
    *_independent(TIED, (SMALL, FIFTY, FIFTY_AND_MORE, MIDDLE, LARGE)),
)
"""Cells of independent trials."""


def times(cell: Cell, factor: float) -> Cell:
    """The same cell with so many times the data sets."""
    more = {name: max(round(getattr(cell, name) * factor), 1) for name in ("data_sets", "jackknifed")}
    return replace(cell, data_sets=more["data_sets"], jackknifed=more["jackknifed"] if cell.jackknifed else 0)


CELLS: Final = (*SOURCES, *INDEPENDENT)

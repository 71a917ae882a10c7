"""A step function at many scores in any order: most are read from a table, instead of searching the step of each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deciban.values.arrays import Floats
from deciban.values.log_domain import chunks

CELLS: Final = 1 << 16
"""Cells of a table: half a megabyte, which stays in the processor's cache."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells of one width from ``start`` on, numbered 1 to :data:`CELLS`, and one more at either side for all beyond.

    Rounding does not matter: of two scores the higher one never has the lower cell.
    """

    start: float
    per_unit: float

    def cell(self, x: Floats) -> NDArray[np.intp]:
        """The cell of each score."""
        with np.errstate(over="ignore"):
            y = x - self.start
            y *= self.per_unit
        np.clip(y, -1.0, CELLS, out=y)
        y += 1.0
        return y.astype(np.intp)


def read_blocks(x: Floats, low: Floats, high: Floats, value_of_block: Floats) -> Floats:
    """The value of the block from ``low`` to ``high`` that a score surely lies in, else NaN.

    Below the first block and above the last one their values hold. NaN stands for scores in a gap between two blocks,
    and for all that share their cell with an end of a block: some in a hundred, and none is wrong. Ten million scores
    of which each is searched among five hundred blocks take ten times as long.
    """
    values = np.full(x.shape, np.nan)
    grid = _grid(low, high)
    if grid is None:
        return values
    first, last = grid.cell(low), grid.cell(high)
    # How many blocks begin, and how many end, in cells below: one more begin where a cell lies inside a block.
    number = np.arange(CELLS + 2)
    begun, ended = np.searchsorted(first, number), np.searchsorted(last, number)
    sure = (begun > ended) | (begun == 0) | (ended == low.size)
    table = np.where(sure, value_of_block[np.maximum(begun - 1, 0)], np.nan)
    table[first] = table[last] = np.nan
    for part in chunks(x.size):
        values[part] = table[grid.cell(x[part])]
    return values


def _grid(low: Floats, high: Floats) -> Grid | None:
    """Cells from the lowest to the highest finite end; None where no double holds their width, or there is none."""
    ends = np.concatenate([low, high])
    ends = ends[np.isfinite(ends)]
    if ends.size == 0:
        return None
    start, stop = float(ends.min()), float(ends.max())
    width = stop - start
    per_unit = CELLS / width if width > 0.0 else math.inf
    return Grid(start, per_unit) if 0.0 < per_unit < math.inf else None

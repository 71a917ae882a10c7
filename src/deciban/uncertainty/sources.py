"""Who or what each trial comes from, as numbers that can be drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deciban.arrays import AnyArray, is_null
from deciban.errors import InputError, rows
from deciban.labels import value_text
from deciban.trials import Trials


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


def number_sources(trials: Trials) -> Sources:
    """Number the sources of trials that have one or two columns of them.

    Ids are compared as numbers where both columns hold numbers, else as text: 12 in a column that a file reader took
    for numbers is the 12 of a column that also holds names.

    Raises
    ------
    InputError
        When a trial has no source.
    """
    columns = [_comparable(column, f"sources {number}", trials) for number, column in enumerate(trials.sources, 1)]
    if len({"number" if column.dtype.kind in "biuf" else column.dtype.kind for column in columns}) > 1:
        columns = [_as_text(column) for column in columns]
    names, codes = np.unique(np.concatenate(columns), return_inverse=True)
    if len(columns) == 1:
        return Sources((names.size,), (codes,))
    first, second = codes[: len(trials)], codes[len(trials) :]
    in_first = np.bincount(first, minlength=names.size) > 0
    in_second = np.bincount(second, minlength=names.size) > 0
    if (in_first & in_second).any():
        return Sources((names.size,), (first, second))
    sizes = int(np.count_nonzero(in_first)), int(np.count_nonzero(in_second))
    numbers = np.where(in_first, np.cumsum(in_first) - 1, sizes[0] + np.cumsum(in_second) - 1)
    return Sources(sizes, (numbers[first], numbers[second]))


def _comparable(column: AnyArray, name: str, trials: Trials) -> AnyArray:
    """A column that can be sorted; a missing id is refused."""
    kind = column.dtype.kind
    if kind == "O":
        missing = np.array([is_null(value) for value in column], dtype=bool)
    elif kind == "f":
        missing = np.isnan(column)
    else:
        missing = np.isnat(column) if kind in "mM" else np.zeros(column.shape, dtype=bool)
    if missing.any():
        where = [trials.row_number(index) - 1 for index in np.flatnonzero(missing).tolist()]
        raise InputError(
            f"{name}: {len(where)} without a source ({rows(where)}); name it, give a trial that stands alone an id of "
            "its own, or leave those trials out"
        )
    return _as_text(column) if kind == "O" else column


def _as_text(column: AnyArray) -> AnyArray:
    return np.array([value_text(value) for value in column.tolist()])

"""Groups of trials by the values of a condition column."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deciban.arrays import AnyArray, Bools, is_null
from deciban.errors import InputError, did_you_mean
from deciban.labels import value_text
from deciban.trials import Trials


@dataclass(frozen=True, slots=True)
class Group:
    """One group: its value of each condition, the trials in it, and how many of those belong to every group."""

    values: tuple[str, ...]
    index: NDArray[np.intp]
    shared: int

    @property
    def name(self) -> str:
        """The values joined by commas."""
        return ",".join(self.values)


def by_columns(by: str, known: Container[str] = ()) -> tuple[str, ...]:
    """The condition names of one grouping: ``"a,b"`` crosses a with b, unless a column really has that name."""
    return (by,) if by in known else tuple(part.strip() for part in by.split(","))


def partition(trials: Trials, by: str) -> list[Group]:
    """Groups of one grouping, in sorted order of their names (numbers by value).

    A trial whose condition is null or ``-`` belongs to every group (all bona fide trials against each attack).
    Crossed columns keep the combinations that occur; a trial without one of the conditions joins every combination
    that agrees with its other one.
    """
    codes, names, wild = [], [], []
    columns = by_columns(by, trials.conditions)
    for column in columns:
        if column not in trials.conditions:
            known = "name it in conditions= of scan or from_arrays"
            if trials.conditions:
                known = f"{did_you_mean(column, trials.conditions)} Others need {known.removeprefix('name it in ')}"
            raise InputError(f"by: no condition column {column!r}; {known}")
        values, code, everywhere = _factorise(trials.conditions[column])
        codes.append(code)
        names.append(values)
        wild.append(everywhere)
    known_rows = ~np.logical_or.reduce(wild)
    if not known_rows.any():
        raise InputError(f"by: every value of {','.join(columns)!r} is null or '-', so there is no group")
    groups = []
    for combination in np.unique(np.column_stack(codes)[known_rows], axis=0):
        matches = [
            (code == value) | everywhere for code, value, everywhere in zip(codes, combination, wild, strict=True)
        ]
        index = np.flatnonzero(np.logical_and.reduce(matches))
        shared = int(np.count_nonzero(~known_rows[index]))
        groups.append(Group(tuple(n[v] for n, v in zip(names, combination, strict=True)), index, shared))
    return groups


def _factorise(column: AnyArray) -> tuple[list[str], NDArray[np.intp], Bools]:
    """Distinct values as text in sorted order, each trial's index among them, and which trials have none."""
    kind = column.dtype.kind
    if kind == "O":
        everywhere = np.array([is_null(value) or value == "-" for value in column], dtype=bool)
        plain = [value for value, gone in zip(column, everywhere, strict=True) if not gone]
        numeric = all(isinstance(value, (int, float, np.number)) and not isinstance(value, bool) for value in plain)
        filled = np.array(plain if numeric else [value_text(value) for value in plain])
    else:
        everywhere = (
            np.isnan(column)
            if kind == "f"
            else np.isnat(column)
            if kind in "mM"
            else np.asarray(column == "-")
            if kind == "U"
            else np.zeros(column.shape, bool)
        )
        filled = column[~everywhere]
    values, inverse = np.unique(filled, return_inverse=True)
    code = np.full(column.shape, -1, dtype=np.intp)
    code[~everywhere] = inverse
    return [value_text(value) for value in values], code, everywhere

"""Groups of trials by the values of a condition column."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Container, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deciban.counts.tally import Known, Tally
from deciban.errors import InputError, Places, did_you_mean
from deciban.trials.labels import value_text
from deciban.trials.source_keys import EXACT
from deciban.trials.trials import Trials
from deciban.values.arrays import AnyArray, nulls
from deciban.values.option_checks import check_text
from deciban.values.texts import booleans_of, numbers_of

MOST_GROUPS: Final = 10_000
"""Beyond this a column is taken for an id."""


@dataclass(frozen=True, slots=True)
class Group:
    """One group: its value of each condition, the rows in it, and how many trials of those belong to every group."""

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


def partition(data: Known, by: str, beside: Collection[tuple[str, ...]] = ()) -> list[Group]:
    """Groups of one grouping, in sorted order of their names (numbers by value).

    A trial whose condition is null or ``-`` belongs to every group (all bona fide trials against each attack); any
    other text is a value, ``NA`` and ``NULL`` too. Crossed columns keep the combinations that occur; a trial without
    one of the conditions joins every combination that agrees with its other one. Combinations ``beside`` those that
    occur come after them, with the trials that belong to every group.

    Raises
    ------
    InputError
        When there is no such condition, no value of it, or more than 10 000 combinations.
    """
    check_text("by", by, "the name of a condition column")
    conditions = data.conditions
    columns = by_columns(by, conditions)
    names: list[list[str]] = []
    codes: list[NDArray[np.intp]] = []
    for column in columns:
        if column not in conditions:
            known = "name it in conditions= of scan or from_arrays"
            if conditions:
                known = f"{did_you_mean(column, conditions)} Others need {known.removeprefix('name it in ')}"
            raise InputError(f"by: no condition column {column!r}; {known}")
        values, code = _factorise(conditions[column])
        _refuse_many(len(values), column)
        names.append(values)
        codes.append(code)
    places = Places(data.times if isinstance(data, Tally) else None)
    table = np.column_stack(codes)
    known_rows = (table >= 0).all(axis=1)
    if not known_rows.any():
        raise InputError(f"by: every value of {','.join(columns)!r} is null or '-', so there is no group")
    combinations = table[known_rows][np.unique(_numbered(table[known_rows]), return_index=True)[1]]
    if beside:
        further = [[_code(each, names[at]) for at, each in enumerate(combination)] for combination in beside]
        combinations = np.concatenate([combinations, np.array(further, dtype=np.intp)])
    _refuse_many(len(combinations), ",".join(columns))
    parts = _rows_of(table, combinations)
    groups = []
    for combination, (own, shared) in zip(combinations, parts, strict=True):
        index = np.sort(np.concatenate([own, *shared])) if shared else own
        called = tuple(known[code] for known, code in zip(names, combination, strict=True))
        groups.append(Group(called, index, sum(map(places.many, shared))))
    return groups


def _code(value: str, names: list[str]) -> int:
    """The code of a value among those of its column, which it joins where it does not occur."""
    if value not in names:
        names.append(value)
    return names.index(value)


def members(data: Known, by: str) -> Iterator[tuple[Group, Known]]:
    """Each group with its trials, or with the rows that its engine counted."""
    # Rows are numbered once; each selection would number all of them again.
    numbered = data
    if isinstance(data, Trials) and data.row is None:
        numbered = replace(data, row=np.arange(len(data)))
    for group in partition(data, by):
        yield group, numbered.select(group.index)


def _refuse_many(count: int, name: str) -> None:
    if count > MOST_GROUPS:
        raise InputError(f"by: {name!r} has {count} values, and at most {MOST_GROUPS} groups are made: is it an id?")


def _rows_of(
    table: NDArray[np.intp], combinations: NDArray[np.intp]
) -> list[tuple[NDArray[np.intp], list[NDArray[np.intp]]]]:
    """For each combination its own rows, and those that lack a condition and agree in the others, kind by kind."""
    own: list[NDArray[np.intp]] = []
    shared: list[list[NDArray[np.intp]]] = [[] for _ in combinations]
    lacking = _numbered((table < 0).astype(np.intp))
    for kind in range(int(lacking.max()) + 1):
        where = np.flatnonzero(lacking == kind)
        has = table[where[0]] >= 0
        # Rows of one kind are sorted by the conditions they have, and cut where these change.
        keys = _numbered(np.concatenate([combinations[:, has], table[where][:, has]]))
        of_groups, of_rows = keys[: len(combinations)], keys[len(combinations) :]
        order = where[np.argsort(of_rows, kind="stable")]
        ends = np.cumsum(np.bincount(of_rows, minlength=int(keys.max()) + 1))
        starts = np.concatenate([[0], ends[:-1]])
        slices = [order[starts[key] : ends[key]] for key in of_groups]
        if has.all():
            own = slices
        else:
            for others, found in zip(shared, slices, strict=True):
                if found.size:
                    others.append(found)
    return list(zip(own, shared, strict=True))


def _numbered(table: NDArray[np.intp]) -> NDArray[np.intp]:
    """Number the distinct rows of a table in sorted order, and give each row its number."""
    keys = np.zeros(len(table), dtype=np.intp)
    for column in table.T:
        keys = np.unique(keys * (column.max() + 2) + column + 1, return_inverse=True)[1]
    return keys


def _factorise(column: AnyArray) -> tuple[list[str], NDArray[np.intp]]:
    """Distinct values as text in sorted order, and each trial's index among them: −1 where it has none.

    The one place where groups get their names, so that they are the same however a table comes: numbers as a person
    writes them, of floats of 32 bits the few digits that they were written with; ``true`` and ``false``; bytes as text.
    """
    everywhere = nulls(column)
    if column.dtype.kind in "OU":
        everywhere[~everywhere] = column[~everywhere] == "-"
    filled = column[~everywhere]
    if filled.dtype.kind in "OS":
        filled = _alike(filled.tolist())
    values, inverse = np.unique(filled, return_inverse=True)
    if values.dtype.kind == "U" and values.size <= MOST_GROUPS:
        values, again = np.unique(_meant(values), return_inverse=True)
        inverse = again[inverse]
    code = np.full(column.shape, -1, dtype=np.intp)
    code[~everywhere] = inverse
    return _as_texts(values), code


def _alike(plain: list[object]) -> AnyArray:
    """Objects as one kind: numbers, times, or text."""
    if all(isinstance(value, (int, float, np.number)) and not isinstance(value, bool) for value in plain):
        numbers = np.array(plain)
        # Whole numbers that differ may be one double.
        if numbers.dtype.kind != "f" or not any(isinstance(value, int) and abs(value) > EXACT for value in plain):
            return numbers
    elif plain and all(isinstance(value, dt.datetime) and value.tzinfo is None for value in plain):
        return np.array(plain, dtype="M8[us]")
    return np.array([value_text(value) for value in plain])


def _meant(texts: AnyArray) -> AnyArray:
    """Texts as the numbers or truth values that all of them are, as those of files are taken."""
    found = booleans_of(texts.tolist())
    if found is None:
        found = numbers_of(texts.tolist(), names=True)
    return texts if found is None else found


def _as_texts(values: AnyArray) -> list[str]:
    """Distinct values as text; times without the parts that are zero in all of them."""
    if values.dtype.kind != "M":
        return [value_text(value) for value in values]
    whole = next((unit for unit in ("D", "s") if (values.astype(f"M8[{unit}]") == values).all()), None)
    shown = values if whole is None else values.astype(f"M8[{whole}]")
    return [str(text).replace("T", " ") for text in np.datetime_as_string(shown)]

"""Groups of three-class trials, which may lie in two tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from deciban.counts.groups import Group, by_columns, partition
from deciban.errors import InputError, counted, rows
from deciban.trials.tandem import CLASSES, TandemTrials
from deciban.trials.trials import Trials
from deciban.values.arrays import absent


@dataclass(frozen=True, slots=True)
class Part:
    """The trials of one group in each table; ``shared`` of them belong to every group."""

    by: dict[str, str]
    shared: int
    tables: tuple[TandemTrials, ...]


def parts_of(tables: Sequence[TandemTrials], by: str) -> Iterator[Part]:
    """Each group of one grouping; a table without its columns belongs to every group as a whole.

    Bona fide trials whose condition is null or ``-``, as those of attacks are, belong to every group; of a table that
    lacks a group it has those alone.
    """
    for trials in tables:
        refuse_nameless_spoofs(trials, by)
    columns = by_columns(by, {name for trials in tables for name in trials.conditions})
    known = [all(name in trials.conditions for name in columns) for trials in tables]
    if not any(known):
        _grouped(tables[0], by)  # says what is wrong
    grouped = [_grouped(trials, by) if has else {} for trials, has in zip(tables, known, strict=True)]
    every = sorted({values for groups in grouped for values in groups})
    for groups, trials, has in zip(grouped, tables, known, strict=True):
        lacking = [values for values in every if has and values not in groups]
        if lacking:
            groups.update(_grouped(trials, by, lacking))
    for values in every:
        parts = [
            trials.select(groups[values].index) if has else trials
            for trials, groups, has in zip(tables, grouped, known, strict=True)
        ]
        # Numbers as people count: those of the table with most of them.
        shared = max((groups[values].shared for groups in grouped if groups), default=0)
        yield Part(dict(zip(columns, values, strict=True)), shared, tuple(parts))


def _grouped(trials: TandemTrials, by: str, beside: Collection[tuple[str, ...]] = ()) -> dict[tuple[str, ...], Group]:
    n = len(trials)
    known = Trials(score=np.zeros(n), is_target=np.zeros(n, dtype=bool), conditions=trials.conditions)
    return {group.values: group for group in partition(known, by, beside)}


def refuse_nameless_spoofs(trials: TandemTrials, by: str) -> None:
    """Raise where a spoof has no value of a condition: it would count as an attack of every group."""
    for name in by_columns(by, trials.conditions):
        if name not in trials.conditions:
            continue
        values = trials.conditions[name]
        lacking = (absent(values) | (np.asarray(values) == "-")) & (trials.code == CLASSES.index("spoof"))
        where = np.flatnonzero(lacking)
        if where.size:
            raise InputError(
                f"by: {counted(where.size, 'spoof')} without a value of {name!r} at {rows(trials.row_indices(where))} "
                "would count in every group; name it, or leave those rows out"
            )

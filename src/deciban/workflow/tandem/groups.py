"""Groups of three-class trials, which may lie in two tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from deciban.counts.groups import Group, by_columns, partition
from deciban.errors import InputError
from deciban.trials.tandem import TandemTrials
from deciban.trials.trials import Trials


@dataclass(frozen=True, slots=True)
class Part:
    """The trials of one group in each table; ``shared`` of them belong to every group."""

    by: dict[str, str]
    shared: int
    tables: tuple[TandemTrials, ...]


def parts_of(tables: Sequence[TandemTrials], by: str) -> Iterator[Part]:
    """Each group of one grouping; a table without its columns belongs to every group as a whole.

    Trials whose condition is null or ``-``, bona fide ones of an attack, belong to every group.
    """
    columns = by_columns(by, {name for trials in tables for name in trials.conditions})
    known = [all(name in trials.conditions for name in columns) for trials in tables]
    if not any(known):
        partition(_conditions_of(tables[0]), by)  # says what is wrong
    grouped = [
        {group.values: group for group in partition(_conditions_of(trials), by)} if has else {}
        for trials, has in zip(tables, known, strict=True)
    ]
    for values in sorted({values for groups in grouped for values in groups}):
        parts = [
            _of_group(trials, groups.get(values), has, values)
            for trials, groups, has in zip(tables, grouped, known, strict=True)
        ]
        # Numbers as people count: those of the table with most of them.
        shared = max((groups[values].shared for groups in grouped if values in groups), default=0)
        yield Part(dict(zip(columns, values, strict=True)), shared, tuple(parts))


def _of_group(trials: TandemTrials, group: Group | None, has: bool, values: tuple[str, ...]) -> TandemTrials:
    if not has:
        return trials
    if group is None:
        raise InputError(f"by: the group {','.join(values)} is in one table and not in the other")
    return trials.select(group.index)


def _conditions_of(trials: TandemTrials) -> Trials:
    """Trials of which only the conditions matter."""
    n = len(trials)
    return Trials(score=np.zeros(n), is_target=np.zeros(n, dtype=bool), conditions=trials.conditions)

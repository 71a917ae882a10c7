"""Trials that have the same ids: which they are, and that they have one label."""

from __future__ import annotations

import numpy as np

from deciban.errors import InputError, listing, rows
from deciban.records.display import several
from deciban.tables.table import Table
from deciban.trials.same_ids import first_of_each
from deciban.trials.trials import Trials
from deciban.values.arrays import absent


def refuse_conflicts(trials: Trials, table: Table | None, what: str) -> None:
    """Raise when one trial, by its ids, occurs with both labels, or when an id is missing; say where rows are."""
    fault = _conflict(trials) if trials.ids else None
    if fault is not None:
        message = f"{what}: {fault}"
        raise InputError(f"{message}{'' if table is None else table.where_rows_are(message)}")


def _conflict(trials: Trials) -> str | None:
    nameless = np.flatnonzero(np.logical_or.reduce([absent(column) for column in trials.ids]))
    if nameless.size:
        found = nameless if trials.row is None else trials.row[nameless]
        return (
            f"{several(nameless.size, 'missing id')} at {rows(found.tolist())}; give each trial an id, or leave ids= "
            "(--id) out: repeated trials are then not looked for"
        )
    first, where = first_of_each(trials)
    conflict = np.flatnonzero(trials.is_target != trials.is_target[first[where]])
    if conflict.size == 0:
        return None
    shown = [
        f"{trials.named(i)} (rows {trials.row_number(int(first[where[i]]))} and {trials.row_number(i)})"
        for i in conflict[:5].tolist()
    ]
    return (
        f"LABEL-CONFLICT: {listing(shown, conflict.size)} occurs both as target and as nontarget; correct the labels, "
        "or name more id columns with ids= (--id)"
    )

"""Tables with a column of labels for each system: a trial must be a spoof in all of them or in none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from deciban.errors import InputError, rows
from deciban.tables.blanks import Found
from deciban.tables.tandem_columns import TandemColumns, plain_name
from deciban.trials.labels import matching, plain_labels
from deciban.trials.tandem import BONA_FIDE, CLASSES, TandemTrials
from deciban.values.arrays import as_column

OF_SYSTEMS: Final = ("cm_label", "asv_label", "sasv_label")
"""Usual names of columns that label the trials of one system."""


def other_labels(columns: TandemColumns, names: Sequence[str]) -> tuple[str, ...]:
    """The columns of labels beside that of classes; none where words other than the usual ones are declared."""
    if columns.spoof or plain_name(columns.classes) not in OF_SYSTEMS:
        return ()
    return tuple(name for name in names if plain_name(name) in OF_SYSTEMS and name != columns.classes)


def refuse_contradictions(
    trials: TandemTrials, columns: TandemColumns, others: Sequence[str], found: Found, what: str
) -> None:
    """Raise where a trial is a spoof by one column of labels and bona fide by another."""
    spoof = trials.code == CLASSES.index("spoof")
    for name in others:
        labels = plain_labels(as_column(found[name, "label"], name), name)
        labels = labels if trials.row is None else labels[trials.row]
        wrong = np.where(spoof, matching(labels, BONA_FIDE), matching(labels, ("spoof",)))
        if wrong.any():
            raise InputError(
                f"{what}: {columns.classes!r} and {name!r} contradict each other, spoof by one and bona fide by the "
                f"other, at {rows(trials.row_indices(np.flatnonzero(wrong)))}; correct the labels"
            )

"""Columns that follow from others: labels by comparison, and conditions in the words that groups go by."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

import numpy as np

from deciban.tables.columns import Declared
from deciban.trials.labels import several, value_text
from deciban.values.arrays import Bools, nulls
from deciban.values.coded import Coded, Column, as_coded, whole

SPOOF: Final = "spoof"
"""The label of attacks."""

THREE: Final = ("target", "nontarget", SPOOF)
"""Labels of trials that may fail in two ways."""

HARMLESS: Final = ("target", "nontarget", "bonafide")
"""Labels of trials that are no attack."""

NO_ATTACK: Final = {"bonafide": "-"}
"""What conditions that describe an attack say of a trial that is none."""


def renamed(column: Column, words: Mapping[str, str]) -> Column:
    """The column with other words instead of some."""
    for word, other in words.items():
        few = as_coded(column)
        column = few.with_values(np.where(few.values == word, other, few.values))
    return column


def described(column: Column, label: Column | None = None, words: Collection[str] | None = None) -> Coded:
    """What describes an attack: ``-`` for bona fide trials, and ``none`` for an attack of which nothing is said.

    A trial is an attack where its label is ``spoof``, or is none of the ``words`` where there are such.
    """
    few = as_coded(renamed(column, NO_ATTACK))
    if label is None:
        return few
    silent = nulls(few.values) | (few.values == "-")
    labels = as_coded(label).values
    texts = labels.astype(str) if labels.dtype.kind in "OU" else np.array([value_text(one) for one in labels])
    spoofed = (texts == SPOOF) if words is None else ~np.isin(texts, list(words))
    unsaid = silent[few.codes] & spoofed[as_coded(label).codes]
    return Coded(np.append(few.values, "none"), np.where(unsaid, few.values.size, few.codes))


def harmless(declared: Declared) -> tuple[str, ...] | None:
    """The labels that are no attack, where others than those of the format are declared; None where none are."""
    targets, nontargets = (tuple(map(value_text, several(of))) for of in (declared.target, declared.nontarget))
    further = [word for word in targets if word not in (*nontargets, SPOOF)]
    return (*HARMLESS, *further) if targets or nontargets else None


def compared(one: Column, other: Column, attack: Column | None = None) -> Coded:
    """Targets where two columns are equal, nontargets where they are not, spoofs where there is an attack."""
    codes = differ(one, other).astype(np.uint8)
    if attack is not None:
        few = as_coded(attack)
        named = ~nulls(few.values) & (few.values != "-")
        codes[named[few.codes]] = THREE.index(SPOOF)
    return Coded(np.array(THREE), codes)


def differ(one: Column, other: Column) -> Bools:
    """Where two columns do not hold the same."""
    if not isinstance(one, Coded) or not isinstance(other, Coded):
        return np.asarray(whole(one) != whole(other))
    # The few values are compared, and then their numbers.
    numbers: dict[object, int] = {}
    mine, theirs = (
        np.array([numbers.setdefault(value, len(numbers)) for value in column.values.tolist()])
        for column in (one, other)
    )
    return np.asarray(mine[one.codes] != theirs[other.codes])

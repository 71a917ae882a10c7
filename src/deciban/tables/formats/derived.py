"""Columns that follow from others: labels by comparison, and conditions in the words that groups go by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from deciban.values.arrays import Bools, nulls
from deciban.values.coded import Coded, Column, as_coded, whole

THREE: Final = ("target", "nontarget", "spoof")
"""Labels of trials that may fail in two ways."""

NO_ATTACK: Final = {"bonafide": "-"}
"""What conditions that describe an attack say of a trial that is none."""


def renamed(column: Column, words: Mapping[str, str]) -> Column:
    """The column with other words instead of some."""
    for word, other in words.items():
        few = as_coded(column)
        column = few.with_values(np.where(few.values == word, other, few.values))
    return column


def described(column: Column, label: Column | None = None) -> Coded:
    """What describes an attack: ``-`` for bona fide trials, and ``none`` for an attack of which nothing is said."""
    few = as_coded(renamed(column, NO_ATTACK))
    if label is None:
        return few
    silent = nulls(few.values) | (few.values == "-")
    spoofed = as_coded(label).values == "spoof"
    unsaid = silent[few.codes] & spoofed[as_coded(label).codes]
    return Coded(np.append(few.values, "none"), np.where(unsaid, few.values.size, few.codes))


def compared(one: Column, other: Column, attack: Column | None = None) -> Coded:
    """Targets where two columns are equal, nontargets where they are not, spoofs where there is an attack."""
    codes = _differ(one, other).astype(np.uint8)
    if attack is not None:
        few = as_coded(attack)
        named = ~nulls(few.values) & (few.values != "-")
        codes[named[few.codes]] = THREE.index("spoof")
    return Coded(np.array(THREE), codes)


def _differ(one: Column, other: Column) -> Bools:
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

"""Columns of labels beside the one that is evaluated: what they say of a trial must not contradict it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from deciban.errors import SHOWN, InputError, counted, listing, rows
from deciban.tables.blanks import Found
from deciban.tables.column_names import plain_name
from deciban.tables.files.duck import Role
from deciban.tables.files.number_faults import says_nothing
from deciban.tables.formats.derived import differ
from deciban.tables.formats.source import FormatSource
from deciban.tables.opening import Source
from deciban.trials.labels import matching, plain_labels, value_text
from deciban.trials.tandem import BONA_FIDE, CLASSES, TandemTrials
from deciban.trials.trials import Trials
from deciban.values.arrays import AnyArray, Bools, as_column, nulls
from deciban.values.coded import Coded, as_coded, whole

OF_SYSTEMS: Final = ("cm_label", "asv_label", "sasv_label")
"""Usual names of columns that label the trials of one system."""

_BY_CLASS: Final = ", spoof by one and bona fide by the other,"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Which columns of labels are held against each other.

    Attributes
    ----------
    label
        The column of labels that is evaluated.
    systems
        Columns that label the trials of other systems: a trial is a spoof in all of them or in none.
    again
        Columns of a key that the scores have too, and what those of the scores are called: they say the same.
    """

    label: str
    systems: tuple[str, ...] = ()
    again: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, source: Source, label: str, *, usual: bool) -> Agreement:
        """The columns of a table; those of systems only where labels are ``usual`` words."""
        own = source.labels if isinstance(source, FormatSource) else ()
        known = [name for name in source.names if plain_name(name) in OF_SYSTEMS or name in own]
        systems = tuple(name for name in known if name != label) if usual and label in known else ()
        again = source.again if isinstance(source, FormatSource) else ()
        held = {one.label: one.name for one in again if one.label in (label, *systems)}
        return cls(label=label, systems=systems, again=held)

    @property
    def wanted(self) -> list[tuple[str, Role]]:
        """The columns that must be read beside that of the labels."""
        return [(name, "label") for name in (*self.systems, *self.again.values())]

    def refuse_contradictions(self, trials: Trials | TandemTrials, found: Found, source: Source, what: str) -> None:
        """Raise where a trial is a spoof by one column and bona fide by another, or the key says what scores do not."""
        for other, how, wrong in self._compared(trials, found):
            at = np.flatnonzero(wrong)
            if at.size == 0:
                continue
            row = at if trials.row is None else trials.row[at]
            one = next((name for name, again in self.again.items() if again == other), self.label)
            said = zip(*(whole(_texts(found, name)[row[:SHOWN]]).tolist() for name in (one, other)), strict=True)
            named = zip(_named(trials, at, row, source), said, strict=True)
            shown = listing((f"{name}{first!r} and {second!r}" for name, (first, second) in named), at.size)
            raise InputError(
                f"{what}: {one!r} and {other!r} contradict each other{how} for {counted(at.size, 'trial')}: {shown}, "
                f"at {rows(row.tolist())}; correct the labels"
            )

    def _compared(self, trials: Trials | TandemTrials, found: Found) -> Iterator[tuple[str, str, Bools]]:
        """For each other column how it may contradict, and for which trials it does."""
        for name, other in self.again.items():
            one, two = (_texts(found, each) for each in (name, other))
            yield other, "", _of(trials, differ(one, two) & _says(one) & _says(two))
        for name in self.systems:
            spoof, bonafide = _classes(trials, found, self.label)
            labels = _of(trials, plain_labels(as_column(found[name, "label"], name), name))
            yield name, _BY_CLASS, (spoof & matching(labels, BONA_FIDE)) | (bonafide & matching(labels, ("spoof",)))


def _classes(trials: Trials | TandemTrials, found: Found, label: str) -> tuple[Bools, Bools]:
    """Which trials are spoofs, and which are bona fide."""
    if isinstance(trials, TandemTrials):
        spoof = trials.code == CLASSES.index("spoof")
        return spoof, ~spoof
    labels = _of(trials, plain_labels(as_column(found[label, "label"], label), label))
    return matching(labels, ("spoof",)), matching(labels, BONA_FIDE)


def _of(trials: Trials | TandemTrials, column: AnyArray) -> AnyArray:
    """A column of the table at the rows that became trials."""
    return column if trials.row is None else column[trials.row]


def _texts(found: Found, name: str) -> Coded:
    """A column of labels as texts, of which an empty one says nothing."""
    column = found[name, "label"]
    few = as_coded(column if isinstance(column, Coded) else as_column(column, name))
    silent = nulls(few.values).tolist()
    texts = ["" if gone else value_text(value) for value, gone in zip(few.values.tolist(), silent, strict=True)]
    return few.with_values(np.array(texts))


def _says(texts: Coded) -> Bools:
    return np.asarray(~says_nothing(texts.values)[texts.codes])


def _named(trials: Trials | TandemTrials, at: AnyArray, row: AnyArray, source: Source) -> list[str]:
    """The first of some trials by their ids, as the text before what is said of them; none where there are none."""
    ids = trials.ids and [column[at[:SHOWN]] for column in trials.ids]
    if not ids and isinstance(source, FormatSource):
        ids = source.ids_at(row[:SHOWN])
    return [f"{' '.join(map(str, one))!r} has " for one in zip(*ids, strict=True)] if ids else [""] * at[:SHOWN].size

"""The table that the files of a format make: scores, joined to their key by ids, with what the format says of both."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Final

from deciban.errors import InputError, OptionError, listing
from deciban.tables.columns import Declared
from deciban.tables.files.duck import Fetched, Role
from deciban.tables.files.inputs import Input, recorded_name
from deciban.tables.formats.derived import THREE, compared, described, harmless, renamed
from deciban.tables.formats.joining import Read, each_once, join_by_ids
from deciban.tables.formats.label_columns import label_columns, labels_again
from deciban.tables.formats.layout import Layout
from deciban.tables.formats.reader import FormatFiles, Reader
from deciban.tables.formats.side import Side
from deciban.trials.labels import several, value_text
from deciban.values.arrays import AnyArray
from deciban.values.coded import Column, as_coded, whole

LABEL: Final = "label"
"""What the column of classes is called where the format has none."""

KIND: Final = "kind"
"""The condition that tells the kinds of nontargets apart: nothing for targets, which belong to each of them."""

_ROWS: Final = re.compile(r"\brows? \d")


class FormatSource(FormatFiles):
    """Scores of a format, alone or with a key."""

    def __init__(self, reader: Reader, scores: Side, key: Side | None, unmatched: str) -> None:
        self.reader, self.scores, self.key, self.unmatched = reader, scores, key, unmatched
        self.sides = [scores] if key is None else [key, scores]
        self.what = scores.what if key is None else f"{scores.what} with key {key.what}"
        self.said: tuple[str, ...] = ()
        self._targets: tuple[str, ...] = ()
        self._words_settled = False
        self._harmless: tuple[str, ...] | None = None
        self._label_column: str | None = None
        self.computed = self._computed()
        own = [name for side in self.sides for name in side.names]
        self.names = tuple(dict.fromkeys([*own, *self.computed]))
        self.labels = label_columns(reader, self.names)
        self.again = labels_again(scores, key)
        self.ids = tuple(name for name in self._known("ids") if all(name in side.names for side in self.sides))
        # Ids that a file may leave out name a trial only together.
        self.named = bool(self.ids) and set(scores.layout.ids) <= set(scores.names)
        lacking = [name for name in self._known("ids") if name not in self.ids and self._required(name)]
        if lacking:
            raise InputError(
                f"{self.what}: expected columns that name a trial in both, found {listing(lacking)} in one of them only"
            )

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The files of scores, then the key."""
        return self.scores.inputs + (self.key.inputs if self.key else ())

    def ids_at(self, rows: AnyArray) -> list[AnyArray]:
        """The ids of trials at some rows of the table."""
        found = self.fetch([(name, "name") for name in self.ids]) if self.ids else {}
        return [whole(column)[rows] for column in found.values()]

    def completed(self, declared: Declared) -> Declared:
        """The declaration with what the format says where the caller says nothing."""
        score = declared.score or self._score()
        label = declared.label or self._label(score)
        target, nontarget = declared.target, declared.nontarget
        three = label is not None and set(THREE) <= set(self._words(label))
        if three and target is None:
            target, nontarget = THREE[:1], nontarget or THREE[1:]
            self.said += ("a trial of class target is accepted, one of class nontarget or spoof is not",)
        self._targets = tuple(value_text(value) for value in several(target))
        self._harmless = harmless(declared)
        self._words_settled, self._label_column = bool(several(declared.target)), label
        conditions = [name for name in self._known("conditions") if name != label]
        if three or self._layout(label).attack:
            conditions.append(KIND)
        return replace(
            declared,
            reader=self.reader.name,
            key=None if self.key is None else recorded_name(self.key.files[0]),
            score=score,
            label=label,
            target=target,
            nontarget=nontarget,
            scale=declared.scale or self.reader.scale,
            conditions=conditions if declared.conditions is None else declared.conditions,
            sources=self._known("sources") if declared.sources is None else declared.sources,
            ids=(self.ids or self._known("ids")) if declared.ids is None else declared.ids,
        )

    def fetch(self, wanted: Sequence[tuple[str, Role]]) -> Fetched:
        """The wanted columns of trials that both sides have, in the order of the key."""
        needed = [part for one in wanted for part in self._made_of(one)]
        found = self._of_scores(needed) if self.key is None else self._of_both(self.key, needed)
        table = Fetched({one: self._value(one, found) for one in wanted})
        table.notes = found.notes
        return table

    def where_rows_are(self, message: str) -> str:
        """A clause for a message that names rows: which file they are rows of, and where row 1 is."""
        if _ROWS.search(message) is None:
            return ""
        side = self.sides[0]
        where = f"row 1 is {side.places([0])[0]}"
        if self.key is not None or self.unmatched == "drop":
            which = side.what if self.key is None else f"the key {side.what}"
            dropped = ", those left out that were dropped" if self.unmatched == "drop" else ""
            where = f"rows are those of {which}{dropped}; {where}"
        elif where == "row 1 is line 1":
            return ""
        return f"\n  {where}" if "\n" in message else f" ({where})"

    def _of_scores(self, needed: Sequence[tuple[str, Role]]) -> Fetched:
        """The columns of scores that bring their key with them."""
        found = self._fetched(self.scores, needed)
        if not self.named:
            return found
        rows = each_once(Read(self.scores, found, self.ids), self.unmatched)
        if rows is None:
            return found
        once = Fetched(_taken(found, rows.of_scores))
        once.notes = [*found.notes, *rows.notes]
        return once

    def _of_both(self, key: Side, needed: Sequence[tuple[str, Role]]) -> Fetched:
        """The columns of scores and key, joined."""

        def read(side: Side) -> Read:
            return Read(side, self._fetched(side, needed), self.ids)

        with ThreadPoolExecutor(1) as pool:
            # The key is read beside the scores: no file keeps all cores busy all the time.
            of_key = pool.submit(read, key)
            scores, truth = read(self.scores), of_key.result()
        rows = join_by_ids(scores, truth, self.unmatched)
        joined = Fetched(_taken(scores.columns, rows.of_scores) | _taken(truth.columns, rows.of_key))
        joined.notes = [*truth.columns.notes, *scores.columns.notes, *rows.notes]
        return joined

    def _fetched(self, side: Side, needed: Sequence[tuple[str, Role]]) -> Fetched:
        """What one side has of the columns needed; labels that the format does not know raise with their lines."""
        called = {again.name: again.column for again in self.again} if side is self.scores else {}
        own: dict[tuple[str, Role], tuple[str, Role]] = {
            (name, role): (called.get(name, name), role) for name, role in needed if self._owner((name, role)) is side
        }
        if self.key is not None or self.named:
            own |= {(name, "key"): (name, "key") for name in self.ids}
        read = side.fetch(list(dict.fromkeys(own.values())))
        found = Fetched({one: read[there] for one, there in own.items()})
        found.notes = read.notes
        for (name, role), column in found.items():
            if role == "key" and self._required(name):
                side.refuse_no_id(name, whole(column))
        for name in side.layout.same or ():
            if (name, "name") in found:
                side.refuse_missing(name, as_coded(found[name, "name"]))
        if not self._words_settled:
            for (name, role), column in found.items():
                if role == "label":
                    side.refuse_other_words(name, as_coded(column), may_be_silent=name != self._label_column)
        return found

    def _owner(self, wanted: tuple[str, Role]) -> Side:
        """The side that a column is taken from where both have it: numbers from the scores, all else from the key."""
        name, role = wanted
        sides = [self.scores, *self.sides] if role == "number" else self.sides
        return next((side for side in sides if name in side.names), self.scores)

    def _layout(self, name: str | None) -> Layout:
        return next((side.layout for side in self.sides if name in side.names), self.scores.layout)

    def _known(self, role: str) -> tuple[str, ...]:
        """The columns of the table that the layouts name for ``ids``, ``sources`` or ``conditions``."""
        known = {name for side in self.sides for name in (*side.layout.columns, *side.layout.optional)}
        found: list[str] = []
        for side in self.sides:
            found += [name for name in getattr(side.layout, role) if name in side.names]
            if role == "conditions" and side.layout.others:
                found += [name for name in side.names if name not in known]
        return tuple(dict.fromkeys(found))

    def _required(self, name: str) -> bool:
        """Whether a column is one that a file of its format always has."""
        return any(name in side.layout.columns for side in self.sides)

    def _words(self, label: str) -> tuple[str, ...]:
        if label in self.computed and self._layout(label).attack is not None:
            return THREE
        return self._layout(label).words.get(label, ())

    def _score(self) -> str | None:
        """The one column of scores that holds any."""
        names = [name for name in self.scores.layout.scores if name in self.scores.names]
        if len(names) < 2:
            return names[0] if names else None
        held = self.scores.holding_values(names)
        if len(held) == 1:
            self.said += (f"score column {held[0]!r} (the others hold nothing)",)
            return held[0]
        there = ", ".join(map(repr, names))
        raise OptionError(f"{self.scores.what}: which scores? {there} are there; say which with score= (--score)")

    def _label(self, score: str | None) -> str | None:
        of_score = self.reader.label_of.get(score or "")
        if of_score in self.sides[0].names:
            return of_score
        found = [side.layout.label for side in self.sides if side.layout.label in side.names]
        return found[0] if found else LABEL if LABEL in self.computed else None

    def _computed(self) -> tuple[str, ...]:
        """Columns that no file has: a label that follows from others, and the kind of nontarget."""
        follows = any(side.layout.same for side in self.sides)
        three = any(set(THREE) <= set(words) for side in self.sides for words in side.layout.words.values())
        attack = any(side.layout.attack in side.names for side in self.sides)
        return (LABEL,) * follows + (KIND,) * (three or attack)

    def _made_of(self, one: tuple[str, Role]) -> list[tuple[str, Role]]:
        """The columns of files that a wanted column is computed from."""
        name, role = one
        if name not in self.computed:
            label = self._label_column if role == "group" and self._layout(name).describes_attacks(name) else None
            return [one] if label is None else [one, (label, "label")]
        layout = self.scores.layout
        if layout.same is None:
            return [(self._label_column or LABEL, "label")]
        same: list[tuple[str, Role]] = [(column, "name") for column in layout.same]
        return [*same, (layout.attack, "group")] if layout.attack in self.names else same

    def _value(self, one: tuple[str, Role], found: Mapping[tuple[str, Role], Column]) -> Column:
        name, role = one
        made = [found[part] for part in self._made_of(one)]
        if name not in self.computed:
            return self._condition(name, *made) if role == "group" else made[0]
        label = made[0] if self.scores.layout.same is None else compared(*made)
        return label if name == LABEL else renamed(label, dict.fromkeys(self._targets or THREE[:1], "-"))

    def _condition(self, name: str, column: Column, label: Column | None = None) -> Column:
        """A condition as it is read, with ``-`` for trials that belong to every group."""
        layout = self._layout(name)
        if layout.describes_attacks(name):
            column = described(column, label, self._harmless)
        return renamed(column, layout.read_as.get(name, {}))


def _taken(columns: Fetched, rows: AnyArray | None) -> dict[tuple[str, Role], Column]:
    """The columns at some rows, None for all of them, without what found them."""
    taken = {one: column for one, column in columns.items() if one[1] != "key"}
    return taken if rows is None else {one: column[rows] for one, column in taken.items()}

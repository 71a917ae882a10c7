"""Which columns of the files of a format hold labels, and which labels of a key the scores hold too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deciban.tables.column_names import plain_name
from deciban.tables.formats.reader import Reader
from deciban.tables.formats.side import Side


@dataclass(frozen=True, slots=True)
class Again:
    """Labels that a key and its scores both hold.

    ``label`` is what the key calls them and ``column`` what the scores do; ``name`` tells those of the scores apart.
    """

    label: str
    column: str
    name: str


def label_columns(reader: Reader, names: Sequence[str]) -> tuple[str, ...]:
    """Those of some columns that hold labels in a file of the format."""
    layouts = (*reader.alone, *reader.scores, *reader.keys)
    return tuple(name for name in names if any(name in layout.words for layout in layouts))


def labels_again(scores: Side, key: Side | None) -> tuple[Again, ...]:
    """The labels of a key that its scores hold too, where a header names both, so that they are meant as labels."""
    if key is None or not key.layout.header:
        return ()
    there = {plain_name(name): name for name in scores.names if name not in scores.layout.scores}
    twice = [(label, there[plain_name(label)]) for label in key.layout.words if plain_name(label) in there]
    return tuple(Again(label, column, f"{label} of {scores.what}") for label, column in twice)

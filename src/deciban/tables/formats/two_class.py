"""Two files of scores, one for each class: text whose last column is the score, or NumPy arrays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Final

import numpy as np

from deciban.errors import InputError, OptionError, listing
from deciban.tables.columns import Declared
from deciban.tables.files.array_files import npy_array
from deciban.tables.files.duck import Fetched, Role
from deciban.tables.files.inputs import Input, InputFile
from deciban.tables.files.source import Part
from deciban.tables.formats.layout import Layout
from deciban.tables.formats.reader import FormatFiles, Reader
from deciban.tables.formats.side import Side
from deciban.tables.formats.text_files import look, open_text, widths
from deciban.tables.frames import MappingSource
from deciban.values.coded import Coded, whole

SCORE: Final = "score"
LABEL: Final = "label"


class TwoClasses(FormatFiles):
    """The scores of targets, then those of nontargets."""

    names = (SCORE, LABEL)

    def __init__(self, targets: Side, nontargets: Side) -> None:
        self.sides = (targets, nontargets)
        self.what = f"{targets.what} and {nontargets.what}"
        self.said: tuple[str, ...] = (f"{targets.what} holds scores of targets, {nontargets.what} of nontargets",)

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The two files."""
        return self.sides[0].inputs + self.sides[1].inputs

    def completed(self, declared: Declared) -> Declared:
        """The declaration with the two columns that there are."""
        return replace(declared, reader="two-class", score=declared.score or SCORE, label=declared.label or LABEL)

    def fetch(self, wanted: Sequence[tuple[str, Role]]) -> Fetched:
        """Scores of both files, and the class that the file of each says."""
        score: tuple[str, Role] = (SCORE, "number")
        with ThreadPoolExecutor(1) as pool:
            nontargets = pool.submit(self.sides[1].fetch, [score])
            scores = [whole(table[score]) for table in (self.sides[0].fetch([score]), nontargets.result())]
        labels = Coded(np.array(["target", "nontarget"]), np.repeat([0, 1], [len(one) for one in scores]))
        return Fetched({one: labels if one[0] == LABEL else np.concatenate(scores) for one in wanted})

    def where_rows_are(self, message: str) -> str:
        """A clause for a message that names rows: which of them are of which file."""
        if re.search(r"\brows? \d", message) is None:
            return ""
        first, second = (sum(side.sizes) for side in self.sides)
        spans = f"{self.sides[0].what} 1–{first}, {self.sides[1].what} {first + 1}–{first + second}"
        where = f"rows are counted through the files: {spans}"
        return f"\n  {where}" if "\n" in message else f" ({where})"


def open_two(reader: Reader, files: Sequence[InputFile], key: InputFile | None, unmatched: str) -> TwoClasses:
    """Two files, of which the first holds the scores of targets."""
    if key is not None or len(files) != 2:
        found = "a key" if key is not None else f"{len(files)} files"
        raise OptionError(
            f"reader 'two-class': expected two files, of target scores and of nontarget scores in this order, found "
            f"{found}"
        )
    return TwoClasses(*(_side(file, reader.name) for file in files))


def _side(file: InputFile, reader: str) -> Side:
    part: Part
    if file.kind == "npy":
        array = npy_array(file)
        if array.dtype.names is not None:
            raise InputError(
                f"{file.name}: expected an array of scores, found one of fields {listing(array.dtype.names)}"
            )
        if array.ndim == 0 or sum(length != 1 for length in array.shape) > 1:
            raise InputError(
                f"{file.name}: expected an array of scores in one row or column, found shape {array.shape}"
            )
        part = MappingSource({SCORE: array.ravel()}, file.name)
    elif file.kind == "csv":
        layouts = [
            Layout(columns=(*(f"column{position}" for position in range(width - 1)), SCORE), scores=(SCORE,))
            for width in sorted(widths(file))
        ]
        _, part = open_text(file, look(file, layouts), reader)
    else:
        raise InputError(f"{file.name}: expected text or a .npy file of scores, found a {file.kind} file")
    return Side([file], Layout(columns=(SCORE,), scores=(SCORE,)), [part])


TWO_CLASS: Final = Reader(
    name="two-class",
    title="two files, scores of targets first; the last column of text, or a .npy of one row or column",
    opened=open_two,
)

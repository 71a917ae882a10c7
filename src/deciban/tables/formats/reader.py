"""A reader: a format by name, the layouts of its files, and the table that scores and key make together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from deciban.tables.files.duck import Fetched, Grouping, Role, TooManyRowsError
from deciban.tables.formats.layout import Layout

if TYPE_CHECKING:
    from deciban.tables.columns import Declared
    from deciban.tables.files.inputs import Input, InputFile


class FormatFiles(ABC):
    """What a reader makes of its files: columns by name, and what each of them is.

    Attributes
    ----------
    what, said
        What the files are called in messages, and what was recognised rather than given.
    names
        Every column of the table; ``naming`` says that none of them is a position.
    inputs
        The files that were read, scores before keys.
    engine, fits
        Trials are read into memory and counted by NumPy.
    """

    what: str
    said: tuple[str, ...]
    names: tuple[str, ...]
    naming = ""
    engine = "numpy"
    fits = True

    @property
    @abstractmethod
    def inputs(self) -> tuple[Input, ...]:
        """The files that were read, scores before keys."""

    @abstractmethod
    def completed(self, declared: Declared) -> Declared:
        """The declaration with what the format says where the caller says nothing."""

    @abstractmethod
    def fetch(self, wanted: Sequence[tuple[str, Role]]) -> Fetched:
        """The wanted columns for what each is read."""

    @abstractmethod
    def where_rows_are(self, message: str) -> str:
        """A clause for a message that names rows: what they are rows of."""

    def counts(self, score: str, *, in_buckets: bool) -> bool:
        """Whether trials are better counted where they are: a key is joined to them here."""
        return False

    def tally(self, wanted: Sequence[tuple[str, Role]], grouping: Grouping) -> Fetched:
        """The wanted columns; every row stands for itself."""
        found = self.fetch(wanted)
        found.times = np.ones(len(found[wanted[0]]), dtype=np.int64)
        if found.times.size > grouping.most:
            raise TooManyRowsError(grouping.most, found.times.size)
        return found


Opened = Callable[["Reader", "Sequence[InputFile]", "InputFile | None", str], FormatFiles]
"""How the files of a format become a table: of the reader, the files, the key, and what to do with unmatched trials."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """One format.

    Attributes
    ----------
    name, title
        What it is called by ``reader=`` (``--reader``), and one line that says what its files are.
    alone
        Layouts of files that hold scores and classes.
    scores, keys
        Layouts of files of scores, and of the keys that are joined to them.
    scale
        Unit of the scores, where the format has one.
    label_of
        For a format with several scores, the label column of each.
    opened
        How files are opened, where not as text by these layouts.
    """

    name: str
    title: str
    alone: tuple[Layout, ...] = ()
    scores: tuple[Layout, ...] = ()
    keys: tuple[Layout, ...] = ()
    scale: str | None = None
    label_of: Mapping[str, str] = field(default_factory=dict)
    opened: Opened | None = None

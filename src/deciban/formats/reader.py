"""A reader: a format by name, the layouts of its files, and the table that scores and key make together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from deciban.formats.layout import Layout

if TYPE_CHECKING:
    from deciban.columns import Declared
    from deciban.files.duck import Fetched, Role
    from deciban.files.inputs import Input, InputFile


class Source(Protocol):
    """What a reader makes of its files: columns by name, and what each of them is."""

    what: str
    said: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Every column of the table."""
        ...

    @property
    def naming(self) -> str:
        """Which names are positions; none are."""
        ...

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The files that were read."""
        ...

    def completed(self, declared: Declared) -> Declared:
        """The declaration with what the format says where the caller says nothing."""
        ...

    def fetch(self, wanted: Sequence[tuple[str, Role]]) -> Fetched:
        """The wanted columns for what each is read."""
        ...

    def where_rows_are(self, message: str) -> str:
        """A clause for a message that names rows: what they are rows of."""
        ...


Opened = Callable[["Reader", "Sequence[InputFile]", "InputFile | None", str], Source]
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

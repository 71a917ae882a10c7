"""The blocks of a validation: how many criteria were decided how, the matrix, what to quote, and lines to sign."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from deciban.records.validation_rows import Decision
from deciban.report.section import Cell

SYMBOLS: Final[dict[Decision, str]] = {"pass": "✓", "fail": "✗", "not assessable": "○"}
"""Decisions differ by word and sign, and by colour only besides."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A decision: its word, its sign, and its name in the style."""

    word: Decision
    symbol: str
    style: str


@dataclass(frozen=True, slots=True)
class Counted:
    """The criteria of one decision, each with the place of its row."""

    mark: Mark
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """How many criteria were decided how, and which."""

    decisions: tuple[Counted, ...]
    kind: ClassVar[str] = "tally"


@dataclass(frozen=True, slots=True)
class ResultLine:
    """A figure, its value with the interval, and what it was held against."""

    figure: Cell
    value: str
    against: str


@dataclass(frozen=True, slots=True)
class MatrixEntry:
    """One criterion: what was required, by which figures it was decided, from which data, and how.

    ``about`` are small print (the graph that shows it, its date), each with a label; ``more`` is how many results are
    not among those shown; ``reasons`` say why it cannot be assessed.
    """

    id: str
    place: str
    characteristic: str
    metric: str
    requirement: str
    about: tuple[tuple[str, tuple[Cell, ...]], ...]
    results: tuple[ResultLine, ...]
    more: int
    data: str
    mark: Mark
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatrixBlock:
    """The validation matrix."""

    id: str
    caption: str
    head: tuple[str, ...]
    entries: tuple[MatrixEntry, ...]
    kind: ClassVar[str] = "matrix"


@dataclass(frozen=True, slots=True)
class Signatures:
    """Who signs on paper; a name that was not stated is left to be written."""

    names: tuple[tuple[str, str], ...]
    kind: ClassVar[str] = "signatures"


@dataclass(frozen=True, slots=True)
class Statements:
    """Sentences that are numbered, to be referred to."""

    sentences: tuple[str, ...]
    kind: ClassVar[str] = "statements"


@dataclass(frozen=True, slots=True)
class Quote:
    """Words to be taken over into another text."""

    text: str
    kind: ClassVar[str] = "quote"


def mark_of(decision: Decision) -> Mark:
    """The mark of a decision."""
    return Mark(decision, SYMBOLS[decision], decision.replace(" ", "-"))

"""How the lines of a file are laid out in a format, declared rather than programmed, and how well lines fit that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from deciban.errors import listing
from deciban.tables.column_names import USUAL_LABEL
from deciban.tables.files.dialect import Record
from deciban.tables.files.number_faults import MISSING_TEXT
from deciban.values.spelled import spelled_float

LOOKED_AT: Final = 100
"""Lines at the start of a file that say which layout it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """One way in which the lines of a file may be laid out.

    Attributes
    ----------
    columns
        What each line holds, in order; with ``header``, names that the header must have, in any order and case.
    header
        Whether the first line names the columns.
    scores, label
        Which of them are numbers, and which says the class (None: another file does, or ``same``).
    words
        Columns that hold one of a few words.
    ids
        What names a trial: files are joined by those that both have.
    sources, conditions
        What says where a trial comes from, and what makes groups.
    optional, also
        Names that the header may have beside ``columns``, and other names for some of these.
    others
        Whether any other column of a header is a condition.
    same
        Two columns: a trial is a target where they are equal.
    attack
        A column that names an attack, which makes a trial a ``spoof``; empty where there is none.
    read_as
        For a condition, words that are read as others, since ``-`` means that a trial belongs to every group.
    of_attacks
        Conditions that describe an attack: ``-`` or ``bonafide`` where a trial is none.
    seen, varied, recognised
        Words one of which the first lines must hold if the layout is to be recognised unasked; whether there must be
        more than two scores, since labels are few; and whether it may be recognised at all.
    """

    columns: tuple[str, ...]
    header: bool = False
    scores: tuple[str, ...] = ()
    label: str | None = None
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ids: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    also: Mapping[str, str] = field(default_factory=dict)
    others: bool = False
    same: tuple[str, str] | None = None
    attack: str | None = None
    read_as: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    of_attacks: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    varied: bool = False
    recognised: bool = True

    def __str__(self) -> str:
        if not self.header:
            return " ".join(self.columns)
        also = {name: f" (or {other})" for other, name in self.also.items()}
        return f"a header with {listing(name + also.get(name, '') for name in self.columns)}"

    def names(self, first: Sequence[str]) -> tuple[str, ...] | None:
        """The names of the columns of a file whose first line has these cells; None when it lacks some."""
        if not self.header:
            return self.columns
        own = {name.casefold(): name for name in (*self.columns, *self.optional)}
        there = {cell.strip().casefold() for cell in first}
        own |= {other: name for other, name in self.also.items() if name.casefold() not in there}
        names = [own.get(cell.strip().casefold(), cell.strip()) for cell in first]
        return tuple(names) if set(self.columns) <= set(names) else None

    def describes_attacks(self, name: str) -> bool:
        """Whether a condition may say what an attack is, as any other column of a key may that has spoofs."""
        other = self.others and name not in (*self.columns, *self.optional)
        return name in self.of_attacks or (other and any("spoof" in words for words in self.words.values()))

    def fault(self, names: Sequence[str], cells: Sequence[str]) -> Fault | None:
        """What is wrong with a line: the number of its columns, else a number, else a word of few."""
        if len(cells) != len(names):
            found = f"{len(cells)} ({' '.join(cells)[:60]!r})"
            return Fault(0, f"expected {len(names)} columns ({' '.join(names)}), found {found}")
        there = list(enumerate(zip(names, (cell.strip() for cell in cells), strict=True), 1))
        for position, (name, cell) in there:
            if name in self.scores and not _is_number(cell):
                return Fault(1, f"column {position} ({name}): expected a number, found {cell!r}")
        for position, (name, cell) in there:
            if name in self.words and cell not in self.words[name]:
                return Fault(2, f"column {position} ({name}): expected {' or '.join(self.words[name])}, found {cell!r}")
        return None


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a line; ``after`` counts what is right: the number of its columns, then its numbers."""

    after: int
    said: str


@dataclass(frozen=True, slots=True)
class Fit:
    """Which share of the first lines of a file fits a layout, and what is wrong with the first that does not.

    ``names`` are those of its columns, and ``rows`` the cells of the lines looked at. ``shaped`` is the share that fits
    but for words, which others may be declared for, and ``wide`` how near lines come to the number of columns (or a
    header to its names): 1 when all have it.
    """

    layout: Layout
    names: tuple[str, ...]
    share: float
    fault: str
    rows: Sequence[Sequence[str]] = ()
    shaped: float = 0.0
    wide: float = 0.0

    @property
    def near(self) -> tuple[float, ...]:
        """How near the file comes to the layout, by what matters most first."""
        return self.share, float(self.names != ()), self.shaped, self.wide

    @property
    def certain(self) -> bool:
        """Whether the file has this layout for all that its first lines say."""
        return self.share == 1.0 and self.layout.recognised and not self._doubtful()

    @property
    def nearly(self) -> bool:
        """Whether the file would have this layout but for some of its first lines."""
        return 0.5 <= self.share < 1.0 and self.layout.recognised and not self._doubtful()

    @property
    def begins(self) -> bool:
        """Whether the first line has the words of the layout, and so is no header of another table."""
        row, words = self.rows[0], self.layout.words
        return len(row) == len(self.names) and all(
            cell.strip() in words.get(name, (cell.strip(),)) for name, cell in zip(self.names, row, strict=True)
        )

    def _doubtful(self) -> bool:
        layout = self.layout
        rows = [row for row in self.rows if len(row) == len(self.names)]
        if layout.same is not None and any(name.casefold() in USUAL_LABEL for name in self.names):
            return True
        if layout.seen and not any(cell.strip() in layout.seen for row in rows for cell in row):
            return True
        return layout.varied and any(
            len({row[self.names.index(score)].strip() for row in rows}) <= 2 for score in layout.scores
        )


def fit(layout: Layout, given: Iterable[Record]) -> Fit:
    """Compare lines with a layout."""
    lines = list(given)
    first, cells = lines[0]
    names = layout.names(cells)
    if names is None:
        there = {cell.strip().casefold() for cell in cells}
        wide = sum(name.casefold() in there for name in layout.columns) / len(layout.columns)
        found = " ".join(cells)[:60]
        return Fit(layout, (), 0.0, f"line {first}: expected {layout}, found {found!r}", wide=wide)
    rows = lines[1:] if layout.header else lines
    if not rows:
        return Fit(layout, names, 1.0, "", (), 1.0, 1.0)
    faults = [(line, fault) for line, row in rows if (fault := layout.fault(names, row)) is not None]
    said = "" if not faults else f"line {faults[0][0]}: {faults[0][1].said}"
    shaped, share = (1.0 - sum(fault.after <= right for _, fault in faults) / len(rows) for right in (1, 2))
    wide = sum(min(len(row), len(names)) / max(len(row), len(names)) for _, row in rows) / len(rows)
    return Fit(layout, names, share, said, [row for _, row in rows], shaped, wide)


def _is_number(cell: str) -> bool:
    text = cell.strip().lower()
    if text in MISSING_TEXT:
        return True
    try:
        spelled_float(text)
    except ValueError:
        return False
    return True

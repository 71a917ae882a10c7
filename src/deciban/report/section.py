"""What a page is made of: sections of blocks, each a small record that a template of the same name writes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias, Union

if TYPE_CHECKING:
    from markupsafe import Markup

    from deciban.report.cards import Cards
    from deciban.report.validation_blocks import MatrixBlock, Quote, Signatures, Statements, Tally


@dataclass(frozen=True, slots=True)
class Code:
    """Words as a program knows them: an expression, a command."""

    text: str


Words: TypeAlias = tuple[str | Code, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: text, smaller words after it, the name that programs know it by, where it leads."""

    text: str
    small: str = ""
    code: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph."""

    words: Words
    kind: ClassVar[str] = "prose"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading within a section."""

    text: str
    kind: ClassVar[str] = "heading"


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table with a caption; the first cell of a row is its head.

    Columns are numbers, which no line breaks, but for those that ``worded`` names by their place. On a phone the cells
    of a row of a ``stacked`` table stand below one another, each beside the head of its column.
    """

    id: str
    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    worded: tuple[int, ...] = ()
    stacked: bool = False
    kind: ClassVar[str] = "table"


@dataclass(frozen=True, slots=True)
class FigureBlock:
    """A drawing with its caption, what it shows in words, and the numbers behind it as a file."""

    id: str
    title: str
    caption: str
    alt: str
    svg: Markup
    file_name: str
    file: str
    kind: ClassVar[str] = "figure"


@dataclass(frozen=True, slots=True)
class Figures:
    """Drawings side by side where there is room."""

    figures: tuple[FigureBlock, ...]
    kind: ClassVar[str] = "figures"


@dataclass(frozen=True, slots=True)
class Callout:
    """Findings of one code in few words, where they matter."""

    code: str
    severity: str
    messages: tuple[str, ...]
    more: int
    target: str
    kind: ClassVar[str] = "callout"


@dataclass(frozen=True, slots=True)
class Callouts:
    """What a reader must know first, at the top of the page."""

    callouts: tuple[Callout, ...]
    kind: ClassVar[str] = "callouts"


@dataclass(frozen=True, slots=True)
class FindingsBlock:
    """All findings of one code with what to do."""

    id: str
    code: str
    severity: str
    messages: tuple[str, ...]
    advice: tuple[str, ...]
    kind: ClassVar[str] = "findings"


@dataclass(frozen=True, slots=True)
class Facts:
    """Terms and what they are here; two beside one another where there is room if ``paired``."""

    rows: tuple[tuple[str, Words], ...]
    paired: bool = False
    kind: ClassVar[str] = "facts"


@dataclass(frozen=True, slots=True)
class Definition:
    """What a figure is; paragraphs and facts may hold code between double back-quotes."""

    id: str
    title: str
    code: str
    paragraphs: tuple[Words, ...]
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Definitions:
    """Definitions in columns."""

    definitions: tuple[Definition, ...]
    kind: ClassVar[str] = "definitions"


@dataclass(frozen=True, slots=True)
class Command:
    """A line for the shell."""

    text: str
    kind: ClassVar[str] = "command"


@dataclass(frozen=True, slots=True)
class Download:
    """A file that lies in the page."""

    label: str
    file_name: str
    file: str
    note: str
    kind: ClassVar[str] = "download"


@dataclass(frozen=True, slots=True)
class Details:
    """Blocks that open when asked for, and when printed."""

    summary: str
    blocks: tuple[Block, ...]
    kind: ClassVar[str] = "details"


Block: TypeAlias = Union[
    "Prose",
    "Heading",
    "TableBlock",
    "Figures",
    "Cards",
    "Callout",
    "Callouts",
    "FindingsBlock",
    "Facts",
    "Statements",
    "Quote",
    "Tally",
    "Signatures",
    "MatrixBlock",
    "Definitions",
    "Command",
    "Download",
    "Details",
]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page that the table of contents names."""

    id: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Fragment:
    """A part of the page that brings its own HTML, style and scripts, which the page's policy then allows.

    The HTML must be safe as it is: it is written unchanged.
    """

    html: str
    style: str
    scripts: tuple[str, ...]


def figures_in(blocks: tuple[Block, ...]) -> Iterator[FigureBlock]:
    """Every drawing among blocks, in order."""
    for block in blocks:
        if isinstance(block, Figures):
            yield from block.figures
        elif isinstance(block, Details):
            yield from figures_in(block.blocks)


def prose(*words: str | Code) -> Prose:
    """Make a paragraph."""
    return Prose(words)

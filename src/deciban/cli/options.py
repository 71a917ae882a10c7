"""Options that several commands share, declared once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

import typer

from deciban.values.spelled import spelled_float, spelled_int

MAX_BLOCKS: Final = 20_000_000
"""As in the library, which is not loaded for the help page; a test keeps the two in step."""

Number = TypeVar("Number", int, float)

DATA, SCORES, FIGURES, UNCERTAINTY, OUTPUT = (
    "Which column is what",
    "What scores and labels mean",
    "What is computed",
    "Uncertainty",
    "What comes out",
)
"""Headings of the help page."""


def option(names: str, metavar: str, words: str, panel: str | None = None, **further: Any) -> Any:
    """An option with a value: its names, and of the help page what the value is called, the words and the heading."""
    return typer.Option(*names.split(), metavar=metavar, help=words, rich_help_panel=panel, **further)


def flag(names: str, words: str, panel: str | None = None, **further: Any) -> Any:
    """An option that is there or not."""
    return typer.Option(*names.split(), help=words, rich_help_panel=panel, **further)


def number(text: str | float) -> float:
    """Read the number of an option; defaults come as numbers already."""
    return _read(spelled_float, text)


def whole(text: str | int) -> int:
    """Read the whole number of an option."""
    return _read(spelled_int, text)


def place(text: str | Path) -> Path:
    """Read the path that an option names; an empty one would mean the current folder."""
    if not str(text):
        raise typer.BadParameter("expected a path, found ''")
    return Path(text)


def resolution(text: str) -> float | Literal["auto"]:
    """Read a width of buckets or the word auto."""
    return "auto" if text == "auto" else number(text)


def _read(reader: Callable[[str], Number], text: str | Number) -> Number:
    if not isinstance(text, str):
        return text
    try:
        return reader(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE",
        help="One table: a file, several with the same columns, a glob, - for stdin, duckdb:///FILE?table=NAME or "
        "postgresql://USER@HOST/DATABASE?table=NAME.",
    ),
]
OptionalFiles = Annotated[
    list[str] | None,
    typer.Argument(metavar="FILE", help="One table: a file, several with the same columns, a glob, or -."),
]
Fta = Annotated[
    float | None,
    option(
        "--fta",
        "P",
        "Rate of failure to acquire, known from elsewhere: FRR and FAR at each threshold (--missing reject counts "
        "it from the data).",
        FIGURES,
        parser=number,
    ),
]
Fte = Annotated[
    float | None,
    option(
        "--fte",
        "P",
        "Rate of failure to enrol: generalised rates GFRR and GFAR at each threshold.",
        FIGURES,
        parser=number,
    ),
]
PTarget = Annotated[
    float | None,
    option(
        "--p-target",
        "P",
        "Prior at which LRs become posteriors (default: the share of targets in the data).",
        FIGURES,
        parser=number,
    ),
]
Cost = Annotated[
    list[str] | None,
    option(
        "--cost", "EXPR", "Detection cost, e.g. preset=voxsrc or p_target=0.01,c_miss=10,c_fa=1; repeatable.", FIGURES
    ),
]
ResolutionOption = Annotated[
    float | None,
    option(
        "--resolution",
        "R",
        "Count scores in buckets of this width, or auto: figures become brackets that hold the exact ones.",
        SCORES,
        parser=resolution,
    ),
]
MaxBlocks = Annotated[
    int, option("--max-blocks", "N", "Most distinct scores that are counted one by one.", SCORES, parser=whole)
]
ThresholdFrom = Annotated[
    list[Path] | None,
    option(
        "--threshold-from",
        "FILE",
        "A threshold that deciban threshold chose on development trials; repeatable.",
        FIGURES,
        parser=place,
    ),
]
Metrics = Annotated[
    list[str] | None,
    option(
        "--metric",
        "EXPR",
        "A further figure, e.g. eer:all or p_miss_at:p_fa=0.01; repeatable; see deciban metrics.",
        FIGURES,
    ),
]
Exact = Annotated[bool, flag("--exact", "Fractions beside count-based figures.", FIGURES)]
Require = Annotated[
    list[str] | None,
    option("--require", "EXPR", "Exit 1 unless e.g. 'auc >= 0.85' or 'low(auc) >= 0.8'; repeatable.", OUTPUT),
]
VocabularyOption = Annotated[
    str, option("--vocabulary", "WORDS", "neutral, forensic, biometric, spoofing or ml.", OUTPUT)
]
Equalise = Annotated[
    str | None,
    option(
        "--equalise",
        "COL",
        "Let each partition of the trials by this column count the same (a,b crosses two).",
        FIGURES,
    ),
]
Format = Annotated[str, option("--format", "FORMAT", "table, json, csv, markdown or plain.", OUTPUT)]
Strict = Annotated[bool, flag("--strict", "Exit 1 on any warning.", OUTPUT)]
Folder = Annotated[Path, option("-o --output", "DIR", "Folder to write to.", parser=place)]

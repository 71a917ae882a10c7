"""Options that several commands share, declared once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar

import typer

from deciban.spelled import spelled_float, spelled_int

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
Fta = Annotated[
    float | None,
    typer.Option(
        "--fta",
        metavar="P",
        parser=number,
        help="Rate of failure to acquire, known from elsewhere: FRR and FAR at each threshold (--missing reject counts "
        "it from the data).",
        rich_help_panel=FIGURES,
    ),
]
Fte = Annotated[
    float | None,
    typer.Option(
        "--fte",
        metavar="P",
        parser=number,
        help="Rate of failure to enrol: generalised rates GFRR and GFAR at each threshold.",
        rich_help_panel=FIGURES,
    ),
]
PTarget = Annotated[
    float | None,
    typer.Option(
        "--p-target",
        metavar="P",
        parser=number,
        help="Prior at which LRs become posteriors (default: the share of targets in the data).",
        rich_help_panel=FIGURES,
    ),
]
Cost = Annotated[
    list[str] | None,
    typer.Option(
        "--cost",
        metavar="EXPR",
        help="Detection cost, e.g. preset=voxsrc or p_target=0.01,c_miss=10,c_fa=1; repeatable.",
        rich_help_panel=FIGURES,
    ),
]
ResolutionOption = Annotated[
    float | None,
    typer.Option(
        "--resolution",
        metavar="R",
        parser=resolution,
        help="Count scores in buckets of this width, or auto: figures become brackets that hold the exact ones.",
        rich_help_panel=SCORES,
    ),
]
MaxBlocks = Annotated[
    int,
    typer.Option(
        "--max-blocks",
        metavar="N",
        parser=whole,
        help="Most distinct scores that are counted one by one.",
        rich_help_panel=SCORES,
    ),
]
ThresholdFrom = Annotated[
    list[Path] | None,
    typer.Option(
        "--threshold-from",
        metavar="FILE",
        parser=place,
        help="A threshold that deciban threshold chose on development trials; repeatable.",
        rich_help_panel=FIGURES,
    ),
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        metavar="EXPR",
        help="A further figure, e.g. eer:all or p_miss_at:p_fa=0.01; repeatable; see deciban metrics.",
        rich_help_panel=FIGURES,
    ),
]
Exact = Annotated[
    bool,
    typer.Option("--exact", help="Fractions beside count-based figures.", rich_help_panel=FIGURES),
]
Require = Annotated[
    list[str] | None,
    typer.Option(
        "--require",
        metavar="EXPR",
        help="Exit 1 unless e.g. 'auc >= 0.85' or 'low(auc) >= 0.8'; repeatable.",
        rich_help_panel=OUTPUT,
    ),
]
VocabularyOption = Annotated[
    str,
    typer.Option(
        "--vocabulary",
        metavar="WORDS",
        help="neutral, forensic, biometric, spoofing or ml.",
        rich_help_panel=OUTPUT,
    ),
]
Equalise = Annotated[
    str | None,
    typer.Option(
        "--equalise",
        metavar="COL",
        help="Let each partition of the trials by this column count the same (a,b crosses two).",
        rich_help_panel=FIGURES,
    ),
]
Format = Annotated[
    str,
    typer.Option("--format", metavar="FORMAT", help="table, json, csv, markdown or plain.", rich_help_panel=OUTPUT),
]
Strict = Annotated[bool, typer.Option("--strict", help="Exit 1 on any warning.", rich_help_panel=OUTPUT)]
Folder = Annotated[Path, typer.Option("-o", "--output", metavar="DIR", parser=place, help="Folder to write to.")]

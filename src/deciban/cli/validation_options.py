"""Options of ``deciban validate`` that its criteria file may answer: without defaults, so that what is given shows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deciban.cli import options

CRITERIA = "Criteria"

Files = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILE",
        help="The validation data, one table: a file, several with the same columns, a glob, or - (default: [data] "
        "file of the criteria).",
        show_default=False,
    ),
]
Criteria = Annotated[
    Path | None,
    typer.Option(
        "--criteria", metavar="TOML", parser=options.place, help="The criteria file.", rich_help_panel=CRITERIA
    ),
]
Init = Annotated[
    Path | None,
    typer.Option(
        "--init",
        metavar="TOML",
        parser=options.place,
        help="Write a criteria file that explains every field, and end.",
        rich_help_panel=CRITERIA,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        parser=options.place,
        help="Write the whole report here, too: .html (a page), .md, or .json (the record).",
        rich_help_panel=options.OUTPUT,
    ),
]
Missing = Annotated[
    str | None,
    typer.Option(
        "--missing",
        metavar="HOW",
        help="Missing scores: refuse them, drop them, or reject: count them as never accepted.",
        rich_help_panel=options.SCORES,
    ),
]
Higher = Annotated[
    str | None,
    typer.Option(
        "--higher",
        metavar="CLASS",
        help="Which class high scores speak for: target, or nontarget (distances), which are then reversed.",
        rich_help_panel=options.SCORES,
    ),
]
Unmatched = Annotated[
    str | None,
    typer.Option(
        "--unmatched",
        metavar="HOW",
        help="Trials that only one of key and scores has: refuse or drop them.",
        rich_help_panel=options.SCORES,
        show_default=False,
    ),
]
Swap = Annotated[
    bool | None,
    typer.Option(
        "--swap/--no-swap",
        help="Evaluate the other class: labels swapped, scores reversed.",
        rich_help_panel=options.SCORES,
        show_default=False,
    ),
]
Threshold = Annotated[
    list[float] | None,
    typer.Option(
        "--threshold",
        metavar="T",
        parser=options.number,
        help="Count errors when score >= T is accepted; repeatable (default: those of the criteria, else LR = 1).",
        rich_help_panel=options.FIGURES,
    ),
]
Interval = Annotated[
    str | None,
    typer.Option(
        "--interval",
        metavar="HOW",
        help="auto, bootstrap (every figure) or none.",
        rich_help_panel=options.UNCERTAINTY,
    ),
]
Level = Annotated[
    float | None,
    typer.Option(
        "--level", metavar="P", parser=options.number, help="Confidence level.", rich_help_panel=options.UNCERTAINTY
    ),
]
Replicates = Annotated[
    int | None,
    typer.Option(
        "--replicates",
        metavar="N",
        parser=options.whole,
        help="Bootstrap replicates, and simulations of null bands.",
        rich_help_panel=options.UNCERTAINTY,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        parser=options.whole,
        help="Seed of every random draw.",
        rich_help_panel=options.UNCERTAINTY,
    ),
]
Strict = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Exit 1 also when a criterion is not assessable, and on any warning.",
        rich_help_panel=options.OUTPUT,
    ),
]

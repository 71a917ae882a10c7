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
    Path | None, options.option("--criteria", "TOML", "The criteria file.", CRITERIA, parser=options.place)
]
Init = Annotated[
    Path | None,
    options.option(
        "--init", "TOML", "Write a criteria file that explains every field, and end.", CRITERIA, parser=options.place
    ),
]
Output = Annotated[
    Path | None,
    options.option(
        "-o --output",
        "FILE",
        "Write the whole report here, too: .html (a page), .md, or .json (the record).",
        options.OUTPUT,
        parser=options.place,
    ),
]
Missing = Annotated[
    str | None,
    options.option(
        "--missing",
        "HOW",
        "Missing scores: refuse them, drop them, or reject: count them as never accepted.",
        options.SCORES,
    ),
]
Higher = Annotated[
    str | None,
    options.option(
        "--higher",
        "CLASS",
        "Which class high scores speak for: target, or nontarget (distances), which are then reversed.",
        options.SCORES,
    ),
]
Unmatched = Annotated[
    str | None,
    options.option(
        "--unmatched",
        "HOW",
        "Trials that only one of key and scores has: refuse or drop them.",
        options.SCORES,
        show_default=False,
    ),
]
Swap = Annotated[
    bool | None,
    options.flag(
        "--swap/--no-swap",
        "Evaluate the other class: labels swapped, scores reversed.",
        options.SCORES,
        show_default=False,
    ),
]
Threshold = Annotated[
    list[float] | None,
    options.option(
        "--threshold",
        "T",
        "Count errors when score >= T is accepted; repeatable (default: those of the criteria, else LR = 1).",
        options.FIGURES,
        parser=options.number,
    ),
]
Interval = Annotated[
    str | None, options.option("--interval", "HOW", "auto, bootstrap (every figure) or none.", options.UNCERTAINTY)
]
Level = Annotated[
    float | None, options.option("--level", "P", "Confidence level.", options.UNCERTAINTY, parser=options.number)
]
Replicates = Annotated[
    int | None,
    options.option(
        "--replicates",
        "N",
        "Bootstrap replicates, and simulations of null bands.",
        options.UNCERTAINTY,
        parser=options.whole,
    ),
]
Seed = Annotated[
    int | None, options.option("--seed", "N", "Seed of every random draw.", options.UNCERTAINTY, parser=options.whole)
]
Strict = Annotated[
    bool,
    options.flag("--strict", "Exit 1 also when a criterion is not assessable, and on any warning.", options.OUTPUT),
]

"""Options that several commands share, declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE…", help="One table: a file, several with the same columns, a glob, or - for stdin."),
]
Score = Annotated[str | None, typer.Option("--score", metavar="COL", help="Score column.")]
Label = Annotated[str | None, typer.Option("--label", metavar="COL", help="Label column.")]
Target = Annotated[
    list[str] | None, typer.Option("--target", metavar="VALUE", help="Label value of the target class; repeatable.")
]
Nontarget = Annotated[
    list[str] | None, typer.Option("--nontarget", metavar="VALUE", help="Label value of the nontarget class.")
]
Ignore = Annotated[
    list[str] | None, typer.Option("--ignore", metavar="VALUE", help="Label value of trials to leave out.")
]
ScaleOption = Annotated[
    Literal["score", "probability", "lr", "ln_lr", "log2_lr", "log10_lr", "deciban"] | None,
    typer.Option("--scale", help="What the scores are; the default, score, only ranks."),
]
Prior = Annotated[float | None, typer.Option("--prior", metavar="P", help="Prior that probabilities were made under.")]
Weight = Annotated[str | None, typer.Option("--weight", metavar="COL", help="Column of weights, >= 0.")]
Sources = Annotated[
    list[str] | None,
    typer.Option("--source", metavar="COL", help="Column of the trial's source (speaker, author); at most two."),
]
Ids = Annotated[list[str] | None, typer.Option("--id", metavar="COL", help="Column that names a trial.")]
By = Annotated[
    list[str] | None,
    typer.Option("--by", metavar="COL", help="Condition column: a table of its groups; a,b crosses two."),
]
MissingOption = Annotated[
    Literal["refuse", "drop", "reject"],
    typer.Option("--missing", help="Missing scores: refuse them, drop them, or count them as never accepted."),
]
Higher = Annotated[
    Literal["target", "nontarget"],
    typer.Option("--higher", help="Which class high scores speak for; nontarget for distances."),
]
Swap = Annotated[bool, typer.Option("--swap", help="Evaluate the other class.")]
Folder = Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder to write to.")]

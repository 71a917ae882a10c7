"""Options of calibrators, declared once for the commands that fit."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from deciban.cli import options
from deciban.cli.data_options import DataOptions

CALIBRATOR = "What is fitted"
MISSING = ("refuse", "drop")

Missing = Annotated[
    str,
    typer.Option("--missing", metavar="HOW", help="Missing scores: refuse or drop.", rich_help_panel=options.SCORES),
]
AllowLeak = Annotated[
    bool,
    typer.Option(
        "--allow-leak", help="Go on although sources were seen in the fit: figures of such LRs are optimistic."
    ),
]
Suffix = Annotated[str, typer.Option("--suffix", metavar="TEXT", help="What the names of the columns added end with.")]
Written = Annotated[
    Path,
    typer.Option("-o", "--output", metavar="FILE", parser=options.place, help="Table to write, .csv or .parquet."),
]
Tables = Annotated[
    list[str] | None,
    typer.Argument(metavar="FILE", help="One table: a file, several with the same columns, a glob, or - for stdin."),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratorOptions:
    """What is fitted; ``weighing`` is the prior of the fit."""

    model: Annotated[
        str,
        typer.Option(
            "-m",
            "--model",
            metavar="MODEL",
            help="logistic, temperature, gaussian, gaussian-unequal, kde, isotonic, isotonic-laplace, beta or "
            "bigaussian.",
            rich_help_panel=CALIBRATOR,
        ),
    ] = "logistic"
    weighing: Annotated[
        float | None,
        typer.Option(
            "--prior",
            metavar="P",
            parser=options.number,
            help="Prior that weighs the classes in the fit (logistic, temperature, beta; default: 0.5).",
            rich_help_panel=CALIBRATOR,
        ),
    ] = None
    penalty: Annotated[
        float | None,
        typer.Option(
            "--penalty",
            metavar="LAMBDA",
            parser=options.number,
            help="Penalty on the squared slope per standard deviation (logistic; default: none).",
            rich_help_panel=CALIBRATOR,
        ),
    ] = None
    bandwidth: Annotated[
        float | None,
        typer.Option(
            "--bandwidth",
            metavar="H",
            parser=options.number,
            help="Width of the kernels (kde; default: by each class's spread and number).",
            rich_help_panel=CALIBRATOR,
        ),
    ] = None
    auc_low: Annotated[
        float | None,
        typer.Option(
            "--auc-low",
            metavar="A",
            parser=options.number,
            help="Lower end of an interval of the AUC, where that is 1 (bigaussian).",
            rich_help_panel=CALIBRATOR,
        ),
    ] = None
    bound: Annotated[
        str | None,
        typer.Option(
            "--bound",
            metavar="RULE",
            help="Give no LR beyond these: elub, elub-one-sided, iv, sources, sources=N, or LOWER,UPPER.",
            rich_help_panel=CALIBRATOR,
        ),
    ] = None

    def settings(self) -> dict[str, float | None]:
        """The settings of calibrators that were given."""
        return {
            "prior": self.weighing,
            "penalty": self.penalty,
            "bandwidth": self.bandwidth,
            "auc_low": self.auc_low,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialsToFit(DataOptions):
    """The trials of a fit, whose own prior takes the name --prior."""

    prior: Annotated[
        float | None,
        typer.Option(
            "--score-prior",
            metavar="P",
            parser=options.number,
            help="Prior that probabilities were made under.",
            rich_help_panel=options.SCORES,
        ),
    ] = None
    missing: Missing = "refuse"

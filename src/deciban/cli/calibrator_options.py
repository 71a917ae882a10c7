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

Missing = Annotated[str, options.option("--missing", "HOW", "Missing scores: refuse or drop.", options.SCORES)]
AllowLeak = Annotated[
    bool,
    options.flag("--allow-leak", "Go on although sources were seen in the fit: figures of such LRs are optimistic."),
]
Suffix = Annotated[str, options.option("--suffix", "TEXT", "What the names of the columns added end with.")]
Written = Annotated[
    Path, options.option("-o --output", "FILE", "Table to write, .csv or .parquet.", parser=options.place)
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
        options.option(
            "-m --model",
            "MODEL",
            "logistic, temperature, gaussian, gaussian-unequal, kde, isotonic, isotonic-laplace, beta or bigaussian.",
            CALIBRATOR,
        ),
    ] = "logistic"
    weighing: Annotated[
        float | None,
        options.option(
            "--prior",
            "P",
            "Prior that weighs the classes in the fit (logistic, temperature, beta; default: 0.5).",
            CALIBRATOR,
            parser=options.number,
        ),
    ] = None
    penalty: Annotated[
        float | None,
        options.option(
            "--penalty",
            "LAMBDA",
            "Penalty on the squared slope per standard deviation (logistic; default: none).",
            CALIBRATOR,
            parser=options.number,
        ),
    ] = None
    bandwidth: Annotated[
        float | None,
        options.option(
            "--bandwidth",
            "H",
            "Width of the kernels (kde; default: by each class's spread and number).",
            CALIBRATOR,
            parser=options.number,
        ),
    ] = None
    auc_low: Annotated[
        float | None,
        options.option(
            "--auc-low",
            "A",
            "Lower end of an interval of the AUC, where that is 1 (bigaussian).",
            CALIBRATOR,
            parser=options.number,
        ),
    ] = None
    bound: Annotated[
        str | None,
        options.option(
            "--bound",
            "RULE",
            "Give no LR beyond these: elub, elub-one-sided, iv, sources, sources=N, or LOWER,UPPER.",
            CALIBRATOR,
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
        options.option(
            "--score-prior", "P", "Prior that probabilities were made under.", options.SCORES, parser=options.number
        ),
    ] = None
    missing: Missing = "refuse"

"""``deciban plan``: what numbers of trials can show, and how many trials a wanted precision takes."""

from __future__ import annotations

from typing import Annotated

import typer

from deciban.cli import interval_options, options
from deciban.cli.formats import Format, check_format, formatted
from deciban.cli.output import busy, errors_end_here, write

AT_HAND, WANTED = "Trials at hand", "What should be known"


def plan(
    targets: Annotated[
        int | None,
        typer.Option("--targets", metavar="N", parser=options.whole, help="Targets.", rich_help_panel=AT_HAND),
    ] = None,
    nontargets: Annotated[
        int | None,
        typer.Option("--nontargets", metavar="N", parser=options.whole, help="Nontargets.", rich_help_panel=AT_HAND),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(
            "--rate", metavar="P", parser=options.number, help="An error rate expected.", rich_help_panel=WANTED
        ),
    ] = None,
    auc: Annotated[
        float | None,
        typer.Option("--auc", metavar="A", parser=options.number, help="An AUC expected.", rich_help_panel=WANTED),
    ] = None,
    cllr: Annotated[
        float | None,
        typer.Option("--cllr", metavar="BITS", parser=options.number, help="A Cllr expected.", rich_help_panel=WANTED),
    ] = None,
    width: Annotated[
        float | None,
        typer.Option(
            "--width",
            metavar="W",
            parser=options.number,
            help="Wanted distance between the ends of its interval; a rate may do without.",
            rich_help_panel=WANTED,
        ),
    ] = None,
    ratio: Annotated[
        float | None,
        typer.Option(
            "--ratio",
            metavar="R",
            parser=options.number,
            help="Nontargets for each target, with --auc or --cllr (default: 1).",
            rich_help_panel=WANTED,
        ),
    ] = None,
    level: interval_options.Level = 0.95,
    draws: Annotated[
        int,
        typer.Option(
            "--draws",
            metavar="N",
            parser=options.whole,
            help="Simulations of calibrated LRs; 0: none.",
            rich_help_panel=options.UNCERTAINTY,
        ),
    ] = 200,
    seed: interval_options.Seed = 0,
    format_: Format = "table",
) -> None:
    """Say what so many trials can and cannot show, or how many trials it takes to know a figure.

    For example: deciban plan --targets 500 --nontargets 20000; deciban plan --rate 0.01 --width 0.005.
    """
    with errors_end_here():
        from deciban.workflow.trial_plan import plan as run

        check_format(format_)
        with busy("simulating calibrated LRs") as progress:
            result = run(
                targets,
                nontargets,
                rate=rate,
                auc=auc,
                cllr=cllr,
                width=width,
                ratio=ratio,
                level=level,
                draws=draws,
                seed=seed,
                progress=progress,
            )
        write(formatted(result, format_))

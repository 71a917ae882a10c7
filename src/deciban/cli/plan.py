"""``deciban plan``: what numbers of trials can show, and how many trials a wanted precision takes."""

from __future__ import annotations

from typing import Annotated

from deciban.cli import interval_options, options
from deciban.cli.formats import Format, check_format, formatted
from deciban.cli.output import busy, errors_end_here, write

AT_HAND, WANTED = "Trials at hand", "What should be known"


def plan(
    targets: Annotated[int | None, options.option("--targets", "N", "Targets.", AT_HAND, parser=options.whole)] = None,
    nontargets: Annotated[
        int | None, options.option("--nontargets", "N", "Nontargets.", AT_HAND, parser=options.whole)
    ] = None,
    rate: Annotated[
        float | None, options.option("--rate", "P", "An error rate expected.", WANTED, parser=options.number)
    ] = None,
    auc: Annotated[
        float | None, options.option("--auc", "A", "An AUC expected.", WANTED, parser=options.number)
    ] = None,
    cllr: Annotated[
        float | None, options.option("--cllr", "BITS", "A Cllr expected.", WANTED, parser=options.number)
    ] = None,
    width: Annotated[
        float | None,
        options.option(
            "--width",
            "W",
            "Wanted distance between the ends of its interval; a rate may do without.",
            WANTED,
            parser=options.number,
        ),
    ] = None,
    ratio: Annotated[
        float | None,
        options.option(
            "--ratio",
            "R",
            "Nontargets for each target, with --auc or --cllr (default: 1).",
            WANTED,
            parser=options.number,
        ),
    ] = None,
    level: interval_options.Level = 0.95,
    draws: Annotated[
        int,
        options.option(
            "--draws", "N", "Simulations of calibrated LRs; 0: none.", options.UNCERTAINTY, parser=options.whole
        ),
    ] = 200,
    seed: interval_options.Seed = 0,
    format_: Format = "table",
) -> None:
    """Say what so many trials can and cannot show, or how many trials it takes to know a figure.

    For example: deciban plan --targets 500 --nontargets 20000; deciban plan --rate 0.01 --width 0.005.
    """
    with errors_end_here():
        from deciban.workflow.planning.trial_plan import plan as run

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

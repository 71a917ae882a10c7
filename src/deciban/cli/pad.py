"""``deciban pad``: presentation-attack detection, by attack species."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, cast

import typer

from deciban.cli import interval_options, options
from deciban.cli.data_options import Ignore, Label, Score
from deciban.cli.output import DONE, NOT_MET, assumed, errors_end_here, say, write
from deciban.cli.printing import FORMATS, formatted, say_findings

if TYPE_CHECKING:
    from deciban.uncertainty.proportion import ProportionMethod


def pad(
    files: options.Files,
    species: Annotated[
        str,
        typer.Option(
            "--species",
            metavar="COL",
            help="Column that names the attack species (instrument) of each attack.",
            rich_help_panel=options.DATA,
        ),
    ],
    score: Score = None,
    label: Label = None,
    target: Annotated[
        list[str] | None,
        typer.Option(
            "--target", metavar="VALUE", help="Label value of bona fide; repeatable.", rich_help_panel=options.SCORES
        ),
    ] = None,
    nontarget: Annotated[
        list[str] | None,
        typer.Option(
            "--nontarget", metavar="VALUE", help="Label value of attacks; repeatable.", rich_help_panel=options.SCORES
        ),
    ] = None,
    ignore: Ignore = None,
    missing: Annotated[
        str,
        typer.Option(
            "--missing",
            metavar="HOW",
            help="Presentations without a score: refuse them; drop: report their rates (APNRR, BPNRR) and leave them "
            "out of the rest; reject: count them as not taken for bona fide too.",
            rich_help_panel=options.SCORES,
        ),
    ] = "refuse",
    higher: Annotated[
        str,
        typer.Option(
            "--higher",
            metavar="CLASS",
            help="Which class high scores speak for: target (bona fide) or nontarget (attack).",
            rich_help_panel=options.SCORES,
        ),
    ] = "target",
    threshold: Annotated[
        list[float] | None,
        typer.Option(
            "--threshold",
            metavar="T",
            parser=options.number,
            help="Bona fide when score >= T (score <= T with --higher nontarget); repeatable.",
            rich_help_panel=options.FIGURES,
        ),
    ] = None,
    apcer: Annotated[
        list[float] | None,
        typer.Option(
            "--apcer",
            metavar="P",
            parser=options.number,
            help="BPCER at the lowest threshold at which no species has a larger APCER; repeatable.",
            rich_help_panel=options.FIGURES,
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="An average for comparison with old reports: acer or apcer_pooled; repeatable.",
            rich_help_panel=options.FIGURES,
        ),
    ] = None,
    level: interval_options.Level = 0.95,
    proportion: interval_options.Proportion = "wilson",
    format_: options.Format = "table",
    strict: options.Strict = False,
) -> None:
    """Error rates of presentation-attack detection: APCER of each species and of the worst, BPCER, non-responses.

    The result goes to stdout. Exit status: 0 done, 1 --strict was not met, 2 wrong use or bad input.
    """
    with errors_end_here():
        from deciban.option_checks import check_choice
        from deciban.records.display import several
        from deciban.scanning import scan
        from deciban.trials import MISSING
        from deciban.workflow.attacks import evaluate_attacks

        check_choice("--format", format_, FORMATS)
        check_choice("--missing", missing, MISSING)
        table = scan(
            files,
            score=score,
            label=label,
            target=target or None,
            nontarget=nontarget or None,
            ignore=ignore or (),
            scale="score",
            conditions=(species,),
            # Non-responses are counted by species either way, which needs their rows.
            missing="refuse" if missing == "refuse" else "reject",
            higher=higher,
        )
        result = evaluate_attacks(
            table,
            species,
            thresholds=threshold or (),
            apcer=apcer or (),
            metrics=metric or (),
            nonresponse="rejected" if missing == "reject" else "apart",
            level=level,
            proportion=cast("ProportionMethod", proportion),
        )
        assumed(result.provenance.columns["assumed"])
        say_findings(result, format_)
        write(formatted(result, format_))
        warned = sum(finding.severity == "warn" for finding in result.findings) if strict else 0
        if warned:
            say(f"deciban: strict: not met, {several(warned, 'warning')}")
        sys.exit(NOT_MET if warned else DONE)

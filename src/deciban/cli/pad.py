"""``deciban pad``: presentation-attack detection, by attack species."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, cast

from deciban.cli import interval_options, options
from deciban.cli.data_options import Ignore, Label, Score
from deciban.cli.output import DONE, NOT_MET, assumed, errors_end_here, write
from deciban.cli.printing import FORMATS, formatted, say_findings, strict_not_met

if TYPE_CHECKING:
    from deciban.uncertainty.proportion import ProportionMethod


def pad(
    files: options.Files,
    species: Annotated[
        str,
        options.option(
            "--species", "COL", "Column that names the attack species (instrument) of each attack.", options.DATA
        ),
    ],
    score: Score = None,
    label: Label = None,
    target: Annotated[
        list[str] | None, options.option("--target", "VALUE", "Label value of bona fide; repeatable.", options.SCORES)
    ] = None,
    nontarget: Annotated[
        list[str] | None, options.option("--nontarget", "VALUE", "Label value of attacks; repeatable.", options.SCORES)
    ] = None,
    ignore: Ignore = None,
    missing: Annotated[
        str,
        options.option(
            "--missing",
            "HOW",
            "Presentations without a score: refuse them; drop: report their rates (APNRR, BPNRR) and leave them "
            "out of the rest; reject: count them as not taken for bona fide too.",
            options.SCORES,
        ),
    ] = "refuse",
    higher: Annotated[
        str,
        options.option(
            "--higher",
            "CLASS",
            "Which class high scores speak for: target (bona fide) or nontarget (attack).",
            options.SCORES,
        ),
    ] = "target",
    threshold: Annotated[
        list[float] | None,
        options.option(
            "--threshold",
            "T",
            "Bona fide when score >= T (score <= T with --higher nontarget); repeatable.",
            options.FIGURES,
            parser=options.number,
        ),
    ] = None,
    apcer: Annotated[
        list[float] | None,
        options.option(
            "--apcer",
            "P",
            "BPCER at the lowest threshold at which no species has a larger APCER; repeatable.",
            options.FIGURES,
            parser=options.number,
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        options.option(
            "--metric",
            "NAME",
            "An average for comparison with old reports: acer or apcer_pooled; repeatable.",
            options.FIGURES,
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
        from deciban.tables.scanning import scan
        from deciban.trials.trials import MISSING
        from deciban.values.option_checks import check_choice
        from deciban.workflow.attacks.attacks import evaluate_attacks

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
        sys.exit(NOT_MET if strict_not_met(result.findings, strict) else DONE)

"""``deciban pan``: submissions to PAN's verification tasks, by the evaluator of a year."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Final

import typer

from deciban.cli import options
from deciban.cli.bundles import takes_bundles
from deciban.cli.interval_options import DrawOptions
from deciban.cli.output import assumed, busy, errors_end_here, write
from deciban.cli.printing import formatted, say_findings

if TYPE_CHECKING:
    from deciban.pan.record import PanRanking

FORMATS: Final = ("table", "json", "prototext", "csv", "markdown", "plain", "record")
OFFICIAL: Final = ("json", "prototext")
"""Formats of the evaluators, which hold nothing but the official figures."""


@takes_bundles
def pan(
    truth: Annotated[str, typer.Argument(metavar="TRUTH", help="truth.jsonl, plain or compressed.")],
    answers: Annotated[
        list[str], typer.Argument(metavar="ANSWERS", help="answers.jsonl of one submission or several.")
    ],
    *,
    profile: Annotated[
        str | None,
        options.option(
            "--profile",
            "YEAR",
            "pan14, pan15, pan20, pan20-published, pan21, pan22, pan23, pan24 or pan25 (default: by the field of "
            "the truth pan23, pan24 or pan25).",
            options.FIGURES,
            show_default=False,
        ),
    ] = None,
    interval: Annotated[
        str,
        options.option(
            "--interval",
            "HOW",
            "bootstrap (over problems, the same draws for all submissions) or none.",
            options.UNCERTAINTY,
        ),
    ] = "bootstrap",
    draws: DrawOptions,
    format_: Annotated[
        str,
        options.option(
            "--format",
            "FORMAT",
            "table, csv, markdown, plain; json or prototext: what the evaluator of the year writes; record: "
            "everything, unrounded and with intervals, as JSON.",
            options.OUTPUT,
        ),
    ] = "table",
) -> None:
    """Evaluate answers to a PAN authorship-verification task as the evaluator of a year does; rank several.

    A problem without an answer counts as 0.5. Official figures are rounded to three decimals (not those of 2014 and
    2015, nor in csv and record); the intervals are not official.
    """
    with errors_end_here():
        from deciban.errors import OptionError
        from deciban.pan.evaluating import pan_rank
        from deciban.tables.files.standard_input import refuse_stdin_twice
        from deciban.values.option_checks import check_choice

        check_choice("--format", format_, FORMATS)
        if format_ == "prototext" and len(answers) > 1:
            raise OptionError(f"--format prototext: expected one submission, found {len(answers)}; use json or table")
        refuse_stdin_twice([("the truth", truth), ("the answers", answers)])
        with busy("drawing") as progress:
            result = pan_rank(
                truth,
                answers,
                profile,
                interval="none" if format_ in OFFICIAL else interval,
                **draws.given(),
                progress=progress,
            )
        if profile is None:
            assumed([f"--profile {result.profile}, by the field of the truth"])
        say_findings(result, "json" if format_ in (*OFFICIAL, "record") else format_)
        write(_written(result, format_))


def _written(result: PanRanking, format_: str) -> str:
    """The ranking in one of the formats."""
    if format_ == "record":
        return result.to_json()
    if format_ not in OFFICIAL:
        return formatted(result, format_)
    evaluations = {name: one.evaluation for name, one in result.submissions.items()}
    if len(evaluations) > 1:
        return json.dumps({name: one.rounded() for name, one in evaluations.items()}, indent=4) + "\n"
    (only,) = evaluations.values()
    return only.official_json() if format_ == "json" else only.official_prototext()

"""``deciban threshold``: choose a threshold on development trials, to be applied with ``evaluate --threshold-from``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deciban.cli import options
from deciban.cli.output import assumed, errors_end_here, say, write, write_file


def threshold(
    files: options.Files,
    at: Annotated[
        str,
        typer.Option(
            "--at",
            metavar="RULE",
            help="eer, eer:method=…, min_dcf:preset=…, p_fa=0.01, p_miss=0.01, f1, youden, or cost:p_target=…,c_miss=…",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            parser=options.place,
            help="Write the record here instead of stdout.",
        ),
    ] = None,
    score: options.Score = None,
    label: options.Label = None,
    target: options.Target = None,
    nontarget: options.Nontarget = None,
    ignore: options.Ignore = None,
    scale: options.ScaleOption = None,
    prior: options.Prior = None,
    weight: options.Weight = None,
    missing: options.MissingOption = "refuse",
    higher: options.Higher = "target",
    swap: options.Swap = False,
) -> None:
    """Choose a threshold by a rule and write it as JSON, with where it comes from."""
    with errors_end_here():
        from deciban.direction import reversal, reversed_threshold
        from deciban.records.display import exact_digits
        from deciban.scanning import scan
        from deciban.workflow.choose import choose_threshold

        table = scan(
            files,
            score=score,
            label=label,
            target=target or None,
            nontarget=nontarget or None,
            ignore=ignore or (),
            scale=scale,
            prior=prior,
            weight=weight,
            missing=missing,
            higher=higher,
            swap=swap,
        )
        chosen = choose_threshold(table, at)
        assumed(chosen.provenance.columns["assumed"])
        if not chosen.reached:
            say(f"deciban: note: no threshold has exactly {chosen.rule}; the nearest one was taken")
        if output is None:
            write(chosen.to_json())
        else:
            write_file(output, chosen.to_json())
        rates = f"p_miss {chosen.p_miss:.6g}, p_fa {chosen.p_fa:.6g} on these trials"
        say(f"deciban: threshold {chosen.threshold!r}: {rates}")
        if chosen.reversed:
            at = exact_digits(reversed_threshold(chosen.threshold, chosen.scale))
            said = reversal(chosen.provenance.columns, [at])
            say(f"deciban: {said}; the record holds {chosen.threshold!r}, for the reversed scores")

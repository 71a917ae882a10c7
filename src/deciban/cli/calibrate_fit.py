"""``deciban calibrate fit``: fit a calibration to development trials and write it to a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deciban.cli import calibrator_options as fitting
from deciban.cli import options
from deciban.cli.output import assumed, errors_end_here, refuse_input, say, write
from deciban.cli.printing import say_all
from deciban.whole_file import write_file


def fit(
    files: options.Files,
    model: fitting.Model = "logistic",
    prior: fitting.Prior = None,
    penalty: fitting.Penalty = None,
    bandwidth: fitting.Bandwidth = None,
    auc_low: fitting.AucLow = None,
    bound: fitting.Bound = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            parser=options.place,
            help="Write the calibration here instead of stdout.",
        ),
    ] = None,
    score: options.Score = None,
    label: options.Label = None,
    weight: options.Weight = None,
    source: options.Sources = None,
    target: options.Target = None,
    nontarget: options.Nontarget = None,
    ignore: options.Ignore = None,
    scale: options.ScaleOption = None,
    score_prior: fitting.ScorePrior = None,
    missing: fitting.Missing = "refuse",
    higher: options.Higher = "target",
    swap: options.Swap = False,
) -> None:
    """Fit a map from scores to likelihood ratios.

    The file holds the model, the numbers and range of the trials fitted, digests of their sources, the hash of the
    input and versions; deciban calibrate apply reads it.
    """
    with errors_end_here():
        from deciban.scanning import scan
        from deciban.workflow.calibrate import calibrator_by_name, fit_table
        from deciban.workflow.findings.calibrating import calibration_findings

        calibrator = calibrator_by_name(
            model, bound, prior=prior, penalty=penalty, bandwidth=bandwidth, auc_low=auc_low
        )
        refuse_input(output, files)
        table = scan(
            files,
            score=score,
            label=label,
            target=target or None,
            nontarget=nontarget or None,
            ignore=ignore or (),
            scale=scale,
            prior=score_prior,
            sources=tuple(source or ()),
            weight=weight,
            missing=missing,
            higher=higher,
            swap=swap,
        )
        calibration = fit_table(calibrator, table)
        assumed(calibration.columns["assumed"])
        say_all(calibration_findings(calibration))
        if output is None:
            write(calibration.to_json())
        else:
            write_file(output, calibration.to_json())
            training = calibration.training
            say(f"deciban: wrote {output}: {model}, {training.n_target:g} targets, {training.n_nontarget:g} nontargets")

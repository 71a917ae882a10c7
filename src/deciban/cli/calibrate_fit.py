"""``deciban calibrate fit``: fit a calibration or a fusion to development trials and write it to a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from deciban.cli import calibrator_options as fitting
from deciban.cli import options
from deciban.cli.bundles import Without, takes_bundles
from deciban.cli.data_options import ScoresOf, SystemOption
from deciban.cli.output import assumed, errors_end_here, once, refuse_input, say, write
from deciban.cli.printing import say_all
from deciban.cli.wording import words_of_a_fit
from deciban.values.whole_file import write_file


@takes_bundles
def fit(
    *,
    files: fitting.Tables = None,
    system: SystemOption = None,
    calibrator: fitting.CalibratorOptions,
    output: Annotated[
        Path | None,
        options.option("-o --output", "FILE", "Write the calibration here instead of stdout.", parser=options.place),
    ] = None,
    score: ScoresOf = None,
    data: Annotated[fitting.TrialsToFit, Without("by")],
) -> None:
    """Fit a map from scores to likelihood ratios, or from the scores of several systems: a fusion.

    The file holds the model, the numbers and range of the trials fitted, digests of their sources, the hash of the
    input and versions; deciban calibrate apply reads it. Systems are several --score columns of one FILE, or several
    --system NAME=FILE, joined by --id (without any by row, where labels agree); they are fused by logistic regression.
    """
    with errors_end_here():
        from deciban.cli.systems import are_several, scan_systems
        from deciban.values.option_checks import check_choice
        from deciban.workflow.calibrating.calibrate import calibrator_by_name, fit_table, fit_tables, fusion_by_name
        from deciban.workflow.findings.calibrating import calibration_findings, fusion_findings

        check_choice("--missing", data.missing, fitting.MISSING)
        model, settings = calibrator.model, calibrator.settings()
        several = are_several(system or [], score or [])
        fusion = fusion_by_name(model, calibrator.bound, **settings) if several else None
        alone = None if several else calibrator_by_name(model, calibrator.bound, **settings)
        refuse_input(output, [*(files or []), *(one.partition("=")[2] for one in system or [])])
        with words_of_a_fit():
            tables = scan_systems("calibrate fit", files or [], system or [], score or [], **data.declared())
            if fusion is not None:
                fused = fit_tables(fusion, tables)
                text, training = fused.to_json(), next(iter(fused.training.values()))
                said = once({name: columns["assumed"] for name, columns in fused.columns.items()})
                findings, what = fusion_findings(fused), f"fusion of {', '.join(fused.slopes)}"
            elif alone is not None:
                calibration = fit_table(alone, next(iter(tables.values())))
                text, training = calibration.to_json(), calibration.training
                said, findings, what = calibration.columns["assumed"], calibration_findings(calibration), model
        assumed(said)
        say_all(findings)
        if output is None:
            write(text)
        else:
            write_file(output, text)
            say(f"deciban: wrote {output}: {what}, {training.n_target:g} targets, {training.n_nontarget:g} nontargets")

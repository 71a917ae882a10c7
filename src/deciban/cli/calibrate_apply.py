"""``deciban calibrate apply``: likelihood ratios beside the scores of a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deciban.cli import calibrator_options as fitting
from deciban.cli import options
from deciban.cli.output import assumed, errors_end_here, refuse_input, say
from deciban.cli.printing import say_all
from deciban.files.whole import whole_file


def apply(
    calibration: Annotated[Path, typer.Argument(metavar="CALIBRATION", help="What deciban calibrate fit wrote.")],
    files: options.Files,
    output: fitting.Written,
    score: options.Score = None,
    source: options.Sources = None,
    missing: fitting.Missing = "refuse",
    allow_leak: fitting.AllowLeak = False,
    suffix: fitting.Suffix = "",
) -> None:
    """Add ln_lr, log10_lr and supported to every row of a table, which needs no labels.

    All its columns are kept. A row is not supported when its score lies outside the fitted range or its LR was given a
    bound.
    """
    with errors_end_here():
        from deciban.calibration.calibration import load_calibration
        from deciban.files.table_writing import check_table_place, write_table
        from deciban.records.display import several
        from deciban.workflow.cases import calibrate_files

        check_table_place(output)
        refuse_input(output, [*files, str(calibration)])
        cases = calibrate_files(
            load_calibration(calibration),
            files,
            score=score,
            sources=tuple(source or ()),
            missing=missing,
            allow_leak=allow_leak,
            suffix=suffix,
        )
        with whole_file(output) as temporary:
            write_table(cases.columns, temporary, output)
        assumed(cases.said)
        say_all(cases.findings)
        rows = len(next(iter(cases.columns.values())))
        without = f", {cases.without} without a score" if cases.without else ""
        say(f"deciban: wrote {output}: {several(rows, 'row')}{without}, {cases.unsupported} not supported")

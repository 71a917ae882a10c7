"""``deciban calibrate show``: what a calibration does and what it was fitted to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deciban.cli.formats import Format, check_format, formatted
from deciban.cli.output import errors_end_here, write


def show(
    calibration: Annotated[Path, typer.Argument(metavar="CALIBRATION", help="What deciban calibrate fit wrote.")],
    format_: Format = "table",
) -> None:
    """Show the settings, parameters, bounds and training trials of a calibration, with findings."""
    with errors_end_here():
        from deciban.calibration.calibration import load_calibration
        from deciban.records.shown_calibration import ShownCalibration
        from deciban.workflow.findings.calibrating import calibration_findings

        check_format(format_)
        loaded = load_calibration(calibration)
        write(formatted(ShownCalibration(loaded, tuple(calibration_findings(loaded))), format_))

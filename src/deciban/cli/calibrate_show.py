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
    """Show the settings, parameters, bounds and training trials of a calibration or fusion, with findings."""
    with errors_end_here():
        from deciban.records.shown_calibration import ShownCalibration
        from deciban.workflow.calibrating.calibrate import load_fitted
        from deciban.workflow.calibrating.fusion import Fusion
        from deciban.workflow.calibrating.shown_fusion import ShownFusion
        from deciban.workflow.findings.calibrating import calibration_findings, fusion_findings

        check_format(format_)
        loaded = load_fitted(calibration)
        if isinstance(loaded, Fusion):
            write(formatted(ShownFusion(loaded, tuple(fusion_findings(loaded))), format_))
        else:
            write(formatted(ShownCalibration(loaded, tuple(calibration_findings(loaded))), format_))

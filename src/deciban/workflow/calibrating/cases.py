"""Tables that are calibrated: log LRs to be added to every column and row of theirs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from deciban.calibration.calibration import Calibration
from deciban.tables.columns import column_name
from deciban.tables.files.duck import Role, interruptible
from deciban.tables.files.source import FileSource
from deciban.values.coded import whole
from deciban.values.option_checks import check_choice
from deciban.workflow.calibrating.case_columns import (
    Fitted,
    case_scores,
    leak,
    refuse_leak,
    score_column,
    source_columns,
)
from deciban.workflow.calibrating.lr_columns import Cases, added_columns, added_names
from deciban.workflow.findings.calibrating import extrapolation, undefined

MISSING: Final = ("refuse", "drop")


def calibrate_files(
    calibration: Calibration,
    files: Sequence[str],
    *,
    score: str | None = None,
    sources: Sequence[str] = (),
    missing: str = "refuse",
    allow_leak: bool = False,
    suffix: str = "",
) -> Cases:
    """Apply a calibration to the scores of a table, which needs no labels.

    Parameters
    ----------
    calibration
        The calibration; it says how scores are to be read (unit, prior, direction).
    files
        Paths of one table.
    score, sources
        Its columns; None and () are those that were fitted, where the table has them.
    missing
        ``"refuse"`` missing scores, or ``"drop"`` them: their rows are kept, without an LR.
    allow_leak
        Whether sources may be shared with the trials fitted, or the file be one that was fitted.
    suffix
        What the names of the three columns end with.

    Raises
    ------
    InputError
        When a column is not there, a score is no number of the unit, or there is a leak.
    OptionError
        When an option is not legal.
    """
    check_choice("missing", missing, MISSING)
    score = column_name("score", score)
    fitted = Fitted(calibration.training, calibration.columns)
    with interruptible():
        source = FileSource(list(files), tuple(name for name in (score, *sources) if name))
        said: list[str] = []
        score = score_column(fitted, source, score, said)
        sources = source_columns(fitted, source, sources, said)
        names = added_names(source.names, suffix)
        wanted: list[tuple[str, Role]] = [(score, "number"), *((name, "name") for name in sources)]
        found = source.fetch(wanted)
    scores = case_scores(fitted, source, score, found, missing)
    known = ~np.isnan(scores)
    columns = [whole(found[name, "name"]) for name in sources]
    shared = leak([calibration.training], calibration.inputs, source, columns, [scores])
    said += refuse_leak(shared, source.what, allow_leak=allow_leak)
    said += [] if calibration.bounds is None else [calibration.bounds.said()]
    given = scores[known]
    ln_lr, supported = calibration.transform(given), calibration.supported(given)
    return Cases(
        source=source,
        added=added_columns(names, known, ln_lr, supported),
        findings=(
            *extrapolation(calibration.training, given, None),
            *undefined(ln_lr, given, np.flatnonzero(known)),
        ),
        said=tuple(said),
        without=int(np.count_nonzero(~known)),
        unsupported=int(np.count_nonzero(~supported)),
    )

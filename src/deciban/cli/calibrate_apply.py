"""``deciban calibrate apply``: likelihood ratios beside the scores of a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deciban.cli import calibrator_options as fitting
from deciban.cli.data_options import Ids, ScoresOf, Sources, SystemOption
from deciban.cli.output import assumed, errors_end_here, refuse_input, say
from deciban.cli.printing import say_all
from deciban.values.whole_file import whole_file


def apply(
    calibration: Annotated[Path, typer.Argument(metavar="CALIBRATION", help="What deciban calibrate fit wrote.")],
    output: fitting.Written,
    files: fitting.Tables = None,
    system: SystemOption = None,
    score: ScoresOf = None,
    source: Sources = None,
    id_: Ids = None,
    missing: fitting.Missing = "refuse",
    allow_leak: fitting.AllowLeak = False,
    suffix: fitting.Suffix = "",
) -> None:
    """Add ln_lr, log10_lr and supported to every row of a table, which needs no labels.

    All its columns are kept. From CSV to CSV their text is, quotes and digits included (without blank lines between the
    rows and a mark of the byte order). From Parquet to Parquet their values are, with the types that DuckDB has:
    timestamps of a zone become UTC, categories text, durations numbers. In Parquet, cells of CSV stay text as they are
    written; in CSV, lists and the like are written as text. A row is not supported when
    its score lies outside the fitted range or its LR was given a bound; a score that has no LR gets none, and is not
    supported. A fusion takes the systems it was fitted to: their --score columns in one FILE, or a --system NAME=FILE
    for each, joined by --id; the table of the first is kept.
    """
    with errors_end_here():
        from deciban.cli.systems import are_several, by_name
        from deciban.errors import OptionError
        from deciban.records.display import several
        from deciban.tables.files.table_writing import check_table_place, write_with
        from deciban.workflow.calibrating.calibrate import load_fitted
        from deciban.workflow.calibrating.cases import calibrate_files
        from deciban.workflow.calibrating.fused_cases import fuse_files
        from deciban.workflow.calibrating.fusion import Fusion

        check_table_place(output)
        named, scores, of_trials = by_name(system or []), tuple(score or ()), tuple(source or ())
        if bool(named) == bool(files):
            found = "both" if named else "neither"
            raise OptionError(f"expected a FILE, or --system NAME=FILE for each system of a fusion, found {found}")
        refuse_input(output, [*(files or named.values()), str(calibration)])
        loaded = load_fitted(calibration)
        if isinstance(loaded, Fusion):
            cases = fuse_files(
                loaded,
                named or files or (),
                scores=scores,
                ids=tuple(id_ or ()),
                sources=of_trials,
                missing=missing,
                allow_leak=allow_leak,
                suffix=suffix,
            )
        else:
            if are_several(system or [], scores) or id_:
                raise OptionError(
                    f"{calibration}: a calibration of one system takes one FILE and one --score column; several "
                    "systems, and --id that joins them, are for a fusion"
                )
            cases = calibrate_files(
                loaded,
                files or (),
                score=scores[0] if scores else None,
                sources=of_trials,
                missing=missing,
                allow_leak=allow_leak,
                suffix=suffix,
            )
        with whole_file(output) as temporary:
            notes = write_with(cases.source, cases.added, temporary, output)
        assumed((*cases.said, *notes))
        say_all(cases.findings)
        rows = len(next(iter(cases.added.values())))
        without = f", {cases.without} without a score" if cases.without else ""
        say(f"deciban: wrote {output}: {several(rows, 'row')}{without}, {cases.unsupported} not supported")

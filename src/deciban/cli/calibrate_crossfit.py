"""``deciban calibrate crossfit``: likelihood ratios of trials by models that have not seen them."""

from __future__ import annotations

from typing import Annotated, Literal

from deciban.cli import calibrator_options as fitting
from deciban.cli import interval_options, options
from deciban.cli.bundles import Without, takes_bundles
from deciban.cli.data_options import Score
from deciban.cli.output import assumed, busy, errors_end_here, refuse_input, say
from deciban.cli.printing import say_all
from deciban.cli.wording import words_of_a_fit
from deciban.values.whole_file import whole_file


def _folds(text: str) -> int | Literal["source"]:
    from deciban.errors import OptionError
    from deciban.values.spelled import spelled_int

    if text == "source":
        return "source"
    try:
        return spelled_int(text)
    except ValueError:
        raise OptionError(f"folds: expected a whole number >= 2, or 'source', found {text!r}") from None


@takes_bundles
def crossfit(
    files: options.Files,
    output: fitting.Written,
    *,
    folds: Annotated[
        str,
        options.option(
            "--folds",
            "K",
            "How many folds of sources (of trials where none are given); 'source': each source by itself.",
            fitting.CALIBRATOR,
        ),
    ] = "10",
    seed: interval_options.Seed = 0,
    calibrator: fitting.CalibratorOptions,
    suffix: fitting.Suffix = "",
    score: Score = None,
    data: Annotated[fitting.TrialsToFit, Without("id_", "by", "key", "reader", "unmatched")],
) -> None:
    """Add ln_lr, log10_lr and supported to labelled trials, each by a model fitted without its sources.

    Evaluating these LRs is not optimistic, as evaluating LRs of the very trials fitted would be. All columns are kept
    as in deciban calibrate apply.
    """
    with errors_end_here():
        from deciban.calibration.crossfit import held_out_lrs
        from deciban.errors import about
        from deciban.records.display import several
        from deciban.tables.files.table_writing import check_table_place, write_with
        from deciban.values.option_checks import check_choice
        from deciban.workflow.calibrating.calibrate import calibrator_by_name
        from deciban.workflow.calibrating.lr_columns import cross_fitted_columns
        from deciban.workflow.findings.calibrating import undefined

        check_table_place(output)
        refuse_input(output, files)
        fitted = calibrator_by_name(calibrator.model, calibrator.bound, **calibrator.settings())
        check_choice("--missing", data.missing, fitting.MISSING)
        with words_of_a_fit():
            table = data.scan(files, score=score)
            trials = table.trials()
        with busy("fitting", "models") as progress, about(table.what, table.where_rows_are):
            found = held_out_lrs(fitted, trials, folds=_folds(folds), seed=seed, progress=progress)
        added = cross_fitted_columns(table, found, suffix)
        with whole_file(output) as temporary:
            notes = write_with(table.files(), added, temporary, output)
        assumed((*found.trials.assumed, found.said(), *notes))
        say_all(tuple(undefined(found.ln_lr, found.trials.score, found.rows)))
        by = (
            "by source"
            if found.by == "sources"
            else "by trial, no sources given: name them with --source if they recur"
        )
        say(
            f"deciban: wrote {output}: {several(len(found.trials), 'trial')}, {several(found.models, 'model')} ({by}), "
            f"{int((~found.supported).sum())} not supported"
        )

"""``deciban calibrate crossfit``: likelihood ratios of trials by models that have not seen them."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from deciban.cli import calibrator_options as fitting
from deciban.cli import interval_options, options
from deciban.cli.output import assumed, busy, errors_end_here, refuse_input, say
from deciban.cli.printing import say_all
from deciban.cli.wording import words_of_a_fit
from deciban.whole_file import whole_file


def _folds(text: str) -> int | Literal["source"]:
    from deciban.errors import OptionError
    from deciban.spelled import spelled_int

    if text == "source":
        return "source"
    try:
        return spelled_int(text)
    except ValueError:
        raise OptionError(f"folds: expected a whole number >= 2, or 'source', found {text!r}") from None


def crossfit(
    files: options.Files,
    output: fitting.Written,
    folds: Annotated[
        str,
        typer.Option(
            "--folds",
            metavar="K",
            help="How many folds of sources (of trials where none are given); 'source': each source by itself.",
            rich_help_panel=fitting.CALIBRATOR,
        ),
    ] = "10",
    seed: interval_options.Seed = 0,
    model: fitting.Model = "logistic",
    prior: fitting.Prior = None,
    penalty: fitting.Penalty = None,
    bandwidth: fitting.Bandwidth = None,
    auc_low: fitting.AucLow = None,
    bound: fitting.Bound = None,
    suffix: fitting.Suffix = "",
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
    """Add ln_lr, log10_lr and supported to labelled trials, each by a model fitted without its sources.

    Evaluating these LRs is not optimistic, as evaluating LRs of the very trials fitted would be. All columns are kept
    as in deciban calibrate apply.
    """
    with errors_end_here():
        from deciban.calibration.crossfit import held_out_lrs
        from deciban.errors import about
        from deciban.files.table_writing import check_table_place, write_with
        from deciban.option_checks import check_choice
        from deciban.records.display import several
        from deciban.scanning import scan
        from deciban.workflow.calibrate import calibrator_by_name
        from deciban.workflow.findings.calibrating import undefined
        from deciban.workflow.lr_columns import cross_fitted_columns

        check_table_place(output)
        refuse_input(output, files)
        calibrator = calibrator_by_name(
            model, bound, prior=prior, penalty=penalty, bandwidth=bandwidth, auc_low=auc_low
        )
        check_choice("--missing", missing, fitting.MISSING)
        with words_of_a_fit():
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
            trials = table.trials()
        with busy("fitting", "models") as progress, about(table.what, table.where_rows_are):
            found = held_out_lrs(calibrator, trials, folds=_folds(folds), seed=seed, progress=progress)
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

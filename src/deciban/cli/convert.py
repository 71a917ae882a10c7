"""``deciban convert``: the trials of a file in any format as a plain table, or as BOSARIS text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deciban.cli import options
from deciban.cli.output import assumed, errors_end_here, refuse_input, say


def convert(
    files: options.Files,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="FILE", parser=options.place, help="Table to write: .csv or .parquet; or scores."
        ),
    ],
    to: Annotated[
        str,
        typer.Option(
            "--to", metavar="FORMAT", help="table, or bosaris: model segment score.", rich_help_panel=options.OUTPUT
        ),
    ] = "table",
    key_output: Annotated[
        Path | None,
        typer.Option(
            "--key-output",
            metavar="FILE",
            parser=options.place,
            help="bosaris: the key to write, model segment target|nontarget.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    query: options.Query = None,
    score: options.Score = None,
    label: options.Label = None,
    weight: options.Weight = None,
    source: options.Sources = None,
    id_: options.Ids = None,
    by: options.By = None,
    target: options.Target = None,
    nontarget: options.Nontarget = None,
    ignore: options.Ignore = None,
    scale: options.ScaleOption = None,
    prior: options.Prior = None,
    missing: options.MissingOption = "refuse",
    higher: options.Higher = "target",
    swap: options.Swap = False,
    key: options.Key = None,
    reader: options.ReaderOption = None,
    unmatched: options.Unmatched = "refuse",
) -> None:
    """Write the trials as they are evaluated: score, label target or nontarget, ids, sources and conditions.

    The score column is called by its scale where that has a usual name (ln_lr, probability), so that the table is read
    again without options for it. Ids, sources and conditions that a format has are written unasked.
    """
    with errors_end_here():
        from deciban.files.trial_writing import check_bosaris_places, write_bosaris, write_table
        from deciban.option_checks import check_choice
        from deciban.records.display import several
        from deciban.scanning import scan
        from deciban.whole_file import whole_file

        check_choice("--to", to, ("table", "bosaris"))
        check_bosaris_places(to == "bosaris", output, key_output)
        for written in (output, key_output):
            refuse_input(written, [*files, *([] if key is None else [key])])
        table = scan(
            files,
            score=score,
            label=label,
            target=target or None,
            nontarget=nontarget or None,
            ignore=ignore or (),
            scale=scale,
            prior=prior,
            sources=tuple(source or ()) or None,
            conditions=tuple(by or ()) or None,
            ids=tuple(id_ or ()) or None,
            weight=weight,
            missing=missing,
            higher=higher,
            swap=swap,
            query=query,
            key=key,
            reader=reader,
            unmatched=unmatched,
        )
        trials = table.trials()
        with whole_file(output) as temporary:
            if key_output is None:
                write_table(trials, table.columns, temporary, output)
            else:
                with whole_file(key_output) as temporary_key:
                    write_bosaris(trials, temporary, temporary_key)
        assumed(trials.assumed)
        say(f"deciban: wrote {output}: {several(len(trials), 'trial')}")

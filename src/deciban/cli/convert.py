"""``deciban convert``: the trials of a file in any format as a plain table, or as BOSARIS text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from deciban.cli import options
from deciban.cli.bundles import takes_bundles
from deciban.cli.data_options import DataOptions, Query, Score
from deciban.cli.output import assumed, errors_end_here, refuse_input, say


@takes_bundles
def convert(
    files: options.Files,
    *,
    output: Annotated[
        Path,
        options.option("-o --output", "FILE", "Table to write: .csv or .parquet; or scores.", parser=options.place),
    ],
    to: Annotated[
        str, options.option("--to", "FORMAT", "table, or bosaris: model segment score.", options.OUTPUT)
    ] = "table",
    key_output: Annotated[
        Path | None,
        options.option(
            "--key-output",
            "FILE",
            "bosaris: the key to write, model segment target|nontarget.",
            options.OUTPUT,
            parser=options.place,
        ),
    ] = None,
    query: Query = None,
    score: Score = None,
    data: DataOptions,
) -> None:
    """Write the trials as they are evaluated: score, label target or nontarget, ids, sources and conditions.

    The score column is called by its scale where that has a usual name (ln_lr, probability), so that the table is read
    again without options for it; so a further column with a usual name of scores or labels gets other_ before it.
    Ids, sources and conditions that a format has are written unasked.
    """
    with errors_end_here():
        from deciban.records.display import several
        from deciban.tables.files.trial_writing import check_bosaris_places, write_bosaris, write_table
        from deciban.values.option_checks import check_choice
        from deciban.values.whole_file import whole_file

        check_choice("--to", to, ("table", "bosaris"))
        check_bosaris_places(to == "bosaris", output, key_output)
        for written in (output, key_output):
            refuse_input(written, [*files, *([] if data.key is None else [data.key])])
        table = data.scan(
            files,
            score=score,
            query=query,
            conditions=tuple(data.by or ()) or None,
            ids=tuple(data.id_ or ()) or None,
        )
        trials = table.trials()
        renamed: dict[str, str] = {}
        with whole_file(output) as temporary:
            if key_output is None:
                renamed = write_table(trials, table.columns, temporary, output)
            else:
                with whole_file(key_output) as temporary_key:
                    write_bosaris(trials, temporary, temporary_key)
        assumed(trials.assumed)
        for name, other in renamed.items():
            say(f"deciban: column {name!r} is written as {other!r}, since that name could be another column's")
        say(f"deciban: wrote {output}: {several(len(trials), 'trial')}")

"""``deciban merge``: several files of counts to one, exactly."""

from __future__ import annotations

from typing import Annotated

import typer

from deciban.cli.count import Output
from deciban.cli.output import busy, errors_end_here, refuse_input, say


def merge(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Files that deciban count wrote, of parts of the data; or a glob."),
    ],
    output: Output,
) -> None:
    """Join counts of parts of the data to those of the whole: the same as counting all at once, in any order.

    All files must be of one scale, prior, resolution and direction, and grouped by the same column; groups of one name
    are joined.
    """
    with errors_end_here():
        from deciban.tables.counts_files import check_place, write_counts
        from deciban.tables.counts_reading import merge_files

        check_place(output)
        refuse_input(output, files)
        with busy("merging"):
            kept = merge_files(files)
            write_counts(kept, output)
        say(f"deciban: wrote {output}: {kept.all_trials()}")

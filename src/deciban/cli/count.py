"""``deciban count``: labelled scores to a file of counts, to be merged with others or evaluated later."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from deciban.cli import options
from deciban.cli.bundles import Without, takes_bundles
from deciban.cli.data_options import DataOptions, Query, Score
from deciban.cli.output import assumed, busy, errors_end_here, refuse_input, say

Output = Annotated[
    Path, options.option("-o --output", "FILE", "File of counts to write, NAME.parquet.", parser=options.place)
]


@dataclass(frozen=True, slots=True, kw_only=True)
class DataOfCounts(DataOptions):
    """The trials that are counted; groups of one grouping are kept."""

    by: Annotated[
        list[str] | None,
        options.option(
            "--by",
            "COL",
            "Condition column: its groups are kept too; a,b crosses two; 'file' when there are several.",
            options.DATA,
        ),
    ] = None


@takes_bundles
def count(
    files: options.Files,
    output: Output,
    *,
    query: Query = None,
    score: Score = None,
    data: Annotated[DataOfCounts, Without("source")],
    resolution: options.ResolutionOption = None,
    max_blocks: options.MaxBlocks = options.MAX_BLOCKS,
) -> None:
    """Count the targets and nontargets at each distinct score, and keep the counts.

    A file of counts takes the place of the trials in evaluate and plot, and deciban merge joins those of parts of the
    data exactly. It keeps no ids, no sources and no order of trials.
    """
    with errors_end_here():
        from deciban.errors import OptionError
        from deciban.tables.counts_files import check_place, write_counts
        from deciban.workflow.evaluating.keep import keep

        check_place(output)
        refuse_input(output, files)
        if data.by and len(data.by) > 1:
            raise OptionError(f"--by: expected one grouping, found {len(data.by)}; a,b crosses two columns")
        table = data.scan(files, score=score, query=query)
        with busy("counting"):
            kept, recognised = keep(table, data.by[0] if data.by else None, resolution, max_blocks)
            write_counts(kept, output)
        assumed(recognised)
        if kept.dropped:
            say(f"deciban: dropped {kept.dropped} trials whose score is missing")
        if any(kept.failed):
            say(f"deciban: {kept.failed[0]} targets and {kept.failed[1]} nontargets count as never accepted")
        say(f"deciban: wrote {output}: {kept.all_trials()}{_groups(len(kept.groups))}")


def _groups(n: int) -> str:
    return f" in {n} group{'' if n == 1 else 's'}" if n else ""

"""``deciban count``: labelled scores to a file of counts, to be merged with others or evaluated later."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deciban.cli import options
from deciban.cli.output import assumed, busy, errors_end_here, refuse_input, say

Output = Annotated[
    Path,
    typer.Option("-o", "--output", metavar="FILE", parser=options.place, help="File of counts to write, NAME.parquet."),
]


def count(
    files: options.Files,
    output: Output,
    query: options.Query = None,
    score: options.Score = None,
    label: options.Label = None,
    weight: options.Weight = None,
    id_: options.Ids = None,
    by: options.OneBy = None,
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
    resolution: options.ResolutionOption = None,
    max_blocks: options.MaxBlocks = options.MAX_BLOCKS,
) -> None:
    """Count the targets and nontargets at each distinct score, and keep the counts.

    A file of counts takes the place of the trials in evaluate and plot, and deciban merge joins those of parts of the
    data exactly. It keeps no ids, no sources and no order of trials.
    """
    with errors_end_here():
        from deciban.counts_files import check_place, write_counts
        from deciban.scanning import scan
        from deciban.workflow.keep import keep

        check_place(output)
        refuse_input(output, files)
        table = scan(
            files,
            score=score,
            label=label,
            target=target or None,
            nontarget=nontarget or None,
            ignore=ignore or (),
            scale=scale,
            prior=prior,
            conditions=() if by is None else (by,),
            ids=tuple(id_ or ()),
            weight=weight,
            missing=missing,
            higher=higher,
            swap=swap,
            key=key,
            reader=reader,
            unmatched=unmatched,
            query=query,
        )
        with busy("counting"):
            kept, recognised = keep(table, by, resolution, max_blocks)
            write_counts(kept, output)
        assumed(recognised)
        if kept.dropped:
            say(f"deciban: dropped {kept.dropped} trials whose score is missing")
        if any(kept.failed):
            say(f"deciban: {kept.failed[0]} targets and {kept.failed[1]} nontargets count as never accepted")
        say(f"deciban: wrote {output}: {kept.all_trials()}{_groups(len(kept.groups))}")


def _groups(n: int) -> str:
    return f" in {n} group{'' if n == 1 else 's'}" if n else ""

"""``deciban replicates``: how good and how precise LRs are of which several were measured for the same pair."""

from __future__ import annotations

from typing import Annotated

from deciban.cli import interval_options, options
from deciban.cli.bundles import Without, takes_bundles
from deciban.cli.data_options import DataOptions, Ids, Score
from deciban.cli.formats import Format, check_format, formatted
from deciban.cli.output import assumed, errors_end_here, write


@takes_bundles
def replicates(
    files: options.Files,
    *,
    id_: Ids = None,
    score: Score = None,
    data: Annotated[DataOptions, Without("weight", "source", "id_", "by", "higher", "swap")],
    level: interval_options.Level = 0.95,
    format_: Format = "table",
) -> None:
    """Say how far LRs of the same pair scatter (half-width of a log10 LR), and how good their means are (Cllr-mean).

    --id names the pair: rows of the same id are measurements of the same pair, made from different samples.
    """
    with errors_end_here():
        from deciban.workflow.replicates import evaluate_replicates

        check_format(format_)
        table = data.scan(files, score=score, ids=tuple(id_ or ()))
        result = evaluate_replicates(table, level=level)
        assumed(result.provenance.columns["assumed"])
        write(formatted(result, format_))

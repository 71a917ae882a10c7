"""``deciban replicates``: how good and how precise LRs are of which several were measured for the same pair."""

from __future__ import annotations

from deciban.cli import interval_options, options
from deciban.cli.formats import Format, check_format, formatted
from deciban.cli.output import assumed, errors_end_here, write


def replicates(
    files: options.Files,
    id_: options.Ids = None,
    score: options.Score = None,
    label: options.Label = None,
    target: options.Target = None,
    nontarget: options.Nontarget = None,
    ignore: options.Ignore = None,
    scale: options.ScaleOption = None,
    prior: options.Prior = None,
    missing: options.MissingOption = "refuse",
    key: options.Key = None,
    reader: options.ReaderOption = None,
    unmatched: options.Unmatched = "refuse",
    level: interval_options.Level = 0.95,
    format_: Format = "table",
) -> None:
    """Say how far LRs of the same pair scatter (half-width of a log10 LR), and how good their means are (Cllr-mean).

    --id names the pair: rows of the same id are measurements of the same pair, made from different samples.
    """
    with errors_end_here():
        from deciban.scanning import scan
        from deciban.workflow.replicates import evaluate_replicates

        check_format(format_)
        table = scan(
            files,
            score=score,
            label=label,
            target=target or None,
            nontarget=nontarget or None,
            ignore=ignore or (),
            scale=scale,
            prior=prior,
            ids=tuple(id_ or ()),
            missing=missing,
            key=key,
            reader=reader,
            unmatched=unmatched,
        )
        result = evaluate_replicates(table, level=level)
        assumed(result.provenance.columns["assumed"])
        write(formatted(result, format_))

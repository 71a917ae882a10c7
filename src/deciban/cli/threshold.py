"""``deciban threshold``: choose a threshold on development trials, to be applied with ``evaluate --threshold-from``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

from deciban.cli import options
from deciban.cli.bundles import Without, takes_bundles
from deciban.cli.data_options import DataOptions, Score, Sources
from deciban.cli.interval_options import DrawOptions
from deciban.cli.output import assumed, busy, errors_end_here, refuse_input, say, write
from deciban.values.whole_file import write_file

if TYPE_CHECKING:
    from deciban.workflow.intervals.ways import Drawn


@takes_bundles
def threshold(
    files: options.Files,
    at: Annotated[
        str,
        options.option(
            "--at",
            "RULE",
            "eer, eer:method=…, min_dcf:preset=…, p_fa=0.01, p_miss=0.01, f1, youden, or cost:p_target=…,c_miss=…",
        ),
    ],
    *,
    output: Annotated[
        Path | None,
        options.option("-o --output", "FILE", "Write the record here instead of stdout.", parser=options.place),
    ] = None,
    score: Score = None,
    data: Annotated[DataOptions, Without("source", "id_", "by")],
    source: Sources = None,
    interval: Annotated[
        str,
        options.option(
            "--interval",
            "HOW",
            "How sure the threshold itself is: bootstrap; none; auto: bootstrap unless it takes long.",
            options.UNCERTAINTY,
        ),
    ] = "auto",
    draws: DrawOptions,
) -> None:
    """Choose a threshold by a rule and write it as JSON, with where it comes from."""
    with errors_end_here():
        from deciban.records.display import exact_digits, limits
        from deciban.trials.direction import reversal, threshold_as_given
        from deciban.workflow.choose import choose_threshold

        refuse_input(output, files)
        table = data.scan(files, score=score, sources=tuple(source or ()) or None)
        with busy("resampling") as progress:
            chosen = choose_threshold(table, at, interval=cast("Drawn", interval), **draws.given(), progress=progress)
        assumed(chosen.provenance.columns["assumed"])
        if not chosen.reached:
            say(f"deciban: note: no threshold has exactly {chosen.rule}; the nearest one was taken")
        if output is None:
            write(chosen.to_json())
        else:
            write_file(output, chosen.to_json())
        rates = f"p_miss {chosen.p_miss:.6g}, p_fa {chosen.p_fa:.6g} on these trials"
        sure = chosen.interval
        known = f" ({sure.level * 100:g} % interval {limits(sure.low, sure.high)})" if sure else ""
        say(f"deciban: threshold {chosen.threshold!r}{known}: {rates}")
        if chosen.reversed:
            at = exact_digits(threshold_as_given(chosen.threshold, chosen.scale))
            said = reversal(chosen.provenance.columns, [at])
            say(f"deciban: {said}; the record holds {chosen.threshold!r}, for the reversed scores")

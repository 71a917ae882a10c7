"""``deciban evaluate``: every figure of a file of labelled scores."""

from __future__ import annotations

import sys
from typing import Annotated

from deciban.cli import options
from deciban.cli.bundles import takes_bundles
from deciban.cli.counted import counts_of
from deciban.cli.data_options import DataOptions, Query, Score
from deciban.cli.interval_options import DrawOptions, FormOptions, IntervalOption
from deciban.cli.output import DONE, NOT_MET, assumed, busy, errors_end_here, read_text, say, write
from deciban.cli.printing import FORMATS, formatted, say_findings, strict_not_met


@takes_bundles
def evaluate(
    files: options.Files,
    *,
    query: Query = None,
    score: Score = None,
    data: DataOptions,
    threshold: Annotated[
        list[float] | None,
        options.option(
            "--threshold",
            "T",
            "Accept when score >= T (score <= T with --higher nontarget or --swap); repeatable (default: 0.5 "
            "for probabilities, LR = 1 for LRs).",
            options.FIGURES,
            parser=options.number,
        ),
    ] = None,
    threshold_from: options.ThresholdFrom = None,
    metric: options.Metrics = None,
    cost: options.Cost = None,
    equalise: options.Equalise = None,
    p_target: options.PTarget = None,
    fta: options.Fta = None,
    fte: options.Fte = None,
    resolution: options.ResolutionOption = None,
    max_blocks: options.MaxBlocks = options.MAX_BLOCKS,
    exact: options.Exact = False,
    interval: IntervalOption = "auto",
    draws: DrawOptions,
    forms: FormOptions,
    format_: options.Format = "table",
    require: options.Require = None,
    strict: options.Strict = False,
) -> None:
    """Compute every figure of merit that the scale of the scores allows.

    Columns and labels are recognised by their usual names where only one reading is possible; what was assumed is said
    on stderr. A file of counts (deciban count) may take the place of the table.

    The result goes to stdout. Exit status: 0 done, 1 a limit of --require or --strict was not met, 2 wrong
    use or bad input.
    """
    with errors_end_here():
        from deciban.records.display import exact_digits
        from deciban.records.threshold import ChosenThreshold
        from deciban.tables.scanning import scan
        from deciban.trials.direction import reversal
        from deciban.values.option_checks import check_choice
        from deciban.workflow.evaluating.evaluate import evaluate as run
        from deciban.workflow.require import parse_requirement

        check_choice("--format", format_, FORMATS)
        requirements = [parse_requirement(text) for text in require or []]
        chosen = [ChosenThreshold.from_json(read_text(path)) for path in threshold_from or ()]
        declared = {**data.declared(), "score": score, "query": query}
        kept = counts_of(files, declared, equalise=equalise, resolution=resolution)
        declared["conditions"] += (equalise,) if equalise else ()
        with busy("evaluating") as progress:
            result = run(
                kept or scan(files, **declared),
                thresholds=[*(threshold or ()), *chosen],
                metrics=[*(metric or ()), *(item.asked for item in requirements if item.asked)],
                costs=cost or (),
                by=data.by or (),
                equalise=equalise,
                resolution=resolution,
                max_blocks=max_blocks,
                p_target=p_target,
                fta=fta,
                fte=fte,
                exact=exact,
                interval=interval,
                **draws.given(),
                **forms.given(),
                curves=format_ == "json",
                progress=progress,
            )
        unmet = [failure for requirement in requirements if (failure := requirement.check(result))]
        assumed(result.provenance.columns["assumed"])
        if result.trials.reversed:
            shown = [exact_digits(row.shown) for row in result.thresholds]
            say(f"deciban: {reversal(result.provenance.columns, shown)}")
        say_findings(result, format_)
        write(formatted(result, format_))
        say(*(f"deciban: require: {failure}" for failure in unmet))
        not_met = strict_not_met(result.all_findings(), strict)
        sys.exit(NOT_MET if unmet or not_met else DONE)

"""``deciban evaluate``: every figure of a file of labelled scores."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from deciban.cli import interval_options, options
from deciban.cli.counted import counts_of
from deciban.cli.output import DONE, NOT_MET, assumed, busy, errors_end_here, read_text, say, write
from deciban.cli.printing import FORMATS, formatted, say_findings

if TYPE_CHECKING:
    from deciban.counts_files import KeptCounts
    from deciban.table import Table
    from deciban.uncertainty.bootstrap import Method
    from deciban.uncertainty.delong import AucMethod
    from deciban.uncertainty.proportion import ProportionMethod


def evaluate(
    files: options.Files,
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
    threshold: Annotated[
        list[float] | None,
        typer.Option(
            "--threshold",
            metavar="T",
            parser=options.number,
            help="Accept when score >= T (score <= T with --higher nontarget or --swap); repeatable (default: 0.5 "
            "for probabilities, LR = 1 for LRs).",
            rich_help_panel=options.FIGURES,
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
    interval: interval_options.IntervalOption = "auto",
    level: interval_options.Level = 0.95,
    replicates: interval_options.Replicates = 1000,
    seed: interval_options.Seed = 0,
    proportion: interval_options.Proportion = "wilson",
    auc_interval: interval_options.AucInterval = "delong-logit",
    bootstrap: interval_options.Bootstrap = None,
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
        from deciban.direction import reversal
        from deciban.option_checks import check_choice
        from deciban.records.display import exact_digits, several
        from deciban.records.threshold import ChosenThreshold
        from deciban.scanning import scan
        from deciban.workflow.evaluate import evaluate as run
        from deciban.workflow.require import parse_requirement

        check_choice("--format", format_, FORMATS)
        requirements = [parse_requirement(text) for text in require or []]
        chosen = [ChosenThreshold.from_json(read_text(path)) for path in threshold_from or ()]
        declared: dict[str, Any] = {
            "score": score,
            "label": label,
            "target": target or None,
            "nontarget": nontarget or None,
            "ignore": ignore or (),
            "scale": scale,
            "prior": prior,
            "sources": tuple(source or ()) or None,
            "conditions": tuple(by or ()),
            "ids": tuple(id_ or ()),
            "weight": weight,
            "missing": missing,
            "higher": higher,
            "swap": swap,
            "query": query,
            "key": key,
            "reader": reader,
            "unmatched": unmatched,
        }
        data: KeptCounts | Table | None = counts_of(files, declared, by=by, equalise=equalise, resolution=resolution)
        if data is None:
            declared["conditions"] += (equalise,) if equalise else ()
            data = scan(files, **declared)
        with busy("evaluating") as progress:
            result = run(
                data,
                thresholds=[*(threshold or ()), *chosen],
                metrics=[*(metric or ()), *(item.asked for item in requirements if item.asked)],
                costs=cost or (),
                by=by or (),
                equalise=equalise,
                resolution=resolution,
                max_blocks=max_blocks,
                p_target=p_target,
                fta=fta,
                fte=fte,
                interval=interval,
                level=level,
                replicates=replicates,
                seed=seed,
                exact=exact,
                proportion=cast("ProportionMethod", proportion),
                auc_interval=cast("AucMethod", auc_interval),
                bootstrap=cast("Method | None", bootstrap),
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
        warned = sum(finding.severity == "warn" for finding in result.all_findings()) if strict else 0
        if warned:
            say(f"deciban: strict: not met, {several(warned, 'warning')}")
        sys.exit(NOT_MET if unmet or warned else DONE)

"""``deciban evaluate``: every figure of a file of labelled scores."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from deciban.cli import options
from deciban.cli.output import DONE, NOT_MET, assumed, busy, errors_end_here, say, write

if TYPE_CHECKING:
    from deciban.records.evaluation import Evaluation

Format = Literal["table", "json", "csv", "markdown", "plain"]


def evaluate(
    files: options.Files,
    score: options.Score = None,
    label: options.Label = None,
    target: options.Target = None,
    nontarget: options.Nontarget = None,
    ignore: options.Ignore = None,
    scale: options.ScaleOption = None,
    prior: options.Prior = None,
    p_target: Annotated[
        float | None,
        typer.Option("--p-target", metavar="P", help="Prior at which LRs become posteriors [share of targets]."),
    ] = None,
    threshold: Annotated[
        list[float] | None,
        typer.Option("--threshold", metavar="T", help="Accept when score >= T; repeatable."),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", metavar="EXPR", help="A further figure, e.g. eer:all or p_miss_at:p_fa=0.01."),
    ] = None,
    cost: Annotated[
        list[str] | None,
        typer.Option("--cost", metavar="EXPR", help="preset=voxsrc, or p_target=0.01,c_miss=10,c_fa=1."),
    ] = None,
    by: options.By = None,
    source: options.Sources = None,
    id_: options.Ids = None,
    weight: options.Weight = None,
    interval: Annotated[
        Literal["auto", "none", "bootstrap"], typer.Option("--interval", help="How uncertainty is computed.")
    ] = "auto",
    level: Annotated[float, typer.Option("--level", help="Confidence level.")] = 0.95,
    replicates: Annotated[int, typer.Option("--replicates", metavar="N", help="Bootstrap replicates.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", help="Seed of every random draw.")] = 0,
    missing: options.MissingOption = "refuse",
    higher: options.Higher = "target",
    swap: options.Swap = False,
    format_: Annotated[Format, typer.Option("--format", help="What stdout gets.")] = "table",
    require: Annotated[
        list[str] | None,
        typer.Option("--require", metavar="EXPR", help="Exit 1 unless e.g. 'auc >= 0.85'; repeatable."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 on any warning.")] = False,
    exact: Annotated[bool, typer.Option("--exact", help="Fractions beside count-based figures.")] = False,
) -> None:
    """Compute every figure of merit that the scale of the scores allows.

    Columns and labels are recognised by their usual names where only one reading is possible; what was assumed is
    said on stderr. Data go to stdout.
    """
    with errors_end_here():
        from deciban.scanning import scan
        from deciban.workflow.evaluate import evaluate as run
        from deciban.workflow.require import parse_requirement

        requirements = [parse_requirement(text) for text in require or []]
        table = scan(
            files,
            score=score,
            label=label,
            target=target or None,
            nontarget=nontarget or None,
            ignore=ignore or (),
            scale=scale,
            prior=prior,
            sources=tuple(source or ()),
            conditions=tuple(by or ()),
            ids=tuple(id_ or ()),
            weight=weight,
            missing=missing,
            higher=higher,
            swap=swap,
        )
        with busy("evaluating"):
            result = run(
                table,
                thresholds=threshold or (),
                metrics=[*(metric or ()), *(requirement.expression for requirement in requirements)],
                costs=cost or (),
                by=by or (),
                p_target=p_target,
                interval=interval,
                level=level,
                replicates=replicates,
                seed=seed,
                exact=exact,
            )
        assumed(result.provenance.columns["assumed"])
        _say_findings(result, format_)
        write(_formatted(result, format_))
        unmet = [failure for requirement in requirements if (failure := requirement.check(result))]
        say(*(f"deciban: require: {failure}" for failure in unmet))
        warned = strict and any(finding.severity == "warn" for finding in _findings(result))
        sys.exit(NOT_MET if unmet or warned else DONE)


def _findings(result: Evaluation) -> list:  # type: ignore[type-arg]
    return [*result.findings, *(finding for group in result.groups for finding in group.findings)]


def _say_findings(result: Evaluation, format_: Format) -> None:
    """Findings for people, where the table on stdout does not hold them already."""
    if format_ in ("table", "markdown"):
        return
    for finding in _findings(result):
        where = f"{finding.group}: " if finding.group else ""
        say(f"deciban: {finding.severity}: {finding.code}: {where}{finding.message}; {finding.advice}")


def _formatted(result: Evaluation, format_: Format) -> str:
    from deciban.records import tables

    writers = {
        "table": tables.as_text,
        "csv": tables.as_csv,
        "markdown": tables.as_markdown,
        "plain": tables.as_plain,
    }
    return result.to_json() if format_ == "json" else writers[format_](result)

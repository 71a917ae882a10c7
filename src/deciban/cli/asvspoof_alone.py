"""``deciban asvspoof cm`` and ``asv``: a countermeasure, or a verifier, by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from deciban.cli import interval_options, options
from deciban.cli import tandem_options as own
from deciban.cli.output import assumed, busy, errors_end_here, say, write
from deciban.cli.printing import FORMATS, formatted, say_findings

if TYPE_CHECKING:
    from deciban.tandem_scanning import TandemTable


def cm(
    files: options.Files,
    cm_score: own.CmScore = None,
    class_: own.Class = None,
    by: own.By = None,
    source: options.Sources = None,
    target: own.Target = None,
    nontarget: own.Nontarget = None,
    spoof: own.Spoof = None,
    bonafide: own.Bonafide = None,
    ignore: options.Ignore = None,
    scale: options.ScaleOption = None,
    missing: options.MissingOption = "refuse",
    key: options.Key = None,
    reader: options.ReaderOption = None,
    unmatched: options.Unmatched = "refuse",
    cost: options.Cost = None,
    metric: options.Metrics = None,
    interval: interval_options.IntervalOption = "auto",
    level: interval_options.Level = 0.95,
    replicates: interval_options.Replicates = 1000,
    seed: interval_options.Seed = 0,
    format_: options.Format = "table",
) -> None:
    """Evaluate a countermeasure: bona fide speech (target, nontarget or bonafide) against spoofs.

    EER on the ROC convex hull and by the organisers' rule, AUC, least detection cost at the costs of ASVspoof 5; with
    --scale ln_lr also the actual cost and Cllr. For example: deciban asvspoof cm scores.csv --by attack --by codec.
    """
    with errors_end_here():
        table = own.read_table(
            files,
            scores=("cm",),
            cm=cm_score,
            classes=class_,
            target=target,
            nontarget=nontarget,
            spoof=spoof,
            bonafide=bonafide,
            ignore=ignore,
            by=by,
            source=source,
            missing=missing,
            key=key,
            reader=reader,
            unmatched=unmatched,
        )
        ways = {"by": by or (), "interval": interval, "level": level, "replicates": replicates, "seed": seed}
        _evaluate(table, "cm", scale, cost, metric, format_, ways)


def asv(
    files: options.Files,
    asv_score: own.AsvScore = None,
    class_: own.Class = None,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="CLASS",
            help="nontarget or spoof: what targets are told from.",
            rich_help_panel=options.SCORES,
        ),
    ] = "nontarget",
    by: own.By = None,
    source: options.Sources = None,
    target: own.Target = None,
    nontarget: own.Nontarget = None,
    spoof: own.Spoof = None,
    ignore: options.Ignore = None,
    scale: options.ScaleOption = None,
    missing: options.MissingOption = "refuse",
    key: options.Key = None,
    reader: options.ReaderOption = None,
    unmatched: options.Unmatched = "refuse",
    cost: options.Cost = None,
    metric: options.Metrics = None,
    interval: interval_options.IntervalOption = "auto",
    level: interval_options.Level = 0.95,
    replicates: interval_options.Replicates = 1000,
    seed: interval_options.Seed = 0,
    format_: options.Format = "table",
) -> None:
    """Evaluate a verifier: targets against nontargets, or with --against spoof against spoofs.

    EER on the ROC convex hull and by the organisers' rule, AUC; detection costs where --cost names them; with --scale
    ln_lr also Cllr.
    """
    with errors_end_here():
        table = own.read_table(
            files,
            scores=("asv",),
            asv=asv_score,
            classes=class_,
            target=target,
            nontarget=nontarget,
            spoof=spoof,
            ignore=ignore,
            by=by,
            source=source,
            missing=missing,
            key=key,
            reader=reader,
            unmatched=unmatched,
        )
        ways = {"by": by or (), "interval": interval, "level": level, "replicates": replicates, "seed": seed}
        _evaluate(table, "asv", scale, cost, metric, format_, {**ways, "against": against})


def _evaluate(
    table: TandemTable,
    task: Literal["cm", "asv"],
    scale: str | None,
    cost: list[str] | None,
    metric: list[str] | None,
    format_: str,
    ways: dict[str, Any],
) -> None:
    """Evaluate one system and write its record."""
    from deciban.option_checks import check_choice
    from deciban.workflow.tandem.two_classes import evaluate_spoofing

    check_choice("--format", format_, FORMATS)
    with busy("evaluating") as progress:
        result = evaluate_spoofing(
            table,
            task,
            scale=scale or "score",
            costs=cost or None,
            further=metric or (),
            curves=format_ == "json",
            progress=progress,
            **ways,
        )
    assumed(result.provenance.columns["assumed"])
    if scale is None:
        say(
            "deciban: scores are taken to have no unit: where they are log-likelihood ratios, --scale ln_lr gives Cllr "
            "and actual costs too"
        )
    say_findings(result, format_)
    write(formatted(result, format_))

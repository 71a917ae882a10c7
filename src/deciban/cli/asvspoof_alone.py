"""``deciban asvspoof cm`` and ``asv``: a countermeasure, or a verifier, by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from deciban.cli import options
from deciban.cli import tandem_options as own
from deciban.cli.bundles import Without, takes_bundles
from deciban.cli.interval_options import DrawOptions, IntervalOption
from deciban.cli.output import assumed, busy, errors_end_here, say, write
from deciban.cli.printing import FORMATS, formatted, say_findings

if TYPE_CHECKING:
    from deciban.tables.tandem_scanning import TandemTable


@takes_bundles
def cm(
    files: options.Files,
    *,
    cm_score: own.CmScore = None,
    data: own.ThreeClassOptions,
    cost: options.Cost = None,
    metric: options.Metrics = None,
    interval: IntervalOption = "auto",
    draws: DrawOptions,
    format_: options.Format = "table",
) -> None:
    """Evaluate a countermeasure: bona fide speech (target, nontarget or bonafide) against spoofs.

    EER on the ROC convex hull and by the organisers' rule, AUC, least detection cost at the costs of ASVspoof 5; with
    --scale ln_lr also the actual cost and Cllr. For example: deciban asvspoof cm scores.csv --by attack --by codec.
    """
    with errors_end_here():
        table = data.scan(files, {"cm": cm_score})
        _evaluate(table, "cm", data, cost, metric, format_, interval=interval, **draws.given())


@takes_bundles
def asv(
    files: options.Files,
    *,
    asv_score: own.AsvScore = None,
    against: Annotated[
        str, options.option("--against", "CLASS", "nontarget or spoof: what targets are told from.", options.SCORES)
    ] = "nontarget",
    data: Annotated[own.ThreeClassOptions, Without("bonafide")],
    cost: options.Cost = None,
    metric: options.Metrics = None,
    interval: IntervalOption = "auto",
    draws: DrawOptions,
    format_: options.Format = "table",
) -> None:
    """Evaluate a verifier: targets against nontargets, or with --against spoof against spoofs.

    EER on the ROC convex hull and by the organisers' rule, AUC; detection costs where --cost names them; with --scale
    ln_lr also Cllr.
    """
    with errors_end_here():
        table = data.scan(files, {"asv": asv_score})
        _evaluate(table, "asv", data, cost, metric, format_, against=against, interval=interval, **draws.given())


def _evaluate(
    table: TandemTable,
    task: Literal["cm", "asv"],
    data: own.ThreeClassOptions,
    cost: list[str] | None,
    metric: list[str] | None,
    format_: str,
    **ways: Any,
) -> None:
    """Evaluate one system and write its record."""
    from deciban.values.option_checks import check_choice
    from deciban.workflow.tandem.two_classes import evaluate_spoofing

    check_choice("--format", format_, FORMATS)
    with busy("evaluating") as progress:
        result = evaluate_spoofing(
            table,
            task,
            scale=data.scale or "score",
            costs=cost or None,
            further=metric or (),
            by=data.by or (),
            curves=format_ == "json",
            progress=progress,
            **ways,
        )
    assumed(result.provenance.columns["assumed"])
    if data.scale is None:
        say(
            "deciban: scores are taken to have no unit: where they are log-likelihood ratios, --scale ln_lr gives Cllr "
            "and actual costs too"
        )
    say_findings(result, format_)
    write(formatted(result, format_))

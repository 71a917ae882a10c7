"""``deciban asvspoof tandem`` and ``sasv``: a verifier behind a countermeasure, and one system that does both."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deciban.cli import interval_options, options
from deciban.cli import tandem_options as own
from deciban.cli.output import assumed, busy, errors_end_here, write
from deciban.cli.printing import FORMATS, formatted, say_findings

if TYPE_CHECKING:
    from deciban.metrics.tandem.asv_rates import Asv
    from deciban.records.tandem import TandemEvaluation
    from deciban.tandem_scanning import TandemTable


def tandem(
    files: own.OptionalFiles = None,
    asv: Annotated[
        list[str] | None,
        typer.Option("--asv", metavar="FILE", help="The verifier's table.", rich_help_panel=options.DATA),
    ] = None,
    cm: Annotated[
        list[str] | None,
        typer.Option("--cm", metavar="FILE", help="The countermeasure's table.", rich_help_panel=options.DATA),
    ] = None,
    asv_score: own.AsvScore = None,
    cm_score: own.CmScore = None,
    class_: own.Class = None,
    by: own.By = None,
    source: options.Sources = None,
    target: own.Target = None,
    nontarget: own.Nontarget = None,
    spoof: own.Spoof = None,
    bonafide: own.Bonafide = None,
    ignore: options.Ignore = None,
    missing: options.MissingOption = "refuse",
    asv_threshold: Annotated[
        float | None,
        typer.Option(
            "--asv-threshold",
            metavar="T",
            parser=options.number,
            help="Where the verifier accepts (default: where its EER is, by the organisers' rule).",
            rich_help_panel=options.FIGURES,
        ),
    ] = None,
    asv_rates: Annotated[
        str | None,
        typer.Option(
            "--asv-rates",
            metavar="RATES",
            help="asvspoof5, or p_miss=…,p_fa=…,p_fa_spoof=…: rates of a verifier instead of its scores.",
            rich_help_panel=options.FIGURES,
        ),
    ] = None,
    cm_threshold: Annotated[
        float | None,
        typer.Option(
            "--cm-threshold",
            metavar="T",
            parser=options.number,
            help="Where the countermeasure accepts: gives the actual t-DCF too.",
            rich_help_panel=options.FIGURES,
        ),
    ] = None,
    interval: interval_options.IntervalOption = "auto",
    level: interval_options.Level = 0.95,
    replicates: interval_options.Replicates = 1000,
    seed: interval_options.Seed = 0,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            parser=options.place,
            help="Draw the t-DCF against the countermeasure's threshold (svg, pdf or png).",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    format_: options.Format = "table",
) -> None:
    """Evaluate a verifier behind a countermeasure: min t-DCF in its forms of 2019 and 2021, t-EER, EER of each.

    One table holds both scores, or --asv and --cm name one table each. For example: deciban asvspoof tandem scores.csv
    --by attack; deciban asvspoof tandem --cm cm.csv --asv-rates asvspoof5.
    """
    with errors_end_here():
        from deciban.option_checks import check_choice

        check_choice("--format", format_, FORMATS)
        verifier = _verifier(asv_threshold, asv_rates)
        shared: dict[str, Any] = {
            "classes": class_,
            "target": target,
            "nontarget": nontarget,
            "spoof": spoof,
            "ignore": ignore,
            "by": by,
            "source": source,
            "missing": missing,
        }
        tables = _tables(files, asv, cm, asv_score, cm_score, bonafide, shared, alone=asv_rates is not None)
        ways = {"by": by or (), "interval": interval, "level": level, "replicates": replicates, "seed": seed}
        result = _evaluated(tables, {**ways, "asv": verifier, "cm_threshold": cm_threshold})
        if plot is not None:
            _draw(result, plot)
        _written(result, format_)


def sasv(
    files: options.Files,
    score: own.SasvScore = None,
    class_: own.Class = None,
    by: own.By = None,
    source: options.Sources = None,
    target: own.Target = None,
    nontarget: own.Nontarget = None,
    spoof: own.Spoof = None,
    ignore: options.Ignore = None,
    missing: options.MissingOption = "refuse",
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            metavar="T",
            parser=options.number,
            help="Where the system accepts: gives the actual a-DCF too.",
            rich_help_panel=options.FIGURES,
        ),
    ] = None,
    interval: interval_options.IntervalOption = "auto",
    level: interval_options.Level = 0.95,
    replicates: interval_options.Replicates = 1000,
    seed: interval_options.Seed = 0,
    format_: options.Format = "table",
) -> None:
    """Evaluate one score that is to accept targets and nobody else: min a-DCF, SASV-EER, SV-EER, SPF-EER.

    The a-DCF is given at the costs of its paper and at those of ASVspoof 5.
    """
    with errors_end_here():
        from deciban.option_checks import check_choice

        check_choice("--format", format_, FORMATS)
        table = own.read_table(
            files,
            scores=("sasv",),
            sasv=score,
            classes=class_,
            target=target,
            nontarget=nontarget,
            spoof=spoof,
            ignore=ignore,
            by=by,
            source=source,
            missing=missing,
        )
        ways = {"by": by or (), "interval": interval, "level": level, "replicates": replicates, "seed": seed}
        _written(_evaluated([table], {**ways, "sasv_threshold": threshold}), format_)


def _tables(
    files: list[str] | None,
    asv: list[str] | None,
    cm: list[str] | None,
    asv_score: str | None,
    cm_score: str | None,
    bonafide: list[str] | None,
    shared: dict[str, Any],
    *,
    alone: bool,
) -> list[TandemTable]:
    """One table with both scores, or one for each; the countermeasure's alone where the verifier's rates are given."""
    from deciban.errors import OptionError

    if files and (asv or cm):
        raise OptionError("give one table with both scores, or --asv and --cm, not both")
    if files:
        names = ("cm",) if alone else ("asv", "cm")
        of_asv = None if alone else asv_score
        return [own.read_table(files, scores=names, asv=of_asv, cm=cm_score, bonafide=bonafide, **shared)]
    if not cm or not (asv or alone):
        raise OptionError("expected a table with both scores, or --asv FILE and --cm FILE (or --cm and --asv-rates)")
    if asv and alone:
        raise OptionError("give the verifier's scores (--asv), or its rates (--asv-rates), not both")
    verifier = [own.read_table(asv, scores=("asv",), asv=asv_score, by_if_there=True, **shared)] if asv else []
    return [*verifier, own.read_table(cm, scores=("cm",), cm=cm_score, bonafide=bonafide, by_if_there=True, **shared)]


def _verifier(threshold: float | None, rates: str | None) -> Asv:
    """The verifier in the tandem, as the two options describe it."""
    from deciban.errors import OptionError
    from deciban.metrics.tandem.asv_rates import AsvRates
    from deciban.spelled import spelled_float

    if rates is None or rates == "asvspoof5":
        if rates and threshold is not None:
            raise OptionError("give --asv-threshold or --asv-rates, not both")
        return "asvspoof5" if rates else threshold
    if threshold is not None:
        raise OptionError("give --asv-threshold or --asv-rates, not both")
    parts = [part.partition("=") for part in rates.split(",")]
    try:
        given = {name.strip(): spelled_float(value.strip()) for name, _, value in parts}
    except ValueError as error:
        raise OptionError(f"--asv-rates: {error}") from None
    if set(given) != {"p_miss", "p_fa", "p_fa_spoof"}:
        raise OptionError(f"--asv-rates: expected asvspoof5, or p_miss=…,p_fa=…,p_fa_spoof=…, found {rates!r}")
    return AsvRates(**given)


def _evaluated(tables: list[TandemTable], options_: dict[str, Any]) -> TandemEvaluation:
    from deciban.workflow.tandem.evaluate import evaluate_tandem

    with busy("evaluating") as progress:
        return evaluate_tandem(*tables, **options_, progress=progress)


def _written(result: TandemEvaluation, format_: str) -> None:
    """Write the record to stdout, and what was assumed to stderr."""
    assumed(result.provenance.columns["assumed"])
    say_findings(result, format_)
    write(formatted(result, format_))


def _draw(result: TandemEvaluation, path: Path) -> None:
    """Draw the t-DCF curves of the record."""
    from deciban.errors import UndefinedMetricError
    from deciban.plots.saving import default_style, format_of, save
    from deciban.plots.tandem_cost import t_dcf
    from deciban.whole_file import whole_file

    if not result.curves:
        raise UndefinedMetricError("--plot: there is no t-DCF to draw")
    with whole_file(path) as temporary, default_style():
        save(t_dcf(result.curves, vocabulary="spoofing"), temporary, format=format_of(path))

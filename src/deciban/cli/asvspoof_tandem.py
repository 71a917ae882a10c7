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
    from collections.abc import Mapping, Sequence

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
    key: options.Key = None,
    asv_key: Annotated[
        str | None,
        typer.Option("--asv-key", metavar="FILE", help="The key of --asv.", rich_help_panel=options.DATA),
    ] = None,
    cm_key: Annotated[
        str | None,
        typer.Option("--cm-key", metavar="FILE", help="The key of --cm.", rich_help_panel=options.DATA),
    ] = None,
    reader: options.ReaderOption = None,
    unmatched: options.Unmatched = "refuse",
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
    --by attack; deciban asvspoof tandem --asv asv.txt --cm cm.txt; deciban asvspoof tandem --cm cm.csv --asv-rates
    asvspoof5.
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
            "reader": reader,
            "unmatched": unmatched,
        }
        of_asv: dict[str, Any] = {"files": asv, "scores": ("asv",), "asv": asv_score, "key": asv_key}
        of_cm: dict[str, Any] = {"files": cm, "scores": ("cm",), "cm": cm_score, "bonafide": bonafide, "key": cm_key}
        if _apart(files, of_asv, of_cm, key, alone=asv_rates is not None):
            parts = [part for part in (of_asv, of_cm) if part["files"]]
            tables = [own.read_table(**part, **shared, one_of_two=len(parts) > 1) for part in parts]
        else:
            both = of_cm if asv_rates is not None else {**of_asv, **of_cm, "scores": ("asv", "cm")}
            tables = [own.read_table(**{**both, "files": files, "key": key}, **shared)]
            _require(tables[0], both["scores"])
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
    key: options.Key = None,
    reader: options.ReaderOption = None,
    unmatched: options.Unmatched = "refuse",
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
            key=key,
            reader=reader,
            unmatched=unmatched,
        )
        ways = {"by": by or (), "interval": interval, "level": level, "replicates": replicates, "seed": seed}
        _written(_evaluated([table], {**ways, "sasv_threshold": threshold}), format_)


def _apart(
    files: list[str] | None, asv: Mapping[str, Any], cm: Mapping[str, Any], key: str | None, *, alone: bool
) -> bool:
    """Whether each system has a table of its own; raises where it is neither so nor otherwise.

    With ``alone`` the verifier's rates are given in place of its scores.
    """
    from deciban.errors import OptionError

    if files and (asv["files"] or cm["files"]):
        raise OptionError("give one table with both scores, or --asv and --cm, not both")
    if key is not None and not files:
        raise OptionError("--key: it is for one table with both scores; give --asv-key and --cm-key")
    for name, part in (("asv", asv), ("cm", cm)):
        if part["key"] is not None and not part["files"]:
            raise OptionError(f"--{name}-key: it is for --{name}, which is not given")
    if asv["files"] and alone:
        raise OptionError("give the verifier's scores (--asv), or its rates (--asv-rates), not both")
    if not files and not (cm["files"] and (asv["files"] or alone)):
        raise OptionError("expected a table with both scores, or --asv FILE and --cm FILE (or --cm and --asv-rates)")
    return not files


def _require(table: TandemTable, scores: Sequence[str]) -> None:
    """Refuse a table that lacks the scores of one system: nothing would be said of the two in tandem."""
    from deciban.errors import InputError

    for name in scores:
        if name not in table.columns.scores:
            rates = ", or its rates with --asv-rates" if name == "asv" else ""
            raise InputError(f"{table.what}: no {name} scores; say which column has them with --{name}-score{rates}")


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

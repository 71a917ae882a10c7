"""``deciban asvspoof tandem`` and ``sasv``: a verifier behind a countermeasure, and one system that does both."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from deciban.cli import options
from deciban.cli import tandem_options as own
from deciban.cli.bundles import Without, takes_bundles
from deciban.cli.interval_options import DrawOptions, IntervalOption
from deciban.cli.output import assumed, busy, errors_end_here, write
from deciban.cli.printing import FORMATS, formatted, say_findings

if TYPE_CHECKING:
    from deciban.metrics.tandem.asv_rates import Asv
    from deciban.records.tandem import TandemEvaluation
    from deciban.tables.tandem_scanning import TandemTable


@takes_bundles
def tandem(
    files: own.OptionalFiles = None,
    *,
    apart: own.TablesApart,
    asv_score: own.AsvScore = None,
    cm_score: own.CmScore = None,
    data: Annotated[own.ThreeClassOptions, Without("scale")],
    asv_threshold: Annotated[
        float | None,
        options.option(
            "--asv-threshold",
            "T",
            "Where the verifier accepts (default: where its EER is, by the organisers' rule).",
            options.FIGURES,
            parser=options.number,
        ),
    ] = None,
    asv_rates: Annotated[
        str | None,
        options.option(
            "--asv-rates",
            "RATES",
            "asvspoof5, or p_miss=…,p_fa=…,p_fa_spoof=…: rates of a verifier instead of its scores.",
            options.FIGURES,
        ),
    ] = None,
    cm_threshold: Annotated[
        float | None,
        options.option(
            "--cm-threshold",
            "T",
            "Where the countermeasure accepts: gives the actual t-DCF too.",
            options.FIGURES,
            parser=options.number,
        ),
    ] = None,
    interval: IntervalOption = "auto",
    draws: DrawOptions,
    plot: Annotated[
        Path | None,
        options.option(
            "--plot",
            "FILE",
            "Draw the t-DCF against the countermeasure's threshold (svg, pdf or png).",
            options.OUTPUT,
            parser=options.place,
        ),
    ] = None,
    format_: options.Format = "table",
) -> None:
    """Evaluate a verifier behind a countermeasure: min t-DCF in its forms of 2019 and 2021, t-EER, EER of each.

    One table holds both scores, or --asv and --cm name one table each. For example: deciban asvspoof tandem scores.csv
    --by attack, or with --asv asv.txt --cm cm.txt, or with --cm cm.csv --asv-rates asvspoof5.
    """
    with errors_end_here():
        from deciban.values.option_checks import check_choice

        check_choice("--format", format_, FORMATS)
        verifier = _verifier(asv_threshold, asv_rates)
        tables = _tables(files, apart, data, asv_score, cm_score, alone=asv_rates is not None)
        result = _evaluated(tables, draws, by=data.by, interval=interval, asv=verifier, cm_threshold=cm_threshold)
        if plot is not None:
            _draw(result, plot)
        _written(result, format_)


@takes_bundles
def sasv(
    files: options.Files,
    *,
    score: own.SasvScore = None,
    data: Annotated[own.ThreeClassOptions, Without("bonafide", "scale")],
    threshold: Annotated[
        float | None,
        options.option(
            "--threshold",
            "T",
            "Where the system accepts: gives the actual a-DCF too.",
            options.FIGURES,
            parser=options.number,
        ),
    ] = None,
    interval: IntervalOption = "auto",
    draws: DrawOptions,
    format_: options.Format = "table",
) -> None:
    """Evaluate one score that is to accept targets and nobody else: min a-DCF, SASV-EER, SV-EER, SPF-EER.

    The a-DCF is given at the costs of its paper and at those of ASVspoof 5.
    """
    with errors_end_here():
        from deciban.values.option_checks import check_choice

        check_choice("--format", format_, FORMATS)
        table = data.scan(files, {"sasv": score})
        _written(_evaluated([table], draws, by=data.by, interval=interval, sasv_threshold=threshold), format_)


def _tables(
    files: list[str] | None,
    apart: own.TablesApart,
    data: own.ThreeClassOptions,
    asv_score: str | None,
    cm_score: str | None,
    *,
    alone: bool,
) -> list[TandemTable]:
    """One table with both scores, or one for each; the countermeasure's alone where the verifier's rates are given."""
    from deciban.errors import OptionError

    if files and (apart.asv or apart.cm):
        raise OptionError("give one table with both scores, or --asv and --cm, not both")
    for key, option, of in ((apart.asv_key, "--asv", apart.asv), (apart.cm_key, "--cm", apart.cm)):
        if key is not None and not of:
            raise OptionError(f"{option}-key: it is for {option}, which is not given")
    if files:
        return [_with_all(data.scan(files, {"cm": cm_score} if alone else {"asv": asv_score, "cm": cm_score}), alone)]
    if not apart.cm or not (apart.asv or alone):
        raise OptionError("expected a table with both scores, or --asv FILE and --cm FILE (or --cm and --asv-rates)")
    if apart.asv and alone:
        raise OptionError("give the verifier's scores (--asv), or its rates (--asv-rates), not both")
    if data.key is not None:
        raise OptionError("--key: it is for one table with both scores; give --asv-key and --cm-key")
    return apart.scan(data, asv_score, cm_score)


def _with_all(table: TandemTable, alone: bool) -> TandemTable:
    """Refuse a table that lacks the scores of one system: there would be no tandem to evaluate."""
    from deciban.errors import InputError

    for name in ("cm",) if alone else ("asv", "cm"):
        if name not in table.columns.scores:
            rates = ", or its rates with --asv-rates" if name == "asv" else ""
            raise InputError(f"{table.what}: no {name} scores; say which column has them with --{name}-score{rates}")
    return table


def _verifier(threshold: float | None, rates: str | None) -> Asv:
    """The verifier in the tandem, as the two options describe it."""
    from deciban.errors import OptionError
    from deciban.metrics.tandem.asv_rates import AsvRates
    from deciban.values.spelled import spelled_float

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


def _evaluated(tables: list[TandemTable], draws: DrawOptions, **further: Any) -> TandemEvaluation:
    from deciban.workflow.tandem.evaluate import evaluate_tandem

    with busy("evaluating") as progress:
        return evaluate_tandem(*tables, **draws.given(), **further, progress=progress)


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
    from deciban.values.whole_file import whole_file

    if not result.curves:
        raise UndefinedMetricError("--plot: there is no t-DCF to draw")
    with whole_file(path) as temporary, default_style():
        save(t_dcf(result.curves, vocabulary="spoofing"), temporary, format=format_of(path))

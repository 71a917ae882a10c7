"""``deciban report``: one page of a file of labelled scores, of several systems, or of a saved record."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from deciban.cli import options
from deciban.cli.bundles import Without, takes_bundles
from deciban.cli.data_options import DataOptions, Pairing, ScoresOf, SystemOption, Unmatched
from deciban.cli.interval_options import DrawOptions, FormOptions, IntervalOption
from deciban.cli.output import DONE, NOT_MET, assumed, busy, errors_end_here, once, read_text, refuse_input, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from deciban.records.comparison import Comparison
    from deciban.records.evaluation import Evaluation
    from deciban.records.reading import Readable

RECORD: Final = re.compile(r'\s*\{\s*"schema"\s*:\s*"deciban\.')
"""How a saved record begins."""

OF_A_RECORD: Final = ("files", "output", "title", "vocabulary", "strict", "require")
"""Options that say something of a record that is there already."""

OF_ONE: Final = ("by", "threshold_from", "fta", "fte", "exact", "require", "proportion", "auc_interval", "bootstrap")
"""Options for a single system."""

OF_SEVERAL: Final = ("pairing",)
"""Options for several systems."""


@takes_bundles
def report(
    context: typer.Context,
    *,
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE", help="One table: a file, several with the same columns, a glob, or -; or a saved record."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        options.option("-o --output", "FILE", "Report to write: .html, .md or .json.", parser=options.place),
    ] = None,
    system: SystemOption = None,
    score: ScoresOf = None,
    data: Annotated[DataOptions, Without("unmatched")],
    pairing: Pairing = "auto",
    unmatched: Unmatched = "refuse",
    threshold: Annotated[
        list[str] | None,
        options.option(
            "--threshold",
            "[NAME=]T",
            "Accept when score >= T (score <= T with --higher nontarget or --swap); for one of several systems "
            "NAME=T; repeatable (default: 0.5 for probabilities, LR = 1 for LRs).",
            options.FIGURES,
        ),
    ] = None,
    threshold_from: options.ThresholdFrom = None,
    metric: options.Metrics = None,
    cost: options.Cost = None,
    p_target: options.PTarget = None,
    fta: options.Fta = None,
    fte: options.Fte = None,
    exact: options.Exact = False,
    interval: IntervalOption = "auto",
    draws: DrawOptions,
    forms: FormOptions,
    title: Annotated[str | None, options.option("--title", "TEXT", "Title of the page.", options.OUTPUT)] = None,
    vocabulary: options.VocabularyOption = "neutral",
    require: options.Require = None,
    strict: options.Strict = False,
) -> None:
    """Write one page with every figure, drawing and finding, which holds its numbers and fetches nothing.

    Several systems are several --score columns of one FILE, or several --system NAME=FILE. A saved record (deciban
    evaluate, compare or validate --format json) becomes a page without computing anything again. A file of counts
    (deciban count) may take the place of the table. Exit status: 0 done, 1 a limit of --require or --strict was not met
    (the report is written all the same), 2 wrong use or bad input.
    """
    with errors_end_here():
        from deciban.cli.counted import counts_of
        from deciban.cli.systems import scan_systems
        from deciban.errors import OptionError
        from deciban.report.writing import check_report, write_report
        from deciban.workflow.require import parse_requirement

        if output is None:
            raise OptionError("where to: expected -o FILE, e.g. -o report.html")
        check_report(output, title=title, vocabulary=vocabulary)
        refuse_input(output, [*(files or ()), *(named.partition("=")[2] for named in system or ())])
        requirements = [parse_requirement(text) for text in require or []]
        given = _given(context)
        if _is_record(files or []):
            _refuse(given, [name for name in given if name not in OF_A_RECORD], "is for scores, not for a saved record")
            result: Readable = _read(files or [], "require" in given)
        else:
            several = len(system or score or []) > 1
            _refuse(
                given, OF_ONE if several else OF_SEVERAL, f"is for {'one system' if several else 'several systems'}"
            )
            declared = {**data.declared(), "unmatched": unmatched}
            kept = None if system else counts_of(files or [], declared, score=score)
            tables: Any = (
                {"": kept} if kept else scan_systems("report", files or [], system or [], score or [], **declared)
            )
            common: dict[str, Any] = {"costs": cost or (), "p_target": p_target, "interval": interval}
            common |= draws.given()
            if several:
                result = _compared(tables, threshold or [], pairing, unmatched, {**common, "metrics": metric or ()})
            else:
                asked = [item.asked for item in requirements if item.asked]
                common |= {"metrics": [*(metric or ()), *asked], "by": data.by or (), "exact": exact}
                common |= {"fta": fta, "fte": fte, **forms.given()}
                (table,) = tables.values()
                result = _evaluated(table, threshold or [], threshold_from or [], common)
        with busy("writing"):
            write_report(result, output, title=title, vocabulary=vocabulary)
        _end(result, output, requirements, strict)


def _given(context: typer.Context) -> list[str]:
    """Names of the options that were written on the command line."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return [name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"]


def _refuse(given: Sequence[str], names: Sequence[str], why: str) -> None:
    from deciban.errors import OptionError

    wrong = [name for name in given if name in names]
    if wrong:
        raise OptionError(f"--{wrong[0].strip('_').replace('_', '-')} {why}")


def _is_record(files: Sequence[str]) -> bool:
    """Whether the only file is a saved record."""
    if len(files) != 1 or not Path(files[0]).is_file():
        return False
    with Path(files[0]).open("rb") as file:
        return RECORD.match(file.read(200).decode("utf-8", errors="replace")) is not None


def _read(files: Sequence[str], requires: bool) -> Readable:
    from deciban.errors import InputError, OptionError
    from deciban.records.evaluation import Evaluation
    from deciban.records.reading import read_record

    try:
        result = read_record(read_text(Path(files[0])))
    except InputError as error:
        raise InputError(f"{files[0]}: {error}") from None
    if requires and not isinstance(result, Evaluation):
        raise OptionError("--require is for an evaluation, not for a comparison or a validation")
    return result


def _evaluated(table: Any, thresholds: Sequence[str], chosen: Sequence[Path], common: Mapping[str, Any]) -> Evaluation:
    from deciban.cli.compare import thresholds_of
    from deciban.errors import OptionError
    from deciban.records.display import exact_digits
    from deciban.records.threshold import ChosenThreshold
    from deciban.trials.direction import reversal
    from deciban.workflow.evaluating.evaluate import evaluate

    numbers = thresholds_of(thresholds, [])
    if isinstance(numbers, dict):
        raise OptionError(f"--threshold: expected a number, found {next(iter(numbers))!r}=…, which names a system")
    read = [ChosenThreshold.from_json(read_text(path)) for path in chosen]
    with busy("evaluating") as progress:
        result = evaluate(table, thresholds=[*numbers, *read], progress=progress, **common)
    assumed(result.provenance.columns["assumed"])
    if result.trials.reversed:
        say(f"deciban: {reversal(result.provenance.columns, [exact_digits(row.shown) for row in result.thresholds])}")
    return result


def _compared(
    tables: Mapping[str, Any], thresholds: Sequence[str], pairing: str, unmatched: str, common: Mapping[str, Any]
) -> Comparison:
    from deciban.cli.compare import thresholds_of
    from deciban.workflow.comparing.compare import compare

    with busy("comparing") as progress:
        result = compare(
            tables,
            thresholds=thresholds_of(thresholds, list(tables)),
            pairing=pairing,
            unmatched=unmatched,
            progress=progress,
            **common,
        )
    assumed(once({name: columns["assumed"] for name, columns in result.provenance.columns.items()}))
    return result


def _end(result: Readable, output: Path, requirements: Sequence[Any], strict: bool) -> None:
    """Say what a reader must know and what was written; the exit status."""
    from deciban.cli.printing import say_all, strict_not_met

    findings = result.all_findings()
    say_all(findings, advice=False)
    say(f"deciban: wrote {output}")
    unmet = [failure for requirement in requirements if (failure := requirement.check(result))]
    say(*(f"deciban: require: {failure}" for failure in unmet))
    not_met = strict_not_met(findings, strict)
    sys.exit(NOT_MET if unmet or not_met else DONE)

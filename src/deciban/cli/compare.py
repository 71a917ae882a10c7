"""``deciban compare``: several systems on the same trials, or each on its own."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

from deciban.cli import options
from deciban.cli.bundles import Without, takes_bundles
from deciban.cli.data_options import DataOptions, Pairing, ScoresOf, SystemOption, Unmatched
from deciban.cli.interval_options import DrawOptions
from deciban.cli.output import DONE, NOT_MET, assumed, busy, errors_end_here, once, write
from deciban.cli.printing import FORMATS, formatted, say_findings, strict_not_met

if TYPE_CHECKING:
    from collections.abc import Sequence


@takes_bundles
def compare(
    *,
    files: options.OptionalFiles = None,
    system: SystemOption = None,
    score: ScoresOf = None,
    data: Annotated[DataOptions, Without("by", "unmatched")],
    pairing: Pairing = "auto",
    unmatched: Unmatched = "refuse",
    metric: Annotated[
        list[str] | None,
        options.option(
            "--metric",
            "EXPR",
            "A figure to compare, e.g. auc or p_miss_at:p_fa=0.01; repeatable (default: those that the scale of "
            "the scores allows).",
            options.FIGURES,
        ),
    ] = None,
    cost: options.Cost = None,
    threshold: Annotated[
        list[str] | None,
        options.option(
            "--threshold",
            "[NAME=]T",
            "Compare errors (McNemar) when score >= T is accepted; for one system NAME=T; repeatable (default: "
            "0.5 for probabilities, LR = 1 for LRs).",
            options.FIGURES,
        ),
    ] = None,
    p_target: options.PTarget = None,
    interval: Annotated[
        str,
        options.option(
            "--interval",
            "HOW",
            "auto: closed forms where trials are independent and there is one, else the bootstrap; bootstrap: "
            "every interval; none: no random draws, tests in closed form only.",
            options.UNCERTAINTY,
        ),
    ] = "auto",
    draws: DrawOptions,
    format_: options.Format = "table",
    strict: options.Strict = False,
) -> None:
    """Compare systems: several --score columns of one FILE, or several --system NAME=FILE.

    Of every figure and every two systems the difference with its interval, a test, and the p-value adjusted for the
    number of pairs; McNemar's test at thresholds. The result goes to stdout. Exit status: 0 done, 1 --strict was not
    met, 2 wrong use or bad input.
    """
    with errors_end_here():
        from deciban.cli.systems import scan_systems
        from deciban.values.option_checks import check_choice
        from deciban.workflow.comparing.compare import compare as run

        check_choice("--format", format_, FORMATS)
        declared = {**data.declared(), "unmatched": unmatched}
        tables = scan_systems("compare", files or [], system or [], score or [], **declared)
        _require_several(list(tables))
        with busy("comparing") as progress:
            result = run(
                tables,
                metrics=metric or (),
                costs=cost or (),
                thresholds=thresholds_of(threshold or [], list(tables)),
                p_target=p_target,
                pairing=pairing,
                unmatched=unmatched,
                interval=interval,
                **draws.given(),
                progress=progress,
            )
        said = {name: columns["assumed"] for name, columns in result.provenance.columns.items()}
        assumed(once(said))
        say_findings(result, format_)
        write(formatted(result, format_))
        sys.exit(NOT_MET if strict_not_met(result.findings, strict) else DONE)


def _require_several(names: list[str]) -> None:
    from deciban.errors import OptionError

    if len(names) < 2:
        raise OptionError(
            "expected two systems or more: --score COL for each column of one file, or --system NAME=FILE for each; "
            "a single one is for deciban evaluate"
        )


def thresholds_of(given: Sequence[str], names: list[str]) -> list[float] | dict[str, list[float]]:
    """Thresholds of all systems, or of each by its name."""
    from deciban.errors import OptionError

    found: dict[str, list[float]] = {}
    for text in given:
        name, equals, value = text.rpartition("=")
        found.setdefault(name.strip() if equals else "", []).append(_number(value))
    if "" not in found:
        return found or []
    if len(found) > 1:
        raise OptionError(
            f"--threshold: expected one for all systems, or one for each of {', '.join(names)} as NAME=T, found both"
        )
    return found[""]


def _number(text: str) -> float:
    from deciban.errors import OptionError
    from deciban.values.spelled import spelled_float

    try:
        return spelled_float(text)
    except ValueError as error:
        raise OptionError(f"--threshold: {error}") from None

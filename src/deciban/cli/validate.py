"""``deciban validate``: the validation matrix of a method, by the criteria of a laboratory."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from deciban.cli import options
from deciban.cli import validation_options as own
from deciban.cli.bundles import Without, takes_bundles
from deciban.cli.data_options import DataOptions, Score
from deciban.cli.output import DONE, NOT_MET, assumed, busy, errors_end_here, refuse_input, say, write
from deciban.cli.printing import FORMATS, formatted, say_findings
from deciban.errors import DecibanError, OptionError

if TYPE_CHECKING:
    from deciban.records.validation import Validation


@takes_bundles
def validate(
    *,
    files: own.Files = None,
    criteria: own.Criteria = None,
    init: own.Init = None,
    output: own.Output = None,
    score: Score = None,
    data: Annotated[DataOptions, Without("missing", "higher", "swap", "unmatched")],
    missing: own.Missing = None,
    higher: own.Higher = None,
    swap: own.Swap = None,
    unmatched: own.Unmatched = None,
    threshold: own.Threshold = None,
    interval: own.Interval = None,
    level: own.Level = None,
    replicates: own.Replicates = None,
    seed: own.Seed = None,
    vocabulary: options.VocabularyOption = "neutral",
    format_: options.Format = "table",
    strict: own.Strict = False,
) -> None:
    """Decide the criteria of a laboratory on its validation data: pass, fail or not assessable, each with its reason.

    What is given here wins over the criteria file, and the report says so. The matrix goes to stdout. Exit status: 0 no
    criterion fails, 1 a criterion fails (or --strict was not met), 2 wrong use or bad input.
    """
    with errors_end_here():
        if init is not None:
            _refuse_beside_init(files or criteria or output)
            _write_template(init)
            return
        from deciban.report.writing import write_report
        from deciban.values.option_checks import check_choice
        from deciban.workflow.validation.validate import validate as run

        check_choice("--format", format_, FORMATS)
        if criteria is None:
            raise OptionError("--criteria: expected the criteria file, found none; --init criteria.toml writes one")
        _check_output(output, vocabulary)
        refuse_input(output, [*(files or ()), str(criteria)])
        of_criteria = {"missing": missing, "higher": higher, "swap": swap, "unmatched": unmatched}
        declared = {"score": score, **data.declared(), **of_criteria}
        with busy("validating") as progress:
            result = run(
                files or None,
                criteria=criteria,
                declared=declared,
                thresholds=threshold,
                interval=interval,
                level=level,
                replicates=replicates,
                seed=seed,
                progress=progress,
            )
        assumed(result.evaluation.provenance.columns["assumed"])
        if output is not None:
            refuse_input(output, _read(result))
            with busy("writing"):
                write_report(result, output, vocabulary=vocabulary)
            say(f"deciban: wrote {output}")
        say_findings(result, format_)
        write(formatted(result, format_))
        if format_ not in ("table", "markdown"):
            say(f"deciban: {result.verdict}")
        sys.exit(_status(result, strict))


def _check_output(output: Path | None, vocabulary: str) -> None:
    """Refuse what cannot be written before anything is computed."""
    from deciban.report.writing import check_report

    if output is not None:
        check_report(output, vocabulary=vocabulary)
    elif vocabulary != "neutral":
        raise OptionError("--vocabulary: it is for the words of a page; name one with -o report.html")


def _read(result: Validation) -> list[str]:
    """Every file that was read, and those that a calibration was fitted to."""
    fitted = () if result.development is None else result.development.inputs
    return [file.path for file in (*result.given.inputs, *fitted)]


def _status(result: Validation, strict: bool) -> int:
    if result.count("fail"):
        return NOT_MET
    left_open = result.count("not assessable")
    warned = sum(finding.severity == "warn" for finding in result.all_findings())
    if strict and (left_open or warned):
        say(f"deciban: strict: not met, {left_open} not assessable, {warned} warnings")
        return NOT_MET
    return DONE


def _refuse_beside_init(given: object) -> None:
    if given:
        raise OptionError("--init: it writes a criteria file and does nothing else; leave out what is beside it")


def _write_template(path: Path) -> None:
    """Write the criteria file that explains every field, unless something is there already."""
    from importlib.resources import files

    text = (files("deciban") / "workflow" / "validation" / "criteria_template.toml").read_text(encoding="utf-8")
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise DecibanError(f"{path}: is there already, and nothing is overwritten; choose another name") from None
    except OSError as error:
        raise DecibanError(f"{path}: cannot be written: {error.strerror}") from None
    say(f"deciban: wrote {path}; fill it in, then: deciban validate FILE --criteria {path}")

"""``deciban verify``: whether a record comes out again from its inputs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from deciban.cli import options
from deciban.cli.output import DONE, NOT_MET, busy, errors_end_here, read_text, say, write
from deciban.cli.printing import FORMATS, formatted
from deciban.errors import InputError, OptionError


def verify(
    record: Annotated[
        Path,
        typer.Argument(
            metavar="RECORD",
            help="JSON of evaluate, compare, validate, asvspoof, pad, or pan --format record.",
            parser=options.place,
        ),
    ],
    input_: Annotated[
        list[str] | None,
        options.option(
            "--input",
            "OLD=NEW",
            "What the record calls OLD, a file or the address of a table, is at NEW now; repeatable (default: as "
            "recorded, then beside the record).",
        ),
    ] = None,
    rtol: Annotated[
        float,
        options.option(
            "--rtol",
            "R",
            "Relative difference that numbers may have, e.g. 1e-9 for other versions of NumPy.",
            parser=options.number,
        ),
    ] = 0.0,
    format_: options.Format = "table",
) -> None:
    """Hash the inputs of a record again, compute it again by its own options, and report every difference.

    Exit status: 0 everything came out again, 1 something did not, 2 wrong use or no such record.
    """
    with errors_end_here():
        from deciban.values.option_checks import check_choice
        from deciban.workflow.verifying.verify import read_checkable
        from deciban.workflow.verifying.verify import verify as run

        check_choice("--format", format_, FORMATS)
        try:
            read = read_checkable(read_text(record))
        except InputError as error:
            raise InputError(f"{record}: {error}") from None
        with busy("computing again") as progress:
            known = [file.path for file in read.provenance.inputs]
            result = run(read, inputs=_moved(input_ or [], known), folder=record.parent, rtol=rtol, progress=progress)
        write(formatted(result, format_))
        if format_ != "table":
            say(f"deciban: {result.verdict}")
        sys.exit(DONE if result.same else NOT_MET)


def _moved(given: list[str], known: list[str]) -> dict[str, str]:
    """The files that lie elsewhere now; both paths may hold ``=`` where the record names the old one so."""
    moved = {}
    for text in given:
        old = max((path for path in known if text.startswith(f"{path}=")), key=len, default=None)
        old, equals, new = text.rpartition("=") if old is None else (old, "=", text[len(old) + 1 :])
        if not (equals and old and new):
            raise OptionError(f"--input: expected OLD=NEW, found {text!r}")
        if old in moved:
            raise OptionError(f"--input: {old!r} is given twice")
        moved[old] = new
    return moved

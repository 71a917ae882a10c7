"""The program ``deciban``: its commands in the order in which ``--help`` lists them."""

from __future__ import annotations

import re
import sys
from typing import Annotated, NoReturn, cast

import typer

from deciban.cli.asvspoof import asvspoof
from deciban.cli.calibrate import calibrate
from deciban.cli.compare import compare
from deciban.cli.convert import convert
from deciban.cli.count import count
from deciban.cli.demo import demo
from deciban.cli.evaluate import evaluate
from deciban.cli.merge import merge
from deciban.cli.metrics import metrics
from deciban.cli.output import DONE, STOPPED, WRONG, cleaning_up, fail, say, stdout_may_fail
from deciban.cli.pad import pad
from deciban.cli.pan import pan
from deciban.cli.plan import plan
from deciban.cli.plot import plot
from deciban.cli.replicates import replicates
from deciban.cli.report import report
from deciban.cli.threshold import threshold
from deciban.cli.validate import validate
from deciban.cli.verify import verify
from deciban.version import __version__

UsageError = cast("type[Exception]", typer.BadParameter.__mro__[1])
"""What the parser raises for wrong use; newer versions of Typer no longer take it from Click, and hide its name."""

_UNWRAP = re.compile(r"^Invalid value for (?:'[^']*' / )?'([^']*)': ")

app = typer.Typer(
    name="deciban",
    help="Measure how good scores and likelihood ratios are.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"deciban {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show it.")] = False,
) -> None:
    pass


app.command(no_args_is_help=True)(evaluate)
app.command(no_args_is_help=True)(report)
app.command(no_args_is_help=True)(compare)
app.command(no_args_is_help=True)(validate)
app.command(no_args_is_help=True)(threshold)
app.command(no_args_is_help=True)(convert)
app.add_typer(calibrate)
app.command(no_args_is_help=True)(plot)
app.command(no_args_is_help=True)(count)
app.command(no_args_is_help=True)(merge)
app.command(no_args_is_help=True)(verify)
app.command(no_args_is_help=True)(replicates)
app.add_typer(asvspoof)
app.command(no_args_is_help=True)(plan)
app.command(no_args_is_help=True)(pan)
app.command(no_args_is_help=True)(pad)
app.command()(metrics)
app.command()(demo)


def run() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        # Output is UTF-8 wherever it goes; a terminal that cannot show a sign gets a replacement, not an error.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    status: object = DONE
    try:
        # Help and version are written by Typer, not by a command of ours.
        with cleaning_up(), stdout_may_fail():
            status = app(standalone_mode=False)
    except KeyboardInterrupt:
        say("deciban: stopped")
        status = STOPPED
    except UsageError as error:
        _wrong_use(error)
    sys.exit(status if isinstance(status, int) else DONE)


def _wrong_use(error: Exception) -> NoReturn:
    """One line for wrong use of the command line, in the form of every other error."""
    message = str(error.format_message())  # type: ignore[attr-defined]
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        # The help itself: Typer has shown it already, unless Rich is not there.
        say(*([message] if message else []))
        sys.exit(WRONG)
    where = context.command_path if context is not None else "deciban"
    said = _UNWRAP.sub(r"\1: ", message).rstrip(".")
    fail(f"{said}{' See' if said.endswith('?') else '; see'} {where} --help")

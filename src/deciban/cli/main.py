"""The program ``deciban``: its commands in the order in which ``--help`` lists them."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from deciban.cli.demo import demo
from deciban.cli.evaluate import evaluate
from deciban.cli.metrics import metrics
from deciban.cli.threshold import threshold
from deciban.version import __version__

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


app.command()(evaluate)
app.command()(threshold)
app.command()(metrics)
app.command()(demo)


def run() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        # Output is UTF-8 wherever it goes; a terminal that cannot show a sign gets a replacement, not an error.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    app()

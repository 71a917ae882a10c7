"""``deciban calibrate``: its commands in the order in which ``--help`` lists them."""

from __future__ import annotations

import typer

from deciban.cli.calibrate_apply import apply
from deciban.cli.calibrate_crossfit import crossfit
from deciban.cli.calibrate_fit import fit
from deciban.cli.calibrate_show import show

calibrate = typer.Typer(
    name="calibrate",
    help="Turn scores into likelihood ratios: fit on development trials, apply to others.",
    no_args_is_help=True,
)

for command in (fit, apply, crossfit, show):
    calibrate.command(no_args_is_help=True)(command)

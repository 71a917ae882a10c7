"""``deciban asvspoof``: its commands in the order in which ``--help`` lists them."""

from __future__ import annotations

import typer

from deciban.cli.asvspoof_alone import asv, cm
from deciban.cli.asvspoof_tandem import sasv, tandem

asvspoof = typer.Typer(
    name="asvspoof",
    help="Spoofing countermeasures and the speaker verifiers behind them.",
    no_args_is_help=True,
)

for command in (cm, asv, tandem, sasv):
    asvspoof.command(no_args_is_help=True)(command)

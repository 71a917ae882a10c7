"""How uncertainty is computed: the options of every command whose figures have intervals, declared once."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any

import typer

from deciban.cli.options import UNCERTAINTY, number, whole

IntervalOption = Annotated[
    str,
    typer.Option(
        "--interval",
        metavar="HOW",
        help="auto: closed forms, the bootstrap for the rest, and by source where --source is given; closed: closed "
        "forms alone; bootstrap: every figure; none.",
        rich_help_panel=UNCERTAINTY,
    ),
]
Level = Annotated[
    float,
    typer.Option("--level", metavar="P", parser=number, help="Confidence level.", rich_help_panel=UNCERTAINTY),
]
Replicates = Annotated[
    int,
    typer.Option("--replicates", metavar="N", parser=whole, help="Bootstrap replicates.", rich_help_panel=UNCERTAINTY),
]
Seed = Annotated[
    int,
    typer.Option("--seed", metavar="N", parser=whole, help="Seed of every random draw.", rich_help_panel=UNCERTAINTY),
]
Proportion = Annotated[
    str,
    typer.Option(
        "--proportion",
        metavar="HOW",
        help="Closed form for rates: wilson, clopper-pearson or jeffreys.",
        rich_help_panel=UNCERTAINTY,
    ),
]
AucInterval = Annotated[
    str,
    typer.Option(
        "--auc-interval",
        metavar="HOW",
        help="Closed form for AUC: delong-logit, delong, newcombe or hanley-mcneil.",
        rich_help_panel=UNCERTAINTY,
    ),
]
Bootstrap = Annotated[
    str | None,
    typer.Option(
        "--bootstrap",
        metavar="HOW",
        help="How intervals are read from the replicates: percentile, basic or bca; or from halves of the data: halves "
        "or halves-log (default: as each metric says).",
        rich_help_panel=UNCERTAINTY,
        show_default=False,
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalOptions:
    """How intervals are made."""

    interval: IntervalOption = "auto"
    level: Level = 0.95
    replicates: Replicates = 1000
    seed: Seed = 0

    def given(self) -> dict[str, Any]:
        """The options by the names that they have in the library."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormOptions:
    """Which closed forms there are, and how intervals are read from replicates."""

    proportion: Proportion = "wilson"
    auc_interval: AucInterval = "delong-logit"
    bootstrap: Bootstrap = None

    def given(self) -> dict[str, Any]:
        """The options by the names that they have in the library."""
        return asdict(self)

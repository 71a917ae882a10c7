"""How uncertainty is computed: the options of every command whose figures have intervals, declared once."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any

from deciban.cli.options import UNCERTAINTY, number, option, whole

IntervalOption = Annotated[
    str,
    option(
        "--interval",
        "HOW",
        "auto: closed forms, the bootstrap for the rest, and by source where --source is given; closed: closed "
        "forms alone; bootstrap: every figure; none.",
        UNCERTAINTY,
    ),
]
Level = Annotated[float, option("--level", "P", "Confidence level.", UNCERTAINTY, parser=number)]
Replicates = Annotated[int, option("--replicates", "N", "Bootstrap replicates.", UNCERTAINTY, parser=whole)]
Seed = Annotated[int, option("--seed", "N", "Seed of every random draw.", UNCERTAINTY, parser=whole)]
Proportion = Annotated[
    str, option("--proportion", "HOW", "Closed form for rates: wilson, clopper-pearson or jeffreys.", UNCERTAINTY)
]
AucInterval = Annotated[
    str,
    option(
        "--auc-interval", "HOW", "Closed form for AUC: delong-logit, delong, newcombe or hanley-mcneil.", UNCERTAINTY
    ),
]
Bootstrap = Annotated[
    str | None,
    option(
        "--bootstrap",
        "HOW",
        "How intervals are read from the replicates: percentile, basic or bca; or from halves of the data: halves "
        "or halves-log (default: as each metric says).",
        UNCERTAINTY,
        show_default=False,
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawOptions:
    """How sure intervals are, and what is drawn for those that are drawn."""

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

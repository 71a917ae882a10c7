"""How the intervals of an evaluation are made: what its options say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from deciban.uncertainty.bootstrap.bootstrap import METHODS, Method
from deciban.uncertainty.bootstrap.repeat import Progress
from deciban.uncertainty.delong.single import AucMethod
from deciban.uncertainty.proportion import ProportionMethod
from deciban.values.option_checks import check_known

How = Literal["auto", "closed", "bootstrap", "none"]
HOW: Final = ("auto", "closed", "bootstrap", "none")

Drawn = Literal["auto", "bootstrap", "none"]
DRAWN: Final = ("auto", "bootstrap", "none")
"""What there is to choose where closed forms alone would answer next to nothing."""

AUTO_LIMIT: Final = 10_000
"""Distinct scores up to which ``auto`` draws replicates for figures without a closed form: a thousand take seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """How intervals are made.

    Attributes
    ----------
    interval
        ``auto``: the bootstrap by source when sources are known; else closed forms, and the bootstrap by trial for
        figures without one, where there are at most :data:`AUTO_LIMIT` distinct scores. ``closed``: closed forms alone,
        trials taken as independent. ``bootstrap``: every figure, by source when sources are known, else by trial.
        ``none``.
    level, replicates, seed
        Confidence level; bootstrap replicates and the seed they come from.
    proportion, auc
        Which closed form for rates and for AUC.
    method
        How intervals are read from the replicates; None: as each metric says.
    progress
        Told how far the bootstrap is.
    """

    interval: How = "auto"
    level: float = 0.95
    replicates: int = 1000
    seed: int = 0
    proportion: ProportionMethod = "wilson"
    auc: AucMethod = "delong-logit"
    method: Method | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        # Told before a large file is read, and where no figure of the table would have asked.
        check_known("proportion", self.proportion, get_args(ProportionMethod))
        check_known("auc_interval", self.auc, get_args(AucMethod))
        if self.method is not None:
            check_known("bootstrap", self.method, METHODS)

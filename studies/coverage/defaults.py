"""Which method ``evaluate`` takes for each figure of the study when it is not told."""

from __future__ import annotations

from typing import Final

from deciban.metrics.catalogue import BY_NAME
from deciban.uncertainty.class_means import DEFAULT
from deciban.workflow.intervals.intervals import method_of
from deciban.workflow.intervals.ways import Ways
from studies.coverage.cells import Cell
from studies.coverage.methods import BY_TRIAL

TITLES: Final = {
    "auc": "AUC",
    "eer": "EER",
    "cllr": "Cllr",
    "cllr_min": "min Cllr",
    "cllr_cal": "calibration loss",
    "average_precision": "average precision",
    "p_miss_at": "p_miss at p_fa 0.01",
    "brier": "Brier score",
    "accuracy": "accuracy",
}
"""Words for tables and pictures, in their order."""

NONE: Final = "none"
"""The method of a figure that has no interval."""

CLOSED: Final = {"auc": Ways().auc, "cllr": DEFAULT, "brier": DEFAULT, "accuracy": Ways().proportion}
"""Closed forms, which are the default where trials are independent."""


def default(figure: str, cell: Cell) -> str:
    """Return the default: a closed form for independent trials, where there is one, else how replicates are read."""
    independent = cell.world.sharing == "none"
    if independent and figure in CLOSED:
        return CLOSED[figure]
    return method_of(BY_NAME[figure].spec, Ways(), in_pairs=cell.world.sharing == "two-way") or NONE


def as_if_independent(figure: str) -> str:
    """Return the default for independent trials, where trials share sources.

    BCa leaves out every trial, which is too slow to be tried beside: quantiles stand for it.
    """
    read = BY_NAME[figure].spec.bootstrap or NONE
    return CLOSED.get(figure, "percentile" if read == "bca" else read) + BY_TRIAL

"""Which method ``evaluate`` takes for each figure of the study when it is not told."""

from __future__ import annotations

from typing import Final

from deciban.metrics.catalogue import BY_NAME
from deciban.uncertainty.class_means import DEFAULT
from deciban.workflow.intervals import Ways

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

CLOSED: Final = {"auc": Ways().auc, "cllr": DEFAULT, "brier": DEFAULT, "accuracy": Ways().proportion}
"""Closed forms, which are the default where trials are independent."""


def by_trial(figure: str) -> str:
    """Return the default for independent trials: the closed form, or how the figure is read from replicates."""
    return CLOSED.get(figure, by_source(figure))


def by_source(figure: str) -> str:
    """Return the default where sources are known."""
    return BY_NAME[figure].spec.bootstrap

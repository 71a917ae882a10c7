"""Measure how good scores and likelihood ratios are.

Trials become counts; counts become numbers; numbers become a record; the record becomes pages. Every name below is
loaded when first used, so that ``import deciban`` costs little more than NumPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from deciban.version import __version__ as __version__

_HOME = {
    "ChosenThreshold": "records.threshold",
    "Confusion": "confusion_matrix",
    "Counts": "counts",
    "DecibanError": "errors",
    "Evaluation": "records.evaluation",
    "InputError": "errors",
    "MissingExtraError": "errors",
    "NeedsTrialsError": "errors",
    "OptionError": "errors",
    "ScaleError": "errors",
    "SingleClassError": "errors",
    "Table": "scanning",
    "Trials": "trials",
    "UndefinedMetricError": "errors",
    "auc_within": "metrics.within",
    "bayes_threshold": "metrics.presets",
    "choose_threshold": "workflow.choose",
    "confusion": "confusion_matrix",
    "count": "counting",
    "det": "curves.roc",
    "equal_error": "metrics.eer",
    "evaluate": "workflow.evaluate",
    "lr_overestimation": "curves.overestimation",
    "merge": "counts",
    "pair_counts": "counts",
    "precision_recall": "curves.roc",
    "read_trials": "scanning",
    "roc": "curves.roc",
    "rule_of_30": "uncertainty.planning",
    "scan": "scanning",
    "zero_error_bound": "uncertainty.planning",
}
"""Where each public name lives; metrics are found through their catalogue."""

_METRICS = "metrics.catalogue"


def __getattr__(name: str) -> Any:
    """Load a public name on first use."""
    if name.startswith("_"):
        raise AttributeError(f"module 'deciban' has no attribute {name!r}")
    if name in _HOME:
        value = getattr(import_module(f"deciban.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    catalogue = import_module(f"deciban.{_METRICS}")
    for metric in catalogue.METRICS:
        if metric.__name__ == name:
            globals()[name] = metric
            return metric
    raise AttributeError(f"module 'deciban' has no attribute {name!r}")

"""Measure how good scores and likelihood ratios are.

Trials become counts; counts become numbers; numbers become a record; the record becomes pages. Every name below is
loaded when first used, so that ``import deciban`` costs little more than NumPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from deciban.version import __version__ as __version__

_HOME = {
    "Band": "curves.curve",
    "BayesErrorCurve": "curves.bayes_error",
    "ChosenThreshold": "records.threshold",
    "Confusion": "confusion_matrix",
    "Counts": "counts",
    "CrossEntropyCurve": "curves.cross_entropy",
    "Curve": "curves.curve",
    "DecibanError": "errors",
    "Det": "curves.roc",
    "Evaluation": "records.evaluation",
    "InputError": "errors",
    "MissingExtraError": "errors",
    "NeedsTrialsError": "errors",
    "NetBenefitCurve": "curves.net_benefit",
    "OptionError": "errors",
    "PavMap": "curves.hull",
    "PrGain": "curves.gain",
    "PrecisionRecall": "curves.roc",
    "Reliability": "curves.reliability",
    "Roc": "curves.roc",
    "Rocch": "curves.hull",
    "ScaleError": "errors",
    "ScoreHistogram": "curves.histogram",
    "SingleClassError": "errors",
    "Table": "scanning",
    "ThresholdCurve": "curves.thresholds",
    "Tippett": "curves.tippett",
    "Trials": "trials",
    "UndefinedMetricError": "errors",
    "auc_within": "metrics.within",
    "bayes_error_curve": "curves.bayes_error",
    "bayes_threshold": "metrics.presets",
    "choose_threshold": "workflow.choose",
    "confusion": "confusion_matrix",
    "count": "counting",
    "det": "curves.roc",
    "empirical_cross_entropy_curve": "curves.cross_entropy",
    "equal_error": "metrics.eer",
    "evaluate": "workflow.evaluate",
    "lr_overestimation": "curves.overestimation",
    "merge": "counts",
    "net_benefit_curve": "curves.net_benefit",
    "pair_counts": "counts",
    "pav_map": "curves.hull",
    "pr_gain": "curves.gain",
    "precision_recall": "curves.roc",
    "read_trials": "scanning",
    "reliability": "curves.reliability",
    "roc": "curves.roc",
    "rocch": "curves.hull",
    "rule_of_30": "uncertainty.planning",
    "scan": "scanning",
    "score_histogram": "curves.histogram",
    "thin": "curves.thinning",
    "threshold_curve": "curves.thresholds",
    "tippett": "curves.tippett",
    "zero_error_bound": "uncertainty.planning",
}
"""Where each public name lives; metrics are found through their catalogue."""

_METRICS = "metrics.catalogue"


def __getattr__(name: str) -> Any:
    """Load a public name on first use."""
    if name.startswith("_"):
        raise AttributeError(f"module 'deciban' has no attribute {name!r}")
    if name == "plots":
        return import_module("deciban.plots")
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

"""Measure how good scores and likelihood ratios are.

Trials become counts; counts become numbers; numbers become a record; the record becomes pages. Every name below is
loaded when first used, so that ``import deciban`` costs little more than NumPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from deciban.version import __version__ as __version__

_HOME = {
    "AucCovariance": "uncertainty.delong_several",
    "AucVariance": "uncertainty.delong",
    "Band": "curves.curve",
    "BayesErrorCurve": "curves.bayes_error",
    "ChosenThreshold": "records.threshold",
    "Confusion": "confusion_matrix",
    "ContrastTest": "uncertainty.delong_several",
    "Counts": "counts",
    "CrossEntropyCurve": "curves.cross_entropy",
    "Curve": "curves.curve",
    "DecibanError": "errors",
    "Det": "curves.roc",
    "Evaluation": "records.evaluation",
    "InputError": "errors",
    "Interval": "uncertainty.interval",
    "McNemar": "uncertainty.paired",
    "MissingExtraError": "errors",
    "NeedsTrialsError": "errors",
    "NetBenefitCurve": "curves.net_benefit",
    "OptionError": "errors",
    "PairedAuc": "uncertainty.delong_paired",
    "PavMap": "curves.hull",
    "PermutationTest": "uncertainty.paired",
    "PlannedTrials": "uncertainty.sample_size",
    "PrGain": "curves.gain",
    "PrecisionRecall": "curves.roc",
    "RateVariance": "uncertainty.rates",
    "Reliability": "curves.reliability",
    "ReplicatePrecision": "uncertainty.replicates",
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
    "Visible": "uncertainty.planning",
    "auc_interval": "uncertainty.delong",
    "auc_within": "metrics.within",
    "bayes_error_curve": "curves.bayes_error",
    "bayes_threshold": "metrics.presets",
    "brier_interval": "uncertainty.cost_intervals",
    "choose_threshold": "workflow.choose",
    "cllr_interval": "uncertainty.cost_intervals",
    "confusion": "confusion_matrix",
    "count": "counting",
    "cross_entropy_interval": "uncertainty.cost_intervals",
    "delong_contrast": "uncertainty.delong_several",
    "delong_covariance": "uncertainty.delong_several",
    "delong_test": "uncertainty.delong_paired",
    "delong_variance": "uncertainty.delong",
    "det": "curves.roc",
    "empirical_cross_entropy_curve": "curves.cross_entropy",
    "equal_error": "metrics.eer",
    "evaluate": "workflow.evaluate",
    "holm": "uncertainty.paired",
    "log_loss_interval": "uncertainty.cost_intervals",
    "lr_overestimation": "curves.overestimation",
    "lr_positive_interval": "uncertainty.rates",
    "mcnemar": "uncertainty.paired",
    "merge": "counts",
    "midranks": "uncertainty.placements",
    "net_benefit_curve": "curves.net_benefit",
    "pair_counts": "counts",
    "pair_means": "uncertainty.replicates",
    "pav_map": "curves.hull",
    "permutation_test": "uncertainty.paired",
    "pr_gain": "curves.gain",
    "precision_recall": "curves.roc",
    "proportion_interval": "uncertainty.proportion",
    "read_trials": "scanning",
    "reliability": "curves.reliability",
    "replicate_precision": "uncertainty.replicates",
    "roc": "curves.roc",
    "rocch": "curves.hull",
    "rule_of_30": "uncertainty.planning",
    "scan": "scanning",
    "score_histogram": "curves.histogram",
    "subject_rate_variance": "uncertainty.rates",
    "thin": "curves.thinning",
    "threshold_curve": "curves.thresholds",
    "tippett": "curves.tippett",
    "trials_for_auc": "uncertainty.sample_size",
    "trials_for_cllr": "uncertainty.sample_size",
    "trials_for_rate": "uncertainty.sample_size",
    "trials_for_rule_of_30": "uncertainty.planning",
    "what_can_be_seen": "uncertainty.planning",
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

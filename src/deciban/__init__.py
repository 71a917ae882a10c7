"""Measure how good scores and likelihood ratios are.

Trials become counts; counts become numbers; numbers become a record; the record becomes pages. Every name below is
loaded when first used, so that ``import deciban`` costs little more than NumPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from deciban.version import __version__ as __version__

if TYPE_CHECKING:
    # The same names for type checkers, which do not run the function below; a test keeps the two in step.
    from deciban.confusion_matrix import Confusion as Confusion
    from deciban.confusion_matrix import confusion as confusion
    from deciban.counting import count as count
    from deciban.counts import Counts as Counts
    from deciban.counts import merge as merge
    from deciban.counts import pair_counts as pair_counts
    from deciban.curves.bayes_error import BayesErrorCurve as BayesErrorCurve
    from deciban.curves.bayes_error import bayes_error_curve as bayes_error_curve
    from deciban.curves.cross_entropy import (
        CrossEntropyCurve as CrossEntropyCurve,
    )
    from deciban.curves.cross_entropy import (
        empirical_cross_entropy_curve as empirical_cross_entropy_curve,
    )
    from deciban.curves.curve import Band as Band
    from deciban.curves.curve import Curve as Curve
    from deciban.curves.gain import PrGain as PrGain
    from deciban.curves.gain import pr_gain as pr_gain
    from deciban.curves.histogram import ScoreHistogram as ScoreHistogram
    from deciban.curves.histogram import score_histogram as score_histogram
    from deciban.curves.hull import PavMap as PavMap
    from deciban.curves.hull import Rocch as Rocch
    from deciban.curves.hull import pav_map as pav_map
    from deciban.curves.hull import rocch as rocch
    from deciban.curves.net_benefit import NetBenefitCurve as NetBenefitCurve
    from deciban.curves.net_benefit import net_benefit_curve as net_benefit_curve
    from deciban.curves.overestimation import lr_overestimation as lr_overestimation
    from deciban.curves.reliability import Reliability as Reliability
    from deciban.curves.reliability import reliability as reliability
    from deciban.curves.roc import (
        Det as Det,
    )
    from deciban.curves.roc import (
        PrecisionRecall as PrecisionRecall,
    )
    from deciban.curves.roc import (
        Roc as Roc,
    )
    from deciban.curves.roc import (
        det as det,
    )
    from deciban.curves.roc import (
        precision_recall as precision_recall,
    )
    from deciban.curves.roc import (
        roc as roc,
    )
    from deciban.curves.thinning import thin as thin
    from deciban.curves.thresholds import ThresholdCurve as ThresholdCurve
    from deciban.curves.thresholds import threshold_curve as threshold_curve
    from deciban.curves.tippett import Tippett as Tippett
    from deciban.curves.tippett import tippett as tippett
    from deciban.errors import (
        DecibanError as DecibanError,
    )
    from deciban.errors import (
        InputError as InputError,
    )
    from deciban.errors import (
        MissingExtraError as MissingExtraError,
    )
    from deciban.errors import (
        NeedsTrialsError as NeedsTrialsError,
    )
    from deciban.errors import (
        OptionError as OptionError,
    )
    from deciban.errors import (
        ScaleError as ScaleError,
    )
    from deciban.errors import (
        SingleClassError as SingleClassError,
    )
    from deciban.errors import (
        UndefinedMetricError as UndefinedMetricError,
    )
    from deciban.metrics.bayes_error import bayes_error as bayes_error
    from deciban.metrics.bayes_error import bayes_error_min as bayes_error_min
    from deciban.metrics.binned import (
        calibration_error as calibration_error,
    )
    from deciban.metrics.binned import (
        calibration_error_debiased as calibration_error_debiased,
    )
    from deciban.metrics.binned import (
        calibration_sweep as calibration_sweep,
    )
    from deciban.metrics.biometric import attack_rates as attack_rates
    from deciban.metrics.biometric import generalised_rates as generalised_rates
    from deciban.metrics.bounds import elub as elub
    from deciban.metrics.bounds import elub_one_sided as elub_one_sided
    from deciban.metrics.bounds import iv_bounds as iv_bounds
    from deciban.metrics.calibration_checks import devpav as devpav
    from deciban.metrics.calibration_checks import lr_moments as lr_moments
    from deciban.metrics.calibration_checks import turing as turing
    from deciban.metrics.calibration_line import (
        calibration_intercept as calibration_intercept,
    )
    from deciban.metrics.calibration_line import (
        calibration_line as calibration_line,
    )
    from deciban.metrics.cost_weighted import h_measure as h_measure
    from deciban.metrics.decision import act_dcf as act_dcf
    from deciban.metrics.decision import min_dcf as min_dcf
    from deciban.metrics.decomposition import (
        brier_corp as brier_corp,
    )
    from deciban.metrics.decomposition import (
        brier_murphy as brier_murphy,
    )
    from deciban.metrics.decomposition import (
        log_loss_corp as log_loss_corp,
    )
    from deciban.metrics.discrimination import (
        auc as auc,
    )
    from deciban.metrics.discrimination import (
        average_precision as average_precision,
    )
    from deciban.metrics.discrimination import (
        p_fa_at as p_fa_at,
    )
    from deciban.metrics.discrimination import (
        p_miss_at as p_miss_at,
    )
    from deciban.metrics.eer import eer as eer
    from deciban.metrics.eer import eer_fvc as eer_fvc
    from deciban.metrics.eer import equal_error as equal_error
    from deciban.metrics.expected_cost import (
        expected_cost as expected_cost,
    )
    from deciban.metrics.expected_cost import (
        net_benefit as net_benefit,
    )
    from deciban.metrics.expected_cost import (
        net_benefit_all as net_benefit_all,
    )
    from deciban.metrics.information import (
        cllr as cllr,
    )
    from deciban.metrics.information import (
        cllr_cal as cllr_cal,
    )
    from deciban.metrics.information import (
        cllr_min as cllr_min,
    )
    from deciban.metrics.information import (
        cllr_nontarget_half as cllr_nontarget_half,
    )
    from deciban.metrics.information import (
        cllr_target_half as cllr_target_half,
    )
    from deciban.metrics.information import (
        empirical_cross_entropy as empirical_cross_entropy,
    )
    from deciban.metrics.largest_difference import ks as ks
    from deciban.metrics.largest_difference import youden as youden
    from deciban.metrics.misleading import rmed as rmed
    from deciban.metrics.misleading import rmep as rmep
    from deciban.metrics.partial_area import (
        partial_auc as partial_auc,
    )
    from deciban.metrics.partial_area import (
        partial_auc_standardised as partial_auc_standardised,
    )
    from deciban.metrics.precision_gain import pr_gain_area as pr_gain_area
    from deciban.metrics.precision_recall_area import (
        pr_davis_goadrich as pr_davis_goadrich,
    )
    from deciban.metrics.precision_recall_area import (
        pr_trapezoid as pr_trapezoid,
    )
    from deciban.metrics.presets import bayes_threshold as bayes_threshold
    from deciban.metrics.prevalence import precision_at as precision_at
    from deciban.metrics.reliability import (
        brier as brier,
    )
    from deciban.metrics.reliability import (
        log_loss as log_loss,
    )
    from deciban.metrics.reliability import (
        mean_calibration as mean_calibration,
    )
    from deciban.metrics.reliability import (
        spiegelhalter as spiegelhalter,
    )
    from deciban.metrics.separation import d_prime as d_prime
    from deciban.metrics.separation import d_prime_auc as d_prime_auc
    from deciban.metrics.separation import decidability as decidability
    from deciban.metrics.threshold import (
        accuracy as accuracy,
    )
    from deciban.metrics.threshold import (
        balanced_accuracy as balanced_accuracy,
    )
    from deciban.metrics.threshold import (
        baseline_accuracy as baseline_accuracy,
    )
    from deciban.metrics.threshold import (
        diagnostic_odds_ratio as diagnostic_odds_ratio,
    )
    from deciban.metrics.threshold import (
        f1 as f1,
    )
    from deciban.metrics.threshold import (
        f_beta as f_beta,
    )
    from deciban.metrics.threshold import (
        hter as hter,
    )
    from deciban.metrics.threshold import (
        informedness as informedness,
    )
    from deciban.metrics.threshold import (
        kappa as kappa,
    )
    from deciban.metrics.threshold import (
        lr_negative as lr_negative,
    )
    from deciban.metrics.threshold import (
        lr_positive as lr_positive,
    )
    from deciban.metrics.threshold import (
        majority_accuracy as majority_accuracy,
    )
    from deciban.metrics.threshold import (
        markedness as markedness,
    )
    from deciban.metrics.threshold import (
        mcc as mcc,
    )
    from deciban.metrics.threshold import (
        npv as npv,
    )
    from deciban.metrics.threshold import (
        p_fa as p_fa,
    )
    from deciban.metrics.threshold import (
        p_miss as p_miss,
    )
    from deciban.metrics.threshold import (
        precision as precision,
    )
    from deciban.metrics.threshold import (
        recall as recall,
    )
    from deciban.metrics.threshold import (
        specificity as specificity,
    )
    from deciban.metrics.within import auc_within as auc_within
    from deciban.records.evaluation import Evaluation as Evaluation
    from deciban.records.threshold import ChosenThreshold as ChosenThreshold
    from deciban.scanning import Table as Table
    from deciban.scanning import read_trials as read_trials
    from deciban.scanning import scan as scan
    from deciban.simulate import bigaussian_figures as bigaussian_figures
    from deciban.trials import Trials as Trials
    from deciban.uncertainty.planning import rule_of_30 as rule_of_30
    from deciban.uncertainty.planning import zero_error_bound as zero_error_bound
    from deciban.verbal import verbal_step as verbal_step
    from deciban.workflow.choose import choose_threshold as choose_threshold
    from deciban.workflow.evaluate import evaluate as evaluate

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
    "attack_rates": "metrics.biometric",
    "auc_within": "metrics.within",
    "bayes_error_curve": "curves.bayes_error",
    "bayes_threshold": "metrics.presets",
    "bigaussian_figures": "simulate",
    "choose_threshold": "workflow.choose",
    "confusion": "confusion_matrix",
    "count": "counting",
    "det": "curves.roc",
    "empirical_cross_entropy_curve": "curves.cross_entropy",
    "equal_error": "metrics.eer",
    "evaluate": "workflow.evaluate",
    "generalised_rates": "metrics.biometric",
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
    "verbal_step": "verbal",
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

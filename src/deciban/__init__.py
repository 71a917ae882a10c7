"""Measure how good scores and likelihood ratios are.

Trials become counts; counts become numbers; numbers become a record. Every name below is loaded when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from deciban.public_names import HOME as _HOME
from deciban.version import __version__ as __version__

if TYPE_CHECKING:  # the same names for those who do not run the function below; a test keeps the two in step
    from deciban.calibration.beta import BetaCalibrator as BetaCalibrator
    from deciban.calibration.bigaussian import BigaussianCalibrator as BigaussianCalibrator
    from deciban.calibration.bounds import BoundedCalibrator as BoundedCalibrator, LrBounds as LrBounds
    from deciban.calibration.calibration import Calibration as Calibration, load_calibration as load_calibration
    from deciban.calibration.crossfit import CrossFitted as CrossFitted, cross_fit as cross_fit
    from deciban.calibration.gaussian import GaussianCalibrator as GaussianCalibrator
    from deciban.calibration.isotonic import IsotonicCalibrator as IsotonicCalibrator
    from deciban.calibration.kde import KDECalibrator as KDECalibrator
    from deciban.calibration.line import (
        LogisticCalibrator as LogisticCalibrator,
        TemperatureCalibrator as TemperatureCalibrator,
    )
    from deciban.passes.confusion_matrix import Confusion as Confusion, confusion as confusion
    from deciban.tables.counting import count as count
    from deciban.counts.counts import Counts as Counts
    from deciban.counts.merging import merge as merge
    from deciban.counts.pairs import pair_counts as pair_counts
    from deciban.tables.counts_files import save_counts as save_counts
    from deciban.tables.counts_reading import load_counts as load_counts
    from deciban.curves.bayes_error import BayesErrorCurve as BayesErrorCurve, bayes_error_curve as bayes_error_curve
    from deciban.curves.cross_entropy import (
        CrossEntropyCurve as CrossEntropyCurve,
        empirical_cross_entropy_curve as empirical_cross_entropy_curve,
    )
    from deciban.curves.curve import Band as Band, Curve as Curve
    from deciban.curves.gain import PrGain as PrGain, pr_gain as pr_gain
    from deciban.curves.histogram import ScoreHistogram as ScoreHistogram, score_histogram as score_histogram
    from deciban.curves.hull import PavMap as PavMap, Rocch as Rocch, pav_map as pav_map, rocch as rocch
    from deciban.curves.net_benefit import NetBenefitCurve as NetBenefitCurve, net_benefit_curve as net_benefit_curve
    from deciban.curves.overestimation import Overestimation as Overestimation, lr_overestimation as lr_overestimation
    from deciban.curves.reliability import Reliability as Reliability, reliability as reliability
    from deciban.curves.roc import (
        Det as Det,
        PrecisionRecall as PrecisionRecall,
        Roc as Roc,
        det as det,
        precision_recall as precision_recall,
        roc as roc,
    )
    from deciban.curves.tandem_cost import TandemCostCurve as TandemCostCurve
    from deciban.curves.thinning import thin as thin
    from deciban.curves.thresholds import ThresholdCurve as ThresholdCurve, threshold_curve as threshold_curve
    from deciban.curves.tippett import Tippett as Tippett, tippett as tippett
    from deciban.tables.equalising import equalise as equalise
    from deciban.errors import (
        DecibanError as DecibanError,
        InputError as InputError,
        MissingExtraError as MissingExtraError,
        NeedsTrialsError as NeedsTrialsError,
        OptionError as OptionError,
        ScaleError as ScaleError,
        SingleClassError as SingleClassError,
        UndefinedMetricError as UndefinedMetricError,
    )
    from deciban.metrics.bayes_error import bayes_error as bayes_error, bayes_error_min as bayes_error_min
    from deciban.metrics.binned import (
        calibration_error as calibration_error,
        calibration_error_debiased as calibration_error_debiased,
        calibration_sweep as calibration_sweep,
    )
    from deciban.metrics.biometric import attack_rates as attack_rates, generalised_rates as generalised_rates
    from deciban.metrics.bounds import elub as elub, elub_one_sided as elub_one_sided, iv_bounds as iv_bounds
    from deciban.metrics.brackets.bracket import bracket as bracket
    from deciban.metrics.brackets.ends import Bracket as Bracket
    from deciban.metrics.calibration_checks import devpav as devpav, lr_moments as lr_moments, turing as turing
    from deciban.metrics.calibration_line import (
        calibration_intercept as calibration_intercept,
        calibration_line as calibration_line,
    )
    from deciban.metrics.cost_weighted import h_measure as h_measure
    from deciban.metrics.decision import act_dcf as act_dcf, min_dcf as min_dcf
    from deciban.metrics.decomposition import (
        brier_corp as brier_corp,
        brier_murphy as brier_murphy,
        log_loss_corp as log_loss_corp,
    )
    from deciban.metrics.discrimination import (
        auc as auc,
        average_precision as average_precision,
        p_fa_at as p_fa_at,
        p_miss_at as p_miss_at,
    )
    from deciban.metrics.eer import eer as eer, eer_fvc as eer_fvc, equal_error as equal_error
    from deciban.metrics.expected_cost import (
        expected_cost as expected_cost,
        net_benefit as net_benefit,
        net_benefit_all as net_benefit_all,
    )
    from deciban.metrics.information import (
        cllr as cllr,
        cllr_cal as cllr_cal,
        cllr_min as cllr_min,
        cllr_nontarget_half as cllr_nontarget_half,
        cllr_target_half as cllr_target_half,
        empirical_cross_entropy as empirical_cross_entropy,
    )
    from deciban.metrics.largest_difference import ks as ks, youden as youden
    from deciban.metrics.misleading import rmed as rmed, rmep as rmep
    from deciban.metrics.partial_area import (
        partial_auc as partial_auc,
        partial_auc_standardised as partial_auc_standardised,
    )
    from deciban.metrics.precision_gain import pr_gain_area as pr_gain_area
    from deciban.metrics.precision_recall_area import (
        pr_davis_goadrich as pr_davis_goadrich,
        pr_trapezoid as pr_trapezoid,
    )
    from deciban.metrics.presets import bayes_threshold as bayes_threshold
    from deciban.metrics.prevalence import precision_at as precision_at
    from deciban.metrics.reliability import (
        brier as brier,
        log_loss as log_loss,
        mean_calibration as mean_calibration,
        spiegelhalter as spiegelhalter,
    )
    from deciban.metrics.separation import d_prime as d_prime, d_prime_auc as d_prime_auc, decidability as decidability
    from deciban.metrics.tandem.a_dcf import act_a_dcf as act_a_dcf, min_a_dcf as min_a_dcf
    from deciban.metrics.tandem.asv_rates import AsvRates as AsvRates, asv_rates as asv_rates
    from deciban.metrics.tandem.costs import (
        LegacyTandemCost as LegacyTandemCost,
        SpoofAwareCost as SpoofAwareCost,
        TandemCost as TandemCost,
    )
    from deciban.metrics.tandem.t_dcf import (
        act_t_dcf as act_t_dcf,
        min_t_dcf as min_t_dcf,
        t_dcf_curve as t_dcf_curve,
    )
    from deciban.metrics.tandem.t_eer import TandemEqualError as TandemEqualError, t_eer as t_eer
    from deciban.metrics.baselines import baseline_accuracy as baseline_accuracy, majority_accuracy as majority_accuracy
    from deciban.metrics.threshold import (
        accuracy as accuracy,
        balanced_accuracy as balanced_accuracy,
        diagnostic_odds_ratio as diagnostic_odds_ratio,
        f1 as f1,
        f_beta as f_beta,
        hter as hter,
        informedness as informedness,
        kappa as kappa,
        lr_negative as lr_negative,
        lr_positive as lr_positive,
        markedness as markedness,
        mcc as mcc,
        npv as npv,
        p_fa as p_fa,
        p_miss as p_miss,
        precision as precision,
        recall as recall,
        specificity as specificity,
    )
    from deciban.metrics.within import auc_within as auc_within
    from deciban.records.comparison import Comparison as Comparison
    from deciban.records.differences import (
        Difference as Difference,
        ErrorsCompared as ErrorsCompared,
        JointTest as JointTest,
    )
    from deciban.records.attacks import AttackEvaluation as AttackEvaluation
    from deciban.records.evaluation import Evaluation as Evaluation
    from deciban.records.replicates import Replicates as Replicates
    from deciban.records.tandem import TandemEvaluation as TandemEvaluation
    from deciban.records.threshold import ChosenThreshold as ChosenThreshold
    from deciban.records.trial_plan import TrialPlan as TrialPlan
    from deciban.records.validation import Validation as Validation
    from deciban.records.verification import Verification as Verification
    from deciban.report.writing import write_report as write_report
    from deciban.tables.scanning import read_trials as read_trials, scan as scan
    from deciban.tables.table import Table as Table
    from deciban.passes.simulate import bigaussian_figures as bigaussian_figures
    from deciban.tables.tandem_columns import TandemColumns as TandemColumns
    from deciban.counts.tandem import (
        TandemCounts as TandemCounts,
        ThreeClassCounts as ThreeClassCounts,
        count_tandem as count_tandem,
    )
    from deciban.tables.tandem_scanning import TandemTable as TandemTable, scan_tandem as scan_tandem
    from deciban.trials.tandem import TandemTrials as TandemTrials
    from deciban.trials.trials import Trials as Trials
    from deciban.uncertainty.bands.banded import with_band as with_band
    from deciban.uncertainty.cost_intervals import (
        brier_interval as brier_interval,
        cllr_interval as cllr_interval,
        cross_entropy_interval as cross_entropy_interval,
        log_loss_interval as log_loss_interval,
    )
    from deciban.uncertainty.delong.single import (
        AucVariance as AucVariance,
        auc_interval as auc_interval,
        delong_variance as delong_variance,
    )
    from deciban.uncertainty.delong.paired import AucDifference as AucDifference, delong_test as delong_test
    from deciban.uncertainty.delong.several import (
        AucCovariance as AucCovariance,
        ContrastTest as ContrastTest,
        delong_contrast as delong_contrast,
        delong_covariance as delong_covariance,
    )
    from deciban.uncertainty.delong.unpaired import delong_unpaired as delong_unpaired
    from deciban.uncertainty.interval import Interval as Interval
    from deciban.uncertainty.paired import (
        McNemar as McNemar,
        PermutationTest as PermutationTest,
        holm as holm,
        mcnemar as mcnemar,
        permutation_test as permutation_test,
    )
    from deciban.uncertainty.delong.placements import midranks as midranks
    from deciban.uncertainty.planning.rules_of_thumb import (
        rule_of_30 as rule_of_30,
        trials_for_rule_of_3 as trials_for_rule_of_3,
        trials_for_rule_of_30 as trials_for_rule_of_30,
        zero_error_bound as zero_error_bound,
    )
    from deciban.uncertainty.proportion import proportion_interval as proportion_interval
    from deciban.uncertainty.rates import (
        RateVariance as RateVariance,
        lr_positive_interval as lr_positive_interval,
        subject_rate_variance as subject_rate_variance,
    )
    from deciban.uncertainty.replicates import (
        ReplicatePrecision as ReplicatePrecision,
        pair_means as pair_means,
        replicate_precision as replicate_precision,
    )
    from deciban.uncertainty.planning.sample_size import (
        PlannedTrials as PlannedTrials,
        trials_for_auc as trials_for_auc,
        trials_for_cllr as trials_for_cllr,
        trials_for_rate as trials_for_rate,
    )
    from deciban.uncertainty.planning.visible import Visible as Visible, what_can_be_seen as what_can_be_seen
    from deciban.verbal.scales import (
        VerbalScale as VerbalScale,
        verbal_scale as verbal_scale,
        verbal_step as verbal_step,
    )
    from deciban.workflow.attacks.attacks import evaluate_attacks as evaluate_attacks
    from deciban.workflow.choose import choose_threshold as choose_threshold
    from deciban.workflow.comparing.compare import compare as compare
    from deciban.workflow.evaluating.evaluate import evaluate as evaluate
    from deciban.workflow.findings.calibrating import calibration_findings as calibration_findings
    from deciban.workflow.calibrating.fusion import Fusion as Fusion, load_fusion as load_fusion
    from deciban.workflow.calibrating.logistic_fusion import LogisticFusion as LogisticFusion
    from deciban.workflow.replicates import evaluate_replicates as evaluate_replicates
    from deciban.workflow.tandem.evaluate import evaluate_tandem as evaluate_tandem
    from deciban.workflow.tandem.two_classes import evaluate_spoofing as evaluate_spoofing
    from deciban.workflow.planning.trial_plan import plan as plan
    from deciban.workflow.validation.validate import validate as validate
    from deciban.workflow.verifying.verify import verify as verify


def __dir__() -> list[str]:
    """List the public names, loaded or not, beside what every module has."""
    return sorted({*globals(), *_public()})


def _public() -> list[str]:
    return sorted({*_HOME, *_metrics()})


def _metrics() -> dict[str, Any]:
    return {metric.__name__: metric for metric in import_module("deciban.metrics.catalogue").METRICS}


def __getattr__(name: str) -> Any:
    """Load a public name on first use."""
    if name == "__all__":
        return _public()
    if name == "plots":
        return import_module("deciban.plots")
    if name in _HOME:
        found = getattr(import_module(f"deciban.{_HOME[name]}"), name)
    else:
        found = None if name.startswith("_") else _metrics().get(name)
    if found is None:
        raise AttributeError(f"module 'deciban' has no attribute {name!r}")
    globals()[name] = found
    return found

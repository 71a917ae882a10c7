"""Every metric, in the order in which tables show them: what is listed here is known everywhere."""

from __future__ import annotations

from typing import Any, Final

from deciban.errors import OptionError, did_you_mean
from deciban.metrics.baselines import baseline_accuracy, majority_accuracy
from deciban.metrics.bayes_error import bayes_error, bayes_error_min
from deciban.metrics.binned import calibration_error, calibration_error_debiased, calibration_sweep
from deciban.metrics.bounds import elub, elub_one_sided, iv_bounds
from deciban.metrics.calibration_checks import devpav, lr_moments, turing
from deciban.metrics.calibration_line import calibration_intercept, calibration_line
from deciban.metrics.cost_weighted import h_measure
from deciban.metrics.decision import act_dcf, min_dcf
from deciban.metrics.decomposition import brier_corp, brier_murphy, log_loss_corp
from deciban.metrics.discrimination import auc, average_precision, p_fa_at, p_miss_at
from deciban.metrics.eer import eer, eer_fvc
from deciban.metrics.expected_cost import expected_cost, net_benefit, net_benefit_all
from deciban.metrics.information import (
    cllr,
    cllr_cal,
    cllr_min,
    cllr_nontarget_half,
    cllr_target_half,
    empirical_cross_entropy,
)
from deciban.metrics.largest_difference import ks, youden
from deciban.metrics.misleading import rmed, rmep
from deciban.metrics.partial_area import partial_auc, partial_auc_standardised
from deciban.metrics.precision_gain import pr_gain_area
from deciban.metrics.precision_recall_area import pr_davis_goadrich, pr_trapezoid
from deciban.metrics.prevalence import precision_at
from deciban.metrics.reliability import brier, log_loss, mean_calibration, spiegelhalter
from deciban.metrics.separation import d_prime, d_prime_auc, decidability
from deciban.metrics.spec import Metric
from deciban.metrics.synonyms import SYNONYMS
from deciban.metrics.threshold import (
    accuracy,
    balanced_accuracy,
    diagnostic_odds_ratio,
    f1,
    f_beta,
    hter,
    informedness,
    kappa,
    lr_negative,
    lr_positive,
    markedness,
    mcc,
    npv,
    p_fa,
    p_miss,
    precision,
    recall,
    specificity,
)

AT_THRESHOLD: Final[tuple[Metric[float], ...]] = (
    accuracy,
    precision,
    recall,
    f1,
    specificity,
    npv,
    p_miss,
    p_fa,
    hter,
    balanced_accuracy,
    mcc,
    kappa,
    informedness,
    markedness,
    lr_positive,
    lr_negative,
    diagnostic_odds_ratio,
)
"""What each row of the threshold table holds besides the four counts."""

METRICS: Final[tuple[Metric[Any], ...]] = (
    baseline_accuracy,
    majority_accuracy,
    auc,
    partial_auc,
    partial_auc_standardised,
    d_prime_auc,
    decidability,
    eer,
    eer_fvc,
    youden,
    ks,
    average_precision,
    pr_trapezoid,
    pr_davis_goadrich,
    pr_gain_area,
    p_miss_at,
    p_fa_at,
    h_measure,
    min_dcf,
    act_dcf,
    bayes_error,
    bayes_error_min,
    cllr,
    cllr_target_half,
    cllr_nontarget_half,
    cllr_min,
    cllr_cal,
    empirical_cross_entropy,
    rmed,
    rmep,
    turing,
    lr_moments,
    devpav,
    elub,
    elub_one_sided,
    iv_bounds,
    brier,
    brier_corp,
    brier_murphy,
    log_loss,
    log_loss_corp,
    calibration_error,
    calibration_error_debiased,
    calibration_sweep,
    mean_calibration,
    calibration_intercept,
    calibration_line,
    spiegelhalter,
    net_benefit,
    net_benefit_all,
    *AT_THRESHOLD,
    f_beta,
    precision_at,
    d_prime,
    expected_cost,
)

BY_NAME: Final = {metric.spec.name: metric for metric in METRICS}


def find(name: str) -> Metric[Any]:
    """Return the metric of that name, or raise :class:`OptionError` with the nearest ones."""
    if name.casefold() == "ece":
        raise OptionError(
            "'ece' names two quantities: say empirical_cross_entropy (Ramos; of likelihood ratios, at a prior) or "
            "calibration_error (Naeini; of probabilities, over bins)"
        )
    if name == "auc_within":
        raise OptionError("auc_within is given for each grouping of an evaluation, and not asked for: use by= (--by)")
    if name not in BY_NAME:
        ours = SYNONYMS.get(name.casefold(), name.casefold())
        if ours in BY_NAME:
            raise OptionError(f"no metric {name!r}; it is called {ours!r} here")
        raise OptionError(f"no metric {name!r}; {did_you_mean(name, BY_NAME)}")
    return BY_NAME[name]

"""Every metric, in the order in which tables show them. Adding one here is all that makes it known everywhere."""

from __future__ import annotations

from typing import Any, Final

from deciban.errors import OptionError, did_you_mean
from deciban.metrics.binned import calibration_error, calibration_error_debiased, calibration_sweep
from deciban.metrics.calibration_line import calibration_intercept, calibration_line
from deciban.metrics.decision import act_dcf, min_dcf
from deciban.metrics.decomposition import brier_corp, brier_murphy, log_loss_corp
from deciban.metrics.discrimination import auc, average_precision, p_fa_at, p_miss_at
from deciban.metrics.eer import eer, eer_fvc
from deciban.metrics.information import (
    cllr,
    cllr_cal,
    cllr_min,
    cllr_nontarget_half,
    cllr_target_half,
    empirical_cross_entropy,
)
from deciban.metrics.misleading import rmed, rmep
from deciban.metrics.reliability import brier, log_loss, mean_calibration, spiegelhalter
from deciban.metrics.spec import Metric
from deciban.metrics.threshold import (
    accuracy,
    balanced_accuracy,
    baseline_accuracy,
    diagnostic_odds_ratio,
    f1,
    f_beta,
    informedness,
    kappa,
    lr_negative,
    lr_positive,
    majority_accuracy,
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
    eer,
    eer_fvc,
    average_precision,
    p_miss_at,
    p_fa_at,
    min_dcf,
    act_dcf,
    cllr,
    cllr_target_half,
    cllr_nontarget_half,
    cllr_min,
    cllr_cal,
    empirical_cross_entropy,
    rmed,
    rmep,
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
    *AT_THRESHOLD,
    f_beta,
)

BY_NAME: Final = {metric.spec.name: metric for metric in METRICS}


def find(name: str) -> Metric[Any]:
    """Return the metric of that name, or raise :class:`OptionError` with the nearest ones."""
    if name in ("ece", "ECE"):
        raise OptionError(
            "'ece' names two quantities: say empirical_cross_entropy (Ramos; of likelihood ratios, at a prior) or "
            "calibration_error (Naeini; of probabilities, over bins)"
        )
    if name not in BY_NAME:
        raise OptionError(f"no metric {name!r}; {did_you_mean(name, BY_NAME)}")
    return BY_NAME[name]

"""Which rule brackets which figure; a metric without one has no bracket, and in a record the reason ``bucketed``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from deciban.metrics.brackets import costs, ranking, thresholds
from deciban.metrics.brackets.ends import Ends
from deciban.metrics.brackets.view import View
from deciban.metrics.spec import Spec

Rule = Callable[[View, Spec, Mapping[str, object]], Ends]


def totals(view: View, spec: Spec, options: Mapping[str, object]) -> Ends:
    """Give a figure of the numbers of targets and nontargets, which no bucket changes."""
    value = ranking.value_of(view.at_low(), spec, options)
    return Ends(value, value, settled=True)


RULES: Final[dict[str, Rule]] = {
    **dict.fromkeys(("baseline_accuracy", "majority_accuracy", "net_benefit_all"), totals),
    **dict.fromkeys(
        (
            *("auc", "partial_auc", "partial_auc_standardised", "d_prime_auc", "youden", "pr_davis_goadrich"),
            *("p_miss_at", "p_fa_at", "min_dcf", "bayes_error_min", "cllr_min"),
        ),
        ranking.ordered,
    ),
    "eer": ranking.eer,
    "ks": ranking.ks,
    "average_precision": ranking.average_precision,
    **dict.fromkeys(
        (
            *("accuracy", "precision", "recall", "f1", "specificity", "npv", "p_miss", "p_fa", "hter"),
            *("balanced_accuracy", "mcc", "kappa", "informedness", "markedness", "lr_positive", "lr_negative"),
            *("diagnostic_odds_ratio", "f_beta", "precision_at", "d_prime", "expected_cost"),
        ),
        thresholds.at_corners,
    ),
    "act_dcf": thresholds.act_dcf,
    "bayes_error": thresholds.bayes_error,
    "rmed": thresholds.misleading,
    "rmep": thresholds.misleading,
    **dict.fromkeys(("cllr", "cllr.target_half", "cllr.nontarget_half"), costs.evidence_costs),
    "empirical_cross_entropy": costs.empirical_cross_entropy,
    "cllr_cal": costs.calibration_loss,
    "brier": costs.brier,
    "log_loss": costs.log_loss,
    "mean_calibration": costs.mean_calibration,
    **{f"eer_fvc.{part}": ranking.eer_fvc_part(part) for part in ("low", "high", "mean")},
}
"""The rule of each figure by its name, of a record by the names of its parts. Why a rule holds is said at the rule.

Not here, since no proof is known that is short: areas under straight lines between precision–recall points and in
gains, the H-measure, means and standard deviations of scores, bounds of LRs, and what is sorted into bins.
"""

"""Names that other programs and fields give to the same quantities, so that asking by one of them says ours."""

from __future__ import annotations

from typing import Final

SYNONYMS: Final[dict[str, str]] = {
    **dict.fromkeys(("roc_auc", "auroc", "auc_roc", "c_statistic"), "auc"),
    **dict.fromkeys(("ap", "auprc", "pr_auc", "average_precision_score"), "average_precision"),
    **dict.fromkeys(("sensitivity", "tpr", "tar", "hit_rate", "power"), "recall"),
    **dict.fromkeys(("tnr", "selectivity"), "specificity"),
    **dict.fromkeys(("fnr", "frr", "fnmr", "bpcer", "miss_rate", "pmiss"), "p_miss"),
    **dict.fromkeys(("fpr", "far", "fmr", "apcer", "fall_out", "pfa"), "p_fa"),
    **dict.fromkeys(("ppv", "positive_predictive_value"), "precision"),
    "negative_predictive_value": "npv",
    **dict.fromkeys(("f1_score", "f_score", "f-score", "dice"), "f1"),
    **dict.fromkeys(("fbeta", "f_beta_score", "f05", "f0.5", "f2"), "f_beta"),
    **dict.fromkeys(("matthews", "matthews_corrcoef", "phi"), "mcc"),
    **dict.fromkeys(("cohen_kappa", "cohens_kappa", "cohen_kappa_score"), "kappa"),
    **dict.fromkeys(("youden_j", "youdens_j", "youden_index"), "youden"),
    "bookmaker_informedness": "informedness",
    "dor": "diagnostic_odds_ratio",
    **dict.fromkeys(("plr", "lr+"), "lr_positive"),
    **dict.fromkeys(("nlr", "lr-"), "lr_negative"),
    **dict.fromkeys(("mindcf", "min_c", "minc"), "min_dcf"),
    **dict.fromkeys(("actdcf", "dcf", "act_c", "actc"), "act_dcf"),
    **dict.fromkeys(("mincllr", "min_cllr", "cllrmin"), "cllr_min"),
    **dict.fromkeys(("cllrcal", "cal_cllr"), "cllr_cal"),
    **dict.fromkeys(("brier_score", "brier_score_loss"), "brier"),
    **dict.fromkeys(("logloss", "nll", "cross_entropy", "binary_cross_entropy"), "log_loss"),
    **dict.fromkeys(("acc", "accuracy_score"), "accuracy"),
    **dict.fromkeys(("bacc", "balanced_accuracy_score"), "balanced_accuracy"),
    **dict.fromkeys(("fnmr_at_fmr", "frr_at_far", "bpcer_at_apcer"), "p_miss_at"),
    "equal_error_rate": "eer",
}
"""Lower-case names only; none of them is a metric here, since one quantity has one name in records."""

"""What other libraries are asked to do; apart from our work, so that memory is measured without loading them."""

from __future__ import annotations

import numpy as np
import sklearn.metrics as sk

from data import Arrays

THRESHOLD = 0.5


def sklearn_seven(arrays: Arrays) -> object:
    """Seven calls; every point of the curves is kept, which is less work for scikit-learn than thinning them."""
    y, p = arrays.labels, arrays.scores
    return (
        sk.roc_auc_score(y, p),
        sk.roc_curve(y, p, drop_intermediate=False),
        sk.det_curve(y, p, drop_intermediate=False),
        sk.precision_recall_curve(y, p, drop_intermediate=False),
        sk.average_precision_score(y, p),
        sk.brier_score_loss(y, p),
        sk.confusion_matrix(y, p >= THRESHOLD),
    )


def lir_three(arrays: Arrays) -> object | None:
    """Cllr, min Cllr and the cross-entropy curve (LRs and PAV) by lir, or None where it is not installed.

    Each prior is asked for by itself: all at once, lir makes several arrays of priors × trials, which do not fit into
    memory at a million trials.
    """
    try:
        from lir.algorithms.isotonic_regression import IsotonicCalibrator
        from lir.data.models import LLRData
        from lir.metrics import cllr, cllr_min
        from lir.plotting.expected_calibration_error import calculate_ece
        from lir.util import logodds_to_odds, odds_to_probability
    except ImportError:
        return None
    log10_lr, labels = arrays.scores / np.log(10.0), arrays.labels.astype(np.int64)
    given = LLRData(features=log10_lr, labels=labels)
    pav = IsotonicCalibrator().fit_transform(log10_lr, labels)
    priors = odds_to_probability(10.0 ** np.linspace(-3.0, 3.0, 121))
    curves = [
        [calculate_ece(odds, labels, priors[at : at + 1]) for at in range(priors.size)]
        for odds in (logodds_to_odds(log10_lr), logodds_to_odds(pav))
    ]
    return cllr(given), cllr_min(given), curves

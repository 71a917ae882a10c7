"""What other libraries are asked to do; apart from our work, so that memory is measured without loading them."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

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


def auc_bootstrap(arrays: Arrays, resamples: int) -> tuple[str, Callable[[], object]]:
    """The bootstrap of AUC that people use, and its name: confidenceinterval's where it is installed.

    It calls scikit-learn's AUC once for every resample; where it is not installed, so do we.
    """
    labels, scores = arrays.labels.astype(np.int64), arrays.scores
    if find_spec("confidenceinterval") is not None:
        from confidenceinterval import roc_auc_score

        def theirs() -> object:
            rng = np.random.default_rng(1)
            return roc_auc_score(labels, scores, method="bootstrap_percentile", n_resamples=resamples, random_state=rng)

        return "confidenceinterval", theirs

    def stand_in() -> object:
        rng = np.random.default_rng(1)
        drawn = (rng.integers(0, labels.size, labels.size) for _ in range(resamples))
        return [sk.roc_auc_score(labels[index], scores[index]) for index in drawn]

    return "scikit-learn's AUC", stand_in


def delong(arrays: Arrays) -> object | None:
    """AUC and its interval by DeLong's variance by confidenceinterval, or None where it is not installed."""
    try:
        from confidenceinterval import roc_auc_score
    except ImportError:
        return None
    found: object = roc_auc_score(arrays.labels.astype(np.int64), arrays.scores, method="delong")
    return found


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

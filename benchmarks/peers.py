"""What other libraries are asked to do; apart from our work, so that memory is measured without loading them."""

from __future__ import annotations

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

"""Figures in the arithmetic of the organisers' programs: their operations in their order, in doubles.

Three decimals of a value on a half, as c@1 of 13 right answers and one non-answer among 20 problems (.6825), are
decided by the last bit, and that by how the value was computed. What the programs take from scikit-learn is computed
as its versions from 1.7 on do, which return Python's numbers; those of NumPy are rounded by NumPy, which scales first
(.0005 gives 0, Python's .001). F0.5u and F1 are one division of exact numbers there as here, and need no second way.
"""

from __future__ import annotations

import numpy as np

from deciban.counts.counts import Counts
from deciban.pan.answers import Answers
from deciban.trials.trials import Trials
from deciban.values.arrays import Floats


def c_at_1(found: Answers) -> float:
    """c@1 as (1/n)·(n_c + (n_u·n_c/n)), from the innermost bracket outward."""
    n, right = float(sum(found)), float(found.tp + found.tn)
    return (1 / n) * (right + (found.unanswered * right / n))


def auc(counts: Counts) -> float:
    """AUC by trapezoids under the ROC points from the highest score on, those within straight runs left out."""
    tps, fps = (np.cumsum(n[::-1], dtype=np.float64) for n in (counts.n_target, counts.n_nontarget))
    if len(tps) > 2:
        # Differences of the counts themselves, so that the point (0, 0), which comes in later, makes no corner.
        corner = np.concatenate(([True], (np.diff(tps, 2) != 0.0) | (np.diff(fps, 2) != 0.0), [True]))
        tps, fps = tps[corner], fps[corner]
    tpr, fpr = (np.concatenate(([0.0], n)) / n[-1] for n in (tps, fps))
    areas: Floats = np.diff(fpr) * (tpr[1:] + tpr[:-1]) / 2.0
    return float(areas.sum())


def brier(trials: Trials) -> float:
    """1 − the mean of half the squared errors of both classes, problems in order of their ids."""
    yes = np.clip(trials.score, 0.0, 1.0)
    is_target = trials.is_target.astype(np.float64)
    # 1 − (1 − p) is not always p.
    errors: Floats = ((1.0 - is_target) - (1.0 - yes)) ** 2 + (is_target - yes) ** 2
    return 1 - float(errors.mean()) * 0.5


def rounded(value: float, digits: int, *, by_numpy: bool) -> float:
    """Round as Python does (the nearest decimal, an exact half to the even one) or as NumPy does."""
    return float(np.round(value, digits)) if by_numpy else round(value, digits)

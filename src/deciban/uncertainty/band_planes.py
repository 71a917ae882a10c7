"""Curves of two rates read at a given value of one: what a replicate has there."""

from __future__ import annotations

import numpy as np

from deciban.arrays import Floats
from deciban.counts import Counts
from deciban.cumulative import cumulate
from deciban.pool import pool


def recall_at(counts: Counts, p_fa: Floats) -> Floats:
    """Recall of the ROC, its points joined by straight lines, at each p_fa; the highest where it rises upright."""
    points = cumulate(counts)
    # Of points with one p_fa np.interp takes the last, which accepts the most.
    return np.interp(p_fa, points.p_fa, points.tp / points.total_target)


def p_miss_at(counts: Counts, p_fa: Floats) -> Floats:
    """The least p_miss of the same curve at each p_fa."""
    points = cumulate(counts)
    return np.interp(p_fa, points.p_fa, points.p_miss)


def hull_p_miss(counts: Counts, p_fa: Floats) -> Floats:
    """The least p_miss of the ROC convex hull at each p_fa."""
    fn, fp = pool(counts).hull()
    return np.interp(p_fa, fp / counts.total_nontarget, fn / counts.total_target)


def precision_at(counts: Counts, recall: Floats) -> Floats:
    """Precision at the highest threshold that has at least each recall."""
    points = cumulate(counts)
    tp, fp = points.tp[1:-1], points.fp[1:-1]
    at = np.searchsorted(tp / points.total_target, recall, side="left")
    return np.asarray(tp[at] / (tp[at] + fp[at]))


def precision_gain_at(counts: Counts, recall_gain: Floats) -> Floats:
    """Precision gain at each recall gain, counts joined by straight lines; the highest where it falls upright.

    recG = 1 − (N1/N0)·(N1 − TP)/TP, solved for TP.
    """
    points = cumulate(counts)
    n1, n0 = points.total_target, points.total_nontarget
    wanted = n1 / (1.0 + (1.0 - recall_gain) * (n0 / n1))
    # Rounding must not lead past a point where the curve falls.
    whole = np.rint(wanted)
    wanted = np.where(np.abs(wanted - whole) < 1e-9 * n1, whole, wanted)
    # Read from the other end, so that of points with one TP the one with the least FP counts.
    fp = np.interp(-wanted, -points.tp[::-1].astype(np.float64), points.fp[::-1])
    return np.asarray(1.0 - (n1 / n0) * (fp / wanted))


def lr_at(counts: Counts, score: Floats) -> Floats:
    """Find ln LR after PAV at each score; between two blocks half way, or the finite one's where only one is."""
    pooled = pool(counts)
    last = pooled.low.size - 1
    below = (np.searchsorted(pooled.low, score, side="right") - 1).clip(0, last)
    above = np.searchsorted(pooled.high, score, side="left").clip(0, last)
    lower, upper = pooled.ln_lr[below], pooled.ln_lr[above]
    between: Floats = np.where(np.isinf(lower), upper, lower)
    both = np.isfinite(lower) & np.isfinite(upper)
    # Between two infinite ones nothing is known; equal ones are one block.
    between[np.isinf(lower) & np.isinf(upper) & (lower != upper)] = np.nan
    between[both] = (lower[both] + upper[both]) / 2
    return between

"""Curves of two rates, read at a given value of one, and the map that pooling finds."""

from __future__ import annotations

import numpy as np

from deciban.counts.counts import Counts
from deciban.curves.thinning import rows_to_keep
from deciban.passes.cumulative import cumulate
from deciban.passes.pool import pool
from deciban.uncertainty.bands.forms import of_false_alarms, wilson_all
from deciban.uncertainty.bands.plan import Asked, Column, Plan, places
from deciban.values.arrays import AnyArray, Floats


def roc_plan(asked: Asked) -> Plan:
    """Recall at each p_fa."""
    record, at = asked.record, places(asked.record.p_fa, rows_to_keep(asked.record))
    observed = recall_at(asked.counts, at) * record.n_target
    column = Column(
        name="recall", values=lambda counts: recall_at(counts, at), at_least=wilson_all(observed, record.n_target)
    )
    return Plan(held=record.p_fa, places=at, columns=(column,), fixed="p_fa")


def det_plan(asked: Asked) -> Plan:
    """The miss rate at each p_fa."""
    record, at = asked.record, places(asked.record.p_fa, rows_to_keep(asked.record))
    observed = p_miss_at(asked.counts, at) * record.n_target
    column = Column(
        name="p_miss", values=lambda counts: p_miss_at(counts, at), at_least=wilson_all(observed, record.n_target)
    )
    return Plan(held=record.p_fa, places=at, columns=(column,), fixed="p_fa")


def rocch_plan(asked: Asked) -> Plan:
    """The miss rate of the hull at each p_fa."""
    at = places(asked.record.p_fa)
    observed = hull_p_miss(asked.counts, at) * asked.record.n_target
    column = Column(
        name="p_miss",
        values=lambda counts: hull_p_miss(counts, at),
        at_least=wilson_all(observed, asked.record.n_target),
        method="basic",
        limits=(0.0, 1.0),
    )
    return Plan(held=asked.record.p_fa, places=at, columns=(column,), fixed="p_fa")


def precision_recall_plan(asked: Asked) -> Plan:
    """Precision at each recall."""
    at = places(asked.record.recall, rows_to_keep(asked.record))
    tp, fp = accepted_at_recall(asked.counts, at)
    n0 = asked.record.n_nontarget

    def precision(where: int, p_fa: float) -> float:
        return float(tp[where] / (tp[where] + n0 * p_fa))

    least = of_false_alarms(fp, n0, precision, tp > 0)
    column = Column(name="precision", values=lambda counts: precision_at(counts, at), at_least=least)
    return Plan(held=asked.record.recall, places=at, columns=(column,), fixed="recall")


def pr_gain_plan(asked: Asked) -> Plan:
    """Precision gain at each recall gain."""
    at = places(asked.record.recall_gain, rows_to_keep(asked.record))
    tp, fp = accepted_at_gain(asked.counts, at)
    n1, n0 = asked.record.n_target, asked.record.n_nontarget

    def gain(where: int, p_fa: float) -> float:
        return float(1.0 - n1 * p_fa / tp[where])

    least = of_false_alarms(fp, n0, gain, tp > 0)
    column = Column(name="precision_gain", values=lambda counts: precision_gain_at(counts, at), at_least=least)
    return Plan(held=asked.record.recall_gain, places=at, columns=(column,), fixed="recall_gain")


def pav_map_plan(asked: Asked) -> Plan:
    """The LR at the middle one of the distinct scores of each block."""
    record, score = asked.record, asked.counts.score
    first, last = (np.searchsorted(score, end, side="left") for end in (record.low, record.high))
    middle = score[(first + last) // 2]
    rows = np.arange(record.low.size, dtype=np.float64)
    return Plan(held=rows, places=rows, columns=(Column(name="ln_lr", values=lambda counts: lr_at(counts, middle)),))


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


def accepted_at_recall(counts: Counts, recall: Floats) -> tuple[AnyArray, AnyArray]:
    """Accepted targets and nontargets at the highest threshold that has at least each recall."""
    points = cumulate(counts)
    tp, fp = points.tp[1:-1], points.fp[1:-1]
    at = np.searchsorted(tp / points.total_target, recall, side="left")
    return tp[at], fp[at]


def precision_at(counts: Counts, recall: Floats) -> Floats:
    """Precision at the highest threshold that has at least each recall."""
    tp, fp = accepted_at_recall(counts, recall)
    return np.asarray(tp / (tp + fp))


def precision_gain_at(counts: Counts, recall_gain: Floats) -> Floats:
    """Precision gain at each recall gain; the highest where it falls upright."""
    tp, fp = accepted_at_gain(counts, recall_gain)
    return np.asarray(1.0 - (counts.total_target / counts.total_nontarget) * (fp / tp))


def accepted_at_gain(counts: Counts, recall_gain: Floats) -> tuple[Floats, Floats]:
    """Accepted targets and, counts joined by straight lines, the least accepted nontargets at each recall gain.

    recG = 1 − (N1/N0)·(N1 − TP)/TP, solved for TP.
    """
    points = cumulate(counts)
    n1, n0 = points.total_target, points.total_nontarget
    wanted = n1 / (1.0 + (1.0 - recall_gain) * (n0 / n1))
    # Rounding must not lead past a point where the curve falls.
    whole = np.rint(wanted)
    wanted = np.where(np.abs(wanted - whole) < 1e-9 * n1, whole, wanted)
    # Read from the other end, so that of points with one TP the one with the least FP counts.
    return wanted, np.interp(-wanted, -points.tp[::-1].astype(np.float64), points.fp[::-1])


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

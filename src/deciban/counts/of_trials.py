"""Trials in memory to counts, with NumPy: sort the scores, then place the smaller class among them."""

from __future__ import annotations

from typing import TypeVar, cast

import numpy as np

from deciban.counts.buckets import MAX_BLOCKS, Resolution, bucket_scores, refuse_many, settled
from deciban.counts.columns import without_negative_zero
from deciban.counts.counts import Counts, sound
from deciban.counts.tally import Known, Tally
from deciban.values.arrays import AnyArray, Bools, Floats, locked

K = TypeVar("K", bound=Known)


def width_of(known: Known, resolution: Resolution | None) -> float | None:
    """The width that a resolution means for these trials, which an engine may have settled already."""
    if isinstance(known, Tally):
        return known.resolution or settled(resolution, known.rows.score, known.rows.is_target, known.times)
    return settled(resolution, known.score, known.is_target)


def present(trials: K) -> K:
    """Leave out trials of weight 0, which are absence."""
    weight = trials.weight
    return trials if weight is None or weight.all() else cast("K", trials.select(weight > 0))


def count_trials(known: Known, resolution: float | None = None, max_blocks: int = MAX_BLOCKS) -> Counts:
    """Counts of trials in memory, or of rows that an engine counted, in buckets of a width where one is given."""
    trials, times = (known.rows, known.times) if isinstance(known, Tally) else (known, None)
    in_buckets = resolution is None or (isinstance(known, Tally) and known.resolution is not None)
    given = trials.score if in_buckets or resolution is None else bucket_scores(trials.score, resolution)
    if trials.weight is not None:
        columns = _count_weighted(given, trials.is_target, trials.weight, times)
    elif times is not None:
        columns = _count_times(given, trials.is_target, times)
    else:
        columns = _count_plain(given, trials.is_target)
    score, n_target, n_nontarget = map(locked, columns)
    refuse_many(score.size, max_blocks, trials.score, trials.is_target, times)
    if trials.weight is not None:
        return Counts(score, n_target, n_nontarget, trials.scale, trials.prior, resolution, True, trials.reversed)
    score = without_negative_zero(score)
    return sound(score, n_target, n_nontarget, trials.scale, trials.prior, resolution, trials.reversed)


def _count_plain(score: Floats, is_target: Bools) -> tuple[Floats, AnyArray, AnyArray]:
    """Distinct scores and class counts.

    NumPy's plain sort is vectorised and several times faster than its argsort, so labels never travel through a sort:
    all scores are sorted, the smaller class is sorted again by itself and placed among the distinct scores.
    """
    distinct = np.sort(score)
    first = np.empty(distinct.size, dtype=bool)
    first[:1] = True
    np.not_equal(distinct[1:], distinct[:-1], out=first[1:])
    n_block: AnyArray | int = 1
    if not first.all():
        starts = np.flatnonzero(first)
        n_block = np.diff(starts, append=distinct.size)
        distinct = distinct[starts]
    target_is_small = 2 * np.count_nonzero(is_target) <= score.size
    small = score[is_target if target_is_small else ~is_target]
    small.sort()
    n_small = _count_at(distinct, small)
    n_large = n_block - n_small
    return (distinct, n_small, n_large) if target_is_small else (distinct, n_large, n_small)


def _count_at(distinct: Floats, values: Floats) -> AnyArray:
    """How many of the sorted ``values`` equal each distinct score; the shorter of the two is looked up."""
    if distinct.size < values.size:
        return np.diff(np.searchsorted(values, distinct), append=values.size).astype(np.int64, copy=False)
    return np.bincount(np.searchsorted(distinct, values), minlength=distinct.size).astype(np.int64, copy=False)


def _count_times(score: Floats, is_target: Bools, times: AnyArray) -> tuple[Floats, AnyArray, AnyArray]:
    """Distinct scores and class counts of rows that stand for several trials each, in whole numbers."""
    distinct, where = np.unique(score, return_inverse=True)
    columns = []
    for of_class in (is_target, ~is_target):
        n = np.zeros(distinct.size, dtype=np.int64)
        np.add.at(n, where[of_class], times[of_class])
        columns.append(n)
    return distinct, columns[0], columns[1]


def _count_weighted(
    score: Floats, is_target: Bools, weight: Floats, times: AnyArray | None
) -> tuple[Floats, AnyArray, AnyArray]:
    """Distinct scores and class weights: weights must travel with the scores, hence argsort.

    Rows are put in one order first (score, class, weight), so that sums do not depend on the order they came in; equal
    ones are counted and multiplied, so that it makes no difference whether an engine has done that already.
    """
    order = np.lexsort((weight, is_target, score))
    starts = _starts(score[order], is_target[order], weight[order])
    number = np.diff(starts, append=order.size) if times is None else np.add.reduceat(times[order], starts)
    alike = order[starts]
    mass = weight[alike] * number
    targets = is_target[alike]
    blocks = _starts(score[alike])
    return (
        score[alike[blocks]],
        np.add.reduceat(np.where(targets, mass, 0.0), blocks),
        np.add.reduceat(np.where(targets, 0.0, mass), blocks),
    )


def _starts(*columns: AnyArray) -> AnyArray:
    """Where rows in order differ from those before them; the first does."""
    first = np.zeros(columns[0].size, dtype=bool)
    first[:1] = True
    for column in columns:
        first[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(first)

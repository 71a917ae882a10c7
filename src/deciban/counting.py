"""Trials in memory to counts, with NumPy: sort each class, then place one into the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

import numpy as np

from deciban.arrays import AnyArray, Bools, Floats
from deciban.counts import Counts
from deciban.groups import partition
from deciban.trials import Trials

if TYPE_CHECKING:
    from deciban.scanning import Table


@overload
def count(data: Trials | Table) -> Counts: ...
@overload
def count(data: Trials | Table, *, by: str) -> dict[str, Counts]: ...


def count(data: Trials | Table, *, by: str | None = None) -> Counts | dict[str, Counts]:
    """Count the targets and nontargets at each distinct score.

    Parameters
    ----------
    data
        Trials, or a table that yields them.
    by
        Name of a condition column: one Counts per value of it; ``"a,b"`` crosses two. A trial whose
        condition is null or ``-`` belongs to every group.

    Returns
    -------
    Counts or dict of str to Counts
        The whole, or one for each group in sorted order of the names.

    Raises
    ------
    InputError
        When the data hold a problem, or there is no such condition.

    Examples
    --------
    >>> import deciban as db
    >>> trials = db.Trials.from_arrays([2, 1, 2, 0], [1, 1, 0, 0], conditions={"sex": ["f", "m", "f", "m"]})
    >>> db.count(trials)
    Counts(n_target=2, n_nontarget=2, n_distinct=3, scale='score')
    >>> db.count(trials, by="sex")["f"]
    Counts(n_target=1, n_nontarget=1, n_distinct=1, scale='score')
    """
    trials = data if isinstance(data, Trials) else data.trials()
    if by is None:
        return count_trials(trials)
    return {group.name: count_trials(trials.select(group.index)) for group in partition(trials, by)}


def count_trials(trials: Trials) -> Counts:
    """Counts of trials in memory."""
    if trials.weight is None:
        columns = _count_plain(trials.score, trials.is_target)
    else:
        columns = _count_weighted(trials.score, trials.is_target, trials.weight)
    return Counts(*columns, trials.scale, trials.prior, None, trials.weight is not None)


def _count_plain(score: Floats, is_target: Bools) -> tuple[Floats, AnyArray, AnyArray]:
    """Distinct scores and class counts.

    NumPy's plain sort is vectorised and several times faster than its argsort, so labels never travel through a sort:
    each class is sorted alone and the smaller is placed into the larger.
    """
    targets, nontargets = np.sort(score[is_target]), np.sort(score[~is_target])
    target_is_small = targets.size <= nontargets.size
    small, large = (targets, nontargets) if target_is_small else (nontargets, targets)
    n = small.size + large.size
    from_small = np.zeros(n, dtype=bool)
    from_small[np.searchsorted(large, small) + np.arange(small.size)] = True
    merged = np.empty(n, dtype=np.float64)
    merged[from_small] = small
    merged[~from_small] = large
    first = np.empty(n, dtype=bool)
    first[:1] = True
    np.not_equal(merged[1:], merged[:-1], out=first[1:])
    starts = np.flatnonzero(first)
    if starts.size == n:
        n_small = from_small.astype(np.int64)
        n_large = 1 - n_small
    else:
        size = np.diff(starts, append=n)
        # Counting members of the small class before each block end beats reduceat over all n flags.
        before = np.searchsorted(np.flatnonzero(from_small), np.append(starts, n))
        n_small = np.diff(before).astype(np.int64)
        n_large = size - n_small
        merged = merged[starts]
    return (merged, n_small, n_large) if target_is_small else (merged, n_large, n_small)


def _count_weighted(score: Floats, is_target: Bools, weight: Floats) -> tuple[Floats, AnyArray, AnyArray]:
    """Distinct scores and class weights: weights must travel with the scores, hence argsort.

    Rows are put in one order first (score, class, weight), so that sums do not depend on the order they came in.
    """
    order = np.lexsort((weight, is_target, score))
    ordered = score[order]
    first = np.ones(ordered.size, dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    starts = np.flatnonzero(first)
    targets = np.where(is_target, weight, 0.0)[order]
    nontargets = np.where(is_target, 0.0, weight)[order]
    return ordered[starts], np.add.reduceat(targets, starts), np.add.reduceat(nontargets, starts)

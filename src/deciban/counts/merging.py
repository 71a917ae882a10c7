"""Counts of several sets of trials as those of all of them."""

from __future__ import annotations

import numpy as np

from deciban.counts.argument import as_counts
from deciban.counts.counts import Counts
from deciban.errors import InputError
from deciban.values.arrays import AnyArray, locked


def merge(*parts: Counts) -> Counts:
    """Counts of all trials of the parts together: exact in integers, in any order and grouping.

    Parameters
    ----------
    *parts
        Counts of one scale, prior, resolution and direction.

    Returns
    -------
    Counts
        Equal to counting all trials at once; weighted parts agree to rounding (1e-12).

    Raises
    ------
    InputError
        Without parts, or when they differ in scale, prior, resolution or direction.

    Examples
    --------
    >>> import deciban as db
    >>> db.merge(db.Counts.from_classes([3], [1]), db.Counts.from_classes([3, 4], [2]))
    Counts(n_target=3, n_nontarget=2, n_distinct=4, scale='score')
    """
    if not parts:
        raise InputError("merge: expected at least one Counts, found none")
    for part in parts:
        as_counts(part, "merge")
    units = {part.unit for part in parts}
    if len(units) > 1:
        shown = "; ".join(
            f"scale {scale}, prior {prior}, resolution {res}{', reversed' if turned else ''}"
            for scale, prior, res, turned in sorted(units, key=str)
        )
        raise InputError(f"merge: expected parts of one scale, prior, resolution and direction, found {shown}")
    weighted = any(part.weighted for part in parts)
    score, where = np.unique(np.concatenate([part.score for part in parts]), return_inverse=True)
    columns: list[AnyArray] = []
    for name in ("n_target", "n_nontarget"):
        summed: AnyArray = np.zeros(score.size, dtype=np.float64 if weighted else np.int64)
        np.add.at(summed, where, np.concatenate([getattr(part, name) for part in parts]))
        columns.append(summed)
    first = parts[0]
    score, n_target, n_nontarget = map(locked, (score, *columns))
    return Counts(score, n_target, n_nontarget, *first.unit[:3], weighted, first.reversed)

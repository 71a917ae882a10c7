"""Columns of counts before they become :class:`~deciban.counts.counts.Counts`: what may stand in them."""

from __future__ import annotations

import numpy as np

from deciban.errors import InputError
from deciban.values.arrays import WEIGHT_RULE, AnyArray, Floats, as_column, locked, weight_fault
from deciban.values.log_domain import chunks

MAX_PAIRS = 2**62
"""N1·N0 below this makes every cross product of counts fit a signed 64-bit integer."""


def without_negative_zero(score: Floats) -> Floats:
    """The sorted scores with 0.0 for −0.0: equal to each other, the two must not give equal counts different hashes."""
    at = int(np.searchsorted(score, 0.0))
    if at == score.size or score[at] != 0.0 or not np.signbit(score[at]):
        return score
    score = score.copy()
    score[at] = 0.0
    return locked(score)


def refuse_too_many(n_target: AnyArray, n_nontarget: AnyArray) -> None:
    """Raise when products of counts would not fit 64 bits."""
    columns = (n_target, n_nontarget)
    if any(int(n.max(initial=0)) * n.size >= MAX_PAIRS for n in columns):
        # The sums might wrap round: doubles first, which do not.
        n1, n0 = (int(n.sum(dtype=np.float64)) for n in columns)
    else:
        n1 = n0 = 0
    if max(n1, n0) < 1.5 * MAX_PAIRS:
        n1, n0 = (int(n.sum()) for n in columns)
        if n1 * n0 < MAX_PAIRS:
            return
    raise InputError(f"{n1} targets × {n0} nontargets are 2^62 pairs or more: count a sample")


def whole_numbers(values: object, kind: type[np.int64] | type[np.float64], name: str) -> AnyArray:
    """Counts as int64, or as float64 for weights; negative, fractional and infinite ones are refused."""
    array = np.asarray(as_column(values, name))
    if array.dtype.kind not in "iuf" and array.size:
        raise InputError(f"{name}: expected whole numbers of trials, found {array.dtype}")
    converted = array.astype(kind, copy=False)
    if array.dtype.kind == "f" and (not np.isfinite(array).all() or (kind is np.int64 and (converted != array).any())):
        raise InputError(f"{name}: expected {'finite weights' if kind is np.float64 else 'whole numbers of trials'}")
    if array.size and converted.min() < 0:
        raise InputError(f"{name}: expected counts >= 0, found {converted.min()}")
    if kind is np.float64 and weight_fault(converted).any():
        raise InputError(f"{name}: {WEIGHT_RULE}, found {converted[weight_fault(converted)][0]:g}")
    return converted


def ends(n: AnyArray) -> tuple[int, int]:
    """First and last place with any trials."""
    return _first(n), n.size - 1 - _first(n[::-1])


def _first(n: AnyArray) -> int:
    """The first place with any trials; little is looked at where it comes early."""
    for part in chunks(n.size):
        present = n[part] > 0
        if present.any():
            return int(part.start) + int(present.argmax())
    return 0

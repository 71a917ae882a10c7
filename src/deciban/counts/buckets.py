"""Buckets of scores: what ``resolution`` means, and between which scores the trials of a bucket lie.

A score x no larger than 2^50·r in size has the key k = floor(x / r) in doubles, which is -1 at most for x < 0, and is
counted at k·r; any other score (infinite, or so large that r is next to nothing beside it) is counted at
itself. In SQL::

    CASE WHEN abs(x) > r * 1125899906842624 THEN x
         WHEN x < 0 THEN least(floor(x / r), -1) * r
         ELSE floor(x / r) * r END

Dividing by r > 0 and rounding to a double and down to a whole number never turns two scores round, so that the order
of two buckets is that of all scores in them, whatever r is. Edges are the very first and last double with a key, found
by trying, and not computed with a margin. Reversed scores are bucketed as the counts hold them: after they were turned.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from deciban.errors import InputError, OptionError
from deciban.values.arrays import AnyArray, Bools, Floats, locked
from deciban.values.log_domain import chunks
from deciban.values.option_checks import check_number

if TYPE_CHECKING:
    from deciban.counts.counts import Counts

OWN: Final = 2.0**50
"""A score beyond this many resolutions is counted at itself; up to here k·r gives k back."""

WIDEST: Final = 2.0**900
"""The largest resolution: 2^50 times it is still finite on every scale."""

MAX_BLOCKS: Final = 20_000_000
"""Distinct scores that are counted one by one unless more are asked for."""

FINE: Final = -20
"""Power of two by which ``auto`` is finer than the quartiles are apart. The bracket of AUC is as wide as the share of
pairs within one bucket, about 0.4·r divided by that distance for bell-shaped scores, and no more than 0.6 for others:
less than 10⁻⁶."""

Resolution = float | Literal["auto"]


def check_resolution(value: object) -> float | Literal["auto"] | None:
    """Return a resolution, ``"auto"`` or None, else raise :class:`OptionError`."""
    if value is None:
        return None
    if value == "auto":
        return "auto"
    expected = "a width of buckets above 0, in the unit of the scores, or 'auto'"
    width = check_number("resolution", value, expected)
    if not 0.0 < width <= WIDEST:
        raise OptionError(f"resolution: expected {expected}, at most 2^900, found {value!r}")
    return width


def keys(score: Floats, resolution: float) -> Floats:
    """Return floor(score / resolution), -1 at most below 0, where a tiny quotient would round to -0."""
    with np.errstate(over="ignore"):
        key = np.floor(score / resolution)
    np.minimum(key, -1.0, out=key, where=score < 0.0)
    return key


def bucket_scores(score: Floats, resolution: float) -> Floats:
    """The score at which each trial is counted."""
    counted = np.empty_like(score)
    for part in chunks(score.size):
        given = score[part]
        with np.errstate(over="ignore"):
            counted[part] = np.where(_own(given, resolution), given, keys(given, resolution) * resolution + 0.0)
    return locked(counted)


def check_buckets(score: Floats, value: object) -> float | None:
    """Return the resolution of counts; :class:`InputError` for a score at which no trial is counted at that one."""
    resolution = check_resolution(value)
    if resolution == "auto":
        raise OptionError("resolution: expected the width of the buckets that these scores are in, found 'auto'")
    if resolution is None:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        wrong = (np.rint(score / resolution) * resolution != score) & ~_own(score, resolution)
    if wrong.any():
        raise InputError(
            f"score: expected multiples of the resolution {resolution!r}, found {score[wrong][0].item()!r}; count "
            "the trials with resolution= (--resolution)"
        )
    return resolution


def edges(score: Floats, resolution: float) -> tuple[Floats, Floats]:
    """The smallest and the largest score that the trials counted at each of some scores can have had.

    All doubles of a key lie from the first double with that key to the last one before the next key, since keys do not
    decrease. Scores counted at themselves have both ends there.
    """
    low, high, limit = np.empty_like(score), np.empty_like(score), OWN * resolution
    for part in chunks(score.size):
        own = _own(score[part], resolution)
        key = np.rint(np.where(own, 0.0, score[part]) / resolution)
        first, after = _first_of(key, resolution), _first_of(key + 1.0, resolution)
        low[part] = np.where(own, score[part], first.clip(-limit, limit))
        high[part] = np.where(own, score[part], np.nextafter(after, -np.inf).clip(-limit, limit))
    return low, high


def _own(score: Floats, resolution: float) -> Bools:
    return np.asarray(np.abs(score) > OWN * resolution)


def _first_of(key: Floats, resolution: float) -> Floats:
    """The smallest double of each key or a larger one: a step or two from key·resolution."""
    first = key * resolution
    while True:
        before = np.nextafter(first, -np.inf)
        still = np.flatnonzero(keys(before, resolution) >= key)
        if not still.size:
            break
        first[still] = before[still]
    while True:
        short = np.flatnonzero(keys(first, resolution) < key)
        if not short.size:
            return first
        first[short] = np.nextafter(first[short], np.inf)


def edges_of(counts: Counts) -> tuple[Floats, Floats]:
    """The smallest and the largest score of each bucket of counts; both are the score where it is exact."""
    if counts.resolution is None:
        return counts.score, counts.score
    low, high = edges(counts.score, counts.resolution)
    if counts.scale == "probability":
        np.minimum(high, 1.0, out=high)
    return locked(low), locked(high)


def at_edges(counts: Counts) -> Counts:
    """Counts with the lower edges of the buckets as scores.

    What a threshold at one of them accepts is exactly what it accepted of the scores that were bucketed.
    """
    if counts.resolution is None:
        return counts
    return replace(counts, score=edges_of(counts)[0], resolution=None)


def settled(resolution: object, score: Floats, is_target: Bools, times: AnyArray | None = None) -> float | None:
    """The width that a resolution means for these trials: ``auto`` looks at them; ``times`` is how many each row is."""
    checked = check_resolution(resolution)
    return choose_resolution(score, is_target, times) if checked == "auto" else checked


def choose_resolution(score: Floats, is_target: Bools, times: AnyArray | None = None) -> float:
    """Choose a power of two that keeps the bracket of AUC below 10⁻⁶ for scores without heaps: see :data:`FINE`.

    The quartiles are those of the class that lies closer together; where half of a class is in one place the range of
    all scores stands in for them.
    """
    finite = np.isfinite(score)
    spreads = [
        _between_quartiles(score[finite & members], None if times is None else times[finite & members])
        for members in (is_target, ~is_target)
    ]
    wide = [spread for spread in spreads if spread > 0.0] or [_range(score[finite])]
    if min(wide) <= 0.0:
        return 1.0
    exponent = math.frexp(min(*wide, float(np.finfo(np.float64).max)))[1] - 1
    return math.ldexp(1.0, min(max(exponent + FINE, -1000), 900))


def _between_quartiles(score: Floats, times: AnyArray | None) -> float:
    n = score.size if times is None else int(times.sum())
    if n < 2:
        return 0.0
    at = [n // 4, n - 1 - n // 4]
    if times is None:
        lower, upper = np.partition(score, at)[at].tolist()
    else:
        order = np.argsort(score)
        lower, upper = score[order[np.searchsorted(np.cumsum(times[order]), at, side="right")]].tolist()
    return float(upper - lower)


def _range(score: Floats) -> float:
    return float(score.max() / 2 - score.min() / 2) * 2 if score.size else 0.0


def refuse_many(
    n_distinct: int, max_blocks: int, score: Floats, is_target: Bools, times: AnyArray | None = None
) -> None:
    """Raise :class:`InputError` for more distinct scores than are to be counted one by one."""
    if n_distinct > max_blocks:
        proposed = choose_resolution(score, is_target, times)
        raise InputError(
            f"{n_distinct} distinct scores are more than the {max_blocks} that max_blocks= (--max-blocks) allows: "
            f"count in buckets, e.g. with resolution={proposed!r} (--resolution {proposed!r}), which gives brackets "
            "that hold the exact figures; coarser ones are fewer"
        )

"""The score histogram: how the scores of both classes are distributed, over common bins."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from deciban.counts.argument import of_counts
from deciban.counts.counts import Counts
from deciban.curves.curve import Curve
from deciban.curves.grid import grid
from deciban.errors import OptionError
from deciban.values.arrays import AnyArray, Floats
from deciban.values.scale import Scale

FEWEST: Final = 20
MOST: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreHistogram(Curve):
    """Trials of each class in each bin of the finite scores, and those at infinite scores.

    Attributes
    ----------
    low, high
        Edges of the bins, in the unit of the scores; a bin holds low <= score < high, the last one also ``high``.
    n_target, n_nontarget
        Trials of each class in the bin.
    target_at_minus_inf, target_at_inf, nontarget_at_minus_inf, nontarget_at_inf
        Trials of each class whose score is infinite.
    scale
        Unit of the scores.
    """

    low: Floats
    high: Floats
    n_target: AnyArray
    n_nontarget: AnyArray
    target_at_minus_inf: int | float
    target_at_inf: int | float
    nontarget_at_minus_inf: int | float
    nontarget_at_inf: int | float
    scale: Scale


@of_counts
def score_histogram(counts: Counts, *, bins: object = None) -> ScoreHistogram:
    """Count the trials of each class in common bins of the scores.

    Parameters
    ----------
    counts
        Counts on any scale; one class may be empty.
    bins
        How many bins of equal width from the lowest to the highest finite score, or their edges, which must enclose
        every finite score. Default: width 2·IQR/N^(1/3) of all finite scores (Freedman and Diaconis), but at least 20
        bins and at most 100.

    Returns
    -------
    ScoreHistogram
        Trials (weight when weighted). Without a finite score there are no bins; if all finite scores are equal there is
        one around them.

    Raises
    ------
    OptionError, InputError
        When there would be no bin, or edges do not increase, are not finite or leave a finite score out.

    References
    ----------
    Freedman and Diaconis (1981), On the histogram as a density estimator, Z. Wahrscheinlichkeitstheorie 57.

    Examples
    --------
    >>> import deciban as db
    >>> bins = db.score_histogram(db.Counts.from_classes([3.0, 4.0, float("inf")], [0.0, 1.0]), bins=2)
    >>> bins.low.tolist(), bins.high.tolist(), bins.n_target.tolist(), bins.n_nontarget.tolist()
    ([0.0, 2.0], [2.0, 4.0], [0, 2], [2, 0])
    >>> bins.target_at_inf
    1
    """
    start = int(np.searchsorted(counts.score, -np.inf, side="right"))
    finite = slice(start, int(np.searchsorted(counts.score, np.inf, side="left")))
    edges = _edges(counts, finite, bins)
    at = np.searchsorted(counts.score[finite], edges, side="left") + start
    at[-1:] = finite.stop
    return ScoreHistogram(
        low=edges[:-1],
        high=edges[1:],
        n_target=_sums(counts.n_target, at),
        n_nontarget=_sums(counts.n_nontarget, at),
        target_at_minus_inf=counts.n_target[:start].sum().item(),
        target_at_inf=counts.n_target[finite.stop :].sum().item(),
        nontarget_at_minus_inf=counts.n_nontarget[:start].sum().item(),
        nontarget_at_inf=counts.n_nontarget[finite.stop :].sum().item(),
        scale=counts.scale,
    )


def _sums(n: AnyArray, at: AnyArray) -> AnyArray:
    return np.diff(np.concatenate([n[:1] * 0, np.cumsum(n)])[at])


def _edges(counts: Counts, finite: slice, bins: object) -> Floats:
    score = counts.score[finite]
    if bins is None or isinstance(bins, (int, np.integer)):
        if bins is not None and (isinstance(bins, bool) or bins < 1):
            raise OptionError(f"bins: expected at least 1, found {bins!r}")
        if score.size == 0:
            return np.empty(0)
        low, high = float(score[0]), float(score[-1])
        if low == high:
            half = max(0.5, abs(low) * 1e-6)
            return np.array([low - half, low + half])
        share = np.linspace(0.0, 1.0, 1 + (int(bins) if bins is not None else _number(counts, finite)))
        # Halves of both ends, so that a range wider than the largest double does not overflow.
        return np.unique((low * (1.0 - share) + high * share).clip(low, high))
    edges = grid(bins, "bins", np.empty(0))
    if edges.size < 2 or not np.isfinite(edges).all() or not (np.diff(edges) > 0.0).all():
        raise OptionError("bins: expected a number of bins, or at least two finite edges in increasing order")
    if score.size and not edges[0] <= score[0] <= score[-1] <= edges[-1]:
        raise OptionError(
            f"bins: the edges from {edges[0]:g} to {edges[-1]:g} leave out finite scores from {score[0]:g} to "
            f"{score[-1]:g}"
        )
    return edges


def _number(counts: Counts, finite: slice) -> int:
    """How many bins the rule gives: the range over 2·IQR/N^(1/3), within the limits."""
    score = counts.score[finite]
    upto = np.cumsum(counts.n_target[finite] + counts.n_nontarget[finite])
    quartiles: list[float] = score[np.searchsorted(upto, [upto[-1] * 0.25, upto[-1] * 0.75])].tolist()
    lower, upper = quartiles
    # In quarters: the range of the largest doubles overflows.
    if upper / 4 == lower / 4:
        return FEWEST
    ratio = (float(score[-1]) / 4 - float(score[0]) / 4) / (upper / 4 - lower / 4)
    return max(FEWEST, math.ceil(min(ratio * math.cbrt(float(upto[-1])) / 2, MOST)))

"""Where each trial stands among those of the other class: the per-trial terms whose mean is the AUC.

The placement of a target is the share of nontargets below it, of a nontarget the share of targets below it, equal
scores counted half. Doubled and not divided they are whole numbers: their differences and their means are exact.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deciban.counts.counts import Counts
from deciban.counts.pairs import pair_counts
from deciban.errors import Problems, UndefinedMetricError, rows
from deciban.values.arrays import AnyArray, Bools, Floats, as_floats
from deciban.values.log_domain import chunks

Ints = NDArray[np.int64]


class PairShares(NamedTuple):
    """Twice the pairs that the target wins and loses, a tie being half of each, and the sizes of the classes."""

    won: int
    lost: int
    n1: int
    n0: int

    @property
    def auc(self) -> float:
        """Share of pairs won, rounded once."""
        return self.won / (self.won + self.lost)

    @property
    def complement(self) -> float:
        """1 − AUC, rounded once."""
        return self.lost / (self.won + self.lost)


def pair_shares(counts: Counts, what: str) -> PairShares:
    """Pairs of unweighted counts, else :class:`UndefinedMetricError`."""
    if counts.weighted:
        raise UndefinedMetricError(f"{what} counts trials, and these are weighted: resample them instead", "weighted")
    wins, ties, losses = (int(n) for n in pair_counts(counts))
    return PairShares(2 * wins + ties, 2 * losses + ties, int(counts.total_target), int(counts.total_nontarget))


def variance_of_auc(counts: Counts, shares: PairShares) -> float:
    """DeLong's variance of the AUC, exactly 0 where all placements of each class are equal; two trials of each class.

    var(V10)/N1 + var(V01)/N0 with divisors N1 − 1 and N0 − 1, in one pass over the distinct scores.
    """
    of_targets = _scatter(counts.n_target, counts.n_nontarget, shares.won, shares.n1)
    of_nontargets = _scatter(counts.n_nontarget, counts.n_target, shares.lost, shares.n0)
    return (
        of_targets / (shares.n1 - 1) / shares.n1 / (2.0 * shares.n0) ** 2
        + of_nontargets / (shares.n0 - 1) / shares.n0 / (2.0 * shares.n1) ** 2
    )


def _scatter(own: AnyArray, other: AnyArray, total: int, n: int) -> float:
    """Σ (d − mean)² over the trials of one class, d = twice the members of the other that lie below.

    ``total`` is Σ d. Its mean, rounded down, is subtracted in integers: what is left loses nothing when squared in
    doubles. In chunks, so that what one step makes is still in the cache for the next; without BLAS, whose threads
    cost more than they save on runs this short.
    """
    shift = total // n
    squares, sums, below = 0.0, 0.0, 0
    for part in chunks(own.size):
        here, members = other[part], own[part]
        up_to = np.cumsum(here)
        doubled = up_to + up_to
        doubled -= here
        doubled += 2 * below - shift
        below += int(up_to[-1])
        distance = doubled.astype(np.float64)
        weighted = members * distance
        sums += float(weighted.sum())
        weighted *= distance
        squares += float(weighted.sum())
    return squares - sums * sums / n


def placements(score: Floats, is_target: Bools) -> tuple[Ints, Ints]:
    """Twice the members of the other class below each target and below each nontarget, in the order of the trials."""
    order, size, ends = _blocks(score)
    at_target = is_target[order]
    targets = np.cumsum(at_target)[ends]
    nontargets = ends + 1 - targets
    # Twice those below plus those equal: those below the block and those up to its end.
    below = [np.repeat(n + np.append(0, n[:-1]), size) for n in (nontargets, targets)]
    doubled = np.empty(score.size, dtype=np.int64)
    doubled[order] = np.where(at_target, *below)
    return doubled[is_target], doubled[~is_target]


def _blocks(score: Floats) -> tuple[AnyArray, AnyArray, AnyArray]:
    """An order of the scores, and of each run of equal ones its size and the position of its last."""
    order = np.argsort(score)
    ordered = score[order]
    ends = np.append(np.flatnonzero(ordered[1:] != ordered[:-1]), score.size - 1)
    return order, np.diff(ends, prepend=-1), ends


def midranks(scores: object) -> Floats:
    """Compute the rank of each score from 1, equal scores sharing the mean of their ranks.

    Parameters
    ----------
    scores
        Numbers, shape (n,).

    Returns
    -------
    array of float
        In the order of the scores.

    Raises
    ------
    InputError
        When a score is missing or no number.

    References
    ----------
    Sun and Xu (2014), Fast implementation of DeLong's algorithm, IEEE Signal Processing Letters 21.

    Examples
    --------
    >>> import deciban as db
    >>> db.midranks([1, 2, 2, 3, 0]).tolist()
    [2.0, 3.5, 3.5, 5.0, 1.0]
    """
    problems = Problems("midranks")
    given = as_floats(scores, "scores", problems)
    if np.isnan(given).any():
        problems.add(f"scores: missing (NaN or null) at {rows(np.flatnonzero(np.isnan(given)).tolist())}")
    problems.raise_if_any()
    ranks = np.empty(given.size)
    if given.size:
        order, size, ends = _blocks(given)
        ranks[order] = np.repeat(ends + 1.5 - size / 2, size)
    return ranks

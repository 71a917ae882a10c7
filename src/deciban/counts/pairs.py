"""Target–nontarget pairs by which of the two has the higher score."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deciban.counts.argument import of_counts
from deciban.counts.counts import Counts
from deciban.values.arrays import AnyArray


class PairCounts(NamedTuple):
    """Target–nontarget pairs by which of the two has the higher score; exact integers unless weighted."""

    wins: int | float
    ties: int | float
    losses: int | float


@of_counts
def pair_counts(counts: Counts) -> PairCounts:
    """Count the target–nontarget pairs that the target wins, ties and loses.

    Their sum is N1·N0; AUC = (wins + ties/2) / (N1·N0).

    Parameters
    ----------
    counts
        Counts of both classes.

    Returns
    -------
    PairCounts
        Exact Python integers; floats when the counts are weighted.

    Raises
    ------
    SingleClassError
        When a class is empty.

    Examples
    --------
    >>> import deciban as db
    >>> db.pair_counts(db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1]))
    PairCounts(wins=6, ties=1, losses=2)
    """
    counts.require_both_classes("a comparison of targets with nontargets")
    wins = _pairs_above(counts.n_target, counts.n_nontarget)
    ties = tied_pairs(counts)
    if counts.weighted:
        # Weights round: taken from N1·N0, what is left could fall below 0 and an AUC exceed 1.
        return PairCounts(wins, ties, _pairs_above(counts.n_nontarget, counts.n_target))
    return PairCounts(wins, ties, counts.total_target * counts.total_nontarget - wins - ties)


def tied_pairs(counts: Counts) -> int | float:
    """How many target–nontarget pairs have equal scores."""
    return np.dot(counts.n_target, counts.n_nontarget).item()  # type: ignore[no-any-return]


def _pairs_above(upper: AnyArray, lower: AnyArray) -> int | float:
    """Pairs of which the member of ``upper`` has the higher score."""
    return np.dot(upper[1:], np.cumsum(lower[:-1])).item()  # type: ignore[no-any-return]

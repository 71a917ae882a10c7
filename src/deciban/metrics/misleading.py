"""Misleading evidence: how often likelihood ratios point to the wrong proposition, and how strongly."""

from __future__ import annotations

import math

import numpy as np

from deciban.counts.counts import Counts
from deciban.errors import OptionError
from deciban.metrics.spec import metric, whole
from deciban.values.ratio import divide
from deciban.values.scale import inverse_threshold, threshold_of_lr


def strength(k: float) -> float:
    """Return the strength of evidence k if it is finite and at least 1, else raise :class:`OptionError`."""
    if not 1.0 <= k < math.inf:
        raise OptionError(f"k: expected a finite LR of at least 1, found {k!r}")
    return k


MISLEADING_SHOWN: tuple[dict[str, float], ...] = ({}, {"k": 10.0}, {"k": 100.0}, {"k": 1000.0})


@metric(
    of=whole,
    title="Rate of misleading evidence for the nontarget proposition",
    range=(0.0, 1.0),
    direction="lower",
    needs="lr",
    anchors=(0.0, 0.0),
    shown=MISLEADING_SHOWN,
    exact=True,
    use_when="asking how often targets are given evidence against them, and how strong",
    avoid_when="used alone: a method that always says LR = 1 never misleads",
    reference="Royall (2000), On the probability of observing misleading statistical evidence, JASA 95",
)
def rmed(counts: Counts, *, k: float = 1.0) -> float:
    """Compute the share of targets with LR < 1, or with LR <= 1/k for k > 1.

    Parameters
    ----------
    counts
        Counts of both classes on an LR scale.
    k
        Strength of evidence, at least 1.
    exact
        Return a Fraction.

    Returns
    -------
    float
        A share. Perfect 0; LR = 1 for every trial 0 as well: LR = 1 misleads nobody.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are not LRs.
    OptionError
        When k is below 1.

    Notes
    -----
    The limit is converted once to the unit of the scores.

    References
    ----------
    Royall (2000), On the probability of observing misleading statistical evidence, JASA 95.

    Examples
    --------
    >>> import deciban as db
    >>> db.rmed(db.Counts.from_classes([100, 0.5, 1], [0.1, 2], scale="lr"), exact=True)
    Fraction(1, 3)
    """
    limit = inverse_threshold(strength(k), counts.scale, counts.prior)
    counts.require_both_classes("rmed")
    below = int(np.searchsorted(counts.score, limit, side="left" if k == 1.0 else "right"))
    return divide(counts.n_target[:below].sum().item(), counts.total_target)


@metric(
    of=whole,
    title="Rate of misleading evidence for the target proposition",
    range=(0.0, 1.0),
    direction="lower",
    needs="lr",
    anchors=(0.0, 0.0),
    shown=MISLEADING_SHOWN,
    exact=True,
    use_when="asking how often nontargets are given evidence against them, and how strong",
    avoid_when="used alone: a method that always says LR = 1 never misleads",
    reference="Royall (2000), On the probability of observing misleading statistical evidence, JASA 95",
)
def rmep(counts: Counts, *, k: float = 1.0) -> float:
    """Compute the share of nontargets with LR > 1, or with LR >= k for k > 1.

    Parameters
    ----------
    counts
        Counts of both classes on an LR scale.
    k
        Strength of evidence, at least 1. A calibrated method keeps the rate below about 1/k.
    exact
        Return a Fraction.

    Returns
    -------
    float
        A share. Perfect 0; LR = 1 for every trial 0 as well: LR = 1 misleads nobody.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are not LRs.
    OptionError
        When k is below 1.

    Notes
    -----
    The limit is converted once to the unit of the scores.

    References
    ----------
    Royall (2000), On the probability of observing misleading statistical evidence, JASA 95.

    Examples
    --------
    >>> import deciban as db
    >>> db.rmep(db.Counts.from_classes([100, 0.5], [0.1, 2, 1, 30], scale="lr"), k=10, exact=True)
    Fraction(1, 4)
    """
    limit = threshold_of_lr(strength(k), counts.scale, counts.prior)
    counts.require_both_classes("rmep")
    above = int(np.searchsorted(counts.score, limit, side="right" if k == 1.0 else "left"))
    return divide(counts.n_nontarget[above:].sum().item(), counts.total_nontarget)

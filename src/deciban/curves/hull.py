"""What pooling adjacent violators leaves: the ROC convex hull and the map from scores to likelihood ratios."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deciban.counts.argument import of_counts
from deciban.counts.counts import Counts
from deciban.curves.curve import Curve
from deciban.passes.pool import pool
from deciban.values.arrays import AnyArray, Floats
from deciban.values.scale import Scale


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rocch(Curve):
    """Vertices of the ROC convex hull, in order of decreasing threshold; k pooled blocks make k + 1.

    Attributes
    ----------
    threshold
        Accept when score >= threshold: inf (reject-all), then the lowest score of each block.
    p_miss, p_fa
        Shares of missed targets and accepted nontargets; straight lines join the vertices.
    fn, fp
        The counts behind them.
    n_target, n_nontarget
        All targets and nontargets.
    reject_all_reachable
        False when inf is itself a score, so that no threshold rejects everything.
    """

    threshold: Floats
    p_miss: Floats
    p_fa: Floats
    fn: AnyArray
    fp: AnyArray
    n_target: int | float
    n_nontarget: int | float
    reject_all_reachable: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PavMap(Curve):
    """The increasing map from scores to likelihood ratios that suits the trials best, one entry per pooled block.

    Attributes
    ----------
    low, high
        Lowest and highest score of the block, in the unit of the scores; between two blocks there is no trial.
    ln_lr
        Natural-log likelihood ratio of the block, strictly increasing; −inf and inf for blocks of one class.
    n_target, n_nontarget
        Trials of each class in the block.
    scale, prior
        Unit of ``low`` and ``high``; prior that probabilities were made under.
    """

    low: Floats
    high: Floats
    ln_lr: Floats
    n_target: AnyArray
    n_nontarget: AnyArray
    scale: Scale
    prior: float | None


@of_counts
def rocch(counts: Counts) -> Rocch:
    """Compute the ROC convex hull: the error rates that thresholds, and randomising between two of them, can reach.

    Parameters
    ----------
    counts
        Counts of both classes, on any scale.

    Returns
    -------
    Rocch
        From reject-all (p_miss 1, p_fa 0) to accept-all (0, 1). A perfect system has a vertex at (0, 0); an
        uninformative one has these two ends only. Where p_miss = p_fa the hull is at the equal error rate (``eer``).

    Raises
    ------
    SingleClassError
        When a class is empty.

    Notes
    -----
    Computed in integers, ties first: no map of the scores that keeps their order changes the rates.

    References
    ----------
    Provost and Fawcett (2001), Robust classification for imprecise environments, Machine Learning 42.

    Examples
    --------
    >>> import deciban as db
    >>> hull = db.rocch(db.Counts.from_classes([0.9, 0.5], [0.8, 0.7, 0.1]))
    >>> hull.fn.tolist(), hull.fp.tolist(), hull.threshold.tolist()
    ([2, 1, 0, 0], [0, 0, 2, 3], [inf, 0.9, 0.5, 0.1])
    """
    pooled = pool(counts)
    fn, fp = pooled.hull()
    # Summed in another order, weights may miss the total by rounding; the corners are exact by definition.
    fn[0], fp[-1] = counts.total_target, counts.total_nontarget
    return Rocch(
        threshold=np.concatenate([[np.inf], pooled.low[::-1]]),
        p_miss=fn / counts.total_target,
        p_fa=fp / counts.total_nontarget,
        fn=fn,
        fp=fp,
        n_target=counts.total_target,
        n_nontarget=counts.total_nontarget,
        reject_all_reachable=not np.isposinf(counts.score[-1]),
    )


@of_counts
def pav_map(counts: Counts) -> PavMap:
    """Compute the best increasing map from scores to likelihood ratios, by pooling adjacent violators.

    A block with k1 targets and k0 nontargets has LR = (k1/N1)/(k0/N0).

    Parameters
    ----------
    counts
        Counts of both classes, on any scale.

    Returns
    -------
    PavMap
        One entry per block, in increasing order. Perfectly separated classes give −inf and inf; an uninformative
        system gives one block with ln LR 0. Calibrated LRs lie near the line ln_lr = ln LR of the scores.

    Raises
    ------
    SingleClassError
        When a class is empty.

    Notes
    -----
    Scores that are equal are one from the start; neighbouring blocks of equal ratio are one; ratios are compared in
    integers. Fitted to the trials it describes, the map is optimistic.

    References
    ----------
    Brümmer and du Preez (2006), Application-independent evaluation of speaker detection, CSL 20.

    Examples
    --------
    >>> import deciban as db
    >>> blocks = db.pav_map(db.Counts.from_classes([0.9, 0.5], [0.8, 0.7, 0.1]))
    >>> blocks.low.tolist(), blocks.high.tolist(), blocks.n_target.tolist()
    ([0.1, 0.5, 0.9], [0.1, 0.8, 0.9], [0, 1, 1])
    >>> [round(float(x), 6) for x in blocks.ln_lr]
    [-inf, -0.287682, inf]
    """
    pooled = pool(counts)
    return PavMap(
        low=pooled.low,
        high=pooled.high,
        ln_lr=pooled.ln_lr,
        n_target=pooled.n_target,
        n_nontarget=pooled.n_nontarget,
        scale=counts.scale,
        prior=counts.prior,
    )

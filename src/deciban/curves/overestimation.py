"""How far likelihood ratios overstate the evidence, bin by bin."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deciban.counts.argument import of_counts
from deciban.counts.counts import Counts
from deciban.curves.curve import Curve
from deciban.errors import UndefinedMetricError
from deciban.values.arrays import AnyArray, Floats, read_only
from deciban.values.log_domain import LN10
from deciban.values.scale import to_ln_lr, to_log10_lr

STEP: Final = 0.5
"""Width of an interval before merging, in log10 LR."""

FEWEST: Final = 5
"""Trials of each class that a bin must hold."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Overestimation(Curve):
    """What LRs claim and what the data bear out, in bins of log10 LR; arrays of shape (b,).

    Attributes
    ----------
    low, high
        Ends of the bins in log10 LR; a bin holds its lower end, the last one both.
    claimed
        log10 of the mean LR of the nontargets in the bin.
    empirical
        log10[(n1/N1)/(n0/N0)], the main column for ``band``.
    discrepancy
        claimed − empirical: above 0 where LRs overstate the evidence for the target proposition.
    n_target, n_nontarget
        Trials in the bin.
    infinite_target, infinite_nontarget
        Trials with LR 0 or inf, which are in no bin (but count in N1 and N0).
    """

    low: Floats
    high: Floats
    claimed: Floats
    empirical: Floats
    discrepancy: Floats
    n_target: AnyArray
    n_nontarget: AnyArray
    infinite_target: int | float
    infinite_nontarget: int | float

    @property
    def edges(self) -> Floats:
        """Ends of the bins, each once, shape (b + 1,)."""
        return read_only(np.append(self.low, self.high[-1:]))


@of_counts
def lr_overestimation(counts: Counts) -> Overestimation:
    """Compute by how much LRs overstate the evidence, in bins of at least five trials of each class.

    Half-decade intervals of log10 LR from the smallest to the largest finite LR are merged upward until each holds at
    least 5 trials of each class (what is left at the top joins the last bin, which ends at the largest, or a
    half-decade up where that begins it); claimed = log10(mean LR of the
    nontargets in it), empirical = log10[(n1/N1)/(n0/N0)], discrepancy = claimed − empirical.

    Parameters
    ----------
    counts
        Counts of both classes on an LR scale.

    Returns
    -------
    Overestimation
        Units of log10 LR. Perfectly calibrated LRs have a discrepancy of 0 up to chance, and so has LR = 1 for every
        trial.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are not LRs.
    UndefinedMetricError
        When the finite LRs do not fill one bin (reason ``too_few``).

    Notes
    -----
    Not the fiducial curve of Hannig and Iyer, which follows the same question. Means are taken in the log domain:
    no LR is too large. Equal LRs are never parted.

    References
    ----------
    Hannig, Riman, Iyer and Vallone (2019), Are reported likelihood ratios well calibrated?, FSI Genetics Supplement 7.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([10.0] * 9 + [1.0] * 6, [10.0] * 5 + [1.0] * 10, scale="lr")
    >>> curve = db.lr_overestimation(counts)
    >>> curve.edges.tolist(), curve.n_target.tolist()
    ([0.0, 0.5, 1.0], [6, 9])
    >>> curve.discrepancy.round(4).tolist()
    [0.2218, 0.7447]
    """
    finite, ln_lr = _finite(counts)
    n_target, n_nontarget = counts.n_target[finite], counts.n_nontarget[finite]
    if n_target.sum() < FEWEST or n_nontarget.sum() < FEWEST:
        raise UndefinedMetricError(
            f"lr_overestimation: a bin needs {FEWEST} trials of each class with a finite LR, found "
            f"{n_target.sum():g} targets and {n_nontarget.sum():g} nontargets",
            "too_few",
        )
    first, edges = _bins(to_log10_lr(counts.score[finite], counts.scale, counts.prior), n_target, n_nontarget)
    k1, k0 = np.add.reduceat(n_target, first), np.add.reduceat(n_nontarget, first)
    claimed = _log10_means(ln_lr, n_nontarget, first, k0)
    empirical = np.log10(k1 / counts.total_target) - np.log10(k0 / counts.total_nontarget)
    return Overestimation(
        low=edges[:-1],
        high=edges[1:],
        claimed=claimed,
        empirical=empirical,
        discrepancy=claimed - empirical,
        n_target=k1,
        n_nontarget=k0,
        infinite_target=counts.total_target - k1.sum().item(),
        infinite_nontarget=counts.total_nontarget - k0.sum().item(),
    )


def bounds_of_bins(counts: Counts) -> NDArray[np.intp]:
    """Which distinct score each bin of :func:`lr_overestimation` begins at, and which is the first after all bins."""
    finite, _ = _finite(counts)
    log10_lr = to_log10_lr(counts.score[finite], counts.scale, counts.prior)
    first, _ = _bins(log10_lr, counts.n_target[finite], counts.n_nontarget[finite])
    return np.append(first + finite.start, finite.stop)


def _finite(counts: Counts) -> tuple[slice, Floats]:
    """Where the scores are whose LR is neither 0 nor infinite, and their ln LRs."""
    to_ln_lr(counts.score[:1], counts.scale, counts.prior)
    counts.require_both_classes("lr_overestimation")
    ln_lr = counts.ln_lr()
    finite = slice(int(np.isneginf(ln_lr[0])), ln_lr.size - int(np.isposinf(ln_lr[-1])))
    return finite, ln_lr[finite]


def _bins(log10_lr: Floats, n_target: AnyArray, n_nontarget: AnyArray) -> tuple[NDArray[np.intp], Floats]:
    """Index of the first LR of each bin, and the ends of the bins."""
    lowest = log10_lr[0]
    interval = np.floor((log10_lr - lowest) / STEP)
    # Division may round across an end: an LR belongs where the ends themselves say.
    interval -= log10_lr < lowest + STEP * interval
    interval += log10_lr >= lowest + STEP * (interval + 1.0)
    starts = np.flatnonzero(np.diff(interval, prepend=-1.0))
    sums = [np.cumsum(np.add.reduceat(n, starts)) for n in (n_target, n_nontarget)]
    first, edges, place = [0], [lowest], 0
    while True:
        before = [total[place - 1] if place else 0 for total in sums]
        # The interval with which the bin that begins at ``place`` is full.
        full = max(int(np.searchsorted(total, had + FEWEST)) for total, had in zip(sums, before, strict=True))
        if full + 1 >= starts.size or any(total[-1] - total[full] < FEWEST for total in sums):
            break
        edges.append(lowest + STEP * (interval[starts[full]] + 1.0))
        place = full + 1
        first.append(int(starts[place]))
    # The bin ends at the highest LR, and where that is its lowest too, a step further: no bin is without width.
    end = float(log10_lr[-1]) if log10_lr[-1] > edges[-1] else edges[-1] + STEP
    return np.array(first, dtype=np.intp), np.array([*edges, end])


def _log10_means(ln_lr: Floats, n: AnyArray, first: NDArray[np.intp], total: AnyArray) -> Floats:
    """log10 of the mean LR of the trials ``n`` of each bin, relative to the largest LR among them."""
    largest = np.maximum.reduceat(np.where(n > 0, ln_lr, -math.inf), first)
    sizes = np.diff(np.append(first, ln_lr.size))
    relative = np.where(n > 0, np.exp(np.minimum(ln_lr - np.repeat(largest, sizes), 0.0)), 0.0)
    return np.asarray((largest + np.log(np.add.reduceat(n * relative, first) / total)) / LN10)

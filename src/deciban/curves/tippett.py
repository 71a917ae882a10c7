"""The Tippett plot: how the likelihood ratios of each class are distributed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from deciban.counts.argument import of_edges
from deciban.counts.counts import Counts
from deciban.curves.curve import Curve
from deciban.errors import OptionError
from deciban.passes.cumulative import cumulate
from deciban.values.arrays import Floats
from deciban.values.scale import to_log10_lr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tippett(Curve):
    """Shares of each class at every distinct LR, in increasing order; steps, not lines, join the points.

    Between two points the shares are those of the point above; beyond the highest point "at or above" is 0 and
    "below" is 1. LRs of 0 and infinity are points at −inf and inf.

    Attributes
    ----------
    log10_lr
        Base-10 log likelihood ratios, shape (u,).
    target
        Share of targets at or above the LR (type 2: below it).
    nontarget
        Share of nontargets at or above the LR.
    type
        1 or 2.
    n_target, n_nontarget
        All targets and nontargets.
    """

    log10_lr: Floats
    target: Floats
    nontarget: Floats
    type: Literal[1, 2]
    n_target: int | float
    n_nontarget: int | float


@of_edges
def tippett(counts: Counts, *, type: Literal[1, 2] = 1) -> Tippett:  # noqa: A002 - the word of the literature
    """Compute the Tippett plot: the share of each class with at least a given LR.

    Parameters
    ----------
    counts
        Counts of both classes on an LR scale, u distinct LRs; of counts in buckets their lower edges, where the shares
        are exact.
    type
        1: targets and nontargets at or above. 2: targets below, nontargets at or above, so that the curves cross where
        p_miss = p_fa.

    Returns
    -------
    Tippett
        u points. Type 1 of a perfect system is 1 for targets and 0 for nontargets between its two LRs; of an
        uninformative one the two curves are the same. At log10 LR 0 the curves show the rates of misleading evidence.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are not LRs.
    OptionError
        When the type is neither 1 nor 2.

    Notes
    -----
    The crossing of type 1 is not the equal error rate. Tied trials move together.

    References
    ----------
    Evett and Buckleton (1996), Statistical analysis of STR data, Advances in Forensic Haemogenetics 6.

    Examples
    --------
    >>> import deciban as db
    >>> curve = db.tippett(db.Counts.from_classes([2, 1, 0, -1], [-2, -1, 0, 1, -1], scale="log10_lr"))
    >>> curve.log10_lr.tolist()
    [-2.0, -1.0, 0.0, 1.0, 2.0]
    >>> curve.target.tolist(), curve.nontarget.tolist()
    ([1.0, 1.0, 0.75, 0.5, 0.25], [1.0, 0.8, 0.4, 0.2, 0.0])
    """
    if type not in (1, 2):
        raise OptionError(f"type: expected 1 or 2, found {type!r}")
    log10_lr = to_log10_lr(counts.score, counts.scale, counts.prior)
    points = cumulate(counts)
    target = points.tp / points.total_target if type == 1 else points.p_miss
    return Tippett(
        log10_lr=log10_lr,
        target=target[-2:0:-1],
        nontarget=points.p_fa[-2:0:-1],
        type=type,
        n_target=points.total_target,
        n_nontarget=points.total_nontarget,
    )

"""The architecture-agnostic detection cost (a-DCF): one score, one threshold, three classes."""

from __future__ import annotations

import numpy as np

from deciban.counts.tandem import TandemCounts, ThreeClassCounts, of_tandem
from deciban.metrics.tandem.costs import SpoofAwareCost, spoof_aware_cost
from deciban.values.option_checks import check_number


@of_tandem
def min_a_dcf(counts: TandemCounts, *, cost: SpoofAwareCost | str) -> float:
    """Compute the least normalised a-DCF over all thresholds, both ends among them.

    [Cmiss·π_tar·p_miss + Cfa·π_non·p_fa + Cfa_spoof·π_spoof·p_fa_spoof], divided by the cost of the better constant
    decision, min(Cfa·π_non + Cfa_spoof·π_spoof, Cmiss·π_tar).

    Parameters
    ----------
    counts
        Three-class counts of one score (``sasv``), which may be that of a verifier or of a countermeasure alone.
    cost
        A name, ``"a-dcf"`` (its paper) or ``"asvspoof5"``, or a ``SpoofAwareCost``. No default.

    Returns
    -------
    float
        Perfect 0, no information 1.

    Raises
    ------
    SingleClassError
        When a class is empty.
    NeedsTrialsError
        Without such scores.
    OptionError
        When the cost is not legal.

    Notes
    -----
    Equal scores move together; infinite scores are scores. The threshold is chosen on the very trials: optimistic.

    References
    ----------
    Shim et al. (2024), a-DCF: an architecture agnostic metric with application to spoofing-robust speaker
    verification, Odyssey.

    Examples
    --------
    >>> import deciban as db
    >>> sasv = db.ThreeClassCounts.from_classes([3, 4, 5], [0, 1], [2, 3])
    >>> round(db.min_a_dcf(db.TandemCounts(sasv=sasv), cost="a-dcf"), 6)
    0.333333
    """
    sasv, parameters = counts.require_sasv("min_a_dcf"), spoof_aware_cost(cost)
    return float(np.min(_costs(sasv, parameters)))


@of_tandem
def act_a_dcf(counts: TandemCounts, *, threshold: float, cost: SpoofAwareCost | str) -> float:
    """Compute the normalised a-DCF at one threshold.

    Parameters
    ----------
    counts, cost
        As in :func:`min_a_dcf`.
    threshold
        Accept when score >= threshold.

    Returns
    -------
    float
        Perfect 0; always rejecting or always accepting, whichever is better, 1; above 1 is worse than not looking.

    Raises
    ------
    SingleClassError, NeedsTrialsError, OptionError
        As :func:`min_a_dcf`.

    References
    ----------
    Shim et al. (2024), a-DCF: an architecture agnostic metric with application to spoofing-robust speaker
    verification, Odyssey.

    Examples
    --------
    >>> import deciban as db
    >>> sasv = db.ThreeClassCounts.from_classes([3, 4, 5], [0, 1], [2, 3])
    >>> round(db.act_a_dcf(db.TandemCounts(sasv=sasv), threshold=3, cost="a-dcf"), 6)
    0.555556
    """
    sasv, parameters = counts.require_sasv("act_a_dcf"), spoof_aware_cost(cost)
    threshold = check_number("threshold", threshold, "a number in the unit of the scores")
    return float(_costs(sasv, parameters)[int(np.searchsorted(sasv.score, threshold, side="left"))])


def _costs(sasv: ThreeClassCounts, cost: SpoofAwareCost) -> np.ndarray:
    """The normalised cost at each threshold in increasing order, then of rejecting everybody."""
    miss, reject, reject_spoof = sasv.rejected()
    expected = cost.c_miss * cost.p_target * (miss / sasv.total_target)
    expected += cost.c_fa * cost.p_nontarget * ((sasv.total_nontarget - reject) / sasv.total_nontarget)
    expected += cost.c_fa_spoof * cost.p_spoof * ((sasv.total_spoof - reject_spoof) / sasv.total_spoof)
    return np.asarray(expected / cost.norm)

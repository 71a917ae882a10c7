"""The tandem detection cost function (t-DCF): a countermeasure judged by what it does for a given verifier."""

from __future__ import annotations

import numpy as np

from deciban.counts.tandem import TandemCounts, of_tandem
from deciban.curves.tandem_cost import TandemCostCurve
from deciban.metrics.tandem.asv_rates import Asv, rates_of
from deciban.metrics.tandem.costs import LegacyTandemCost, TandemCost, Weights, tandem_cost
from deciban.passes.confusion_matrix import confusion
from deciban.passes.cumulative import cumulate


@of_tandem
def min_t_dcf(counts: TandemCounts, *, cost: TandemCost | LegacyTandemCost | str, asv: Asv = None) -> float:
    """Compute the least normalised t-DCF over all thresholds of the countermeasure, both ends among them.

    Form of 2021: (C0 + C1·p_miss + C2·p_fa)/(C0 + min(C1, C2)) with C0 = π_tar·Cmiss·p_miss_asv +
    π_non·Cfa·p_fa_asv, C1 = π_tar·Cmiss − C0, C2 = π_spoof·Cfa_spoof·p_fa_spoof_asv. Form of 2019:
    (C1·p_miss + C2·p_fa)/min(C1, C2) with C1 = π_tar·(Cmiss_cm − Cmiss_asv·p_miss_asv) − π_non·Cfa_asv·p_fa_asv,
    C2 = π_spoof·Cfa_cm·p_fa_spoof_asv.

    Parameters
    ----------
    counts
        Counts with the countermeasure's scores (``cm``) and, unless its rates are given, the verifier's (``asv``).
    cost
        A name, ``"asvspoof2021"`` (also of ASVspoof 5) or ``"asvspoof2019"``, or parameters of either form. No default.
    asv
        The verifier's threshold, its rates (``AsvRates``), or ``"asvspoof5"`` for the rates fixed in ASVspoof 5.
        Default: the threshold where targets and nontargets have equal errors by the ``asvspoof`` rule.

    Returns
    -------
    float
        Uninformative countermeasure: 1. Perfect: C0/(C0 + min(C1, C2)) in the form of 2021, what the verifier's own
        errors cost; 0 in that of 2019.

    Raises
    ------
    SingleClassError
        When a class is empty.
    UndefinedMetricError
        When C1 <= 0 or C2 <= 0: the verifier is worse than rejecting everybody, or accepts no spoof.
    NeedsTrialsError
        Without the scores that are needed.
    OptionError
        When the cost or the verifier is not legal.

    Notes
    -----
    Equal scores move together; infinite scores are scores. The threshold is chosen on the very trials: optimistic.

    References
    ----------
    Kinnunen et al. (2020), Tandem assessment of spoofing countermeasures and automatic speaker verification:
    fundamentals, IEEE/ACM TASLP 28. Kinnunen et al. (2018), t-DCF: a detection cost function for the tandem assessment
    of spoofing countermeasures and automatic speaker verification, Odyssey.

    Examples
    --------
    >>> import deciban as db
    >>> cm = db.Counts.from_classes([3, 4, 5], [0, 1, 3])
    >>> round(db.min_t_dcf(db.TandemCounts(cm=cm), cost="asvspoof2021", asv="asvspoof5"), 6)
    0.385289
    """
    points = cumulate(counts.require_cm("min_t_dcf"))
    weights = tandem_cost(cost).weights(rates_of(counts, asv))
    return float(np.min(_costs(weights, points.p_miss, points.p_fa)))


@of_tandem
def act_t_dcf(
    counts: TandemCounts, *, threshold: float, cost: TandemCost | LegacyTandemCost | str, asv: Asv = None
) -> float:
    """Compute the normalised t-DCF at one threshold of the countermeasure.

    Parameters
    ----------
    counts
        As in :func:`min_t_dcf`.
    threshold
        The countermeasure takes a trial for bona fide when its score >= threshold.
    cost, asv
        As in :func:`min_t_dcf`.

    Returns
    -------
    float
        Rejecting or accepting everybody, whichever is better: 1. Perfect as for :func:`min_t_dcf`; above 1 the
        countermeasure does harm.

    Raises
    ------
    SingleClassError, UndefinedMetricError, NeedsTrialsError, OptionError
        As :func:`min_t_dcf`.

    References
    ----------
    Kinnunen et al. (2020), Tandem assessment of spoofing countermeasures and automatic speaker verification:
    fundamentals, IEEE/ACM TASLP 28.

    Examples
    --------
    >>> import deciban as db
    >>> cm = db.Counts.from_classes([3, 4, 5], [0, 1, 3])
    >>> round(db.act_t_dcf(db.TandemCounts(cm=cm), threshold=3.5, cost="asvspoof2019", asv="asvspoof5"), 6)
    1.332774
    """
    countermeasure = counts.require_cm("act_t_dcf")
    countermeasure.require_both_classes("act_t_dcf")
    table = confusion(countermeasure, threshold=threshold)
    weights = tandem_cost(cost).weights(rates_of(counts, asv))
    return (weights.floor + weights.miss * table.p_miss + weights.fa * table.p_fa) / weights.norm


@of_tandem
def t_dcf_curve(counts: TandemCounts, *, cost: TandemCost | LegacyTandemCost | str, asv: Asv = None) -> TandemCostCurve:
    """Compute the normalised t-DCF at every threshold of the countermeasure.

    Parameters
    ----------
    counts, cost, asv
        As in :func:`min_t_dcf`.

    Returns
    -------
    TandemCostCurve
        The cost with both rates of the countermeasure, at inf, every score in decreasing order, and −inf.

    Raises
    ------
    SingleClassError, UndefinedMetricError, NeedsTrialsError, OptionError
        As :func:`min_t_dcf`.

    References
    ----------
    Kinnunen et al. (2020), Tandem assessment of spoofing countermeasures and automatic speaker verification:
    fundamentals, IEEE/ACM TASLP 28.

    Examples
    --------
    >>> import deciban as db
    >>> cm = db.Counts.from_classes([3, 4], [0, 1])
    >>> curve = db.t_dcf_curve(db.TandemCounts(cm=cm), cost="asvspoof2019", asv="asvspoof5")
    >>> curve.threshold.tolist(), float(curve.t_dcf.min())
    ([inf, 4.0, 3.0, 1.0, 0.0, -inf], 0.0)
    """
    points = cumulate(counts.require_cm("t_dcf_curve"))
    rates = rates_of(counts, asv)
    weights = tandem_cost(cost).weights(rates)
    return TandemCostCurve(
        threshold=points.threshold,
        p_miss=points.p_miss,
        p_fa=points.p_fa,
        t_dcf=_costs(weights, points.p_miss, points.p_fa),
        floor=weights.floor / weights.norm,
        cost=cost if isinstance(cost, str) else type(cost).__name__,
        asv_threshold=rates.threshold,
    )


def _costs(weights: Weights, p_miss: np.ndarray, p_fa: np.ndarray) -> np.ndarray:
    return (weights.floor + weights.miss * p_miss + weights.fa * p_fa) / weights.norm

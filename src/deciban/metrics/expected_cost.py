"""What decisions at a threshold are worth: expected cost for any cost matrix, and net benefit."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from deciban.curves.net_benefit import benefits
from deciban.errors import OptionError
from deciban.metrics.spec import metric
from deciban.passes.confusion_matrix import Confusion, confusion
from deciban.passes.forecasts import Probabilities, probabilities
from deciban.values.arrays import Floats
from deciban.values.scale import check_prior

VICKERS: Final = "Vickers and Elkin (2006), Decision curve analysis, Medical Decision Making 26"


def check_costs(**costs: float) -> None:
    """Raise :class:`OptionError` unless every cost is a finite number."""
    for name, cost in costs.items():
        if not math.isfinite(cost):
            raise OptionError(f"{name}: expected a finite cost, found {cost!r}")


@metric(
    of=confusion,
    title="Expected cost",
    range=(-math.inf, math.inf),
    direction="lower",
    anchors=(None, None),
    shown=(),
    use_when="each of the four outcomes has a known cost or gain and the prior in use is known",
    avoid_when="only misses and false alarms cost anything: act_dcf and min_dcf are easier to compare",
    reference="Elkan (2001), The foundations of cost-sensitive learning, IJCAI",
)
def expected_cost(
    table: Confusion, *, p_target: float, c_miss: float, c_fa: float, c_hit: float = 0.0, c_reject: float = 0.0
) -> float:
    """Compute the mean cost of a decision at one threshold, for any cost matrix and prior.

    π·[Cmiss·p_miss + Chit·(1 − p_miss)] + (1 − π)·[Cfa·p_fa + Creject·(1 − p_fa)].

    Parameters
    ----------
    counts
        Counts of both classes, on any scale.
    threshold
        Accept when score >= threshold, in the unit of the scores.
    p_target
        Prior of a target in use, strictly between 0 and 1.
    c_miss, c_fa, c_hit, c_reject
        Costs of a miss, a false alarm, a right acceptance and a right rejection; negative ones are gains.

    Returns
    -------
    float
        In the unit of the costs. Perfect π·Chit + (1 − π)·Creject; deciding without looking costs the less of
        π·Cmiss + (1 − π)·Creject and π·Chit + (1 − π)·Cfa.

    Raises
    ------
    UndefinedMetricError
        When a class is empty.
    OptionError
        When a cost is not finite or the prior not between 0 and 1.

    References
    ----------
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([0.9, 0.4], [0.8, 0.1])
    >>> db.expected_cost(counts, threshold=0.5, p_target=0.5, c_miss=4, c_fa=2)
    1.5
    """
    check_prior(p_target, "p_target")
    check_costs(c_miss=c_miss, c_fa=c_fa, c_hit=c_hit, c_reject=c_reject)
    miss, fa = table.p_miss, table.p_fa
    target, nontarget = c_miss * miss + c_hit * (1 - miss), c_fa * fa + c_reject * (1 - fa)
    return p_target * target + (1 - p_target) * nontarget


def _probability(threshold: float) -> Floats:
    if not 0.0 < threshold < 1.0:
        raise OptionError(f"threshold: expected a probability strictly between 0 and 1, found {threshold!r}")
    return np.array([threshold])


@metric(
    of=probabilities,
    title="Net benefit",
    range=(-math.inf, 1.0),
    direction="higher",
    needs="probability",
    anchors=(None, None),
    shown=(),
    use_when="a probability at which one would act is agreed on, as in medicine",
    avoid_when="the share of targets differs in use, or scores are not probabilities",
    reference=VICKERS,
)
def net_benefit(forecast: Probabilities, *, threshold: float) -> float:
    """Compute the share of true positives less the false positives they cost: TP/N − FP/N·p/(1 − p), flagging p_i >= p.

    Parameters
    ----------
    counts
        Counts on the probability scale or an LR scale; one class may be empty.
    p_target
        Prior at which LRs become posteriors, default the share of targets in the data.
    threshold
        The probability p at which one would act, strictly between 0 and 1.

    Returns
    -------
    float
        In units of true positives per trial. Perfect N1/N; flagging nobody 0, flagging all ``net_benefit_all``.

    Raises
    ------
    ScaleError
        When the scores are neither probabilities nor LRs.
    SingleClassError
        When LRs are to become posteriors at the share of targets and a class is empty.
    OptionError
        When the threshold is not between 0 and 1.

    References
    ----------
    Vickers and Elkin (2006), Decision curve analysis, Medical Decision Making 26.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([0.9, 0.4], [0.8, 0.1], scale="probability")
    >>> db.net_benefit(counts, threshold=0.5)
    0.0
    """
    return float(benefits(forecast, _probability(threshold))[0][0])


@metric(
    of=probabilities,
    title="Net benefit of flagging all",
    range=(-math.inf, 1.0),
    direction="target value",
    needs="probability",
    anchors=(None, None),
    shown=(),
    bootstrap=None,
    use_when="a net benefit is quoted: a system must beat this and 0",
    avoid_when="no net benefit is quoted",
    reference=VICKERS,
)
def net_benefit_all(forecast: Probabilities, *, threshold: float) -> float:
    """Compute the net benefit of flagging every trial: N1/N − N0/N·p/(1 − p).

    Parameters
    ----------
    counts
        Counts on the probability scale or an LR scale; one class may be empty.
    p_target
        Prior at which LRs become posteriors; no effect here.
    threshold
        The probability p at which one would act, strictly between 0 and 1.

    Returns
    -------
    float
        In units of true positives per trial; it depends on the data alone.

    Raises
    ------
    ScaleError
        When the scores are neither probabilities nor LRs.
    SingleClassError
        When LRs are to become posteriors at the share of targets and a class is empty.
    OptionError
        When the threshold is not between 0 and 1.

    References
    ----------
    Vickers and Elkin (2006), Decision curve analysis, Medical Decision Making 26.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([0.9, 0.4], [0.8, 0.1, 0.3, 0.2], scale="probability")
    >>> round(db.net_benefit_all(counts, threshold=0.2), 12)
    0.166666666667
    """
    return float(benefits(forecast, _probability(threshold))[1][0])

"""Decision curves: what acting on probabilities is worth, whatever the probability at which one would act."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from deciban.counts.argument import of_counts
from deciban.counts.counts import Counts
from deciban.curves.curve import Curve
from deciban.curves.grid import grid
from deciban.passes.cumulative import sums_from
from deciban.passes.forecasts import Probabilities, probabilities
from deciban.values.arrays import Floats

THRESHOLDS: Final = np.arange(1, 100) / 100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NetBenefitCurve(Curve):
    """Net benefit in true positives per trial at each probability of acting; flagging nobody is worth 0.

    Attributes
    ----------
    threshold
        The probability p at which one would act, in the order given.
    benefit
        Of flagging where the stated probability is at least p.
    treat_all
        Of flagging every trial.
    n_target, n_nontarget
        All targets and nontargets.
    """

    threshold: Floats
    benefit: Floats
    treat_all: Floats
    n_target: int | float
    n_nontarget: int | float


def benefits(forecast: Probabilities, threshold: Floats) -> tuple[Floats, Floats]:
    """TP/N − FP/N·p/(1 − p) at each p, flagging where the stated probability is at least p, and flagging all."""
    odds = threshold / (1.0 - threshold)
    at = np.searchsorted(forecast.probability, threshold, side="left")
    tp, fp = sums_from(forecast.n_target, at), sums_from(forecast.n_nontarget, at)
    everyone = forecast.counts.total_target - forecast.counts.total_nontarget * odds
    return (tp - fp * odds) / forecast.total, everyone / forecast.total


@of_counts
def net_benefit_curve(counts: Counts, *, thresholds: object = None, p_target: float | None = None) -> NetBenefitCurve:
    """Compute the decision curve: TP/N − FP/N·p/(1 − p) over the probability p at which one would act.

    Parameters
    ----------
    counts
        Counts on the probability scale or an LR scale; one class may be empty.
    thresholds
        Probabilities strictly between 0 and 1. Default: 0.01, 0.02, … 0.99.
    p_target
        Prior at which LRs become posteriors, default the share of targets in the data.

    Returns
    -------
    NetBenefitCurve
        In units of true positives per trial. Perfect N1/N at every threshold; a system is of use where it lies above
        both 0 (flagging nobody) and ``treat_all``, the better of which an uninformative one reaches at best.

    Raises
    ------
    ScaleError
        When the scores are neither probabilities nor LRs.
    OptionError, InputError
        When a threshold is not strictly between 0 and 1.

    References
    ----------
    Vickers and Elkin (2006), Decision curve analysis, Medical Decision Making 26.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([0.9, 0.4], [0.8, 0.1], scale="probability")
    >>> curve = db.net_benefit_curve(counts, thresholds=[0.2, 0.5])
    >>> curve.benefit.tolist(), curve.treat_all.tolist()
    ([0.4375, 0.0], [0.375, 0.0])
    """
    forecast = probabilities(counts, p_target=p_target)
    inside = float(np.nextafter(0.0, 1.0)), float(np.nextafter(1.0, 0.0))
    threshold = grid(thresholds, "thresholds", THRESHOLDS, low=inside[0], high=inside[1])
    benefit, treat_all = benefits(forecast, threshold)
    return NetBenefitCurve(
        threshold=threshold,
        benefit=benefit,
        treat_all=treat_all,
        n_target=counts.total_target,
        n_nontarget=counts.total_nontarget,
    )

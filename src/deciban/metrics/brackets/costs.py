"""Brackets of means over trials: each trial costs what its score says, which lies between the edges of its bucket."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from deciban.counts.counts import Counts
from deciban.metrics.brackets.ends import ROUNDING, Ends, roughly
from deciban.metrics.brackets.ranking import ordered
from deciban.metrics.brackets.view import View
from deciban.metrics.information import cllr_min
from deciban.metrics.information import empirical_cross_entropy as of_scores
from deciban.metrics.spec import Spec, run_body
from deciban.passes.evidence import ClassCosts, class_costs
from deciban.passes.losses import departures, log_losses, squared_error
from deciban.values.log_domain import LN10, prior_weights

Options = Mapping[str, object]
Loss = Callable[..., float]


def class_cost_ends(view: View, log_odds: float = 0.0) -> tuple[ClassCosts, ClassCosts]:
    """Costs of both classes at least and at most: a target costs the less the larger its LR, a nontarget the more."""
    at_low, at_high = (class_costs(counts, log_odds) for counts in (view.at_low(), view.at_high()))
    return ClassCosts(at_high.target, at_low.nontarget), ClassCosts(at_low.target, at_high.nontarget)


def evidence_costs(view: View, spec: Spec, options: Options) -> Ends:
    """Bracket Cllr or a half of it: a sum of costs of both classes with weights of one sign."""
    low, high = (float(run_body(spec, [costs], options, exact=False)) for costs in class_cost_ends(view))
    return roughly(low, high)


def empirical_cross_entropy(view: View, spec: Spec, options: Options) -> Ends:
    """Bracket the cross-entropy at a prior, a weighted sum of costs at its log-odds θ.

    Adding θ rounds by 2⁻⁵³·|θ|, and no cost changes by more than that, relatively, for each unit of log-odds.
    """
    odds = float(str(options["log10_odds"]))
    theta = odds * LN10
    if math.isnan(odds) or math.isinf(theta):
        value = float(run_body(of_scores.spec, [view.at_low(), ClassCosts(0.0, 0.0)], options, exact=False))
        return Ends(value, value, settled=True)
    even = class_cost_ends(view)
    found = class_cost_ends(view, theta)
    low, high = (
        math.inf if certain.infinite() else costs.bits(*prior_weights(theta))
        for certain, costs in zip(even, found, strict=True)
    )
    return roughly(low, high, relative=ROUNDING + 2.0**-49 * abs(theta))


def calibration_loss(view: View, spec: Spec, options: Options) -> Ends:
    """Bracket Cllr − min Cllr by the ends of both; it is never negative."""
    low, high = (costs.bits() for costs in class_cost_ends(view))
    least = ordered(view, cllr_min.spec, {"laplace": False})
    if math.isinf(low):
        return Ends(low, high, settled=True)
    rounding = ROUNDING * (1.0 + low)
    return roughly(max(low - float(least.high), 0.0), high - float(least.low), absolute=rounding)


def brier(view: View, spec: Spec, options: Options) -> Ends:
    """Bracket the mean squared error: a target's falls as its probability rises, a nontarget's rises."""
    return _mean_loss(view, squared_error, options)


def log_loss(view: View, spec: Spec, options: Options) -> Ends:
    """Bracket the mean of −ln p and −ln(1 − p): a target's falls as its probability rises, a nontarget's rises."""
    return _mean_loss(view, log_losses, options)


def _mean_loss(view: View, loss: Loss, options: Options) -> Ends:
    prior = _prior(view, options)
    at_low, at_high = (_by_class(counts, loss, prior) for counts in (view.at_low(), view.at_high()))
    return roughly(at_high[0] + at_low[1], at_low[0] + at_high[1])


def _by_class(counts: Counts, loss: Loss, prior: float | None) -> tuple[float, float]:
    """What targets and nontargets add to the mean loss of all trials."""
    none = np.zeros_like(counts.n_target)
    parts = counts.reweighted(counts.n_target, none), counts.reweighted(none, counts.n_nontarget)
    target, nontarget = (
        loss(part, p_target=prior) * (part.total / counts.total) if part.total else 0.0 for part in parts
    )
    return target, nontarget


def mean_calibration(view: View, spec: Spec, options: Options) -> Ends:
    """Bracket the mean probability less the share of targets: it rises with every probability."""
    prior = _prior(view, options)
    low, high = (departures(counts, p_target=prior) for counts in (view.at_low(), view.at_high()))
    return roughly(low.over / low.total, high.over / high.total, absolute=ROUNDING)


def _prior(view: View, options: Options) -> float | None:
    """The prior of posteriors: that of the question, else for LRs the share of targets among all trials."""
    prior, counts = options["p_target"], view.counts
    if prior is not None or counts.scale == "probability":
        return None if prior is None else float(str(prior))
    counts.require_both_classes("a posterior at the share of targets in the data (pass p_target)")
    return counts.total_target / counts.total

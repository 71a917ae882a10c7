"""Bayes error over priors: what decisions at the threshold of theory cost, beside the least possible."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deciban.counts.argument import of_counts
from deciban.counts.counts import Counts
from deciban.curves.curve import Curve
from deciban.curves.grid import log10_odds_grid
from deciban.passes.confusion_matrix import error_at
from deciban.passes.cumulative import accepted
from deciban.passes.pool import pool
from deciban.values.arrays import Floats
from deciban.values.scale import carries_lr, threshold_of_log10_lr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BayesErrorCurve(Curve):
    """Error probability at each prior, or its ratio to that of the better constant decision when normalised.

    Attributes
    ----------
    log10_odds
        Prior log10 odds of the target, in the order given.
    actual
        At the threshold LR = 1/(prior odds); None when the scores are no LRs.
    minimum
        At the best threshold for each prior.
    default
        Of the better decision without looking: min(π, 1 − π), normalised 1.
    normalised
        Whether all are divided by min(π, 1 − π).
    n_target, n_nontarget
        All targets and nontargets.
    """

    log10_odds: Floats
    actual: Floats | None
    minimum: Floats
    default: Floats
    normalised: bool
    n_target: int | float
    n_nontarget: int | float


@of_counts
def bayes_error_curve(counts: Counts, *, log10_odds: object = None, normalise: bool = False) -> BayesErrorCurve:
    """Compute actual, minimum and default error probability over priors (an APE plot; normalised, an NBE plot).

    Parameters
    ----------
    counts
        Counts of both classes; ``actual`` needs an LR scale.
    log10_odds
        Prior log10 odds of the target, finite, shape (d,). Default: −3 to 3 in steps of 0.05.
    normalise
        Divide by the error min(π, 1 − π) of the better constant decision.

    Returns
    -------
    BayesErrorCurve
        Probabilities, shape (d,). Perfect 0; LR = 1 for every trial gives ``default``. ``minimum`` is at most
        ``default``, and its greatest value is the equal error rate (``eer``); ``actual`` can exceed both.

    Raises
    ------
    SingleClassError
        When a class is empty.
    OptionError, InputError
        When the log-odds are no column of finite numbers.

    Notes
    -----
    The threshold is converted to the unit of the scores; an LR equal to it is accepted. Infinite LRs are fine.

    References
    ----------
    Brümmer and de Villiers (2013), The BOSARIS toolkit, arXiv:1304.2865.

    Examples
    --------
    >>> import deciban as db
    >>> curve = db.bayes_error_curve(db.Counts.from_classes([8.0, 2.0], [0.1, 4.0], scale="lr"), log10_odds=[0])
    >>> curve.actual.tolist(), curve.minimum.tolist(), curve.default.tolist()
    ([0.25], [0.25], [0.5])
    """
    counts.require_both_classes("bayes_error_curve")
    odds = log10_odds_grid(log10_odds, finite=True)
    # Rejecting all is the better constant decision up to even odds, accepting all above.
    default = np.array([error_at(x, float(x <= 0), float(x > 0), normalise) for x in odds.tolist()])
    minimum = np.minimum(_minimum(counts, odds, normalise), default)
    actual = _actual(counts, odds, normalise) if carries_lr(counts.scale, counts.prior) else None
    # The best threshold is at least as good as the given one: only rounding can say otherwise.
    minimum = minimum if actual is None else np.minimum(minimum, actual)
    return BayesErrorCurve(
        log10_odds=odds,
        actual=actual,
        minimum=minimum,
        default=default,
        normalised=normalise,
        n_target=counts.total_target,
        n_nontarget=counts.total_nontarget,
    )


def _actual(counts: Counts, odds: Floats, normalise: bool) -> Floats:
    threshold = np.array([threshold_of_log10_lr(-x, counts.scale, counts.prior) for x in odds.tolist()])
    tp, fp = accepted(counts, threshold)
    return _errors(odds, (counts.total_target - tp) / counts.total_target, fp / counts.total_nontarget, normalise)


def _minimum(counts: Counts, odds: Floats, normalise: bool) -> Floats:
    """The hull's vertex that accepts the blocks with LR >= 1/(prior odds), or a neighbour where rounding decides."""
    pooled = pool(counts)
    fn, fp = (column[::-1] for column in pooled.hull())
    below = np.searchsorted(pooled.ln_lr, -odds * np.log(10.0), side="left")
    candidates = []
    for step in (-1, 0, 1):
        at = (below + step).clip(0, fn.size - 1)
        p_miss, p_fa = fn[at] / counts.total_target, fp[at] / counts.total_nontarget
        candidates.append(_errors(odds, p_miss, p_fa, normalise))
    return np.asarray(np.min(candidates, axis=0))


def _errors(odds: Floats, p_miss: Floats, p_fa: Floats, normalise: bool) -> Floats:
    points = zip(odds.tolist(), p_miss.tolist(), p_fa.tolist(), strict=True)
    return np.array([error_at(x, miss, fa, normalise) for x, miss, fa in points])

"""Bayes error: how often decisions at the threshold that theory gives are wrong, at any prior."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from deciban.counts.counts import Counts
from deciban.errors import OptionError
from deciban.metrics.spec import metric, whole
from deciban.passes.confusion_matrix import confusion, error_at
from deciban.passes.pool import Pooled, pool
from deciban.values.log_domain import LN10, prior_weights
from deciban.values.scale import threshold_of_log10_lr

REFERENCE: Final = "Brümmer and de Villiers (2013), The BOSARIS toolkit, arXiv:1304.2865"


def _check_odds(log10_odds: float) -> float:
    if not math.isfinite(log10_odds):
        raise OptionError(f"log10_odds: expected a finite number, found {log10_odds!r}")
    return log10_odds


@metric(
    of=whole,
    title="Bayes error",
    range=(0.0, math.inf),
    direction="lower",
    needs="lr",
    anchors=(0.0, None),
    shown=(),
    use_when="LRs will be turned into decisions at a known prior, both errors equally dear",
    avoid_when="errors are not equally dear (see act_dcf), or no decision is taken",
    reference=REFERENCE,
)
def bayes_error(counts: Counts, *, log10_odds: float, normalise: bool = False) -> float:
    """Compute the error probability of accepting where LR >= 1/(prior odds): π·p_miss + (1 − π)·p_fa.

    Parameters
    ----------
    counts
        Counts of both classes on an LR scale.
    log10_odds
        Prior log10 odds of the target, finite.
    normalise
        Divide by the error min(π, 1 − π) of the better constant decision.

    Returns
    -------
    float
        A probability. Perfect 0; LR = 1 for every trial gives min(π, 1 − π), normalised 1 (at even odds all are
        accepted, which gives the same). Normalised it can exceed 1: then not looking is better.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are not LRs.
    OptionError
        When the log-odds are not finite.

    Notes
    -----
    The threshold is converted once to the unit of the scores; an LR equal to it is accepted. Infinite LRs are fine.

    References
    ----------
    Brümmer and de Villiers (2013), The BOSARIS toolkit, arXiv:1304.2865.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([8.0, 2.0], [0.1, 4.0], scale="lr")
    >>> db.bayes_error(counts, log10_odds=0)
    0.25
    """
    odds = _check_odds(log10_odds)
    counts.require_both_classes("bayes_error")
    table = confusion(counts, threshold=threshold_of_log10_lr(-odds, counts.scale, counts.prior))
    return error_at(odds, table.p_miss, table.p_fa, normalise)


def _least_range(_: str | None, options: Mapping[str, object]) -> tuple[float, float]:
    odds = float(str(options["log10_odds"]))
    return 0.0, 1.0 if options["normalise"] or math.isnan(odds) else min(prior_weights(odds * LN10))


@metric(
    of=pool,
    title="Minimum Bayes error",
    range=(0.0, 1.0),
    narrower=_least_range,
    direction="lower",
    anchors=(0.0, None),
    shown=(),
    rank_only=True,
    optimistic=True,
    bootstrap="basic",
    use_when="asking what error a system could reach at a prior if its threshold were ideal",
    avoid_when="reporting what users will get: the threshold was chosen with the answers in hand",
    reference=REFERENCE,
)
def bayes_error_min(pooled: Pooled, *, log10_odds: float, normalise: bool = False) -> float:
    """Compute the least error probability over all thresholds at a prior; its maximum over priors is the EER (rocch).

    Parameters
    ----------
    counts
        Counts of both classes, on any scale.
    log10_odds
        Prior log10 odds of the target, finite.
    normalise
        Divide by the error min(π, 1 − π) of the better constant decision.

    Returns
    -------
    float
        A probability, at most min(π, 1 − π); normalised at most 1. Perfect 0; no information min(π, 1 − π) or 1.

    Raises
    ------
    SingleClassError
        When a class is empty.
    OptionError
        When the log-odds are not finite.

    References
    ----------
    Brümmer and de Villiers (2013), The BOSARIS toolkit, arXiv:1304.2865.

    Examples
    --------
    >>> import deciban as db
    >>> db.bayes_error_min(db.Counts.from_classes([0.9, 0.5], [0.8, 0.7, 0.1]), log10_odds=0)
    0.25
    """
    odds = _check_odds(log10_odds)
    fn, fp = pooled.hull()
    rates = zip((fn / pooled.total_target).tolist(), (fp / pooled.total_nontarget).tolist(), strict=True)
    return min(error_at(odds, p_miss, p_fa, normalise) for p_miss, p_fa in rates)

"""Detection costs: what decisions cost at the threshold that theory gives, and at the best threshold."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from deciban.counts.counts import Counts
from deciban.metrics.presets import PRESETS, Cost, costs_of
from deciban.metrics.spec import metric, whole
from deciban.passes.confusion_matrix import confusion
from deciban.passes.pool import Pooled, pool

DCF_REFERENCE = "Brümmer and du Preez (2006), Application-independent evaluation of speaker detection, CSL 20"


def _scaled(cost: Cost, expected: float, normalise: bool) -> float:
    return expected / cost.default if normalise else expected


@metric(
    of=whole,
    title="Actual detection cost",
    range=(0.0, float("inf")),
    direction="lower",
    needs="lr",
    anchors=(0.0, 1.0),
    shown=(),
    choices={"preset": tuple(PRESETS)},
    use_when="LRs will be turned into decisions at a known prior and known costs",
    avoid_when="prior or costs are unknown: look at Cllr or at the cross-entropy over all priors instead",
    reference=DCF_REFERENCE,
)
def act_dcf(
    counts: Counts,
    *,
    p_target: float | None = None,
    c_miss: float | None = None,
    c_fa: float | None = None,
    preset: str | None = None,
    normalise: bool = True,
) -> float:
    """Compute the expected cost of accepting where LR >= β, β = (Cfa/Cmiss)·(1 − π)/π.

    Cmiss·π·p_miss + Cfa·(1 − π)·p_fa, divided by min(Cmiss·π, Cfa·(1 − π)) when normalised; the mean of the
    normalised costs for a preset of several.

    Parameters
    ----------
    counts
        Counts of both classes on an LR scale (or probabilities with their prior).
    p_target, c_miss, c_fa
        Prior of a target; costs of a miss and a false alarm. No defaults.
    preset
        Named costs instead: ``sre08``, ``sre16``, ``voxsrc``, ``asvspoof5``.
    normalise
        Divide by the cost of the better constant decision.

    Returns
    -------
    float
        A cost. Perfect 0; LR = 1 for every trial gives 1 when normalised; above 1 is worse than not looking.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are not LRs.
    OptionError
        Without costs, or with illegal ones.

    Notes
    -----
    β is converted once to the unit of the scores; an LR equal to it is accepted.

    References
    ----------
    Brümmer and du Preez (2006), Application-independent evaluation of speaker detection, CSL 20.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([6.0, 5.0, 1.0, 4.7], [-2.0, -3.0, 4.9, 0.0], scale="ln_lr")
    >>> round(db.act_dcf(counts, p_target=0.01, c_miss=1, c_fa=1), 12)
    25.0
    """
    counts.require_both_classes("act_dcf")
    values = []
    for cost in costs_of(preset, p_target, c_miss, c_fa):
        table = confusion(counts, threshold=cost.threshold(counts.scale, counts.prior))
        expected = cost.weight_miss * table.p_miss + cost.weight_fa * table.p_fa
        values.append(_scaled(cost, expected, normalise))
    return sum(values) / len(values)


def _least_range(_: str | None, options: Mapping[str, object]) -> tuple[float, float]:
    """No more than the better constant decision costs."""
    if options["normalise"]:
        return 0.0, 1.0
    costs = costs_of(*(options[name] for name in ("preset", "p_target", "c_miss", "c_fa")))  # type: ignore[arg-type]
    return 0.0, sum(cost.default for cost in costs) / len(costs)


@metric(
    of=pool,
    title="Minimum detection cost",
    range=(0.0, float("inf")),
    narrower=_least_range,
    direction="lower",
    anchors=(0.0, 1.0),
    shown=(),
    choices={"preset": tuple(PRESETS)},
    rank_only=True,
    optimistic=True,
    bootstrap="basic",
    use_when="asking what a system could reach at given costs if its threshold were ideal",
    avoid_when="reporting what users will get: the threshold was chosen with the answers in hand",
    reference=DCF_REFERENCE,
)
def min_dcf(
    pooled: Pooled,
    *,
    p_target: float | None = None,
    c_miss: float | None = None,
    c_fa: float | None = None,
    preset: str | None = None,
    normalise: bool = True,
) -> float:
    """Compute the least expected cost over all thresholds, accept-all and reject-all among them.

    The cost is linear in the two rates, so the minimum is at a vertex of the ROC convex hull.

    Parameters
    ----------
    counts
        Counts of both classes, on any scale.
    p_target, c_miss, c_fa
        Prior of a target; costs of a miss and a false alarm. No defaults.
    preset
        Named costs instead: ``sre08``, ``sre16``, ``voxsrc``, ``asvspoof5``.
    normalise
        Divide by the cost of the better constant decision.

    Returns
    -------
    float
        A cost, at most 1 when normalised. Perfect 0, no information 1.

    Raises
    ------
    SingleClassError
        When a class is empty.
    OptionError
        Without costs, or with illegal ones.

    Notes
    -----
    For a preset of several costs: the mean of the minima, each with its own threshold. Ties move together, so the
    order of rows cannot matter.

    References
    ----------
    Brümmer and du Preez (2006), Application-independent evaluation of speaker detection, CSL 20.

    Examples
    --------
    >>> import deciban as db
    >>> db.min_dcf(db.Counts.from_classes([3, 4], [1, 2]), preset="voxsrc")
    0.0
    >>> db.min_dcf(db.Counts.from_classes([0, 0], [1, 1]), p_target=0.01, c_miss=1, c_fa=1)
    1.0
    """
    fn, fp = pooled.hull()
    p_miss, p_fa = fn / pooled.total_target, fp / pooled.total_nontarget
    values = []
    for cost in costs_of(preset, p_target, c_miss, c_fa):
        least = float(np.min(cost.weight_miss * p_miss + cost.weight_fa * p_fa))
        values.append(_scaled(cost, least, normalise))
    return sum(values) / len(values)

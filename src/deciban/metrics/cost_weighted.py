"""Expected cost when the balance of the two costs is itself uncertain."""

from __future__ import annotations

import math

import numpy as np

from deciban.errors import OptionError, UndefinedMetricError
from deciban.metrics.spec import metric
from deciban.passes.pool import Pooled, pool
from deciban.values.arrays import AnyArray


def _least_cost(n_target: AnyArray, n_nontarget: AnyArray, alpha: float, beta: float) -> float:
    """Σ over blocks of ∫ min(c·k0, (1 − c)·k1) w(c) dc for w = Beta(α, β): the cost of each block's better decision.

    Accepting is better up to c = k1/(k1 + k0). Both pieces are incomplete beta functions and positive: none cancels.
    """
    from scipy.special import betainc

    n = n_target + n_nontarget
    accepted = n_nontarget * betainc(alpha + 1.0, beta, n_target / n) * (alpha / (alpha + beta))
    rejected = n_target * betainc(beta + 1.0, alpha, n_nontarget / n) * (beta / (alpha + beta))
    return float((accepted + rejected).sum())


@metric(
    of=pool,
    title="H-measure",
    range=(0.0, 1.0),
    direction="higher",
    anchors=(1.0, 0.0),
    shown=(),
    rank_only=True,
    of_these_shares=True,
    optimistic=True,
    use_when="classifiers are compared by expected cost, and the balance of costs is known only roughly",
    avoid_when="costs are known: use the expected cost; shares of targets differ: it depends on them",
    reference="Hand (2009), Measuring classifier performance, Machine Learning 77",
)
def h_measure(pooled: Pooled, *, alpha: float = 2.0, beta: float = 2.0) -> float:
    """Compute 1 − L/L_max, expected least costs over c ~ Beta(α, β), the cost of a false alarm (of a miss: 1 − c).

    L = ∫ min over the ROC convex hull of [c·π0·p_fa + (1 − c)·π1·p_miss] w(c) dc, π1 = N1/N = 1 − π0, and
    L_max = ∫ min(c·π0, (1 − c)·π1) w(c) dc, of the better constant decision.

    Parameters
    ----------
    counts
        Counts of both classes.
    alpha, beta
        Parameters of the beta distribution of c, finite and above 0. Hand and Anagnostopoulos (2014) propose 1 + N1/N
        and 1 + N0/N.

    Returns
    -------
    float
        Share of the cost of not looking that the scores save. Perfect 1, no information 0.

    Raises
    ------
    SingleClassError
        When a class is empty.
    UndefinedMetricError
        When alpha and beta are so large that the distribution has no value in doubles.
    OptionError
        When alpha or beta is not such a number.

    Notes
    -----
    Ties move together. Infinite scores are scores. It rests on the hull, the best thresholds for these very trials.

    References
    ----------
    Hand (2009), Measuring classifier performance, Machine Learning 77.

    Examples
    --------
    >>> import deciban as db
    >>> round(db.h_measure(db.Counts.from_classes([5, 4, 3, 1], [2, 3.5, 0, -1, -2, -3])), 9)
    0.579973118
    """
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not 0.0 < value < math.inf:
            raise OptionError(f"{name}: expected a finite number above 0, found {value!r}")
    most = _least_cost(np.array([pooled.total_target]), np.array([pooled.total_nontarget]), alpha, beta)
    if not most > 0.0:
        raise UndefinedMetricError(f"h_measure cannot be computed with costs from Beta({alpha:g}, {beta:g})")
    return max(1.0 - _least_cost(pooled.n_target, pooled.n_nontarget, alpha, beta) / most, 0.0)

"""Information in likelihood ratios: Cllr and its parts, and cross-entropy at a prior."""

from __future__ import annotations

import math

import numpy as np

from deciban.counts.counts import Counts
from deciban.errors import OptionError
from deciban.metrics.spec import metric, whole
from deciban.passes.evidence import ClassCosts, class_costs, evidence, pooled_costs
from deciban.passes.pool import Pooled, pool, pool_laplace
from deciban.values.log_domain import LN10, prior_weights

CLLR_REFERENCE = "Brümmer and du Preez (2006), Application-independent evaluation of speaker detection, CSL 20"
INFINITE = float("inf")


@metric(
    of=evidence,
    title="Log-likelihood-ratio cost",
    unit="bits",
    range=(0.0, INFINITE),
    direction="lower",
    needs="lr",
    anchors=(0.0, 1.0),
    swapped="same",
    bootstrap="halves-log",
    use_when="judging likelihood ratios over all priors at once, discrimination and calibration together",
    avoid_when="the scores are not likelihood ratios, or one application with its prior and costs is all that matters",
    reference=CLLR_REFERENCE,
)
def cllr(costs: ClassCosts) -> float:
    """Compute the log-likelihood-ratio cost: ½[mean_targets log2(1 + 1/LR) + mean_nontargets log2(1 + LR)].

    Parameters
    ----------
    counts
        Counts of both classes on an LR scale (or probabilities with their prior).

    Returns
    -------
    float
        Bits. Perfect 0; LR = 1 for every trial gives 1; above 1 the LRs mislead.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are not LRs.

    Notes
    -----
    Exact for any finite ln LR. A target with LR 0 or a nontarget with LR inf makes it inf; an infinite LR on the right
    side costs nothing.

    References
    ----------
    Brümmer and du Preez (2006), Application-independent evaluation of speaker detection, CSL 20.

    Examples
    --------
    >>> import deciban as db
    >>> db.cllr(db.Counts.from_classes([0.0, 0.0], [0.0], scale="ln_lr"))
    1.0
    """
    return costs.bits()


@metric(
    of=evidence,
    name="cllr.target_half",
    title="Cllr, targets' half",
    unit="bits",
    range=(0.0, INFINITE),
    direction="lower",
    needs="lr",
    anchors=(0.0, 1.0),
    bootstrap="halves-log",
    use_when="asking which class Cllr comes from",
    avoid_when="comparing systems: one half is improved at the expense of the other",
    reference=CLLR_REFERENCE,
)
def cllr_target_half(costs: ClassCosts) -> float:
    """Compute the mean over targets of log2(1 + 1/LR); Cllr is the mean of the two halves.

    Parameters
    ----------
    counts
        Counts of both classes on an LR scale.

    Returns
    -------
    float
        Bits. Perfect 0, LR = 1 for every target gives 1; inf when a target has LR 0.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are not LRs.

    References
    ----------
    Brümmer and du Preez (2006), Application-independent evaluation of speaker detection, CSL 20.

    Examples
    --------
    >>> import deciban as db
    >>> db.cllr_target_half(db.Counts.from_classes([1.0, 1.0], [1.0], scale="lr"))
    1.0
    """
    return costs.bits(1.0, 0.0)


@metric(
    of=evidence,
    name="cllr.nontarget_half",
    title="Cllr, nontargets' half",
    unit="bits",
    range=(0.0, INFINITE),
    direction="lower",
    needs="lr",
    anchors=(0.0, 1.0),
    bootstrap="halves-log",
    use_when="asking which class Cllr comes from",
    avoid_when="comparing systems: one half is improved at the expense of the other",
    reference=CLLR_REFERENCE,
)
def cllr_nontarget_half(costs: ClassCosts) -> float:
    """Compute the mean over nontargets of log2(1 + LR); Cllr is the mean of the two halves.

    Parameters
    ----------
    counts
        Counts of both classes on an LR scale.

    Returns
    -------
    float
        Bits. Perfect 0, LR = 1 for every nontarget gives 1; inf when a nontarget has LR inf.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are not LRs.

    References
    ----------
    Brümmer and du Preez (2006), Application-independent evaluation of speaker detection, CSL 20.

    Examples
    --------
    >>> import deciban as db
    >>> db.cllr_nontarget_half(db.Counts.from_classes([1.0], [1.0, 1.0], scale="lr"))
    1.0
    """
    return costs.bits(0.0, 1.0)


@metric(
    of=(whole, pool),
    title="Minimum Cllr",
    unit="bits",
    range=(0.0, 1.0),
    direction="lower",
    anchors=(0.0, 1.0),
    rank_only=True,
    swapped="same",
    optimistic=True,
    bootstrap="halves-log",
    bias_rate=0.6,  # seen to go from 1/2 at 20 trials of each class to 2/3, that of isotonic regression, at 1000
    use_when="asking how much of Cllr is lack of discrimination; also of raw scores",
    avoid_when="few trials: PAV is fitted to the trials it judges, so the value is optimistic",
    reference=CLLR_REFERENCE,
)
def cllr_min(counts: Counts, pooled: Pooled, *, laplace: bool = False) -> float:
    """Compute Cllr after the best increasing map of the scores to LRs (pool-adjacent-violators).

    Parameters
    ----------
    counts
        Counts of both classes, on any scale.
    laplace
        Add one target and one nontarget beyond each end before pooling and remove them again, so that no LR is
        infinite.

    Returns
    -------
    float
        Bits. Perfect 0, no information 1, never above it. With ``laplace`` this range does not hold: a perfect system
        is above 0, and classes of unequal size can bring a useless one above 1, since LRs are converted with the
        original N1/N0.

    Raises
    ------
    SingleClassError
        When a class is empty.

    Notes
    -----
    Ties are pooled before anything else; ratios are compared in integers, so no map of the scores that keeps their
    order changes the value. It knows nothing of the LRs, so that rounding may leave it above the Cllr of LRs that PAV
    would not change, by a unit in the last place; ``cllr_cal`` is 0 then.

    References
    ----------
    Brümmer and du Preez (2006), Application-independent evaluation of speaker detection, CSL 20.

    Examples
    --------
    >>> import deciban as db
    >>> db.cllr_min(db.Counts.from_classes([3, 5, 7, 8], [1, 2, 4, 6]))
    0.5
    """
    if laplace:
        return pooled_costs(pool_laplace(counts), 0.0).bits()
    return min(pooled_costs(pooled, 0.0).bits(), 1.0)


@metric(
    of=(evidence, pool),
    title="Calibration loss of Cllr",
    unit="bits",
    range=(0.0, INFINITE),
    direction="lower",
    needs="lr",
    anchors=(0.0, 0.0),
    swapped="same",
    optimistic=True,
    bootstrap="halves",
    bias_rate=0.6,  # that of min Cllr
    use_when="asking how much of Cllr better calibration of the same scores could remove",
    avoid_when="judging it by a fixed limit: its size under perfect calibration depends on the number of trials",
    reference=CLLR_REFERENCE,
)
def cllr_cal(costs: ClassCosts, pooled: Pooled) -> float:
    """Compute Cllr − cllr_min, the part of the cost that is due to calibration.

    Parameters
    ----------
    counts
        Counts of both classes on an LR scale.

    Returns
    -------
    float
        Bits. Perfectly calibrated 0; inf when Cllr is. Round-off of 1e-12 or less below 0 is 0.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are not LRs.

    References
    ----------
    Brümmer and du Preez (2006), Application-independent evaluation of speaker detection, CSL 20.

    Examples
    --------
    >>> import deciban as db
    >>> db.cllr_cal(db.Counts.from_classes([0.0], [0.0], scale="ln_lr"))
    0.0
    """
    # Identity is an increasing map too, and PAV the best of them: below 0 there is rounding only.
    loss = costs.bits() - pooled_costs(pooled, 0.0).bits()
    return 0.0 if -1e-12 <= loss < 0.0 else loss


@metric(
    of=(whole, evidence),
    title="Empirical cross-entropy",
    unit="bits",
    range=(0.0, INFINITE),
    direction="lower",
    needs="lr",
    anchors=(0.0, None),
    shown=(),
    bootstrap="halves-log",
    use_when="asking what the LRs leave unknown at a given prior",
    avoid_when="the prior is not known: look at the whole curve, or at Cllr (its value at even odds)",
    reference="Ramos and Gonzalez-Rodriguez (2013), Reliable support, Forensic Science International 230",
)
def empirical_cross_entropy(counts: Counts, even: ClassCosts, *, log10_odds: float) -> float:
    """Compute the cross-entropy of the posteriors at a prior: what is still unknown once the LRs are.

    H = π·mean_targets log2(1 + e^−(ℓ+θ)) + (1 − π)·mean_nontargets log2(1 + e^(ℓ+θ)), θ = x·ln 10, π = expit(θ).

    Parameters
    ----------
    counts
        Counts of both classes on an LR scale.
    log10_odds
        Prior log10 odds x of the target; −inf and inf are the priors 0 and 1.

    Returns
    -------
    float
        Bits. Perfect 0; LR = 1 for every trial gives the entropy of the prior (1 at x = 0). At x = 0 it is Cllr.

    Raises
    ------
    SingleClassError
        When a class is empty.
    ScaleError
        When the scores are not LRs.
    OptionError
        When the log-odds are NaN.

    Notes
    -----
    A term whose weight is 0 is skipped, so the value is 0 at the priors 0 and 1 even with infinite LRs. At every finite
    log-odds both weights are above 0, even where they are no double any more: a target with LR 0 or a nontarget with
    LR inf makes the value inf.

    References
    ----------
    Ramos and Gonzalez-Rodriguez (2013), Reliable support, Forensic Science International 230.

    Examples
    --------
    >>> import deciban as db
    >>> neutral = db.Counts.from_classes([1.0], [1.0], scale="lr")
    >>> round(db.empirical_cross_entropy(neutral, log10_odds=1), 6)
    0.439497
    """
    if np.isnan(log10_odds):
        raise OptionError("log10_odds: expected a number, found NaN")
    if math.isinf(log10_odds):
        return 0.0
    theta = log10_odds * LN10
    # A weight that is no double any more is still above 0.
    if even.infinite():
        return INFINITE
    return 0.0 if math.isinf(theta) else class_costs(counts, theta).bits(*prior_weights(theta))

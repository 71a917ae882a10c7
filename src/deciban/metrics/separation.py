"""How far apart the two classes lie, in standard deviations."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import NormalDist

import numpy as np

from deciban.counts.columns import ends
from deciban.counts.counts import Counts
from deciban.counts.pairs import PairCounts, pair_counts
from deciban.errors import SingleClassError, UndefinedMetricError
from deciban.metrics.spec import metric, whole
from deciban.passes.confusion_matrix import Confusion, confusion
from deciban.passes.forecasts import as_trials
from deciban.values.arrays import AnyArray, Floats
from deciban.values.log_domain import chunks


def probit(part: float, rest: float) -> float:
    """Quantile of the standard normal at part/(part + rest), to the last digits at both ends; infinite at 0 and 1."""
    smaller = min(part, rest) / (part + rest)
    below = NormalDist().inv_cdf(smaller) if smaller > 0.0 else -math.inf
    return below if part <= rest else -below


@metric(
    of=confusion,
    title="d′ at a threshold",
    range=(-math.inf, math.inf),
    direction="higher",
    anchors=(math.inf, 0.0),
    shown=(),
    use_when="comparing decisions (of people, of a fixed rule) as distances of two normal distributions",
    avoid_when="a rate is 0 or 1, where it is infinite, or the scores themselves are at hand (see d_prime_auc)",
    reference="Green and Swets (1966), Signal detection theory and psychophysics, Wiley",
)
def d_prime(table: Confusion) -> float:
    """Compute probit(TPR) − probit(FPR) at one threshold.

    Parameters
    ----------
    counts
        Counts of both classes, on any scale.
    threshold
        Accept when score >= threshold, in the unit of the scores.

    Returns
    -------
    float
        Standard deviations between two normal distributions of one variance. Perfect inf, no information 0. With one
        rate at 0 or 1: inf where all targets or no nontargets are accepted, −inf where no targets or all nontargets.

    Raises
    ------
    SingleClassError
        When a class is empty.
    UndefinedMetricError
        Reason ``infinite_end`` when it is inf − inf: everything or nothing is accepted.

    References
    ----------
    Green and Swets (1966), Signal detection theory and psychophysics, Wiley.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([0.9, 0.6, 0.4, 0.7], [0.8, 0.4, 0.1])
    >>> round(db.d_prime(counts, threshold=0.6), 6)
    1.105217
    """
    if table.n_target == 0 or table.n_nontarget == 0:
        raise SingleClassError(
            f"d_prime needs both classes: found {table.n_target} targets, {table.n_nontarget} nontargets"
        )
    hits, alarms = probit(table.tp, table.fn), probit(table.fp, table.tn)
    if math.isinf(hits) and hits == alarms:
        what = "everything" if hits > 0 else "nothing"
        raise UndefinedMetricError(f"d_prime is undefined: {what} is accepted, so it is inf − inf", "infinite_end")
    return hits - alarms


@metric(
    of=pair_counts,
    title="d′ that the AUC stands for",
    range=(-math.inf, math.inf),
    direction="higher",
    anchors=(math.inf, 0.0),
    shown=(),
    rank_only=True,
    swapped="same",
    use_when="an AUC is to be read as a distance of two normal distributions, without a threshold",
    avoid_when="the classes are separated: it is infinite then",
    reference="Simpson and Fitter (1973), What is the best index of detectability?, Psychological Bulletin 80",
)
def d_prime_auc(pairs: PairCounts) -> float:
    """Compute √2·probit(AUC): the distance of two normal distributions of one variance that have this AUC.

    Parameters
    ----------
    counts
        Counts of both classes.

    Returns
    -------
    float
        Standard deviations. Perfect inf, no information 0, reversed scores below 0.

    Raises
    ------
    SingleClassError
        When a class is empty.

    Notes
    -----
    Ties count half. It is taken from the pairs lost, so that no digit is lost where AUC is nearly 1.

    References
    ----------
    Simpson and Fitter (1973), What is the best index of detectability?, Psychological Bulletin 80.

    Examples
    --------
    >>> import deciban as db
    >>> round(db.d_prime_auc(db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1])), 6)
    0.833616
    """
    wins, ties, losses = pairs
    return math.sqrt(2.0) * probit(2 * wins + ties, 2 * losses + ties)


def _spread(counts: Counts, n: AnyArray, total: float, power: int) -> tuple[float, float, float]:
    """Lowest score of a class, its mean above that, and its standard deviation with divisor N − 1, all times 2^power.

    From the lowest score on, equal scores have exactly no deviation, and a class far from 0 loses no digit.
    """
    first, last = ends(n)
    score, weight = counts.score[first : last + 1], n[first : last + 1]
    lowest, highest = np.ldexp(score[[0, -1]], power).tolist()
    unit = math.ldexp(1.0, power) if power < 1024 else None  # NumPy multiplies five times faster

    def parts() -> Iterator[tuple[AnyArray, Floats]]:
        for part in chunks(score.size):
            yield weight[part], (score[part] * unit if unit else np.ldexp(score[part], power)) - lowest

    mean = sum(float((k * above).sum()) for k, above in parts()) / total
    largest = max(mean, highest - lowest - mean)
    if largest == 0.0:
        return lowest, mean, 0.0
    # Relative to the largest, so that squares do not vanish.
    squares = sum(float((k * ((above - mean) / largest) ** 2).sum()) for k, above in parts())
    return lowest, mean, largest * math.sqrt(squares / (total - 1))


@metric(
    of=whole,
    title="Decidability index",
    range=(-math.inf, math.inf),
    direction="higher",
    anchors=(None, 0.0),
    shown=(),
    swapped="same",
    use_when="both classes are roughly normal and the scores have a unit of their own (iris codes, distances)",
    avoid_when="scores have long tails or were transformed: any monotone map changes it",
    reference="Daugman (2003), The importance of being random: statistical principles of iris recognition, "
    "Pattern Recognition 36",
)
def decidability(counts: Counts) -> float:
    """Compute (mean of targets − mean of nontargets)/√((s_t² + s_n²)/2), variances with divisor N − 1.

    Parameters
    ----------
    counts
        Counts of both classes with finite scores, in the unit given.

    Returns
    -------
    float
        A pure number that shift and positive scale of the scores leave alone. Equal means 0; ±inf when neither class
        varies.

    Raises
    ------
    SingleClassError
        When a class is empty.
    UndefinedMetricError
        Reason ``too_few`` when a class has one trial, ``infinite_end`` with infinite scores, ``weighted`` with weights
        that are not whole numbers (N − 1 is a number of trials), ``undefined_ratio`` when all scores are equal.

    References
    ----------
    Daugman (2003), The importance of being random: statistical principles of iris recognition, Pattern Recognition 36.

    Examples
    --------
    >>> import deciban as db
    >>> round(db.decidability(db.Counts.from_classes([3, 5], [0, 2])), 9)
    2.121320344
    """
    counts.require_both_classes("decidability")
    counts = as_trials(counts, "decidability")
    if not np.isfinite(counts.score[[0, -1]]).all():
        raise UndefinedMetricError("decidability needs finite scores: infinite ones have no mean", "infinite_end")
    if min(counts.total_target, counts.total_nontarget) < 2:
        raise UndefinedMetricError("decidability needs two trials of each class for a variance", "too_few")
    # A power of two is exact, and differences of scores near the largest double stay finite.
    power = -1 - math.frexp(float(np.abs(counts.score[[0, -1]]).max()))[1]
    low_t, mean_t, s_t = _spread(counts, counts.n_target, counts.total_target, power)
    low_n, mean_n, s_n = _spread(counts, counts.n_nontarget, counts.total_nontarget, power)
    apart, spread = (low_t - low_n) + (mean_t - mean_n), math.hypot(s_t, s_n)
    if spread > 0.0:
        return math.sqrt(2.0) * apart / spread
    if apart == 0.0:
        raise UndefinedMetricError("decidability is undefined: all scores are equal")
    return math.copysign(math.inf, apart)

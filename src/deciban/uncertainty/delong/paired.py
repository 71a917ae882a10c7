"""Two AUCs on the same trials, compared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deciban.errors import InputError, SingleClassError, UndefinedMetricError
from deciban.trials.trials import Trials
from deciban.uncertainty.delong.placements import placements
from deciban.uncertainty.interval import Interval, normal_deviate
from deciban.values.arrays import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class AucDifference:
    """Two AUCs, compared.

    Attributes
    ----------
    first, second
        The AUCs.
    difference, variance
        First less second, and DeLong's variance of that.
    z, p_value
        Difference in standard errors, and how often chance alone goes as far to either side.
    interval
        Interval of the difference, None where the variance is 0.
    df
        Degrees of freedom of Student's t, by which z is judged; None: by the normal distribution.
    """

    first: float
    second: float
    difference: float
    variance: float
    z: float
    p_value: float
    interval: Interval | None
    df: float | None = None


def delong_test(
    first: object,
    second: object,
    labels: object,
    *,
    target: object = None,
    nontarget: object = None,
    level: float = 0.95,
) -> AucDifference:
    """Test whether two systems have the same AUC, from their scores of the same trials.

    Parameters
    ----------
    first, second
        Scores of the two systems, in the order of the labels; their scales need not be the same.
    labels, target, nontarget
        Labels of the trials and what they mean, as in ``Trials.from_arrays``.
    level
        Confidence level of the interval of the difference.

    Returns
    -------
    AucDifference
        Identical rankings: difference 0, z 0, p 1, and no interval, since the variance is 0.

    Raises
    ------
    InputError
        When a column is not one score for each label.
    SingleClassError
        When a class is empty.
    UndefinedMetricError
        Reason ``too_few`` when a class has one trial; ``zero_variance`` when the AUCs differ and the variance of the
        difference is 0: test by permutation then.
    OptionError
        When the level is out of range.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), Comparing the areas under two or more correlated ROC curves,
    Biometrics 44.

    Examples
    --------
    >>> import deciban as db
    >>> labels = [1, 1, 1, 0, 0, 0]
    >>> found = db.delong_test([9, 7, 4, 5, 2, 1], [8, 3, 2, 4, 6, 1], labels)
    >>> round(found.difference, 4), round(found.z, 4), round(found.p_value, 4)
    (0.3333, 1.2247, 0.2207)
    """
    z_level = normal_deviate(level)
    of_targets, of_nontargets = placed([first, second], labels, target, nontarget)
    n1, n0 = of_targets.shape[1], of_nontargets.shape[1]
    pairs = 2.0 * n1 * n0
    # Placements are whole numbers: the difference is exact, and so is a variance of 0.
    between = of_targets[:1] - of_targets[1:]
    difference = float(between.sum()) / pairs
    variance = float(covariance(between, of_nontargets[:1] - of_nontargets[1:])[0, 0])
    auc = of_targets.sum(axis=1) / pairs
    error = math.sqrt(variance)
    if variance == 0.0 and difference != 0.0:
        raise no_variance("the AUCs differ")
    z = difference / error if variance > 0.0 else 0.0
    return AucDifference(
        first=float(auc[0]),
        second=float(auc[1]),
        difference=difference,
        variance=variance,
        z=z,
        p_value=math.erfc(abs(z) / math.sqrt(2.0)),
        interval=interval_of_difference(difference, z_level * error, level, "delong"),
    )


def interval_of_difference(difference: float, reach: float, level: float, method: str) -> Interval | None:
    """The interval of a difference of AUCs, None where it would have no width."""
    if reach == 0.0:
        return None
    low, high = max(difference - reach, -1.0), min(difference + reach, 1.0)
    return Interval(low=low, high=high, level=level, method=method)


def placed(systems: Sequence[object], labels: object, target: object, nontarget: object) -> tuple[Floats, Floats]:
    """Doubled placements of the targets, shape (k, N1), and of the nontargets, shape (k, N0): whole numbers."""
    placed = []
    for number, scores in enumerate(systems, 1):
        trials = Trials.from_arrays(scores, labels, target=target, nontarget=nontarget, name=f"system {number}")
        if trials.is_target.all() or not trials.is_target.any():
            raise SingleClassError("a comparison of AUCs needs both classes")
        placed.append(placements(trials.score, trials.is_target))
    if not placed:
        raise InputError("systems: expected at least one column of scores, found none")
    of_targets, of_nontargets = (np.array(part, dtype=np.float64) for part in zip(*placed, strict=True))
    if min(of_targets.shape[1], of_nontargets.shape[1]) < 2:
        raise UndefinedMetricError("DeLong's covariance needs two trials of each class", "too_few")
    return of_targets, of_nontargets


def covariance(of_targets: Floats, of_nontargets: Floats) -> Floats:
    """DeLong's covariance of AUCs, or of contrasts of them, from their doubled placements."""
    n1, n0 = of_targets.shape[1], of_nontargets.shape[1]
    from_targets = _scatter(of_targets) / ((n1 - 1) * n1 * (2.0 * n0) ** 2)
    return np.asarray(from_targets + _scatter(of_nontargets) / ((n0 - 1) * n0 * (2.0 * n1) ** 2))


def _scatter(placed: Floats) -> Floats:
    # From the first trial on, so that equal placements leave exactly 0.
    centred = placed - placed[:, :1]
    centred -= centred.mean(axis=1, keepdims=True)
    return np.asarray(np.einsum("it,jt->ij", centred, centred))


def no_variance(what: str) -> UndefinedMetricError:
    """The error of a difference that is surely there, by a measure of chance that finds none."""
    return UndefinedMetricError(f"{what} and the trials leave no variance: test by permutation", "zero_variance")

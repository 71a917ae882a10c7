"""Replicates: several likelihood ratios of the same pair, made from different samples of the same two sources."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from deciban.counts.counts import Counts
from deciban.errors import InputError, UndefinedMetricError, listing, rows
from deciban.trials.trials import Trials
from deciban.values.arrays import AnyArray, Floats, as_column, same_index, same_length
from deciban.values.objects import is_null
from deciban.values.option_checks import check_level


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicatePrecision:
    """How far a log10 LR scatters when it is determined again.

    Attributes
    ----------
    pooled_sd
        Standard deviation within pairs, pooled over all pairs: s = √(Σ deviation² / df).
    df
        Degrees of freedom, replicates less pairs.
    half_width
        t(df)·s: the interval of one log10 LR reaches so far to each side.
    level
        Confidence level.
    """

    pooled_sd: float
    df: int
    half_width: float
    level: float


def replicate_precision(log10_lr: object, pair: object, level: float = 0.95) -> ReplicatePrecision:
    """Compute the half-width of the interval of a log10 LR from replicates within pairs.

    Parameters
    ----------
    log10_lr
        Log10 LRs, shape (n,).
    pair
        Name of the pair of each, shape (n,); a pair with one LR says nothing of precision and does no harm.
    level
        Two-sided confidence level.

    Returns
    -------
    ReplicatePrecision
        In units of log10 LR; the scatter is taken to be the same for all pairs.

    Raises
    ------
    InputError
        When the columns differ in length or hold missing values.
    UndefinedMetricError
        Reason ``too_few`` when no pair has two LRs, ``infinite_end`` with infinite LRs, ``degenerate`` when the
        replicates of each pair are equal.
    OptionError
        When the level is out of range.

    References
    ----------
    Morrison (2011), Measuring the validity and reliability of forensic likelihood-ratio systems, Science & Justice 51.

    Examples
    --------
    >>> import deciban as db
    >>> found = db.replicate_precision([2.0, 2.4, 1.0, 0.6, -1.0, -1.6, -2.0, -1.8], list("aabbccdd"))
    >>> round(found.pooled_sd, 6), found.df, round(found.half_width, 4)
    (0.3, 4, 0.8329)
    """
    from scipy.special import stdtrit

    check_level(level)
    one_class = np.ones(as_column(log10_lr, "log10_lr").size)
    score = Trials.from_arrays(log10_lr, one_class, target=1, scale="log10_lr", name="log10_lr").score
    same_index({"log10_lr": log10_lr, "pair": pair})
    _, where, size = _grouped(score, pair)
    if np.isinf(score).any():
        raise UndefinedMetricError("infinite LRs have no deviation from their mean", "infinite_end")
    df = score.size - size.size
    if df == 0:
        raise UndefinedMetricError("no pair has two LRs, so nothing is known of their scatter", "too_few")
    deviation = score - (np.bincount(where, score) / size)[where]
    deviation[_all_equal(score, where)[where]] = 0.0
    pooled = math.sqrt(float((deviation**2).sum()) / df)
    if pooled == 0.0:
        raise UndefinedMetricError("the replicates of each pair are equal: they tell of no scatter", "degenerate")
    reach = float(stdtrit(df, (1.0 + level) / 2.0))
    return ReplicatePrecision(pooled_sd=pooled, df=df, half_width=reach * pooled, level=level)


def pair_means(
    log10_lr: object, labels: object, pair: object, *, target: object = None, nontarget: object = None
) -> Counts:
    """Count the mean log10 LR of each pair: Cllr of these counts is Morrison's Cllr-mean.

    Parameters
    ----------
    log10_lr
        Log10 LRs, shape (n,).
    labels, target, nontarget
        Labels of the LRs and what they mean, as in ``Trials.from_arrays``.
    pair
        Name of the pair of each, shape (n,); all LRs of a pair have one label.

    Returns
    -------
    Counts
        One trial for each pair, on the scale log10_lr.

    Raises
    ------
    InputError
        When the columns differ in length, hold missing values, or a pair has LRs of both classes.
    UndefinedMetricError
        Reason ``infinite_end`` when a pair has LRs of 0 and of infinity: they have no mean.

    References
    ----------
    Morrison (2011), Measuring the validity and reliability of forensic likelihood-ratio systems, Science & Justice 51.

    Examples
    --------
    >>> import deciban as db
    >>> lrs, same = [2.0, 2.4, 1.0, 0.6, -1.0, -1.6, -2.0, -1.8], [1, 1, 1, 1, 0, 0, 0, 0]
    >>> round(db.cllr(db.pair_means(lrs, same, list("aabbccdd"))), 6)
    0.07748
    """
    trials = Trials.from_arrays(log10_lr, labels, target=target, nontarget=nontarget, scale="log10_lr", name="log10_lr")
    same_index({"log10_lr": log10_lr, "pair": pair})
    score = trials.score
    names, where, size = _grouped(score, pair)
    targets = np.bincount(where, trials.is_target)
    mixed = np.flatnonzero((targets > 0) & (targets < size))
    if mixed.size:
        raise InputError(f"pair: {listing([repr(names[at]) for at in mixed], mixed.size)} has LRs of both classes")
    ends = np.bincount(where, np.isposinf(score)), np.bincount(where, np.isneginf(score))
    if ((ends[0] > 0) & (ends[1] > 0)).any():
        raise UndefinedMetricError("a pair has LRs of 0 and of infinity: they have no mean", "infinite_end")
    means = np.bincount(where, score) / size
    return Counts.from_arrays(means, targets > 0, target=True, nontarget=False, scale="log10_lr")


def _grouped(score: Floats, pair: object) -> tuple[list[object], AnyArray, AnyArray]:
    """The names of the pairs, the pair of each score by number, and how many scores each pair has."""
    column = as_column(pair, "pair")
    same_length({"log10_lr": score, "pair": column})
    given = column.tolist()
    missing = [at for at, name in enumerate(given) if is_null(name)]
    if missing:
        raise InputError(f"pair: {len(missing)} missing names at {rows(missing)}")
    numbers: dict[object, int] = {}
    where = np.array([numbers.setdefault(name, len(numbers)) for name in given], dtype=np.intp)
    return list(numbers), where, np.bincount(where)


def _all_equal(score: Floats, where: AnyArray) -> AnyArray:
    """Which pairs have one value only: their mean may differ from it by rounding."""
    low, high = np.full(where.max() + 1, np.inf), np.full(where.max() + 1, -np.inf)
    np.minimum.at(low, where, score)
    np.maximum.at(high, where, score)
    return np.asarray(low == high)

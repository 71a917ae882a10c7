"""Tests of two systems on the same trials: at one threshold, or of any figure by permutation; several at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from deciban.counts.counts import Counts
from deciban.counts.of_trials import count_trials
from deciban.errors import InputError, OptionError, Problems, UndefinedMetricError
from deciban.trials.trials import Trials
from deciban.values.arrays import Bools, Floats, as_floats
from deciban.values.option_checks import check_known

McNemarMethod = Literal["exact", "mid-p", "chi2", "chi2-corrected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemar:
    """Result of McNemar's test: ``statistic`` is χ² with one degree of freedom, None for the binomial methods."""

    statistic: float | None
    p_value: float
    method: McNemarMethod


def mcnemar(b: int, c: int, method: McNemarMethod = "exact") -> McNemar:
    """Test whether two rules err equally often, from the trials on which only one of them errs.

    Parameters
    ----------
    b, c
        Trials that only the first, only the second rule gets wrong (or right).
    method
        ``exact``: two-sided binomial test of b against c, 2·P(X <= min(b, c)), at most 1. ``mid-p``: the same less
        P(X = b), and 1 − ½·P(X = b) where b = c: less cautious. ``chi2``: (b − c)²/(b + c); ``chi2-corrected``:
        (abs(b − c) − 1)²/(b + c), 0 where b = c.

    Returns
    -------
    McNemar
        ``p_value``, 1 without such trials, and ``statistic``.

    Raises
    ------
    OptionError
        When b or c is no number of trials or the method is unknown.

    References
    ----------
    Fagerland, Lydersen and Laake (2013), The McNemar test for binary matched-pairs data, BMC Medical Research
    Methodology 13.

    Examples
    --------
    >>> import deciban as db
    >>> db.mcnemar(1, 8).p_value, db.mcnemar(1, 8, "mid-p").p_value
    (0.0390625, 0.021484375)
    >>> db.mcnemar(1, 8, "chi2-corrected").statistic
    4.0
    """
    check_known("method", method, get_args(McNemarMethod))
    if not all(0 <= value < math.inf and value == math.floor(value) for value in (b, c)):
        raise OptionError(f"b, c: expected whole numbers of trials, found {b!r} and {c!r}")
    b, c = int(b), int(c)  # NumPy's integers would overflow when squared
    n = b + c
    if method in ("exact", "mid-p"):
        return McNemar(statistic=None, p_value=_binomial(min(b, c), n, method == "mid-p"), method=method)
    distance = abs(b - c) if method == "chi2" else max(abs(b - c) - 1, 0)
    statistic = distance**2 / n if n else 0.0
    return McNemar(statistic=statistic, p_value=math.erfc(math.sqrt(statistic / 2.0)), method=method)


def _binomial(fewer: int, n: int, mid_p: bool) -> float:
    """Two-sided p-value of the smaller of two numbers that are equally likely."""
    if n == 0:
        return 1.0
    from scipy.special import betainc

    def at_most(k: int) -> float:
        return float(betainc(n - k, k + 1, 0.5)) if k >= 0 else 0.0

    here, below = at_most(fewer), at_most(fewer - 1)
    if 2 * fewer == n:
        return 1.0 - (here - below) / 2.0 if mid_p else 1.0
    return here + below if mid_p else min(2.0 * here, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class PermutationTest:
    """A paired difference, and how often chance alone goes as far.

    Attributes
    ----------
    difference
        Figure of the first system less that of the second.
    p_value
        (1 + draws whose difference is at least as large) / (draws + 1), to either side.
    draws, undefined
        How many permutations, and in how many of them the figure had no value; those count as large.
    """

    difference: float
    p_value: float
    draws: int
    undefined: int


def permutation_test(
    first: object,
    second: object,
    labels: object,
    statistic: Callable[[Counts], float],
    *,
    target: object = None,
    nontarget: object = None,
    scale: str = "score",
    prior: float | None = None,
    draws: int = 1000,
    seed: int | np.random.Generator = 0,
) -> PermutationTest:
    """Test a difference of any figure between two systems, by swapping their scores trial by trial.

    If the systems are alike, which of the two gave which score of a trial is a toss of a coin.

    Parameters
    ----------
    first, second
        Scores of the two systems, in the order of the labels, on one common scale: raw scores of systems with scales
        of their own are put there by :func:`midranks`.
    labels, target, nontarget
        Labels of the trials and what they mean, as in ``Trials.from_arrays``.
    statistic
        Figure of one system: takes :class:`Counts`, gives a number. Metrics do.
    scale, prior
        Unit of the scores, as in ``Trials.from_arrays``.
    draws
        Number of permutations, at least 1; the smallest p-value is 1/(draws + 1).
    seed
        Seed of the permutations, or a generator.

    Returns
    -------
    PermutationTest
        Identical systems have difference 0 and p 1.

    Raises
    ------
    InputError
        When the columns are not one score for each label.
    UndefinedMetricError
        When the figure has no value for one of the systems, or an infinite one (reason ``infinite_end``).
    OptionError
        When there are no draws.

    Notes
    -----
    Trials are swapped one by one, so they are taken to be independent.

    References
    ----------
    Phipson and Smyth (2010), Permutation p-values should never be zero, Statistical Applications in Genetics and
    Molecular Biology 9.

    Examples
    --------
    >>> import deciban as db
    >>> labels = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> found = db.permutation_test([9, 8, 7, 5, 6, 3, 2, 1], [7, 3, 8, 2, 5, 9, 4, 6], labels, db.auc, draws=99)
    >>> found.difference, found.p_value
    (0.5625, 0.02)
    """
    if not draws >= 1:
        raise OptionError(f"draws: expected at least one permutation, found {draws!r}")
    given = [
        Trials.from_arrays(scores, labels, target=target, nontarget=nontarget, scale=scale, prior=prior, name=name)
        for scores, name in ((first, "first"), (second, "second"))
    ]
    a, b, is_target = given[0].score, given[1].score, given[0].is_target

    def difference(one: Floats, other: Floats) -> float:
        return float(statistic(_counted(given[0], one)) - statistic(_counted(given[0], other)))

    observed = difference(a, b)
    if not math.isfinite(observed):
        raise UndefinedMetricError("the figure of a system is infinite: there is no difference", "infinite_end")
    generator = np.random.default_rng(seed)
    large, undefined = 0, 0
    for _ in range(draws):
        swapped: Bools = generator.integers(0, 2, is_target.size).astype(bool)
        try:
            found = abs(difference(np.where(swapped, b, a), np.where(swapped, a, b)))
        except UndefinedMetricError:
            found = math.nan
        undefined += math.isnan(found)
        large += not found < abs(observed)
    return PermutationTest(difference=observed, p_value=(1 + large) / (draws + 1), draws=draws, undefined=undefined)


def _counted(trials: Trials, score: Floats) -> Counts:
    return count_trials(Trials(score=score, is_target=trials.is_target, scale=trials.scale, prior=trials.prior))


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values of several tests so that together they err no more often than one: Holm's step-down.

    The i-th smallest of m is multiplied by m − i + 1 (i from 1), and never below the ones before it, nor above 1.

    Parameters
    ----------
    p_values
        One of each test, in any order.

    Returns
    -------
    list of float
        Adjusted p-values in the order given, none smaller than its own.

    Raises
    ------
    InputError
        When a p-value is missing or not within [0, 1].

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian J. Statistics 6.

    Examples
    --------
    >>> import deciban as db
    >>> db.holm([0.25, 0.0625, 0.125])
    [0.25, 0.1875, 0.25]
    """
    problems = Problems("p_values")
    p = as_floats(p_values, "p_values", problems)
    problems.raise_if_any()
    if not ((p >= 0.0) & (p <= 1.0)).all():
        raise InputError(f"p_values: expected numbers within [0, 1], found {p_values!r}")
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(p.size)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1)), 1.0)
    return [float(value) for value in adjusted]

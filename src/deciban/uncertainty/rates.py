"""Rates that are no plain binomial: of subjects who try several times, and ratios of two rates."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from deciban.errors import InputError, OptionError, Problems, UndefinedMetricError, rows
from deciban.uncertainty.interval import Interval, normal_deviate
from deciban.values.arrays import AnyArray, as_floats, same_length


@dataclass(frozen=True, slots=True, kw_only=True)
class RateVariance:
    """Variance of a rate when the attempts of one subject are not independent.

    Attributes
    ----------
    rate
        All errors divided by all attempts.
    variance
        Variance of the rate over samples of subjects.
    binomial_variance
        What it would be if all attempts were independent.
    design_effect
        The first divided by the second: by how much fewer independent attempts the attempts count; None for a rate
        of 0 or 1.
    """

    rate: float
    variance: float
    binomial_variance: float
    design_effect: float | None


def subject_rate_variance(errors: object, attempts: object) -> RateVariance:
    """Compute the variance of an error rate from the errors a of each subject in m attempts.

    Σ (a − p·m)² / (m̄²·n(n − 1)) over n subjects, p = Σa / Σm.

    Parameters
    ----------
    errors, attempts
        Of each subject, shape (n,): 0 <= errors <= attempts, at least one attempt.

    Returns
    -------
    RateVariance
        ``rate``, ``variance``, ``binomial_variance`` and ``design_effect``. Subjects who all have the same share of
        errors give variance 0: that says nothing of how sure the rate is.

    Raises
    ------
    InputError
        When the columns differ in length, are not whole numbers, or a subject has more errors than attempts or none.
    UndefinedMetricError
        Reason ``too_few`` with fewer than two subjects.

    References
    ----------
    ISO/IEC 19795-1, Biometric performance testing and reporting, part 1; Mansfield and Wayman (2002), Best practices.

    Examples
    --------
    >>> import deciban as db
    >>> found = db.subject_rate_variance(errors=[0, 1, 3, 0, 2], attempts=[10, 10, 12, 8, 10])
    >>> found.rate, round(found.variance, 7), round(found.design_effect, 3)
    (0.12, 0.0027376, 1.296)
    """
    a, m = _whole_columns(errors, attempts)
    n = a.size
    if n < 2:
        raise UndefinedMetricError(f"a variance between subjects needs two of them, found {n}", "too_few")
    failed, tried = int(a.sum()), int(m.sum())
    rate = failed / tried
    # Residuals times Σm are whole numbers: a variance of exactly 0 comes out as 0.
    residual = (a * tried - failed * m).astype(np.float64) / tried
    variance = float((residual * residual).sum()) * n / (n - 1) / tried**2
    binomial = rate * (1.0 - rate) / tried
    return RateVariance(
        rate=rate,
        variance=variance,
        binomial_variance=binomial,
        design_effect=variance / binomial if binomial > 0.0 else None,
    )


def _whole_columns(errors: object, attempts: object) -> tuple[AnyArray, AnyArray]:
    problems = Problems("subjects")
    columns = {name: as_floats(values, name, problems) for name, values in (("errors", errors), ("attempts", attempts))}
    problems.raise_if_any()
    same_length(dict(columns))
    a, m = columns["errors"], columns["attempts"]
    # Below 2^31 in all, products of two sums fit 64 bits.
    legal = (a == np.floor(a)) & (m == np.floor(m)) & (a >= 0) & (m >= 1) & (a <= m)
    if not legal.all() or m.sum() >= 2.0**31:
        raise InputError(
            "subjects: expected whole numbers, at least one attempt, no more errors than attempts and fewer than 2^31 "
            f"attempts in all, found otherwise at {rows(np.flatnonzero(~legal).tolist())}"
        )
    return a.astype(np.int64), m.astype(np.int64)


def lr_positive_interval(tp: float, fp: float, n1: float, n0: float, level: float = 0.95) -> Interval:
    """Compute an interval of LR+ = (tp/n1) / (fp/n0) on the logarithmic scale.

    LR+·exp(±z·√(1/tp − 1/n1 + 1/fp − 1/n0)). With fn, tn for tp, fp it is that of LR−.

    Parameters
    ----------
    tp, fp
        Targets and nontargets that are accepted: whole numbers.
    n1, n0
        All targets and nontargets.
    level
        Two-sided confidence level.

    Returns
    -------
    Interval
        Ratios above 0.

    Raises
    ------
    UndefinedMetricError
        Reason ``undefined_ratio`` without a class, or when nothing is accepted; ``infinite_end`` when tp or fp is 0:
        the logarithm is infinite; ``degenerate`` when everything is accepted; ``weighted`` when a count is not whole.
    OptionError
        When the counts or the level are out of range.

    References
    ----------
    Simel, Samsa and Matchar (1991), Likelihood ratios with confidence, J. Clinical Epidemiology 44.

    Examples
    --------
    >>> import deciban as db
    >>> found = db.lr_positive_interval(tp=231, fp=32, n1=258, n0=86)
    >>> round(found.low, 3), round(found.high, 3)
    (1.823, 3.176)
    """
    z = normal_deviate(level)
    if not (0 <= tp <= n1 < math.inf and 0 <= fp <= n0 < math.inf):
        raise OptionError(f"expected 0 <= tp <= n1 and 0 <= fp <= n0, found {tp!r} of {n1!r} and {fp!r} of {n0!r}")
    if any(value != math.floor(value) for value in (tp, fp, n1, n0)):
        raise UndefinedMetricError("an interval of LR+ counts trials, and these are weights", "weighted")
    if 0 in (n1, n0) or tp == fp == 0:
        raise UndefinedMetricError("LR+ is undefined: a class is empty, or nothing is accepted")
    if 0 in (tp, fp):
        raise UndefinedMetricError("LR+ is 0 or infinite: its logarithm has no interval", "infinite_end")
    tp, fp, n1, n0 = float(tp), float(fp), float(n1), float(n0)
    # 1/tp − 1/n1 as one quotient, so that nothing cancels.
    variance = (n1 - tp) / (tp * n1) + (n0 - fp) / (fp * n0)
    if variance == 0:
        raise UndefinedMetricError("everything is accepted: LR+ is 1 whatever the trials", "degenerate")
    ratio, factor = (tp * n0) / (fp * n1), math.exp(z * math.sqrt(variance))
    return Interval(low=ratio / factor, high=ratio * factor, level=level, method="log")

"""AUCs of any number of systems on the same trials: how they vary together, and a test of contrasts of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from deciban.errors import InputError
from deciban.uncertainty.delong.paired import covariance, no_variance, placed
from deciban.values.arrays import AnyArray, Floats, read_only

SURELY_OTHER: Final = 1e-6
"""Standard errors by which a difference must exceed 0, where the trials leave it no variance, not to be round-off."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AucCovariance:
    """AUCs of k systems on the same trials, shape (k,), and DeLong's covariance of them, shape (k, k)."""

    auc: Floats
    covariance: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class ContrastTest:
    """χ² of linear contrasts of AUCs, its degrees of freedom, and how often chance alone goes as far."""

    chi2: float
    df: int
    p_value: float


def delong_covariance(
    systems: Sequence[object], labels: object, *, target: object = None, nontarget: object = None
) -> AucCovariance:
    """Compute the AUCs of several systems on the same trials, and DeLong's covariance of them.

    Parameters
    ----------
    systems
        One column of scores for each system, all in the order of the labels.
    labels, target, nontarget
        Labels of the trials and what they mean, as in ``Trials.from_arrays``.

    Returns
    -------
    AucCovariance
        ``auc``, shape (k,), and ``covariance``, shape (k, k).

    Raises
    ------
    InputError
        When a column is not one score for each label.
    SingleClassError
        When a class is empty.
    UndefinedMetricError
        Reason ``too_few`` when a class has one trial.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), Comparing the areas under two or more correlated ROC curves,
    Biometrics 44.

    Examples
    --------
    >>> import deciban as db
    >>> found = db.delong_covariance([[3, 2, 1, 0], [2, 3, 1, 0]], [1, 0, 1, 0])
    >>> found.auc.tolist(), found.covariance.tolist()
    ([0.75, 0.5], [[0.125, 0.125], [0.125, 0.25]])
    """
    of_targets, of_nontargets = placed(systems, labels, target, nontarget)
    return AucCovariance(
        auc=read_only(of_targets.sum(axis=1) / (2.0 * of_targets.shape[1] * of_nontargets.shape[1])),
        covariance=read_only(covariance(of_targets, of_nontargets)),
    )


def delong_contrast(
    systems: Sequence[object],
    labels: object,
    contrast: object = None,
    *,
    target: object = None,
    nontarget: object = None,
) -> ContrastTest:
    """Test whether linear contrasts of the AUCs of several systems are 0: χ² = θ′L′(LSL′)⁻¹Lθ.

    Parameters
    ----------
    systems
        One column of scores for each of k systems, all in the order of the labels.
    labels, target, nontarget
        Labels of the trials and what they mean, as in ``Trials.from_arrays``.
    contrast
        L, shape (m, k), of which each row sums to 0; default: each system less the next, which tests whether all
        AUCs are equal.

    Returns
    -------
    ContrastTest
        ``chi2``, ``df`` (the number of independent contrasts that have a variance) and ``p_value``. Identical
        systems: 0, 0 and 1.

    Raises
    ------
    InputError
        When a column is not one score for each label, or the contrasts are none.
    SingleClassError
        When a class is empty.
    UndefinedMetricError
        Reason ``too_few`` when a class has one trial; ``zero_variance`` when a contrast differs from 0 and has no
        variance.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), Comparing the areas under two or more correlated ROC curves,
    Biometrics 44.

    Examples
    --------
    >>> import deciban as db
    >>> labels = [1, 1, 1, 0, 0, 0]
    >>> found = db.delong_contrast([[9, 7, 4, 5, 2, 1], [8, 3, 2, 4, 6, 1]], labels)
    >>> round(found.chi2, 4), found.df, round(found.p_value, 4)
    (1.5, 1, 0.2207)
    """
    from scipy.special import chdtrc

    of_targets, of_nontargets = placed(systems, labels, target, nontarget)
    rows = _contrast(contrast, len(systems))
    between = rows @ of_targets
    difference = between.sum(axis=1) / (2.0 * of_targets.shape[1] * of_nontargets.shape[1])
    chi2, df = _quadratic(difference, covariance(between, rows @ of_nontargets))
    return ContrastTest(chi2=chi2, df=df, p_value=float(chdtrc(df, chi2)) if df else 1.0)


def _contrast(contrast: object, k: int) -> Floats:
    if contrast is None:
        return np.eye(k - 1, k) - np.eye(k - 1, k, 1)
    rows = np.asarray(contrast, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != k or not np.isfinite(rows).all() or (abs(rows.sum(axis=1)) > 1e-9).any():
        raise InputError(f"contrast: expected rows of {k} numbers that sum to 0, found {contrast!r}")
    return rows


def _quadratic(difference: Floats, spread: Floats) -> tuple[float, int]:
    """δ′C⁻¹δ and the rank of C, in units of standard errors; directions without variance must hold no difference."""
    error = np.sqrt(np.diag(spread))
    fixed = error == 0.0
    if (difference[fixed] != 0.0).any():
        raise no_variance("a contrast is not 0")
    deviates: AnyArray = difference[~fixed] / error[~fixed]
    values, vectors = np.linalg.eigh(spread[np.ix_(~fixed, ~fixed)] / np.outer(error[~fixed], error[~fixed]))
    along = vectors.T @ deviates
    free = values > 1e-10
    if (abs(along[~free]) > SURELY_OTHER).any():
        raise no_variance("a contrast is not 0")
    return float((along[free] ** 2 / values[free]).sum()), int(free.sum())

"""Two variances of an AUC that need its value and the sizes of the classes only."""

from __future__ import annotations

from deciban.errors import OptionError


def hanley_mcneil_variance(auc: float, n1: int, n0: int) -> float:
    """Compute Hanley and McNeil's variance of an AUC of n1 targets and n0 nontargets.

    [A(1 − A) + (n1 − 1)(Q1 − A²) + (n0 − 1)(Q2 − A²)] / (n1·n0), Q1 = A/(2 − A), Q2 = 2A²/(1 + A): that of
    exponentially distributed scores, 0 where the AUC is 0 or 1.

    References
    ----------
    Hanley and McNeil (1982), The meaning and use of the area under a ROC curve, Radiology 143.

    Examples
    --------
    >>> round(hanley_mcneil_variance(0.75, 10, 20), 8)
    0.01025893
    """
    check_auc(auc, n1, n0)
    rest = 1.0 - auc
    # Q1 − A² = A(1 − A)²/(2 − A) and Q2 − A² = A²(1 − A)/(1 + A): no difference of nearly equal numbers.
    return auc * rest * (1.0 + (n1 - 1) * rest / (2.0 - auc) + (n0 - 1) * auc / (1.0 + auc)) / (n1 * n0)


def newcombe_ends(auc: float, complement: float, n1: int, n0: int, z: float) -> tuple[float, float]:
    """Newcombe's method 5: the two AUCs A′ that are z standard errors away from the one observed.

    (A − A′)² = z²·A′(1 − A′)·[1 + h(1 − A′)/(2 − A′) + hA′/(1 + A′)]/(n1·n0), h = (n1 + n0)/2 − 1. The error is that
    of A′, not of A, so the interval of a perfect AUC is not a point.

    ``complement`` is 1 − auc, given apart because near 1 it holds digits that the AUC cannot.
    """
    return _lower(auc, n1, n0, z), 1.0 - _lower(complement, n1, n0, z)


def _lower(auc: float, n1: int, n0: int, z: float) -> float:
    """The root below ``auc``, by halving: (A − A′)² divided by the variance falls all the way from 0 to A."""
    below, above = 0.0, auc
    half = (n1 + n0) / 2.0 - 1.0
    while True:
        middle = (below + above) / 2.0
        if not below < middle < above:
            return below
        rest = 1.0 - middle
        spread = middle * rest * (1.0 + half * (rest / (2.0 - middle) + middle / (1.0 + middle)))
        if (auc - middle) ** 2 * n1 * n0 > z * z * spread:
            below = middle
        else:
            above = middle


def check_auc(auc: float, n1: int, n0: int) -> None:
    """Raise :class:`OptionError` unless these can be an AUC and the sizes of two classes."""
    if not 0.0 <= auc <= 1.0:
        raise OptionError(f"auc: expected a share between 0 and 1, found {auc!r}")
    if not (n1 >= 1 and n0 >= 1):
        raise OptionError(f"n1, n0: expected at least one trial of each class, found {n1!r} and {n0!r}")

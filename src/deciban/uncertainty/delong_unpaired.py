"""Two AUCs, each on trials of its own, compared."""

from __future__ import annotations

from deciban.counts import Counts
from deciban.uncertainty.delong import delong_variance
from deciban.uncertainty.delong_paired import AucDifference, compared
from deciban.uncertainty.interval import normal_deviate


def delong_unpaired(first: Counts, second: Counts, level: float = 0.95) -> AucDifference:
    """Test whether two systems have the same AUC, from trials of their own: z = (A − A′)/√(var + var′).

    Parameters
    ----------
    first, second
        Unweighted counts of each system, with two trials of each class; scales and sizes need not be the same.
    level
        Confidence level of the interval of the difference.

    Returns
    -------
    AucDifference
        Equal AUCs: difference 0, z 0, p 1; no interval where both variances are 0.

    Raises
    ------
    SingleClassError
        When a class is empty.
    UndefinedMetricError
        Reason ``too_few`` when a class has one trial, ``weighted`` when counts are weights, ``zero_variance`` when the
        AUCs differ and both variances are 0.
    OptionError
        When the level is out of range.

    Notes
    -----
    The trials of one system are taken to be independent of those of the other. Of systems on the same trials this
    loses what :func:`delong_test` gains from what they have in common.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), Comparing the areas under two or more correlated ROC curves,
    Biometrics 44.

    Examples
    --------
    >>> import deciban as db
    >>> first, second = db.Counts.from_classes([9, 7, 4], [5, 2, 1]), db.Counts.from_classes([8, 3, 2], [4, 6, 1])
    >>> found = db.delong_unpaired(first, second)
    >>> round(found.difference, 4), round(found.z, 4), round(found.p_value, 4)
    (0.3333, 0.9487, 0.3428)
    """
    z_level = normal_deviate(level)
    one, other = delong_variance(first), delong_variance(second)
    variance = one.variance + other.variance
    return compared((one.auc, other.auc), one.auc - other.auc, variance, z_level, level, "delong-unpaired")

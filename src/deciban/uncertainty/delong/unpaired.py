"""Two AUCs, each on trials of its own, compared."""

from __future__ import annotations

import math

from deciban.counts.counts import Counts
from deciban.uncertainty.delong.paired import AucDifference, interval_of_difference, no_variance
from deciban.uncertainty.delong.single import delong_variance
from deciban.values.option_checks import check_level


def delong_unpaired(first: Counts, second: Counts, level: float = 0.95) -> AucDifference:
    """Test whether two systems have the same AUC, from trials of their own: z = (A − A′)/√(V + V′).

    Judged by Student's t with (V + V′)²/(V²/(N − 1) + V′²/(N′ − 1)) degrees of freedom for N and N′ trials.

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
    Biometrics 44; Robin et al. (2011), pROC, BMC Bioinformatics 12 (degrees of freedom).

    Examples
    --------
    >>> import deciban as db
    >>> first, second = db.Counts.from_classes([9, 7, 4], [5, 2, 1]), db.Counts.from_classes([8, 3, 2], [4, 6, 1])
    >>> found = db.delong_unpaired(first, second)
    >>> round(found.difference, 4), round(found.z, 4), round(found.df, 4), round(found.p_value, 4)
    (0.3333, 0.9487, 7.3529, 0.3729)
    """
    from scipy.special import stdtr, stdtrit

    check_level(level)
    one, other = delong_variance(first), delong_variance(second)
    difference, variance = one.auc - other.auc, one.variance + other.variance
    z, df, p_value, reach = 0.0, None, 1.0, 0.0
    if variance > 0.0:
        parts = ((one.variance / variance, first.total), (other.variance / variance, second.total))
        df = 1.0 / sum(share**2 / (n - 1) for share, n in parts)
        z = difference / math.sqrt(variance)
        p_value = 2.0 * float(stdtr(df, -abs(z)))
        reach = float(stdtrit(df, (1.0 + level) / 2.0)) * math.sqrt(variance)
    elif difference != 0.0:
        raise no_variance("the AUCs differ")
    return AucDifference(
        first=one.auc,
        second=other.auc,
        difference=difference,
        variance=variance,
        z=z,
        p_value=p_value,
        interval=interval_of_difference(difference, reach, level, "delong-unpaired"),
        df=df,
    )

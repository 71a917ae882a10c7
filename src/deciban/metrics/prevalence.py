"""What a threshold's rates mean where targets are rarer or more frequent than in the data."""

from __future__ import annotations

from fractions import Fraction

from deciban.errors import UndefinedMetricError
from deciban.metrics.spec import metric
from deciban.passes.confusion_matrix import Confusion, confusion
from deciban.values.scale import check_prior


@metric(
    of=confusion,
    title="Precision at a prevalence",
    range=(0.0, 1.0),
    direction="higher",
    anchors=(1.0, None),
    shown=(),
    exact=True,
    use_when="the share of targets in use is known and differs from that of the data",
    avoid_when="targets or nontargets in use are of another kind: then the error rates differ too",
    reference="Altman and Bland (1994), Diagnostic tests 2: predictive values, BMJ 309",
)
def precision_at(table: Confusion, *, prevalence: float, exact: bool = False) -> float:
    """Compute the share of targets among the accepted at a prevalence: π·TPR/(π·TPR + (1 − π)·FPR).

    Parameters
    ----------
    counts
        Counts of both classes, on any scale.
    threshold
        Accept when score >= threshold, in the unit of the scores.
    prevalence
        Share π of targets where decisions will be made, strictly between 0 and 1.
    exact
        Return a Fraction; the prevalence is taken as the exact value of its double (or given as a Fraction).

    Returns
    -------
    float
        A share. Perfect 1, no information the prevalence.

    Raises
    ------
    UndefinedMetricError
        When nothing is accepted, or a class is empty.
    OptionError
        When the prevalence is not strictly between 0 and 1.

    References
    ----------
    Altman and Bland (1994), Diagnostic tests 2: predictive values, BMJ 309.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([0.9, 0.6, 0.4, 0.7], [0.8, 0.4, 0.1])
    >>> db.precision_at(counts, threshold=0.6, prevalence=0.25, exact=True), db.precision(counts, threshold=0.6)
    (Fraction(3, 7), 0.75)
    """
    check_prior(prevalence, "prevalence")
    share = Fraction(prevalence) if exact else prevalence
    hits, alarms = share * table.recall, (1 - share) * table.p_fa
    if hits + alarms == 0:
        raise UndefinedMetricError("precision_at is undefined: nothing is accepted")
    return hits / (hits + alarms)

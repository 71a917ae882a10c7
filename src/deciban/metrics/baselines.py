"""What accuracy takes no system at all."""

from __future__ import annotations

from deciban.counts.counts import Counts
from deciban.errors import SingleClassError
from deciban.metrics.spec import metric, whole
from deciban.metrics.threshold import REFERENCE
from deciban.values.ratio import divide


def _require_trials(counts: Counts) -> None:
    if counts.total == 0:
        raise SingleClassError("the accuracy of a constant decision needs trials, found none")


@metric(
    of=whole,
    title="Accuracy of never accepting",
    range=(0.0, 1.0),
    direction="target value",
    anchors=(None, None),
    exact=True,
    bootstrap=None,
    use_when="an accuracy is quoted: below this it is worse than doing nothing",
    avoid_when="nothing is said about accuracy",
    reference=REFERENCE,
)
def baseline_accuracy(counts: Counts) -> float:
    """Compute the accuracy of rejecting everything: N0/N.

    Parameters
    ----------
    counts
        Counts; one class may be empty.
    exact
        Return a Fraction.

    Returns
    -------
    float
        A share that depends on the data alone, not on the system.

    Raises
    ------
    SingleClassError
        When there is no trial.

    References
    ----------
    Powers (2011), Evaluation: from precision, recall and F-measure to ROC, J. Machine Learning Technologies 2.

    Examples
    --------
    >>> import deciban as db
    >>> db.baseline_accuracy(db.Counts.from_classes([1], [0, 0, 0]))
    0.75
    """
    _require_trials(counts)
    return divide(counts.total_nontarget, counts.total)


@metric(
    of=whole,
    title="Accuracy of always naming the larger class",
    range=(0.0, 1.0),
    direction="target value",
    anchors=(None, None),
    exact=True,
    swapped="same",
    bootstrap=None,
    use_when="an accuracy is quoted: below this it is worse than a constant answer",
    avoid_when="nothing is said about accuracy",
    reference=REFERENCE,
)
def majority_accuracy(counts: Counts) -> float:
    """Compute the accuracy of the better constant decision: max(N0, N1)/N.

    Parameters
    ----------
    counts
        Counts; one class may be empty.
    exact
        Return a Fraction.

    Returns
    -------
    float
        A share that depends on the data alone, not on the system.

    Raises
    ------
    SingleClassError
        When there is no trial.

    References
    ----------
    Powers (2011), Evaluation: from precision, recall and F-measure to ROC, J. Machine Learning Technologies 2.

    Examples
    --------
    >>> import deciban as db
    >>> db.majority_accuracy(db.Counts.from_classes([1, 1, 1], [0]))
    0.75
    """
    _require_trials(counts)
    return divide(max(counts.total_target, counts.total_nontarget), counts.total)

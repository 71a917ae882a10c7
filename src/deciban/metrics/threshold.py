"""Figures at one threshold: each is a ratio of the four counts, defined once in :class:`Confusion`."""

from __future__ import annotations

import math
from typing import Final, Literal

from deciban.errors import OptionError
from deciban.metrics.spec import Direction, Metric, metric
from deciban.passes.confusion_matrix import Confusion, confusion

REFERENCE: Final = (
    "Powers (2011), Evaluation: from precision, recall and F-measure to ROC, J. Machine Learning Technologies 2"
)

NAMES: Final = ("Matthews", "Cohen")
"""Titles that begin with a name keep their capital in a sentence."""

DOC: Final = """Compute the {title} at one threshold: {formula}

    Parameters
    ----------
    counts
        Counts of both classes, on any scale.
    threshold
        Accept when score >= threshold, in the unit of the scores.{parameter}

    Returns
    -------
    float
        Perfect {perfect}, no information {uninformative}.

    Raises
    ------
    UndefinedMetricError
        When the ratio has no value.

    References
    ----------
    {reference}

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([0.9, 0.6, 0.4, 0.7], [0.8, 0.4, 0.1])
    >>> db.{name}(counts, threshold=0.6{exact})
    {example}
    """


def at_threshold(
    name: str,
    title: str,
    example: str,
    *,
    range: tuple[float, float] = (0.0, 1.0),  # noqa: A002 - as in the specification
    direction: Direction = "higher",
    anchors: tuple[float | None, float | None] = (1.0, None),
    exact: bool = True,
    swapped: Literal["same", "complement"] | None = None,
    use_when: str,
    avoid_when: str,
    reference: str = REFERENCE,
) -> Metric[float]:
    """Make the metric that reads one ratio of :class:`Confusion`; ``example`` is its value in the docstring."""

    def body(table: Confusion) -> float:
        return getattr(table, name)  # type: ignore[no-any-return]

    words = ["depends on the data" if anchor is None else f"{anchor:g}" for anchor in anchors]
    body.__name__ = body.__qualname__ = name
    body.__doc__ = DOC.format(
        title=title if title.startswith(NAMES) or not title[1:2].islower() else title[0].lower() + title[1:],
        formula=(getattr(Confusion, name).__doc__ or "").strip(),
        perfect=words[0],
        uninformative=words[1],
        reference=reference,
        name=name,
        example=example,
        parameter="\n    exact\n        Return a Fraction." if exact else "",
        exact=", exact=True" if exact else "",
    )
    return metric(
        of=confusion,
        title=title,
        range=range,
        direction=direction,
        anchors=anchors,
        shown=(),
        exact=exact,
        rank_only=False,
        swapped=swapped,
        use_when=use_when,
        avoid_when=avoid_when,
        reference=reference,
    )(body)


p_miss = at_threshold(
    "p_miss",
    "Miss rate",
    "Fraction(1, 4)",
    direction="lower",
    anchors=(0.0, None),
    use_when="asking how many targets a threshold loses",
    avoid_when="used without p_fa: accepting everything gives 0",
)
p_fa = at_threshold(
    "p_fa",
    "False-alarm rate",
    "Fraction(1, 3)",
    direction="lower",
    anchors=(0.0, None),
    use_when="asking how many nontargets a threshold lets in",
    avoid_when="used without p_miss: rejecting everything gives 0",
)
accuracy = at_threshold(
    "accuracy",
    "Accuracy",
    "Fraction(5, 7)",
    use_when="classes are about equally frequent and errors equally dear",
    avoid_when="targets are rare: never accepting is then nearly always right (see baseline_accuracy)",
)
balanced_accuracy = at_threshold(
    "balanced_accuracy",
    "Balanced accuracy",
    "Fraction(17, 24)",
    anchors=(1.0, 0.5),
    use_when="both classes count alike however frequent they are",
    avoid_when="misses and false alarms are not equally dear",
)
hter = at_threshold(
    "hter",
    "Half total error rate",
    "Fraction(7, 24)",
    direction="lower",
    anchors=(0.0, 0.5),
    use_when="a threshold chosen on development data is judged on evaluation data",
    avoid_when="misses and false alarms are not equally dear",
)
precision = at_threshold(
    "precision",
    "Precision",
    "Fraction(3, 4)",
    use_when="asking how many of the accepted are targets",
    avoid_when="prevalence in use differs from that of the data",
)
recall = at_threshold(
    "recall",
    "Recall",
    "Fraction(3, 4)",
    use_when="asking how many of the targets are found",
    avoid_when="used without precision or p_fa: accepting everything gives 1",
)
specificity = at_threshold(
    "specificity",
    "Specificity",
    "Fraction(2, 3)",
    use_when="asking how many nontargets are left alone",
    avoid_when="used without recall: rejecting everything gives 1",
)
npv = at_threshold(
    "npv",
    "Negative predictive value",
    "Fraction(2, 3)",
    use_when="asking how far a rejection can be trusted",
    avoid_when="prevalence in use differs from that of the data",
)
f1 = at_threshold(
    "f1",
    "F1",
    "Fraction(3, 4)",
    use_when="one number for precision and recall of a rare class is customary",
    avoid_when="rejecting correctly matters: true negatives do not enter",
)
mcc = at_threshold(
    "mcc",
    "Matthews correlation coefficient",
    "0.4166666666666667",
    range=(-1.0, 1.0),
    anchors=(1.0, 0.0),
    exact=False,
    use_when="one number for the whole table is wanted, with all four counts in it",
    avoid_when="tables of different prevalence are compared",
)
kappa = at_threshold(
    "kappa",
    "Cohen's kappa",
    "Fraction(5, 12)",
    range=(-1.0, 1.0),
    anchors=(1.0, 0.0),
    use_when="agreement beyond chance is the question",
    avoid_when="prevalence differs between data sets: chance agreement does too",
)
informedness = at_threshold(
    "informedness",
    "Informedness",
    "Fraction(5, 12)",
    range=(-1.0, 1.0),
    anchors=(1.0, 0.0),
    use_when="asking how much better than guessing the decisions are, whatever the prevalence",
    avoid_when="errors are not equally dear",
)
markedness = at_threshold(
    "markedness",
    "Markedness",
    "Fraction(5, 12)",
    range=(-1.0, 1.0),
    anchors=(1.0, 0.0),
    use_when="asking how far decisions tell the classes apart",
    avoid_when="prevalence in use differs from that of the data",
)
lr_positive = at_threshold(
    "lr_positive",
    "Likelihood ratio of an acceptance",
    "Fraction(9, 4)",
    range=(0.0, math.inf),
    anchors=(math.inf, 1.0),
    use_when="asking by how much an acceptance changes the odds",
    avoid_when="the score itself is known: its own LR says more",
)
lr_negative = at_threshold(
    "lr_negative",
    "Likelihood ratio of a rejection",
    "Fraction(3, 8)",
    range=(0.0, math.inf),
    direction="lower",
    anchors=(0.0, 1.0),
    use_when="asking by how much a rejection changes the odds",
    avoid_when="the score itself is known: its own LR says more",
)
diagnostic_odds_ratio = at_threshold(
    "diagnostic_odds_ratio",
    "Diagnostic odds ratio",
    "Fraction(6, 1)",
    range=(0.0, math.inf),
    anchors=(math.inf, 1.0),
    use_when="one number for a test is wanted in meta-analysis",
    avoid_when="the balance of the two errors matters: it hides that",
)


@metric(
    of=confusion,
    title="F with a chosen weight of recall",
    range=(0.0, 1.0),
    direction="higher",
    anchors=(1.0, None),
    shown=(),
    use_when="recall is β times as important as precision",
    avoid_when="costs are known: use the expected cost instead",
    reference="van Rijsbergen (1979), Information Retrieval, chapter 7",
)
def f_beta(table: Confusion, *, beta: float) -> float:
    """Compute (1 + β²)TP / ((1 + β²)TP + β²FN + FP) at one threshold.

    Parameters
    ----------
    counts
        Counts of both classes, on any scale.
    threshold
        Accept when score >= threshold, in the unit of the scores.
    beta
        How many times as much recall weighs as precision, above 0.

    Returns
    -------
    float
        Perfect 1; 0 when no target is found and there is an error.

    Raises
    ------
    UndefinedMetricError
        When there is no target and nothing is accepted.
    OptionError
        When beta is not above 0.

    References
    ----------
    van Rijsbergen (1979), Information Retrieval, chapter 7.

    Examples
    --------
    >>> import deciban as db
    >>> round(db.f_beta(db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4]), threshold=0.6, beta=2), 6)
    0.666667
    """
    if not 0.0 < beta < math.inf:
        raise OptionError(f"beta: expected a finite number above 0, found {beta!r}")
    return table.f_beta(beta)

"""The four counts at one threshold and every ratio of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import numpy as np

from deciban.counts.argument import of_any_counts
from deciban.counts.buckets import bucket_scores, edges
from deciban.counts.counts import Counts
from deciban.errors import UndefinedMetricError
from deciban.values.arrays import AnyArray, MaybeFloats, undefined_where
from deciban.values.log_domain import LN10
from deciban.values.option_checks import check_number
from deciban.values.scale import SMALLEST


@dataclass(frozen=True, slots=True)
class Confusion:
    """What a threshold does to targets and nontargets: accept when score >= threshold.

    Ratios are properties; one without a value raises :class:`UndefinedMetricError` with reason ``undefined_ratio``
    (precision when nothing is accepted, …), never 0. With Fractions as counts the ratios are Fractions; with arrays as
    counts (one entry per threshold) they are arrays, masked where they have no value.

    Attributes
    ----------
    tp, fp, fn, tn
        Accepted targets, accepted nontargets, rejected targets, rejected nontargets (weights when weighted).
    """

    tp: float
    fp: float
    fn: float
    tn: float

    @property
    def n_target(self) -> float:
        """TP + FN."""
        return self.tp + self.fn

    @property
    def n_nontarget(self) -> float:
        """FP + TN."""
        return self.fp + self.tn

    @property
    def n(self) -> float:
        """All trials."""
        return self.n_target + self.n_nontarget

    @property
    def _determinant(self) -> float:
        """TP·TN − FP·FN: in integers no digit of a small difference is lost, and chance gives exactly 0."""
        return self.tp * self.tn - self.fp * self.fn

    @property
    def accuracy(self) -> float:
        """(TP + TN) / N."""
        return _ratio(self.tp + self.tn, self.n, "accuracy", "there is no trial")

    @property
    def p_miss(self) -> float:
        """FN / N1, also FNR, FRR, FNMR."""
        return _ratio(self.fn, self.n_target, "p_miss", "there is no target")

    @property
    def p_fa(self) -> float:
        """FP / N0, also FPR, FAR, FMR."""
        return _ratio(self.fp, self.n_nontarget, "p_fa", "there is no nontarget")

    @property
    def recall(self) -> float:
        """TP / N1, also TPR, sensitivity."""
        return _ratio(self.tp, self.n_target, "recall", "there is no target")

    @property
    def specificity(self) -> float:
        """TN / N0, also TNR."""
        return _ratio(self.tn, self.n_nontarget, "specificity", "there is no nontarget")

    @property
    def precision(self) -> float:
        """TP / (TP + FP), also PPV; undefined when nothing is accepted."""
        return _ratio(self.tp, self.tp + self.fp, "precision", "nothing is accepted")

    @property
    def npv(self) -> float:
        """TN / (TN + FN), negative predictive value; undefined when nothing is rejected."""
        return _ratio(self.tn, self.tn + self.fn, "npv", "nothing is rejected")

    @property
    def balanced_accuracy(self) -> float:
        """(recall + specificity) / 2."""
        return (self.recall + self.specificity) / 2

    @property
    def hter(self) -> float:
        """(p_miss + p_fa) / 2, half total error rate."""
        return (self.p_miss + self.p_fa) / 2

    @property
    def f1(self) -> float:
        """2TP / (2TP + FP + FN); 0 when TP = 0 and there is an error, undefined when nothing is there to find."""
        return self.f_beta(1)

    def f_beta(self, beta: float) -> float:
        """(1 + β²)TP / ((1 + β²)TP + β²FN + FP): recall weighs β times as much as precision."""
        # The smaller weight in terms of the larger: β² may overflow, and at either end recall or precision is left. It
        # stays above 0, so that an error without a hit gives 0 and not 0/0.
        small = max((1 / beta) * (1 / beta) if beta > 1 else beta * beta, SMALLEST)
        miss, alarm = (1, small) if beta > 1 else (small, 1)
        found = (miss + alarm) * self.tp
        whole = found + miss * self.fn + alarm * self.fp
        return _ratio(found, whole, "F", "no target exists and nothing is accepted")

    @property
    def mcc(self) -> float:
        """Matthews correlation coefficient; undefined when a margin of the table is empty."""
        margins = (self.tp + self.fp, self.tn + self.fn, self.n_target, self.n_nontarget)
        return _correlation(self._determinant, margins)

    @property
    def kappa(self) -> float:
        """Cohen's κ = (accuracy − chance) / (1 − chance); undefined when chance agreement is 1."""
        accepted, rejected = self.tp + self.fp, self.tn + self.fn
        chance = accepted * self.n_target + rejected * self.n_nontarget
        agree = (self.tp + self.tn) * self.n
        return _ratio(agree - chance, self.n * self.n - chance, "kappa", "agreement by chance is already complete")

    @property
    def informedness(self) -> float:
        """Recall + specificity − 1, Youden's J at this threshold."""
        return _ratio(self._determinant, self.n_target * self.n_nontarget, "informedness", "a class is empty")

    @property
    def markedness(self) -> float:
        """Precision + NPV − 1; undefined when nothing is accepted or nothing rejected."""
        margins = (self.tp + self.fp) * (self.tn + self.fn)
        return _ratio(self._determinant, margins, "markedness", "nothing is accepted, or nothing rejected")

    @property
    def lr_positive(self) -> float:
        """TPR / FPR: inf when no nontarget is accepted, undefined when nothing is."""
        return _odds(self.tp * self.n_nontarget, self.fp * self.n_target, "LR+", "nothing is accepted")

    @property
    def lr_negative(self) -> float:
        """FNR / TNR: inf when targets but no nontarget are rejected, undefined when nothing is."""
        return _odds(self.fn * self.n_nontarget, self.tn * self.n_target, "LR−", "nothing is rejected")

    @property
    def diagnostic_odds_ratio(self) -> float:
        """(TP·TN) / (FP·FN): inf when one kind of error is absent, undefined when numerator and denominator are 0."""
        return _odds(self.tp * self.tn, self.fp * self.fn, "the diagnostic odds ratio", "it is 0/0")


def _ratio(numerator: Any, denominator: Any, name: str, why: str) -> float:
    if isinstance(denominator, np.ndarray):
        return cast(float, _ratio_of_arrays(numerator, denominator))
    if denominator == 0:
        raise UndefinedMetricError(f"{name} is undefined: {why}")
    return cast(float, numerator / denominator)


def _odds(numerator: Any, denominator: Any, name: str, why: str) -> float:
    """A ratio that is inf for x/0 with x > 0."""
    if isinstance(denominator, np.ndarray):
        infinite = (denominator == 0) & (numerator > 0)
        ratio = _ratio_of_arrays(numerator, denominator)
        return cast(float, undefined_where(ratio.mask & ~infinite, np.where(infinite, np.inf, ratio.data)))
    if denominator == 0 and numerator > 0:
        return math.inf
    return _ratio(numerator, denominator, name, why)


def _correlation(determinant: Any, margins: tuple[Any, ...]) -> float:
    """The determinant divided by the root of the product of the margins, within [−1, 1]."""
    if isinstance(determinant, np.ndarray):
        # In doubles, for four counts do not fit 64 bits; the root of a square is exact, so a perfect table gives 1.
        product = (margins[0] * 1.0 * margins[1]) * (margins[2] * 1.0 * margins[3])
        ratio = _ratio_of_arrays(determinant, np.sqrt(product))
        return cast(float, undefined_where(np.asarray(ratio.mask), ratio.data.clip(-1.0, 1.0)))
    if 0 in margins:
        raise UndefinedMetricError("mcc is undefined: a margin of the confusion matrix is empty")
    # One root of the exact product: a perfect table gives exactly 1, which a product of four roots would miss.
    return max(-1.0, min(1.0, float(determinant / math.sqrt(math.prod(margins)))))


def _ratio_of_arrays(numerator: AnyArray, denominator: AnyArray) -> MaybeFloats:
    undefined = denominator == 0
    return undefined_where(undefined, numerator / np.where(undefined, 1, denominator))


def error_at(log10_odds: float, p_miss: float, p_fa: float, normalise: bool) -> float:
    """Error probability of two rates at a prior, or divided by that of the better constant decision.

    Written so that nothing overflows at any prior: NBE = p_miss + e^−θ·p_fa for θ <= 0, e^θ·p_miss + p_fa above; a rate
    of 0 is skipped. The error itself is NBE·min(π, 1 − π).
    """
    theta = log10_odds * LN10
    dear, cheap = (p_fa, p_miss) if theta <= 0 else (p_miss, p_fa)
    rare = math.exp(-abs(theta))
    if not normalise:
        return (dear + rare * cheap) / (1.0 + rare)
    if dear == 0.0:
        return cheap
    return cheap + (dear / rare if rare > 0.0 else math.inf)


def first_accepted(counts: Counts, threshold: float) -> tuple[int, bool]:
    """Where the scores begin that are all at or above the threshold, and whether the bucket below is cut by it.

    A bucket other than that of the threshold itself is above or below it as a whole.
    """
    if counts.resolution is None:
        return int(np.searchsorted(counts.score, threshold, side="left")), False
    bucket = bucket_scores(np.array([threshold]), counts.resolution)
    at = int(np.searchsorted(counts.score, bucket[0], side="left"))
    cut = (
        at < counts.n_distinct and counts.score[at] == bucket[0] and edges(bucket, counts.resolution)[0][0] < threshold
    )
    return at + cut, bool(cut)


@of_any_counts
def confusion(counts: Counts, *, threshold: float, exact: bool = False) -> Confusion:
    """Count what a threshold accepts and rejects of each class.

    Parameters
    ----------
    counts
        Counts; one class may be empty.
    threshold
        Accept when score >= threshold, in the unit and direction of the scores of the counts; −inf accepts all, inf
        only infinite scores.
    exact
        Return the counts as Fractions, so that every ratio is one.

    Returns
    -------
    Confusion
        ``tp, fp, fn, tn`` and the ratios of them as properties.

    Raises
    ------
    OptionError
        When the threshold is no number, or NaN.
    UndefinedMetricError
        Reason ``bucketed``, when the counts are in buckets and the threshold is inside one that holds trials.

    Examples
    --------
    >>> import deciban as db
    >>> table = db.confusion(db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1]), threshold=0.6)
    >>> table
    Confusion(tp=2, fp=1, fn=1, tn=2)
    >>> table.f1
    0.6666666666666666
    """
    threshold = check_number("threshold", threshold, "a number in the unit of the scores")
    at, cut = first_accepted(counts, threshold)
    if cut:
        raise UndefinedMetricError(
            f"confusion: the threshold {threshold!r} is inside a bucket of width {counts.resolution!r}, and which of "
            "its trials are accepted is not known; take a multiple of the width",
            "bucketed",
        )
    tp, fp = counts.n_target[at:].sum().item(), counts.n_nontarget[at:].sum().item()
    fn, tn = counts.n_target[:at].sum().item(), counts.n_nontarget[:at].sum().item()
    if exact and counts.weighted:
        raise UndefinedMetricError("exact fractions need unweighted trials", "weighted")
    if exact:
        # A Fraction is no float to the type checker, but every ratio above is written for both.
        return Confusion(*cast(list[float], [Fraction(n) for n in (tp, fp, fn, tn)]))
    return Confusion(tp, fp, fn, tn)

"""The curves of a record: what its figures are drawn from; no number is ever read from them."""

from __future__ import annotations

from dataclasses import dataclass

from deciban.curves.bayes_error import BayesErrorCurve
from deciban.curves.cross_entropy import CrossEntropyCurve
from deciban.curves.histogram import ScoreHistogram
from deciban.curves.hull import PavMap
from deciban.curves.reliability import Reliability
from deciban.curves.tippett import Tippett


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatingPoints:
    """Actual operating points, some 500 of many, in order of decreasing threshold; one list per column."""

    threshold: tuple[float, ...]
    tp: tuple[int | float, ...]
    fp: tuple[int | float, ...]
    fn: tuple[int | float, ...]
    tn: tuple[int | float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """Curves of one set of trials, of some 500 points each; None where the scores do not carry one.

    Attributes
    ----------
    operating_points
        From reject-all to accept-all; all of them where there are a thousand or fewer.
    score_histogram
        Trials of each class in bins of the score.
    pav
        The blocks of pooling adjacent violators.
    bayes_error
        Actual and least error over priors.
    tippett
        Distribution of the LRs of each class.
    cross_entropy
        Empirical cross-entropy over priors.
    reliability, corp
        Observed share of targets against stated probability: in bins of equal width, and in the blocks of PAV.
    """

    operating_points: OperatingPoints | None = None
    score_histogram: ScoreHistogram | None = None
    pav: PavMap | None = None
    bayes_error: BayesErrorCurve | None = None
    tippett: Tippett | None = None
    cross_entropy: CrossEntropyCurve | None = None
    reliability: Reliability | None = None
    corp: Reliability | None = None

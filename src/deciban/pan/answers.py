"""Probabilities as answers yes, no and none: c@1 and F0.5u."""

from __future__ import annotations

from numbers import Real
from typing import NamedTuple

import numpy as np

from deciban.counts.counts import Counts
from deciban.errors import OptionError, UndefinedMetricError
from deciban.pan.reading import count_arrays


def c_at_1(probs: object, y: object, *, unanswered_margin: float = 0.0) -> float:
    """Accuracy that credits a non-answer as much as the system's answers are right on average.

    c@1 = (n_correct + n_unanswered · n_correct / n) / n

    Parameters
    ----------
    probs
        Probability of label 1 per trial, in [0, 1], shape (n,). Above 0.5 answers 1, below 0.5 answers 0.
    y
        Labels 0 or 1 (or bool), shape (n,).
    unanswered_margin
        In [0, 0.5). 0: only exactly 0.5 is a non-answer. Above 0: also every probability within the margin of 0.5,
        edges included, ``round(abs(p - 0.5), 12) <= unanswered_margin``.

    Returns
    -------
    float
        In [0, 1]: perfect 1; nothing answered 0; answers by coin about 0.5. The exact fraction, rounded once.

    Raises
    ------
    InputError
        For probabilities outside [0, 1], NaN or masked ones, other labels, other shapes, or no trials.
    OptionError
        For a margin outside [0, 0.5).

    Notes
    -----
    One class is enough; ties play no part. Use it where abstaining is allowed and better than a wrong answer. Do not
    compare data with different shares of targets by it: as with accuracy, the commoner answer alone does well. It
    equals accuracy when every trial is answered.

    References
    ----------
    Peñas & Rodrigo, A simple measure to assess non-response, ACL 2011.

    Examples
    --------
    >>> c_at_1([0.9, 0.9, 0.1, 0.5], [1, 1, 0, 0])
    0.9375
    """
    margin = check_margin(unanswered_margin, "unanswered_margin")
    return c_at_1_of(answers(count_arrays(probs, y, "probs", "probability"), margin))


def f05u(probs: object, y: object, *, unanswered_margin: float = 0.0) -> float:
    """F-measure that weighs precision above recall and counts every non-answer as a missed target.

    F0.5u = 1.25·TP / (1.25·TP + 0.25·(FN + N_u) + FP), N_u = all non-answers, of either class

    Parameters
    ----------
    probs, y, unanswered_margin
        As in :func:`c_at_1`.

    Returns
    -------
    float
        In [0, 1]: perfect 1; nothing answered 0; every trial accepted 1.25·π / (1 + 0.25·π) at a share π of targets
        (5/9 at one half). The exact fraction, rounded once.

    Raises
    ------
    UndefinedMetricError
        When no target, no accepted trial and no non-answer exists: the formula is 0/0.
    InputError, OptionError
        As :func:`c_at_1`.

    Notes
    -----
    Use it where a false "same author" is worse than a missed one and abstaining is allowed. It ignores correct
    rejections, so it depends on which class is called 1 and on the share of targets. Without targets but with a
    false acceptance or a non-answer it is 0.

    References
    ----------
    Bevendorff, Stein, Hagen & Potthast, Generalizing unmasking for short texts, NAACL 2019.

    Examples
    --------
    >>> f05u([0.9, 0.9, 0.1, 0.5], [1, 1, 0, 0])
    0.9090909090909091
    """
    margin = check_margin(unanswered_margin, "unanswered_margin")
    return f05u_of(answers(count_arrays(probs, y, "probs", "probability"), margin))


class Answers(NamedTuple):
    """Trials by answer and truth; those without an answer by class."""

    tp: int
    fp: int
    fn: int
    tn: int
    unanswered_target: int
    unanswered_nontarget: int

    @property
    def unanswered(self) -> int:
        """All trials without an answer."""
        return self.unanswered_target + self.unanswered_nontarget


def answers(counts: Counts, margin: float) -> Answers:
    """Answers that probabilities stand for, when those within ``margin`` of 0.5 are non-answers."""
    p = counts.score
    # Rounding first makes .55 and .45, whose distances from .5 differ in the last bit, abstain alike at margin .05.
    unanswered = p == 0.5 if margin == 0.0 else np.round(np.abs(p - 0.5), 12) <= margin
    accepted, rejected = (p > 0.5) & ~unanswered, (p < 0.5) & ~unanswered
    return Answers(
        tp=int(counts.n_target[accepted].sum()),
        fp=int(counts.n_nontarget[accepted].sum()),
        fn=int(counts.n_target[rejected].sum()),
        tn=int(counts.n_nontarget[rejected].sum()),
        unanswered_target=int(counts.n_target[unanswered].sum()),
        unanswered_nontarget=int(counts.n_nontarget[unanswered].sum()),
    )


def c_at_1_of(found: Answers) -> float:
    """c@1 of counted answers: one division of integers, hence rounded once."""
    n = sum(found)
    return (found.tp + found.tn) * (n + found.unanswered) / (n * n)


def f05u_of(found: Answers) -> float:
    """F0.5u of counted answers, numerator and denominator times 4 so that they are integers."""
    hits = 5 * found.tp
    denominator = hits + found.fn + found.unanswered + 4 * found.fp
    if denominator == 0:
        raise UndefinedMetricError("f05u is 0/0: no target, no accepted trial and no non-answer among the trials")
    return hits / denominator


def check_margin(margin: object, name: str) -> float:
    """Return the margin if it is a number in [0, 0.5), else raise :class:`OptionError`."""
    if isinstance(margin, bool) or not isinstance(margin, Real) or not 0.0 <= float(margin) < 0.5:
        raise OptionError(f"{name}: expected a number in [0, 0.5), so that 0 and 1 are answers; found {margin!r}")
    return float(margin)

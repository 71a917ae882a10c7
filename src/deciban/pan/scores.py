"""Scores and likelihood ratios: AUC, Cllr and Tippett curves."""

from __future__ import annotations

import numpy as np

from deciban.metrics import discrimination, information
from deciban.pan.reading import count_arrays
from deciban.values.arrays import AnyArray, Floats


def auc(scores: object, y: object) -> float:
    """Area under the ROC curve: how often a target scores above a nontarget.

    AUC = (wins + ties / 2) / (N1·N0), over all pairs of one target and one nontarget.

    Parameters
    ----------
    scores
        One score per trial, higher for targets, shape (n,), any unit; infinities are legal.
    y
        Labels 0 or 1 (or bool), shape (n,).

    Returns
    -------
    float
        Share of pairs, in [0, 1]: perfect 1, no information 0.5. The exact fraction, rounded once.

    Raises
    ------
    SingleClassError
        When all labels are equal.
    InputError
        For NaN or masked scores, other labels, other shapes, or no trials.

    Notes
    -----
    Tied pairs count one half; an infinite score is just the highest or lowest. Use it for the ranking alone; it does
    not see thresholds, calibration or non-answers. A value far below 0.5 usually means that scores point the other
    way; they are never turned round here. Narrow types are taken as they are: scores equal in float32 are ties.

    References
    ----------
    Hanley & McNeil, The meaning and use of the area under a ROC curve, Radiology 143 (1982).

    Examples
    --------
    >>> auc([0.9, 0.6, 0.4, 0.8, 0.4, 0.1], [1, 1, 1, 0, 0, 0])
    0.7222222222222222
    """
    return discrimination.auc(count_arrays(scores, y, "scores", "score"))


def cllr(log_lrs: object, y: object) -> float:
    """Log-likelihood-ratio cost: the information lost by likelihood ratios, averaged over the two classes.

    Cllr = ½·(mean over targets of log2(1 + 1/LR) + mean over nontargets of log2(1 + LR))

    Parameters
    ----------
    log_lrs
        Base-10 logarithm of the likelihood ratio per trial, shape (n,); infinities are legal.
    y
        Labels 0 or 1 (or bool), shape (n,).

    Returns
    -------
    float
        Bits per trial, >= 0: perfect 0, no information (every LR 1) exactly 1. Above 1 is worse than no answer.

    Raises
    ------
    SingleClassError
        When all labels are equal.
    InputError
        For NaN or masked values, finite ones whose natural logarithm overflows (beyond ±7.8e307), other labels, other
        shapes, or no trials.

    Notes
    -----
    An infinity on the right side costs 0, one on the wrong side makes the whole infinite. Class sizes do not matter.
    Use it for likelihood ratios; raw scores and natural logarithms give a number too, but a wrong one. A single
    strongly misleading ratio can dominate it.

    References
    ----------
    Brümmer & du Preez, Application-independent evaluation of speaker detection, Computer Speech & Language 20 (2006).

    Examples
    --------
    >>> cllr([0.0, 0.0], [1, 0])
    1.0
    """
    return information.cllr(count_arrays(log_lrs, y, "log_lrs", "log10_lr"))


def tippett(log_lrs: object, y: object) -> dict[str, Floats]:
    """Share of each class whose likelihood ratio is at or above each value that occurs.

    target_cdf[i] = #{targets with log LR >= thresholds[i]} / N1, and likewise for nontargets

    Parameters
    ----------
    log_lrs, y
        As in :func:`cllr`; any increasing function of the LR gives the same shares.

    Returns
    -------
    dict of str to array
        ``thresholds``, the distinct values in increasing order in the unit given, and ``target_cdf`` and
        ``nontarget_cdf``, shares in [0, 1], all of shape (u,). Both start at 1. Perfect: some threshold has 1 and 0;
        no information: the two are equal.

    Raises
    ------
    SingleClassError
        When all labels are equal.
    InputError
        For NaN or masked values, other labels, other shapes, or no trials.

    Notes
    -----
    Equal values share one threshold; infinities are thresholds like others. Use it to draw Tippett plots and to read
    rates of misleading evidence; it does not condense calibration into a number (:func:`cllr` does). Despite the
    customary names, the curves fall: they are one minus a distribution function.

    References
    ----------
    Tippett et al., The evidential value of the comparison of paint flakes from sources other than vehicles,
    Journal of the Forensic Science Society 8 (1968).

    Examples
    --------
    >>> curves = tippett([1.0, 2.0, -1.0, 1.0], [1, 1, 0, 0])
    >>> curves["thresholds"], curves["target_cdf"], curves["nontarget_cdf"]
    (array([-1.,  1.,  2.]), array([1. , 1. , 0.5]), array([1. , 0.5, 0. ]))
    """
    counts = count_arrays(log_lrs, y, "log_lrs", "score")
    counts.require_both_classes("tippett")
    return {
        "thresholds": counts.score.copy(),
        "target_cdf": _at_or_above(counts.n_target),
        "nontarget_cdf": _at_or_above(counts.n_nontarget),
    }


def _at_or_above(n: AnyArray) -> Floats:
    """Share of the trials of one class at or above each distinct score."""
    share: Floats = np.cumsum(n[::-1])[::-1] / n.sum()
    return share

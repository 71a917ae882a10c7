"""What number of a score a model reads: the score as it stands, its logarithm, or its log-odds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

import numpy as np

from deciban.counts.counts import Counts
from deciban.errors import InputError, ScaleError, UndefinedMetricError, rows
from deciban.trials.trials import Trials
from deciban.values.arrays import Floats
from deciban.values.log_domain import logit
from deciban.values.scale import LR_SCALES, Scale, carries_lr, to_ln_lr

Reading = Literal["score", "log", "log_odds"]
"""``score``: as given. ``log``: natural logarithms of LRs, log-odds of probabilities, raw scores as given.
``log_odds``: of probabilities, which LRs are at even prior odds; raw scores have none."""

LARGEST: Final = float(np.finfo(np.float64).max)


def read(scores: Floats, scale: Scale, prior: float | None, reading: Reading) -> Floats:
    """The numbers that a model reads, in the order of the scores; −inf for an LR or probability of 0.

    Raises
    ------
    ScaleError
        When raw scores are to be read as log-odds.
    """
    if reading == "score":
        return scores
    if scale == "probability":
        return to_ln_lr(scores, scale, prior) if reading == "log" and carries_lr(scale, prior) else logit(scores)
    if scale in LR_SCALES:
        return to_ln_lr(scores, scale, prior)
    if reading == "log_odds":
        raise ScaleError(
            "this calibrator needs probabilities or likelihood ratios, and the scores have scale 'score': say "
            "scale='probability' (--scale probability) if they are probabilities, or use another calibrator"
        )
    return scores


def said(scale: Scale, prior: float | None, reading: Reading) -> str:
    """What :func:`read` makes of a score, in words."""
    if reading == "score" or scale == "score":
        return "the score as given"
    if scale != "probability":
        return "the natural logarithm of the LR"
    less = ", less those of its prior" if reading == "log" and carries_lr(scale, prior) else ""
    return f"the log-odds of the probability{less}"


def refuse_infinite(counts: Counts, trials: Trials | None, reading: Reading, what: str) -> None:
    """Raise where a model that has no use for infinite scores is fitted to some; rows are named where they are known.

    Raises
    ------
    InputError
        With how many there are, the first rows, and what to do.
    """
    if np.isfinite(read(counts.score[[0, -1]], counts.scale, counts.prior, reading)).all():
        return
    infinite = ~np.isfinite(read(counts.score, counts.scale, counts.prior, reading))
    n = (counts.n_target[infinite] + counts.n_nontarget[infinite]).sum().item()
    where = ""
    if trials is not None:
        found = np.flatnonzero(~np.isfinite(read(trials.score, trials.scale, trials.prior, reading)))
        where = f" at {rows((found if trials.row is None else trials.row[found]).tolist())}"
    raise InputError(
        f"calibration: {n:g} of the scores are infinite, or probabilities of 0 or 1{where}, and {what} is fitted to "
        "finite ones: leave those trials out and say so, or use the isotonic calibrator"
    )


def refuse_constant(counts: Counts) -> None:
    """Raise :class:`UndefinedMetricError` (reason ``zero_variance``) when all scores are equal."""
    if counts.n_distinct == 1:
        raise UndefinedMetricError("all scores are equal: nothing can be fitted to them", "zero_variance")


def too_close(what: str) -> UndefinedMetricError:
    """The error where scores are so close together that a parameter leaves the doubles."""
    return UndefinedMetricError(
        f"calibration: the {what} is beyond what doubles hold: the scores are too close together; rescale them",
        "not_converged",
    )


def too_far(what: str) -> UndefinedMetricError:
    """The error where scores are so far apart that a parameter leaves the doubles."""
    return UndefinedMetricError(
        f"calibration: the {what} is beyond the largest double: the scores are too far apart; rescale them, or leave "
        "outliers out and say so",
        "not_converged",
    )


def kept_finite(ln_lr: Floats, x: Floats, again: Callable[[Floats], Floats] | None = None) -> Floats:
    """The same with the largest double where a finite number was given one beyond it: only infinities are certain.

    ``again`` computes those anew in steps that do not overflow. The array is changed in place.
    """
    if np.isfinite(ln_lr).all():
        return ln_lr
    beyond = ~np.isfinite(ln_lr) & np.isfinite(x)
    if beyond.any():
        with np.errstate(over="ignore", invalid="ignore"):
            ln_lr[beyond] = np.clip(ln_lr[beyond] if again is None else again(x[beyond]), -LARGEST, LARGEST)
    return ln_lr

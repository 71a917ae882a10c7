"""The unit of a score: what the numbers are, and how thresholds and likelihood ratios convert.

Counts keep scores in the unit given. Only two conversions exist: scores to natural-log likelihood ratios (for
metrics that need them) and a theoretical threshold to the unit of the scores (so that it can be compared there).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from deciban.errors import OptionError, ScaleError
from deciban.values.log_domain import LN2, LN10, expit, log_odds, logit
from deciban.values.option_checks import check_number

Scale = Literal["score", "probability", "lr", "ln_lr", "log2_lr", "log10_lr", "deciban"]
SCALES: Final[tuple[Scale, ...]] = get_args(Scale)

PER_UNIT: Final[dict[str, float]] = {"ln_lr": 1.0, "log2_lr": LN2, "log10_lr": LN10, "deciban": LN10 / 10.0}
"""Natural-log likelihood ratio per unit of each logarithmic scale."""

_LOG: Final[dict[str, Callable[[float], float]]] = {
    "ln_lr": math.log,
    "log2_lr": math.log2,
    "log10_lr": math.log10,
    "deciban": lambda lr: 10.0 * math.log10(lr),
}

_LOGS: Final[dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]]] = {
    "ln_lr": np.log,
    "log2_lr": np.log2,
    "log10_lr": np.log10,
    "deciban": lambda lr: 10.0 * np.log10(lr),
}

SMALLEST: Final = 5e-324
"""A threshold above 0 never rounds to 0, which would accept the LR or probability 0."""

LR_SCALES: Final = frozenset({"lr", *PER_UNIT})


def check_scale(scale: object) -> Scale:
    """Return ``scale`` if it is one deciban knows, else raise :class:`OptionError`."""
    for known in SCALES if isinstance(scale, str) else ():
        if scale == known:
            return known
    raise OptionError(f"scale: expected one of {', '.join(SCALES)}, found {scale!r}")


def check_prior(prior: float | None, name: str = "prior", *, scale: Scale = "probability") -> float | None:
    """Return ``prior`` if it is None or strictly between 0 and 1, else raise :class:`OptionError`.

    So too for the prior that scores were made under where the scale is not that of probabilities: it means nothing.
    """
    if prior is None:
        return None
    expected = "a probability strictly between 0 and 1"
    number = check_number(name, prior, expected)
    if not 0.0 < number < 1.0:
        raise OptionError(f"{name}: expected {expected}, found {prior!r}")
    if scale != "probability":
        advice = (
            "raw scores have none; if they are probabilities say scale='probability' (--scale probability)"
            if scale == "score"
            else "likelihood ratios have none; the one at which they become posteriors is p_target= (--p-target)"
        )
        raise OptionError(
            f"{name}: what probabilities were made under means nothing for scores of scale {scale!r}: {advice}"
        )
    return number


def carries_lr(scale: Scale, prior: float | None) -> bool:
    """Whether scores on this scale say what the likelihood ratio is."""
    return scale in LR_SCALES or (scale == "probability" and prior is not None)


def carries_probability(scale: Scale) -> bool:
    """Whether scores on this scale are probabilities, or become so at a stated prior."""
    return scale != "score"


def domain_fault(scores: NDArray[np.float64], scale: Scale) -> tuple[NDArray[np.bool_], str] | None:
    """Which scores lie outside what the scale allows, and the rule they break; None when all are inside."""
    if scores.size == 0 or scale == "score":
        return None
    low, high, rule = 0.0, math.inf, "a likelihood ratio is at least 0"
    if scale == "probability":
        low, high, rule = 0.0, 1.0, "a probability lies in [0, 1]"
    elif scale in PER_UNIT:
        # A finite logarithm whose natural logarithm overflows could be neither computed with nor called infinite.
        high = np.finfo(np.float64).max / max(PER_UNIT[scale], 1.0)
        low, rule = -high, f"a finite {scale} must lie within ±{high:.4g}, so that its natural logarithm is finite"
    lowest, highest = np.nanmin(scores, initial=np.inf), np.nanmax(scores, initial=-np.inf)
    if low <= lowest and highest <= high:
        return None
    outside = (scores < low) | (scores > high)
    if scale in PER_UNIT:
        outside &= np.isfinite(scores)
    return (outside, rule) if outside.any() else None


def to_ln_lr(scores: NDArray[np.float64], scale: Scale, prior: float | None) -> NDArray[np.float64]:
    """Natural-log likelihood ratios of the scores; :class:`ScaleError` when the scale does not carry them."""
    if scale in PER_UNIT:
        return scores if scale == "ln_lr" else scores * PER_UNIT[scale]
    if scale == "lr":
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(scores))
    if scale == "probability" and prior is not None:
        # The logarithm of one number and that of an array may differ in the last bit: LR = 1 must not.
        return np.where(scores == prior, 0.0, logit(scores) - log_odds(prior))
    raise ScaleError(needs_lr(scale))


def to_log10_lr(scores: NDArray[np.float64], scale: Scale, prior: float | None) -> NDArray[np.float64]:
    """Base-10 log likelihood ratios of the scores: those given in base 10 as they are, to the last bit."""
    if scale in ("log10_lr", "deciban"):
        return scores if scale == "log10_lr" else scores / 10.0
    if scale in PER_UNIT:
        return scores / (LN10 / PER_UNIT[scale])
    if scale == "lr":
        with np.errstate(divide="ignore"):
            return np.asarray(np.log10(scores))
    return to_ln_lr(scores, scale, prior) / LN10


def needs_lr(scale: Scale) -> str:
    """The message of a question about likelihood ratios asked of a scale that does not carry them."""
    if scale == "probability":
        return "probabilities become likelihood ratios only with the prior they were made under: pass prior= (--prior)"
    return (
        f"needs likelihood ratios, and the scores have scale {scale!r}: if they are likelihood ratios say so with "
        f"scale= (--scale), one of {', '.join(sorted(LR_SCALES))}; otherwise calibrate them first"
    )


def threshold_of_lr(lr: float, scale: Scale, prior: float | None) -> float:
    """The ratio ``lr`` > 0 as a threshold in the unit of the scores, converted once, from the ratio itself."""
    if scale == "lr":
        return lr
    if lr == 1.0 and scale == "probability" and prior is not None:
        return prior
    if scale in _LOG:
        return _LOG[scale](lr) if lr < math.inf else math.inf
    if scale == "probability" and prior is not None:
        odds = prior * lr
        return max(odds / (odds + (1.0 - prior)), SMALLEST) if odds < math.inf else 1.0
    raise ScaleError(needs_lr(scale))


def threshold_of_log10_lr(x: float, scale: Scale, prior: float | None) -> float:
    """The likelihood ratio 10^x as a threshold in the unit of the scores, for x beyond what a ratio can hold too."""
    if x == 0.0:
        return threshold_of_lr(1.0, scale, prior)
    if scale in PER_UNIT:
        return x if scale == "log10_lr" else 10.0 * x if scale == "deciban" else x * LN10 / PER_UNIT[scale]
    if scale == "lr":
        return math.inf if x > 308 else max(10.0**x, SMALLEST)
    if scale == "probability" and prior is not None:
        odds = x * LN10 + log_odds(prior)
        return max(math.exp(min(odds, 0.0)) / (1.0 + math.exp(-abs(odds))), SMALLEST)
    raise ScaleError(needs_lr(scale))


def inverse_threshold(lr: float, scale: Scale, prior: float | None) -> float:
    """The ratio 1/``lr`` as a threshold: in logarithms the mirror image of that of ``lr``, to the last bit."""
    if scale in PER_UNIT:
        return -threshold_of_lr(lr, scale, prior)
    return threshold_of_lr(1.0 / lr, scale, prior)


def ratios_in_unit(
    numerator: NDArray[np.float64], denominator: NDArray[np.float64], scale: Scale, prior: float | None
) -> NDArray[np.float64]:
    """Quotients of counts as LR thresholds in the unit of the scores; at most one of the two is 0 anywhere.

    In logarithms the quotient turned over gives the mirror image to the last bit, and one of 1 or more is the
    logarithm of the rounded quotient itself, which is how a score that means this LR was made.
    """
    with np.errstate(divide="ignore"):
        if scale in PER_UNIT:
            above = numerator >= denominator
            size = _LOGS[scale](np.maximum(numerator, denominator) / np.minimum(numerator, denominator))
            return np.where(above, size, -size)
        ratio = numerator / denominator
        if scale == "lr":
            return ratio
        if scale == "probability" and prior is not None:
            return np.asarray(prior / (prior + (1.0 - prior) / ratio))  # at LR = 1 the prior to the last bit
    raise ScaleError(needs_lr(scale))


def log10_in_unit(log10_lr: NDArray[np.float64], scale: Scale, prior: float | None) -> NDArray[np.float64]:
    """Logarithms of LRs to base 10 as thresholds in the unit of the scores."""
    if scale in PER_UNIT:
        return log10_lr * (LN10 / PER_UNIT[scale])
    if scale == "lr":
        with np.errstate(over="ignore"):
            return np.asarray(10.0**log10_lr)
    if scale == "probability" and prior is not None:
        return np.where(log10_lr == 0.0, prior, expit(log10_lr * LN10 + log_odds(prior)))
    raise ScaleError(needs_lr(scale))

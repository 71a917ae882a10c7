"""The direction of scores: reversed once where high ones speak for nontargets, or where the other class is asked for.

Reversing keeps the unit: −x for raw scores and logarithms, 1/x for likelihood ratios, 1 − p for probabilities. A
threshold that was meant for the scores as given is taken through the same map.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from deciban.errors import InputError, OptionError
from deciban.values.arrays import Bools, Floats
from deciban.values.scale import Scale


def reversed_scores(score: Floats, scale: Scale, failed: Bools | None) -> Floats:
    """Scores whose order is the opposite, in the same unit; raises :class:`InputError` where two would become equal."""
    if scale not in ("lr", "probability"):
        # A failed acquisition stays the lowest score: it is never accepted, whichever way scores point.
        return -score if failed is None else np.where(failed, score, -score)
    with np.errstate(divide="ignore"):
        turned: Floats = 1.0 / np.abs(score) if scale == "lr" else 1.0 - score
    if np.unique(turned).size != np.unique(score).size:
        raise InputError(
            f"reversing scores of scale {scale!r} would make different scores equal: give logarithmic LRs "
            "(scale='ln_lr'), or scores of the other class"
        )
    return turned


def reversed_threshold(threshold: float, scale: Scale) -> float:
    """The threshold for reversed scores that means ``threshold`` for the scores as given.

    :func:`threshold_as_given` is the other way round.
    """
    if scale == "probability":
        return 1.0 - threshold
    if scale != "lr":
        return 0.0 - threshold  # 0 stays 0, not −0
    if threshold < 0.0:
        raise OptionError(f"threshold: a likelihood ratio is at least 0, found {threshold!r}")
    return 1.0 / threshold if threshold else np.inf


def threshold_as_given(threshold: float, scale: Scale) -> float:
    """The threshold for the scores as given that means ``threshold`` for the reversed ones.

    Reversing a probability or a likelihood ratio is rounded, so that several doubles become one: turned back by the
    same formula, a threshold could lie below the very score that it is. The largest double whose reversal is accepted
    accepts as many of any scores: ``given <= threshold_as_given(t)`` is ``reversed >= t`` whatever was given.
    """
    if scale not in ("lr", "probability"):
        return 0.0 - threshold
    if scale == "lr" and threshold == math.inf:
        return 0.0  # ratios below the smallest normal double, whose reversal is infinite too, have no digits to show
    low, high = (_place(end) for end in ((0.0 if scale == "lr" else -math.inf), math.inf))
    if _turned(math.inf, scale) >= threshold:
        return math.inf
    while high - low > 1:  # reversals never rise with the score: what is accepted ends between the two
        middle = (low + high) // 2
        low, high = (middle, high) if _turned(_double(middle), scale) >= threshold else (low, middle)
    return _double(low)


def _turned(score: float, scale: Scale) -> float:
    """One score reversed, as :func:`reversed_scores` does."""
    if scale == "probability":
        return 1.0 - score
    return 1.0 / score if score else math.inf


def _place(value: float) -> int:
    """The place of a double among all of them in their order, 0 for 0."""
    (bits,) = struct.unpack("<q", struct.pack("<d", value))
    return int(bits if bits >= 0 else -(bits & 0x7FFF_FFFF_FFFF_FFFF))


def _double(place: int) -> float:
    """The double at a place."""
    (size,) = struct.unpack("<d", struct.pack("<q", abs(place)))
    return float(size if place >= 0 else -size)


def acceptance(threshold: str, score: str, *, was_reversed: bool) -> str:
    """When a trial is accepted, in terms of the scores as given: those that were reversed are accepted from below."""
    return f"{score} {'<=' if was_reversed else '>='} {threshold}"


def reversal(columns: Mapping[str, Any], shown: Sequence[str] = ()) -> str:
    """Say that scores were reversed, and what that makes of thresholds, which are shown for the scores as given.

    ``columns`` is the declaration of a table's columns, which says why; empty for scores that have no name.
    """
    why = " (the other class is evaluated)" if columns.get("swap") else ""
    if columns.get("higher") == "nontarget":
        why = " (higher means nontarget)"
    accept = acceptance(" or ".join(shown) or "threshold", columns.get("score", "score"), was_reversed=True)
    return f"scores reversed{why}: accept when {accept}"

"""What a score axis is called, by the scale of the scores."""

from __future__ import annotations

from typing import Final

from deciban.values.scale import Scale

LABELS: Final[dict[Scale, str]] = {
    "score": "score",
    "probability": "probability",
    "lr": "likelihood ratio",
    "ln_lr": "natural-log LR",
    "log2_lr": "log$_2$ LR",
    "log10_lr": "log$_{10}$ LR",
    "deciban": "LR (deciban)",
}


def score_label(scale: Scale) -> str:
    """The quantity and unit of the scores."""
    return LABELS[scale]

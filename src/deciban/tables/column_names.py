"""Names of columns that say what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from deciban.values.scale import Scale

USUAL_SCORE: Final = (
    "score", "scores", "llr", "log_lr", "ln_lr", "log10_lr", "log2_lr", "log_likelihood_ratio", "lr",
    "prob", "probability", "proba", "p", "y_score", "similarity", "distance",
)  # fmt: skip
USUAL_LABEL: Final = (
    "label", "labels", "y", "y_true", "target", "is_target", "class", "same", "same_source", "same_author",
    "hypothesis", "key", "truth",
)  # fmt: skip
IMPLIED_SCALE: Final[dict[str, Scale]] = {
    "ln_lr": "ln_lr", "log10_lr": "log10_lr", "log2_lr": "log2_lr", "lr": "lr",
    "prob": "probability", "probability": "probability", "proba": "probability",
}  # fmt: skip
"""Column names that say their unit. ``llr`` and ``log_lr`` do not: the base of the logarithm differs by field."""
ADDED: Final = ("ln_lr", "log10_lr", "supported")
"""The columns that ``deciban calibrate`` adds to a table; a suffix may follow each."""


def implied_scale(score: str, names: Sequence[str]) -> Scale | None:
    """The unit that the name of a score column says, among the names of its table; None where it says none."""
    for unit in ADDED[:2]:
        if score.startswith(unit) and _added(score.removeprefix(unit)) <= set(names):
            return IMPLIED_SCALE[unit]
    return IMPLIED_SCALE.get(score.strip().casefold())


def column_of_lrs(names: Sequence[str]) -> str | None:
    """The log LRs of a table that was calibrated, which has them in two units beside the scores they were made of.

    None where there are none, and where they were added twice, so that there is no telling which are meant.
    """
    there = set(names)
    found = [name for name in names if name.startswith("ln_lr") and _added(name.removeprefix("ln_lr")) <= there]
    return found[0] if len(found) == 1 else None


def plain_name(name: str) -> str:
    """A name of a column as usual names are written."""
    return name.strip().casefold().replace("-", "_")


def _added(suffix: str) -> set[str]:
    """The names of the columns that ``deciban calibrate`` adds."""
    return {f"{name}{suffix}" for name in ADDED}

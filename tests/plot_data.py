"""What the tests of plots draw, and how they read what was drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

import deciban as db
from deciban.plots.kinds import KINDS, record_of


def ln_lr_counts() -> db.Counts:
    generator = np.random.default_rng(3)
    return db.Counts.from_classes(
        [*generator.normal(2, 2, 60), np.inf, np.inf], [*generator.normal(-2, 2, 200), -np.inf], scale="ln_lr"
    )


def legend(ax: Any) -> list[str]:
    """Every entry of the legend."""
    shown = ax.get_legend()
    return [] if shown is None else [text.get_text() for text in shown.get_texts()]


def handle_of(ax: Any, entry: str) -> Any:
    """The drawn thing that an entry of the legend explains."""
    shown = ax.get_legend()
    at = legend(ax).index(entry)
    return shown.legend_handles[at]


def drawn(figure: Any) -> Any:
    """Draw the whole figure, as saving does: some mistakes show only then."""
    whole = getattr(figure, "figure", figure)
    whole.canvas.draw() if hasattr(whole.canvas, "renderer") else whole.draw_without_rendering()
    return figure


def draw_kind(name: str, counts: Any, **options: Any) -> Any:
    """Draw one kind of plot of counts, or of several by name."""
    kind = KINDS[name]
    records = (
        {system: record_of(kind, each, {}) for system, each in counts.items()}
        if isinstance(counts, dict)
        else record_of(kind, counts, {})
    )
    return drawn(kind.draw(records, **options))

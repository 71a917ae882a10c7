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


def legends(ax: Any) -> list[Any]:
    """The legend of axes, inside them or below them on their figure."""
    return [shown for shown in (ax.get_legend(), *ax.figure.legends) if shown is not None]


def legend(ax: Any) -> list[str]:
    """Every entry of the legend."""
    return [text.get_text() for shown in legends(ax) for text in shown.get_texts()]


def handle_of(ax: Any, entry: str) -> Any:
    """The drawn thing that an entry of the legend explains."""
    (shown,) = legends(ax)
    return shown.legend_handles[legend(ax).index(entry)]


def drawn(figure: Any, laid_out: bool = False) -> Any:
    """Draw the whole figure, as saving does: some mistakes show only then.

    Laying out is three quarters of the work, and left out where it is not asked how much room things have.
    """
    whole = getattr(figure, "figure", figure)
    engine = whole.get_layout_engine()
    if not laid_out:
        whole.set_layout_engine("none")
    whole.draw_without_rendering()
    whole.set_layout_engine(engine)
    return figure


def plotted(name: str, counts: Any, **options: Any) -> Any:
    """One kind of plot of counts, or of several by name, on axes that are not drawn yet."""
    kind = KINDS[name]
    records = (
        {system: record_of(kind, each, {}) for system, each in counts.items()}
        if isinstance(counts, dict)
        else record_of(kind, counts, {})
    )
    return kind.draw(records, **options)


def draw_kind(name: str, counts: Any, **options: Any) -> Any:
    """Draw one kind of plot of counts, or of several by name."""
    return drawn(plotted(name, counts, **options))

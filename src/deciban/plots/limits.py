"""How limits around a curve are drawn, and what the legend says of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from deciban.curves.curve import Band
from deciban.plots.looks import DASHED, GREY, Look
from deciban.values.arrays import AnyArray, Bools
from deciban.vocabulary import Vocabulary

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHADE, PALER = 0.22, 0.1
"""Opacity of bands: two that overlap must leave the lines in them to be seen."""

EDGES: Final[dict[str, Any]] = {"linewidth": 0.8, "linestyle": DASHED}
"""Edges of the band of a second line."""

METHODS: Final = {
    "wilson": "Wilson",
    "clopper-pearson": "Clopper–Pearson",
    "jeffreys": "Jeffreys",
    "mover": "MOVER",
    "class-means": "normal",
    "percentile": "bootstrap",
    "basic": "basic bootstrap",
}
"""What readers know the methods of bands as."""

Frame = tuple[float, float]


def there(band: Band) -> Bools:
    """Where a band has limits."""
    return ~np.ma.getmaskarray(band.low)


def shade(
    ax: Axes, x: AnyArray, band: Band, style: Look, limits: Frame, *, steps: bool = False, second: bool = False
) -> Any:
    """Shade the limits around a curve; infinite ones end at ``limits``.

    The band of a ``second`` line in the same colour is paler, and its edges have the dashes of that line.
    """
    edges = EDGES if second else {"linewidth": 0}
    return ax.fill_between(
        x,
        band.low.clip(*limits),
        band.high.clip(*limits),
        facecolor=(style.colour, PALER if second else SHADE),
        edgecolor=(style.colour, 0.8),
        step="pre" if steps else None,
        **edges,
    )


def upright(ax: Axes, x: AnyArray, band: Band, style: Look, limits: Frame) -> Any:
    """Draw limits as a line through each point."""
    drawn = there(band)
    low, high = (np.asarray(end.clip(*limits))[drawn] for end in (band.low, band.high))
    return ax.vlines(x[drawn], low, high, color=style.colour, linewidth=1.2)


def in_grey(drawn: Any) -> Any:
    """What stands in the legend for bands, or for upright lines, of several colours."""
    from matplotlib.collections import LineCollection
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    if isinstance(drawn, LineCollection):
        return Line2D([], [], color=GREY, linewidth=1.2)
    if float(drawn.get_linewidth()[0]) > 0.0:
        return Patch(facecolor=(GREY, PALER), edgecolor=GREY, **EDGES)
    return Patch(facecolor=(GREY, SHADE), linewidth=0)


def said(band: Band, what: str, words: Vocabulary) -> str:
    """What the legend calls limits: their level, how they were made, and what is held fixed."""
    level = f"{100 * band.level:g} %"
    method, _, fixed = band.method.partition(" at fixed ")
    if method == "consistency":
        return f"{level} consistency band:\nwhere calibrated forecasts lie"
    named = " or ".join(METHODS.get(part, part) for part in method.split(" or "))
    named += " of sources" if band.resampled == "sources" else ""
    return f"{level} {what} ({named})" + (f"\nat fixed {words.ratio(fixed)}" if fixed else "")

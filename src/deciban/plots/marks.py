"""Operating points on a canvas: as points where curves are, or as upright lines over an axis of thresholds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from deciban.plots.looks import MARKERS, Dash
from deciban.plots.names import legible
from deciban.plots.systems import Marks, marked
from deciban.records.display import shortened

if TYPE_CHECKING:
    from deciban.plots.canvas import Canvas

UPRIGHT: Final[tuple[Dash, ...]] = ((0, (3, 1, 1, 1)), (0, (1, 1)), (0, (6, 1.5)), "-", (0, (3, 1, 1, 1, 1, 1)))
"""Dashes of upright lines; the same follow twice as thick."""

OUTSIDE: Final = "outside the view"

Place = Callable[[str, float], tuple[float, float] | None]


def mark_points(
    canvas: Canvas, mark: Marks | None, records: Mapping[str, Any], place: Place, absent: str = OUTSIDE
) -> None:
    """Draw operating points: ``place`` says where the record of a name is at a threshold, if it is anywhere.

    The legend says of those that are not seen that they are outside, or ``absent``.
    """
    from matplotlib.lines import Line2D

    looks = {name: style for name, _, style in canvas.systems(records)}
    for index, (label, thresholds) in enumerate(marked(mark, records)):
        shape: dict[str, Any] = {
            "marker": MARKERS[index % len(MARKERS)],
            "linestyle": "none",
            "markersize": 7,
            "markeredgecolor": "black",
        }
        why: list[str] = []
        for name, threshold in thresholds.items():
            found = place(name, threshold)
            if found is None:
                why.append(absent)
                continue
            canvas.ax.plot(*[[at] for at in found], color=looks[name].colour, zorder=3, **shape)
            why += [] if canvas.sees(*found) else [OUTSIDE]
        colour = looks[next(iter(thresholds))].colour if len(records) == 1 else "white"
        canvas.entry(Line2D([], [], color=colour, **shape), _label(label, why, len(thresholds)))


def mark_thresholds(
    canvas: Canvas, mark: Marks | None, records: Mapping[str, Any], places: Mapping[float, float] | None = None
) -> None:
    """Draw operating points as upright lines; ``places`` says where values stand that no axis reaches."""
    left, right = canvas.ax.get_xlim()
    for index, (label, thresholds) in enumerate(marked(mark, records)):
        turn, dash = divmod(index, len(UPRIGHT))
        style: dict[str, Any] = {"color": "black", "linestyle": UPRIGHT[dash], "linewidth": 1.0 + turn}
        values = list(dict.fromkeys(thresholds.values()))
        for x in values:
            # An infinite one that has no place stands at the frame.
            at = float(np.clip((places or {}).get(x, x), left, right)) if np.isinf(x) else x
            handle = canvas.ax.axvline(at, **style)
        outside = [OUTSIDE for x in values if np.isfinite(x) and not left <= x <= right]
        canvas.entry(handle, _label(label, outside, len(values)))


def _label(label: str, why: list[str], of: int) -> str:
    """What the legend calls an operating point, and how many of its places are not seen."""
    written = shortened(legible(label))
    if not why:
        return written
    return f"{written} ({why[0]})" if len(why) == of else f"{written} ({len(why)} of {of} {why[0]})"

"""Figures with their intervals below one another: of groups, of systems, of differences between them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from deciban.errors import OptionError
from deciban.plots.canvas import Canvas, own_axes
from deciban.plots.looks import BLUE, GREY
from deciban.plots.names import LONGEST, shown_names
from deciban.records.figures import MetricValue

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, ROW, FRAME = 4.8, 0.24, 0.75
"""Inches: width of a new figure, height of a row, and of what stands above and below the rows."""

MARGIN: Final = 0.06
"""Share of the axis beyond the outermost end on either side."""


def forest(
    figures: Mapping[str, MetricValue],
    *,
    label: str,
    reference: float | None = None,
    reference_label: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw a dot and its interval for each name, the first one on top.

    Parameters
    ----------
    figures
        Figures of one kind by name: those of ``result.metrics`` of each group or system, or differences of them.
    label
        What the figures are, for the axis.
    reference, reference_label
        A value that they are read against, drawn as an upright line: that of all trials, or 0; what the legend calls
        it.
    ax
        Axes to draw on; a new figure as high as the rows take when None. Limits that they already have are kept.

    Returns
    -------
    Axes
        Values along x. A figure without a value has an empty row; one without an interval is a hollow dot; an arrow
        shows where an interval is infinite.

    Raises
    ------
    OptionError
        When there is no figure, or one is of another kind.
    MissingExtraError
        When matplotlib is absent.

    References
    ----------
    Lewis and Clarke (2001), Forest plots: trying to see the wood and the trees, BMJ 322.

    Examples
    --------
    >>> import deciban as db
    >>> groups = {"f": db.Counts.from_classes([3, 4], [1, 2, 3]), "m": db.Counts.from_classes([9], [8, 9])}
    >>> result = db.evaluate(groups)
    >>> ax = db.plots.forest({group.name: group.metrics["auc"] for group in result.groups}, label="AUC")
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['group=f', 'group=m']
    """
    if not figures:
        raise OptionError("forest: expected at least one figure, found none")
    for name, figure in figures.items():
        if not isinstance(figure, MetricValue):
            raise OptionError(f"forest: expected figures of a record, found {type(figure).__name__} under {name!r}")
    canvas = Canvas(own_axes(WIDTH, FRAME + ROW * len(figures)) if ax is None else ax, "neutral")
    canvas.labels(label, "")
    low, high = canvas.frame_x(*_reach(figures, reference))
    canvas.frame_y(len(figures) - 0.4, -0.6)
    if reference is not None and math.isfinite(reference):
        line = canvas.ax.axvline(reference, color=GREY, linewidth=1.0, linestyle=(0, (4, 2)), zorder=1.5)
        canvas.entry(line, reference_label)
    for row, figure in enumerate(figures.values()):
        _row(canvas, row, figure, low, high)
    # A name may hold dollar signs, which mean something to matplotlib.
    names = shown_names(map(str, figures), LONGEST if canvas.own else LONGEST // 2)
    canvas.ax.set_yticks(range(len(figures)), labels=list(names.values()), parse_math=False)
    canvas.ax.tick_params(axis="y", length=0)
    for side in ("left", "right", "top"):
        canvas.ax.spines[side].set_visible(False)
    return canvas.finish("best")


def _reach(figures: Mapping[str, MetricValue], reference: float | None) -> tuple[float, float]:
    """Limits about all finite values and ends."""
    ends = [] if reference is None else [reference]
    for figure in figures.values():
        ends += [] if figure.value is None else [figure.value]
        ends += [] if figure.interval is None else [figure.interval.low, figure.interval.high]
    finite = [end for end in ends if math.isfinite(end)]
    if not finite:
        return -1.0, 1.0
    low, high = min(finite), max(finite)
    margin = MARGIN * (high - low) or max(1.0, abs(low)) * MARGIN
    return low - margin, high + margin


def _row(canvas: Canvas, row: int, figure: MetricValue, low: float, high: float) -> None:
    """One dot with its line; nothing where there is no value."""
    if figure.value is None:
        return
    if figure.interval is not None:
        ends = figure.interval.low, figure.interval.high
        canvas.ax.plot([max(ends[0], low), min(ends[1], high)], [row, row], color=BLUE, linewidth=1.6)
        for end, place, marker in ((ends[0], low, "<"), (ends[1], high, ">")):
            if math.isinf(end):
                canvas.ax.plot([place], [row], marker=marker, color=BLUE, markersize=5, clip_on=False)
    if math.isfinite(figure.value):
        face = BLUE if figure.interval is not None else "white"
        canvas.ax.plot([figure.value], [row], marker="o", markersize=5.5, color=BLUE, markerfacecolor=face, zorder=3)

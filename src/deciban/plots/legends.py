"""Where a legend goes: inside the axes while it is short, else below them, in as many columns as there is room for."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

Entry = tuple[Any, str]
"""What is drawn, and what the legend calls it."""

INSIDE: Final = 4
"""More entries than this go below the axes of a figure of our own."""

WIDEST, TALLEST = 0.8, 0.5
"""Shares of the axes that a legend inside them may cover."""

COLUMNS: Final = 4
SIZES: Final = (8.33, 7.0, 6.0, 5.0)
"""Points of the letters: smaller ones only where there is no room."""

BARE: Final[dict[str, Any]] = {"frameon": False, "borderpad": 0.8}

MARGIN: Final = 0.15
"""Inches beside a legend, and above and below it together."""


def place(ax: Axes, entries: Sequence[Entry], where: Any, *, own: bool) -> None:
    """Draw the legend: ``where`` inside the axes if it can be; a figure of our ``own`` grows for one below them."""
    if not own:
        _compact(ax, entries, where)
    elif len(entries) > INSIDE or not _inside(ax, entries, where):
        below(ax.figure, entries, grow=True)


def placed_anew(figure: Any, scale: float) -> None:
    """Place the legends of a figure that has another size now, in letters of a share of their usual size."""
    for ax in figure.axes:
        legend = ax.get_legend()
        if legend is not None and legend.get_in_layout():
            entries = entries_of(legend)
            legend.remove()
            if not _inside(ax, entries, "best", scale):
                below(figure, entries, scale=scale)
    for legend in list(figure.legends):
        legend.remove()
        below(figure, entries_of(legend), scale=scale)


def below(figure: Any, entries: Sequence[Entry], *, grow: bool = False, scale: float = 1.0) -> None:
    """One legend below everything else; the figure gets that much higher where it may ``grow``."""
    room = width_of_figure(figure) - 2 * MARGIN
    for size, columns in _layouts(len(entries), scale):
        legend = _write(figure, entries, loc="outside lower center", ncols=columns, fontsize=size, **BARE)
        if _inches(figure, legend)[0] <= room or (size <= SIZES[-1] and columns == 1):
            break
        legend.remove()
    if grow:
        width, height = figure.get_size_inches()
        figure.set_size_inches(width, height + _inches(figure, legend)[1] + MARGIN)


def entries_of(legend: Legend) -> list[Entry]:
    """What a legend was made of."""
    handles: list[Any] = legend.legend_handles
    return [(handle, text.get_text()) for handle, text in zip(handles, legend.get_texts(), strict=True)]


def height_below(figure: Figure) -> float:
    """Inches that the legends below the axes take."""
    return sum(_inches(figure, legend)[1] + MARGIN for legend in figure.legends)


def _inside(ax: Axes, entries: Sequence[Entry], where: Any, scale: float = 1.0) -> bool:
    """Draw a legend inside the axes, unless it would cover too much of them."""
    # The best place is looked for when the figure is drawn: until then the legend has a fixed one.
    legend = _write(ax, entries, loc="upper left", fontsize=SIZES[0] * scale)
    width, height = _inches(ax.figure, legend)
    if width > WIDEST * _side(ax, 0) or height > TALLEST * _side(ax, 1):
        legend.remove()
        return False
    legend.set_loc(where)
    return True


def _compact(ax: Axes, entries: Sequence[Entry], where: Any) -> None:
    """A legend inside axes that were given: their figure is not ours to change, so letters get smaller instead."""
    for size, columns in _layouts(len(entries)):
        legend = _write(ax, entries, loc="upper left", ncols=columns, fontsize=size, columnspacing=1.0)
        width, height = _inches(ax.figure, legend)
        if width <= _side(ax, 0) and height <= TALLEST * _side(ax, 1):
            break
    # Were it part of the layout, a legend without room would take it from the axes.
    legend.set_in_layout(False)
    legend.set_loc(where)


def _layouts(entries: int, scale: float = 1.0) -> Iterator[tuple[float, int]]:
    """Sizes of letters with numbers of columns, the most wanted first; no column stays empty."""
    for size in (SIZES[0] * scale, *(size for size in SIZES[1:] if size < SIZES[0] * scale)):
        rows = dict.fromkeys(math.ceil(entries / columns) for columns in range(min(COLUMNS, entries), 0, -1))
        for high in rows:
            yield size, math.ceil(entries / high)


def _write(owner: Any, entries: Sequence[Entry], **how: Any) -> Legend:
    legend: Legend = owner.legend(
        [handle for handle, _ in entries],
        # A name may begin with an underscore or hold dollar signs, which mean something to matplotlib.
        ["" for _ in entries],
        handlelength=2.6,
        framealpha=0.95,
        **how,
    )
    for text, (_, label) in zip(legend.get_texts(), entries, strict=True):
        text.set_parse_math(False)
        text.set_text(label)
    return legend


def _inches(figure: Any, legend: Legend) -> tuple[float, float]:
    box = legend.get_window_extent()
    return box.width / _dpi(figure), box.height / _dpi(figure)


def _side(ax: Axes, axis: int) -> float:
    """Inches of one side of the axes."""
    return float((ax.bbox.width, ax.bbox.height)[axis]) / _dpi(ax.figure)


def _dpi(figure: Any) -> float:
    return float(figure.dpi)


def width_of_figure(figure: Any) -> float:
    """Inches of a figure or of a part of one."""
    return float(figure.bbox.width) / _dpi(figure)

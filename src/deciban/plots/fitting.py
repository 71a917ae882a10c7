"""Text that fits its figure: labels in two lines, titles in as many as they need, smaller letters on small sheets."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from deciban.errors import OptionError
from deciban.plots.legends import height_below, placed_anew
from deciban.plots.names import LONGEST, legible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LETTER: Final = 0.072
"""Inches of a letter of a legend, on average."""

BESIDE: Final = 17
"""Letters that a legend needs beside a name."""

FEWEST: Final = 12
"""Letters of a name that are kept whatever the room."""

LEAST_SCALE: Final = 0.6
"""Letters do not get smaller than this share of their usual size: 6 points for the labels."""

LEAST_SIDE: Final = 1.2
"""Inches that axes must keep each way."""

LINE: Final = 0.2
"""Inches of a line of a title."""

OVER: Final = 0.2
"""Inches by which a label may be longer than its axes."""

FRAME: Final = 0.6
"""Inches of a figure beside its axes, and beside a label that is centred on them."""


def letters_across(ax: Axes) -> int:
    """Letters of a name for which a legend inside axes has room."""
    return min(LONGEST, max(FEWEST, int(ax.bbox.width / ax.figure.dpi / LETTER) - BESIDE))


def fit_labels(ax: Axes, sides: tuple[float, float] | None = None) -> None:
    """Break labels that are longer than their side of the axes (or the ``sides`` in inches), then make them smaller."""
    dpi = ax.figure.dpi
    across, up = sides or (ax.bbox.width / dpi + OVER, ax.bbox.height / dpi + OVER)
    for axis, room in ((ax.xaxis, across), (ax.yaxis, up)):
        label: Any = axis.label
        if width_of(label.get_text(), label.get_fontsize()) > room:
            label.set_text(_broken(label.get_text().replace("\n", " "), label.get_fontsize(), room))
        longest = width_of(label.get_text(), label.get_fontsize())
        if longest > room:
            label.set_fontsize(label.get_fontsize() * room / longest)


def entitle(figure: Figure, title: str) -> None:
    """Put a title over a figure, broken into lines of its width; the figure gets higher by all but the first."""
    heading: Any = figure.suptitle("", parse_math=False)
    size = heading.get_fontsize()
    width, height = figure.get_size_inches()
    lines = list(_lines(legible(title), size, width - 0.3, parse_math=False))
    heading.set_text("\n".join(lines))
    figure.set_size_inches(width, height + (len(lines) - 1) * LINE)


def resize(figure: Figure, width: float, height: float) -> None:
    """Give a finished figure another size: its letters shrink with it, its legend and labels are laid out anew.

    Raises :class:`OptionError` where the axes would have no room left.
    """
    from matplotlib.text import Text

    before: Any = figure.get_size_inches()
    heading = figure.get_suptitle()
    scale = max(LEAST_SCALE, min(1.0, width / before[0], height / before[1]))
    figure.set_size_inches(width, height)
    if heading:
        entitle(figure, heading.replace("\n", " "))
        figure.set_size_inches(width, height)
    for text in figure.findobj(Text):
        text.set_fontsize(float(text.get_fontsize()) * scale)
    for ax in figure.axes:
        ax.tick_params(labelsize=10 * scale)
    placed_anew(figure, scale)
    left = height - height_below(figure) - LINE * scale * (1 + figure.get_suptitle().count("\n") if heading else 0)
    rows, columns = (max(place[k] for place in map(_place, figure.axes)) + 1 for k in (0, 1))
    if left / rows < LEAST_SIDE or width / columns < LEAST_SIDE:
        need = columns * LEAST_SIDE, height - left + rows * LEAST_SIDE
        raise OptionError(
            f"--size: expected at least {need[0]:.1f} x {need[1]:.1f} inches for axes beside this legend and title, "
            f"found {width:g} x {height:g}"
        )
    for ax in figure.axes:
        fit_labels(ax, (width / columns - FRAME, left / rows - FRAME))


def width_of(text: str, size: float, *, parse_math: bool = True) -> float:
    """Inches of the longest line of a text."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=size)
    widths = [
        text_to_path.get_text_width_height_descent(line, font, parse_math and "$" in line)[0]
        for line in text.split("\n")
    ]
    return max(widths) / 72


def _broken(text: str, size: float, room: float) -> str:
    """A label in as few lines as it needs, all about as long."""
    whole = width_of(text, size)
    even = 1.15 * whole / max(1, math.ceil(whole / room))
    return "\n".join(_lines(text, size, min(even, room)))


def _lines(text: str, size: float, room: float, *, parse_math: bool = True) -> Iterator[str]:
    """Break text between words, and words that are too long by themselves between letters."""
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if width_of(longer, size, parse_math=parse_math) <= room:
            line = longer
            continue
        if line:
            yield line
        line = word
        while "$" not in line and len(line) > 1 and width_of(line, size, parse_math=parse_math) > room:
            kept = max(1, int(len(line) * room / width_of(line, size, parse_math=parse_math)))
            yield line[:kept]
            line = line[kept:]
    yield line


def _place(ax: Axes) -> tuple[int, int]:
    """Row and column of a panel."""
    spec = ax.get_subplotspec()
    return (0, 0) if spec is None else (spec.rowspan.stop - 1, spec.colspan.stop - 1)

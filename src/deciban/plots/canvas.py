"""One Axes to draw on: limits the caller set are kept, lines look alike in all plots, the legend explains each mark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from deciban.curves.curve import Band
from deciban.errors import MissingExtraError, OptionError
from deciban.plots.extents import check_reach, drawable, unjoined
from deciban.plots.fitting import fit_labels, letters_across
from deciban.plots.legends import Entry, place
from deciban.plots.limits import in_grey, said, shade, there, upright
from deciban.plots.looks import DASHES, GREY, Dash, Look, look
from deciban.plots.names import LONGEST, shown_names
from deciban.values.arrays import AnyArray
from deciban.vocabulary import find_vocabulary

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

C = TypeVar("C")

SIZE: Final = (6.0, 4.0)
SQUARE: Final = (4.8, 4.2)
"""Inches of a new figure."""

POINTS: Final = 500
"""Points of a curve that are drawn: at this number no reader sees the difference, and files stay small."""

MARKED: Final = 0.12
"""Share of a line's points from one marker to the next."""


def require_matplotlib() -> None:
    """Raise :class:`MissingExtraError` with the line that installs matplotlib, where it is absent."""
    if find_spec("matplotlib") is None:
        raise MissingExtraError('drawing needs matplotlib: pip install "deciban[report]"')


def new_figure(width: float, height: float) -> Figure:
    """A figure of its own, known to nobody else: no window, no state to clean up."""
    require_matplotlib()
    from matplotlib.figure import Figure

    # Unlike "constrained" this layout knows that square axes may not fill their place.
    return Figure(figsize=(width, height), layout="compressed")


SHEET: Final = "sheet"
"""Label of a figure that :func:`own_axes` made."""


def own_axes(width: float, height: float) -> Axes:
    """Axes on a new figure of another size than usual, which a plot may make higher as it does its own."""
    figure = new_figure(width, height)
    figure.set_label(SHEET)
    return figure.add_subplot()


def require_axes(ax: object) -> None:
    """Refuse what cannot be drawn on."""
    require_matplotlib()
    from matplotlib.axes import Axes

    if not isinstance(ax, Axes):
        raise OptionError(f"ax: expected axes of matplotlib, or None for a new figure, found {type(ax).__name__}")


def plain(label: str) -> str:
    """A label in one line without the signs of mathematics."""
    return label.replace("$_{", "").replace("}$", "").replace("\n", " ")


def first_capital(text: str) -> str:
    """A word as it begins a label; the sign of a logarithm keeps its small letter."""
    return text if text.startswith("log$") else text[:1].upper() + text[1:]


class Canvas:
    """Axes, the reader's words and the entries of the legend."""

    def __init__(self, ax: Axes | None, vocabulary: str, size: tuple[float, float] = SIZE) -> None:
        self.words = find_vocabulary(vocabulary)
        if ax is not None:
            require_axes(ax)
        self.own = ax is None or ax.figure.get_label() == SHEET
        self.ax = new_figure(*size).add_subplot() if ax is None else ax
        self._entries: list[Entry] = []
        self._names: dict[str, str] = {}
        self._crowded = False
        self._bands: dict[str, tuple[str, Any]] = {}

    def systems(self, records: Mapping[str, C]) -> Iterator[tuple[str, C, Look]]:
        """Each system with its look."""
        self._crowded = len(records) > len(DASHES)
        self._names = shown_names(records, LONGEST if self.own else letters_across(self.ax))
        for index, (name, record) in enumerate(records.items()):
            yield name, record, look(index)

    def titled(self, name: str, *parts: str) -> str:
        """A legend entry: the system and what of it is drawn; an unnamed system goes without saying."""
        return ", ".join(part for part in (self._names.get(name, name), *parts) if part)

    def labels(self, x: str, y: str) -> None:
        """Name the quantities on both axes."""
        self.ax.set_xlabel(first_capital(x))
        self.ax.set_ylabel(first_capital(y))

    def frame_x(self, low: float, high: float) -> tuple[float, float]:
        """Limits of x: those given, unless the axes have their own already."""
        if self.ax.get_autoscalex_on():
            check_reach(low, high, plain(self.ax.get_xlabel()))
            self.ax.set_xlim(low, high)
        left, right = self.ax.get_xlim()
        return left, right

    def frame_y(self, low: float, high: float) -> tuple[float, float]:
        """Limits of y: those given, unless the axes have their own already."""
        if self.ax.get_autoscaley_on():
            self.ax.set_ylim(low, high)
        bottom, top = self.ax.get_ylim()
        return bottom, top

    def line(
        self,
        x: AnyArray,
        y: AnyArray,
        label: str,
        style: Look,
        *,
        dash: Dash | None = None,
        steps: bool = False,
        markers: bool = False,
        **more: Any,
    ) -> None:
        """Draw one line. With ``markers`` a few of them tell systems apart where dashes cannot."""
        options: dict[str, Any] = {"linewidth": 1.6, **more}
        if markers or (self._crowded and "marker" not in more):
            # By number, not by distance: lines may run far beyond the frame.
            every = range(round(style.shift * x.size), x.size, max(1, round(MARKED * x.size)))
            options |= {"marker": style.marker, "markersize": 4.5, "markevery": list(every)}
        lone = unjoined(drawable(x), drawable(y), steps)
        if lone.size and "marker" not in more:
            # A line that goes nowhere has no ink.
            among = {*options.get("markevery", []), *lone.tolist()}
            options |= {"marker": style.marker, "markersize": 4.5, "markevery": sorted(among)}
        (drawn,) = self.ax.plot(
            x,
            y,
            color=style.colour,
            linestyle=style.dash if dash is None else dash,
            drawstyle="steps-pre" if steps else "default",
            **options,
        )
        self.entry(drawn, label)

    def reference(self, x: Any, y: Any, label: str, dash: Dash = (0, (1, 2))) -> None:
        """Draw a thin grey line that a curve is read against."""
        (drawn,) = self.ax.plot(x, y, color=GREY, linestyle=dash, linewidth=1.1, zorder=1.5)
        self.entry(drawn, label, once=True)

    def band(self, x: AnyArray, band: Band | None, style: Look, limits: tuple[float, float], **how: bool) -> None:
        """Shade the limits around a curve, where it has any; see :func:`~deciban.plots.limits.shade`."""
        if band is not None and there(band).any():
            if np.unique(x[there(band)]).size == 1:
                # An area of no width has no ink.
                self.bars(x, band, style, limits)
                return
            self._note(said(band, "band", self.words), style, shade(self.ax, x, band, style, limits, **how))

    def bars(self, x: AnyArray, band: Band | None, style: Look, limits: tuple[float, float]) -> None:
        """Draw limits as upright lines through points that no curve joins."""
        if band is not None and there(band).any():
            self._note(said(band, "interval", self.words), style, upright(self.ax, x, band, style, limits))

    def _note(self, label: str, style: Look, drawn: Any) -> None:
        """Keep a band for the end of the legend; equal ones in several colours become one grey entry."""
        colour, _ = self._bands.setdefault(label, (style.colour, drawn))
        if colour not in (style.colour, GREY):
            self._bands[label] = GREY, in_grey(drawn)

    def grow(self, inches: float) -> None:
        """Make a figure of our own higher, for text that would take room from the axes."""
        if self.own:
            figure: Any = self.ax.figure
            width, height = figure.get_size_inches()
            figure.set_size_inches(width, height + inches)

    def sees(self, x: float, y: float) -> bool:
        """Whether a point lies within the axes."""
        (left, right), (bottom, top) = self.ax.get_xlim(), self.ax.get_ylim()
        return left <= x <= right and bottom <= y <= top

    def entry(self, handle: Any, label: str, *, once: bool = False) -> None:
        """Put a line in the legend; an empty label stays out, and ``once`` joins equal ones."""
        if label and not (once and label in [known for _, known in self._entries]):
            self._entries.append((handle, label))

    def finish(self, where: str = "best") -> Axes:
        """Draw the legend, inside the axes while it is short, and give the axes back."""
        for label, (_, handle) in self._bands.items():
            self.entry(handle, label)
        self._bands = {}
        fit_labels(self.ax)
        if self._entries:
            place(self.ax, self._entries, where, own=self.own)
        return self.ax

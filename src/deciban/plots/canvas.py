"""One Axes to draw on: limits the caller set are kept, lines look alike in all plots, the legend explains each mark."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from deciban.arrays import AnyArray, Floats
from deciban.curves.curve import Band
from deciban.errors import InputError, MissingExtraError
from deciban.plots.limits import in_grey, said, shade, there, upright
from deciban.plots.looks import GREY, MARKERS, Dash, Look, look
from deciban.plots.systems import Marks, marked
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

FARTHEST: Final = 1e305
"""Between ticks beyond this, matplotlib computes with infinite distances."""

MARKED: Final = 0.12
"""Share of a line's points from one marker to the next."""

VERTICAL: Final[tuple[Dash, ...]] = ((0, (3, 1, 1, 1)), (0, (1, 1)), (0, (6, 1.5)))

INSIDE: Final = 4
"""More legend entries than this go beside the axes."""


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


def first_capital(text: str) -> str:
    """A word as it begins a label; the sign of a logarithm keeps its small letter."""
    return text if text.startswith("log$") else text[:1].upper() + text[1:]


def drawable(values: AnyArray) -> Floats:
    """Values with gaps where there is none or it is infinite."""
    filled = np.ma.filled(np.ma.masked_array(values, dtype=np.float64), np.nan)
    return np.where(np.isfinite(filled), filled, np.nan)


def unjoined(x: Floats, y: Floats, steps: bool) -> NDArray[np.intp]:
    """The points with a place that no stroke of a line reaches: neighbours are absent or at the same place."""
    there = np.isfinite(x) & np.isfinite(y)
    if there.size < 2:
        return np.flatnonzero(there)
    # A step begins at the place of the point before it, whether that has a value or not.
    from_before = there[1:] & (np.isfinite(x[:-1]) if steps else there[:-1])
    moved = from_before & ((x[1:] != x[:-1]) | (there[:-1] & (y[1:] != y[:-1])))
    reached = np.append(False, moved) | np.append(moved & there[:-1], False)
    return np.flatnonzero(there & ~reached)


class Canvas:
    """Axes, the reader's words and the entries of the legend."""

    def __init__(self, ax: Axes | None, vocabulary: str, size: tuple[float, float] = SIZE) -> None:
        self.words = find_vocabulary(vocabulary)
        self.own = ax is None
        self.square = size == SQUARE
        self.ax = new_figure(*size).add_subplot() if ax is None else ax
        self._entries: list[tuple[Any, str]] = []
        self._bands: dict[str, tuple[str, Any]] = {}

    def systems(self, records: Mapping[str, C]) -> Iterator[tuple[str, C, Look]]:
        """Each system with its look."""
        for index, (name, record) in enumerate(records.items()):
            yield name, record, look(index)

    def labels(self, x: str, y: str) -> None:
        """Name the quantities on both axes."""
        self.ax.set_xlabel(first_capital(x))
        self.ax.set_ylabel(first_capital(y))

    def frame_x(self, low: float, high: float) -> tuple[float, float]:
        """Limits of x: those given, unless the axes have their own already."""
        if self.ax.get_autoscalex_on():
            if max(abs(low), abs(high)) > FARTHEST:
                raise InputError(f"scores from {low:g} to {high:g} reach further than an axis can; rescale them")
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
        """Draw one line. With ``markers`` a few of them tell systems apart whose dashes mean something else."""
        options: dict[str, Any] = {"linewidth": 1.6, **more}
        if markers:
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

    def marks(
        self, mark: Marks | None, records: Mapping[str, Any], point: Callable[[str, float], tuple[float, float]]
    ) -> None:
        """Draw operating points: ``point`` says where the record of a name is at a threshold."""
        from matplotlib.lines import Line2D

        looks = {name: style for name, _, style in self.systems(records)}
        for index, (label, thresholds) in enumerate(marked(mark, records)):
            shape: dict[str, Any] = {
                "marker": MARKERS[index % len(MARKERS)],
                "linestyle": "none",
                "markersize": 7,
                "markeredgecolor": "black",
            }
            for name, threshold in thresholds.items():
                x, y = point(name, threshold)
                self.ax.plot([x], [y], color=looks[name].colour, zorder=3, **shape)
            colour = looks[next(iter(thresholds))].colour if len(records) == 1 else "white"
            self.entry(Line2D([], [], color=colour, **shape), label)

    def vertical_marks(
        self, mark: Marks | None, records: Mapping[str, Any], places: Mapping[float, float] | None = None
    ) -> None:
        """Draw operating points as vertical lines; ``places`` says where values stand that no axis reaches."""
        for index, (label, thresholds) in enumerate(marked(mark, records)):
            for x in dict.fromkeys(thresholds.values()):
                # An infinite one that has no place stands at the frame.
                at = float(np.clip((places or {}).get(x, x), *self.ax.get_xlim())) if np.isinf(x) else x
                handle = self.ax.axvline(at, color="black", linestyle=VERTICAL[index % len(VERTICAL)], linewidth=1.0)
            self.entry(handle, label)

    def entry(self, handle: Any, label: str, *, once: bool = False) -> None:
        """Put a line in the legend; an empty label stays out, and ``once`` joins equal ones."""
        if label and not (once and label in [known for _, known in self._entries]):
            self._entries.append((handle, label))

    def finish(self, where: str = "best") -> Axes:
        """Draw the legend, inside the axes while it is short, and give the axes back."""
        for label, (_, handle) in self._bands.items():
            self.entry(handle, label)
        self._bands = {}
        if self._entries:
            place = {"loc": where} if len(self._entries) <= INSIDE else self._outside()
            legend = self.ax.legend(
                [handle for handle, _ in self._entries],
                # A name may begin with an underscore or hold dollar signs, which mean something to matplotlib.
                ["" for _ in self._entries],
                fontsize="small",
                handlelength=2.6,
                framealpha=0.95,
                **place,
            )
            for text, (_, label) in zip(legend.get_texts(), self._entries, strict=True):
                text.set_parse_math(False)
                text.set_text(label)
        return self.ax

    def _outside(self) -> dict[str, Any]:
        """A place for a long legend: below a square plot, beside others; a figure of our own grows by as much."""
        from matplotlib.transforms import ScaledTranslation

        figure: Any = self.ax.figure
        inches = figure.dpi_scale_trans
        below = self.ax.transAxes + ScaledTranslation(0.0, -0.5, inches)
        beside = self.ax.transAxes + ScaledTranslation(0.08, 0.0, inches)
        if self.own:
            rows = math.ceil(len(self._entries) / 2)
            width, height = figure.get_size_inches()
            figure.set_size_inches(*((width, height + 0.2 * rows) if self.square else (width + 1.8, height)))
        if self.square:
            return {"loc": "upper center", "bbox_to_anchor": (0.5, 0.0), "bbox_transform": below, "ncols": 2}
        return {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "bbox_transform": beside, "borderaxespad": 0.0}


def padded(values: Floats, share: float = 0.05, around: tuple[float, float] = (-1.0, 1.0)) -> tuple[float, float]:
    """Limits that hold all finite values with a margin; ``around`` where there is none, one unit where all agree."""
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        return around
    low, high = float(finite.min()), float(finite.max())
    if low == high:
        half = max(1.0, abs(low) * 0.05)
        return low - half, high + half
    # In halves: the distance of the largest doubles overflows.
    margin = (high / 2 - low / 2) * 2 * share if high / 2 - low / 2 < 1e307 else 0.0
    return low - margin, high + margin


def at_infinity(ends: Mapping[str, float]) -> str:
    """How many trials lie where no axis reaches: ``(2 at LR = 0, 1 at LR = ∞)``, or nothing."""
    said = [f"{_whole(count)} at {where}" for where, count in ends.items() if count > 0]
    return f" ({', '.join(said)})" if said else ""


def _whole(count: float) -> str:
    return f"{count:,.0f}" if float(count).is_integer() or not math.isfinite(count) else f"{count:.4g}"

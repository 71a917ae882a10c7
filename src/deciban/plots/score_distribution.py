"""The score histogram."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.curves.histogram import ScoreHistogram
from deciban.errors import OptionError
from deciban.plots.canvas import Canvas, plain
from deciban.plots.extents import at_infinity, check_reach
from deciban.plots.looks import Look, of_class
from deciban.plots.marks import mark_thresholds
from deciban.plots.score_axis import score_label
from deciban.plots.systems import Marks, Records, band_around, by_name, changed
from deciban.values.arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GAP, WIDTH = 0.05, 0.025
"""Where the bars of infinite scores stand beyond the finite ones, and how wide they are, as shares of the axis."""


def score_histogram(
    records: Records[ScoreHistogram],
    *,
    ax: Axes | None = None,
    shares: bool = True,
    mark: Marks | None = None,
    vocabulary: str = "neutral",
) -> Axes:
    """Draw how the scores of each class are distributed.

    Parameters
    ----------
    records
        What ``deciban.score_histogram`` returns, all of scores with one scale, or several by name (as outlines).
    ax
        Axes to draw on; a new figure when None. Limits that they already have are kept.
    shares
        Each bin's share of its class, so that a class of few trials is seen; False for numbers of trials.
    mark
        Thresholds by name, drawn as vertical lines.
    vocabulary
        Words of the labels: "neutral", "forensic", "biometric", "spoofing" or "ml".

    Returns
    -------
    Axes
        Heights, not areas: a bin twice as wide is not drawn lower. Targets solid, nontargets dashed. Infinite scores
        are bars of their own at the frame, and the legend says how many they are. Bins that are closer together than an
        axis can show are one bar, which the legend says too.

    Raises
    ------
    OptionError
        When a record is of another kind, the scales differ, or a name is unknown.
    MissingExtraError
        When matplotlib is absent.

    References
    ----------
    Freedman and Diaconis (1981), On the histogram as a density estimator, Z. Wahrscheinlichkeitstheorie 57.

    Examples
    --------
    >>> import deciban as db
    >>> bins = db.score_histogram(db.Counts.from_classes([3.0, 4.0, float("inf")], [0.0, 1.0]), bins=2)
    >>> ax = db.plots.score_histogram(bins)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['targets (1 at ∞)', 'nontargets']
    """
    systems = by_name("score_histogram", records, ScoreHistogram, "score_histogram")
    scales = sorted({record.scale for record in systems.values()})
    if len(scales) > 1:
        names = ", ".join(scales)
        raise OptionError(
            f"score_histogram: expected scores of one scale, found {names}; draw them on axes of their own"
        )
    canvas = Canvas(ax, vocabulary)
    canvas.labels(score_label(scales[0]), "share of the class in each bin" if shares else "trials in each bin")
    places = _score_axis(canvas, systems)
    tallest = 0.0
    for name, record, style in canvas.systems(systems):
        for target in (True, False):
            look = of_class(style, len(systems) == 1, target=target)
            tallest = max(tallest, _class(canvas, name, record, look, target, shares, places, len(systems) == 1))
    # Above upright lines there must be room for a legend, which cannot see them.
    room = 1.05 if all(record.band is None for record in systems.values()) else 1.3
    canvas.frame_y(0.0, room * tallest or 1.0)
    mark_thresholds(canvas, mark, systems, places)
    return canvas.finish("best")


def _score_axis(canvas: Canvas, systems: Mapping[str, ScoreHistogram]) -> dict[float, float]:
    """Frame the bins, with room for infinite scores where there are any, and say where those stand."""
    low = min((float(r.low[0]) for r in systems.values() if r.low.size), default=-1.0)
    high = max((float(r.high[-1]) for r in systems.values() if r.high.size), default=1.0)
    span = high - low
    minus = any(r.target_at_minus_inf + r.nontarget_at_minus_inf > 0 for r in systems.values())
    plus = any(r.target_at_inf + r.nontarget_at_inf > 0 for r in systems.values())
    check_reach(low, high, plain(canvas.ax.get_xlabel()))
    margin = 0.01 * span
    left, right = canvas.frame_x(
        low - (margin + (GAP + WIDTH) * span if minus else margin),
        high + (margin + (GAP + WIDTH) * span if plus else margin),
    )
    places = {-math.inf: left + (margin + WIDTH * span / 2), math.inf: right - (margin + WIDTH * span / 2)}
    places = {end: at for end, at in places.items() if (minus if end < 0 else plus)}
    if places:
        _infinite_ticks(canvas.ax, places, low, high)
    return places


def _infinite_ticks(ax: Axes, places: dict[float, float], low: float, high: float) -> None:
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

    ticks = [float(t) for t in MaxNLocator(6).tick_values(low, high) if low <= t <= high]
    names = {at: "∞" if end > 0 else "−∞" for end, at in places.items()}
    ax.xaxis.set_major_locator(FixedLocator([*ticks, *names]))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: names.get(x, f"{x:g}".replace("-", "−"))))


def _class(
    canvas: Canvas,
    name: str,
    record: ScoreHistogram,
    look: Look,
    target: bool,
    shares: bool,
    places: dict[float, float],
    alone: bool,
) -> float:
    """Draw the bars of one class; the height of the tallest."""
    counts, ends = (
        (record.n_target, {-math.inf: record.target_at_minus_inf, math.inf: record.target_at_inf})
        if target
        else (record.n_nontarget, {-math.inf: record.nontarget_at_minus_inf, math.inf: record.nontarget_at_inf})
    )
    total = float(counts.sum() + sum(ends.values()))
    unit = (total or 1.0) if shares else 1.0
    heights: Floats = counts / unit
    style: dict[str, Any] = {"edgecolor": look.colour, "linestyle": look.dash, "linewidth": 1.4}
    # The face is transparent, the outline is not: both classes stay visible where they overlap.
    face = (*_rgb(look.colour), 0.25 if alone else 0.0)
    handle: Any = None
    width = WIDTH * float(np.diff(canvas.ax.get_xlim())[0]) / (1 + 2 * GAP)
    edges = np.append(record.low, record.high[-1:])
    together = bool(heights.size) and edges[-1] - edges[0] < width / 4
    if together:
        heights, edges = heights.sum(keepdims=True), edges[:1] + np.array([-width / 2, width / 2])
    if heights.size:
        handle = canvas.ax.stairs(heights, edges, fill=True, facecolor=face, **style)
    for end, count in ends.items():
        if count > 0:
            handle = canvas.ax.bar(places[end], count / unit, width, facecolor=face, **style)
    words = canvas.words.targets if target else canvas.words.nontargets
    label = canvas.titled(name, words) + at_infinity({"−∞": ends[-math.inf], "∞": ends[math.inf]})
    label += ", bins too close: one bar" if together and record.low.size > 1 else ""
    if handle is not None and total > 0:
        canvas.entry(handle, label)
    highest = 0.0 if together else _limits(canvas, record, look, target, unit)
    return float(max([*heights.tolist(), *(count / unit for count in ends.values()), highest]))


def _limits(canvas: Canvas, record: ScoreHistogram, look: Look, target: bool, unit: float) -> float:
    """Draw the limits of one class, beside those of the other; the height of the highest."""
    band = band_around(record, "n_target" if target else "n_nontarget", main="n_target")
    if band is None:
        return 0.0
    beside = 0.4 if target else 0.6
    x = record.low * (1.0 - beside) + record.high * beside
    scaled = changed(band, lambda n: n / unit)
    canvas.bars(x, scaled, look, (0.0, math.inf))
    return max((end for end in scaled.high.compressed().tolist() if math.isfinite(end)), default=0.0)


def _rgb(colour: str) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    return to_rgb(colour)

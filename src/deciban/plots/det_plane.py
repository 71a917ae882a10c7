"""The detection error trade-off on probit axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from deciban.curves.roc import Det
from deciban.curves.thinning import thin
from deciban.plots.canvas import POINTS, SQUARE, Canvas
from deciban.plots.looks import GREY, Look
from deciban.plots.marks import mark_points
from deciban.plots.systems import Marks, Records, by_name, marked, row_at
from deciban.values.arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TICKS: Final = (0.5, 0.1, 0.01, 0.001, 1e-4, 1e-5, 1e-6, 1e-7, 0.2, 0.05, 0.02, 0.4, 0.005, 0.002, 0.3)
"""Rates for ticks, the most wanted first; each brings its complement."""

CROWDED: Final = 10
"""So many ticks find room along an axis."""

INSIDE: Final = 0.4
"""A curve that has both errors below this somewhere is read in the corner below one half."""

Half = tuple[float, float]


def det(
    records: Records[Det], *, ax: Axes | None = None, mark: Marks | None = None, vocabulary: str = "neutral"
) -> Axes:
    r"""Draw the detection error trade-off: p_miss against p_fa on probit axes, ticks in percent.

    Parameters
    ----------
    records
        What ``deciban.det`` returns, or several by name.
    ax
        Axes to draw on; a new figure when None. Limits that they already have are kept.
    mark
        Operating points by name: a threshold for all systems, or ``{system: threshold}``.
    vocabulary
        Words of the labels: "neutral", "forensic", "biometric", "spoofing" or "ml".

    Returns
    -------
    Axes
        Data coordinates are rates. Normally distributed scores of equal spread give a straight line of slope −1.

    Raises
    ------
    OptionError
        When a record is of another kind, or a name is unknown.
    MissingExtraError
        When matplotlib is absent.

    Notes
    -----
    The probit of 0 and 1 is infinite: such rates are drawn at half an error, 1/(2N), hollow marks show where a curve
    gets there, and the legend says so. Dotted lines stand at one error, 1/N1 and 1/N0, below which nothing was
    measured; weighted trials have no such line, and are drawn at half the smallest rate above 0. Unless a curve stays
    away from it, only the corner below one half is shown, and as much more as holds every mark.

    References
    ----------
    Martin et al. (1997), The DET curve in assessment of detection task performance, Eurospeech.

    Examples
    --------
    >>> import deciban as db
    >>> ax = db.plots.det({"A": db.det(db.Counts.from_classes([3, 4], [1, 2]))})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['A', 'one error: 1 of 2 targets,\n1 of 2 nontargets', 'no error: drawn at half an error']
    """
    systems = by_name("det", records, Det, "det")
    canvas = Canvas(ax, vocabulary, SQUARE)
    words = canvas.words
    canvas.labels(f"{words.p_fa} (% of {words.nontargets})", f"{words.p_miss} (% of {words.targets})")
    halves = {name: _halves(record) for name, record in systems.items()}

    def place(name: str, threshold: float) -> tuple[float, float]:
        return _point(systems[name], halves[name], threshold)

    marks = [place(*at) for _, thresholds in marked(mark, systems) for at in thresholds.items()]
    _probit_axes(canvas, systems, halves, marks)
    clipped = False
    for name, record, style in canvas.systems(systems):
        clipped |= _curve(canvas, name, record, style, halves[name])
    _resolution(canvas, systems)
    if clipped:
        canvas.entry(_hollow(canvas, [], [], "black"), "no error: drawn at half an error")
    mark_points(canvas, mark, systems, place)
    return canvas.finish("best")


def _halves(record: Det) -> Half:
    return half_error(record.p_fa, record.n_nontarget), half_error(record.p_miss, record.n_target)


def half_error(rate: Floats, n: float) -> float:
    """Half an error of ``n`` trials as a rate; of weights, half the least share that was seen."""
    if isinstance(n, int):
        return 0.5 / n
    inner = rate[(rate > 0.0) & (rate < 1.0)]
    return float(min(inner.min(), 1.0 - inner.max())) / 2 if inner.size else 0.25


def _clip(rate: Any, half: float) -> Any:
    return np.clip(rate, half, 1.0 - half)


def _curve(canvas: Canvas, name: str, record: Det, style: Look, half: Half) -> bool:
    """Draw one curve and hollow marks where it reaches a rate of 0 or 1; whether one of these is in sight."""
    shown = thin(record, POINTS)
    x = _clip(shown.p_fa, half[0])
    canvas.band(x, shown.band, style, (half[1], 1.0 - half[1]))
    canvas.line(x, _clip(shown.p_miss, half[1]), canvas.titled(name), style)
    corners = [(_clip(fa, half[0]), _clip(miss, half[1])) for fa, miss in _corners(record)]
    seen = [(fa, miss) for fa, miss in corners if canvas.sees(fa, miss)]
    _hollow(canvas, [fa for fa, _ in seen], [miss for _, miss in seen], style.colour)
    return bool(seen)


def _corners(record: Det) -> list[tuple[float, float]]:
    """Where the curve reaches a rate of 0 or 1, as (p_fa, p_miss)."""
    found = []
    for end, nearest in ((0.0, np.min), (1.0, np.max)):
        fa, miss = record.p_fa[record.p_miss == end], record.p_miss[record.p_fa == end]
        found += [(float(nearest(fa)), end)] if fa.size else []
        found += [(end, float(nearest(miss)))] if miss.size else []
    return list(dict.fromkeys(found))


def _hollow(canvas: Canvas, x: Any, y: Any, colour: str) -> Any:
    (drawn,) = canvas.ax.plot(x, y, "o", color=colour, markersize=5, markerfacecolor="white", zorder=2.5)
    return drawn


def _point(record: Det, half: Half, threshold: float) -> tuple[float, float]:
    row = row_at(record.threshold, threshold)
    return float(_clip(record.p_fa[row], half[0])), float(_clip(record.p_miss[row], half[1]))


def _resolution(canvas: Canvas, systems: Mapping[str, Det]) -> None:
    """Dotted lines at one error, where errors are counted."""
    words, handle = canvas.words, None
    for n in dict.fromkeys(r.n_nontarget for r in systems.values() if isinstance(r.n_nontarget, int)):
        handle = canvas.ax.axvline(1.0 / n, color=GREY, linestyle=(0, (1, 2)), linewidth=1.0, zorder=1.5)
    for n in dict.fromkeys(r.n_target for r in systems.values() if isinstance(r.n_target, int)):
        handle = canvas.ax.axhline(1.0 / n, color=GREY, linestyle=(0, (1, 2)), linewidth=1.0, zorder=1.5)
    if handle is None:
        return
    sizes = {(record.n_target, record.n_nontarget) for record in systems.values()}
    if len(sizes) > 1:
        canvas.entry(handle, "one error of each system")
        return
    n_target, n_nontarget = sizes.pop()
    canvas.entry(handle, f"one error: 1 of {n_target:,} {words.targets},\n1 of {n_nontarget:,} {words.nontargets}")


def _probit_axes(
    canvas: Canvas, systems: Mapping[str, Det], halves: Mapping[str, Half], marks: list[tuple[float, float]]
) -> None:
    """Probit scales whose limits lie a little beyond half an error, and beyond every mark."""
    from scipy.special import ndtr, ndtri

    corner = all(
        bool((np.maximum(_clip(record.p_fa, halves[name][0]), _clip(record.p_miss, halves[name][1])) < INSIDE).any())
        for name, record in systems.items()
    )
    canvas.ax.set_xscale("function", functions=(ndtri, ndtr))
    canvas.ax.set_yscale("function", functions=(ndtri, ndtr))
    for axis, frame in enumerate((canvas.frame_x, canvas.frame_y)):
        low = min(float(ndtr(ndtri(min(half[axis] for half in halves.values())) - 0.15)), 0.05)
        farthest = max((at[axis] for at in marks), default=0.0)
        beyond = 0.5 if farthest <= 0.5 else min(float(ndtr(ndtri(farthest) + 0.15)), 1.0 - low)
        frame(low, beyond if corner else 1.0 - low)
    canvas.ax.set_aspect("equal")
    for one, limits in ((canvas.ax.xaxis, canvas.ax.get_xlim()), (canvas.ax.yaxis, canvas.ax.get_ylim())):
        one.set_major_locator(_fixed(_ticks(*limits)))
        one.set_minor_locator(_fixed([]))
        one.set_major_formatter(lambda rate, _: f"{100 * rate:.10g}")


def _fixed(values: list[float]) -> Any:
    from matplotlib.ticker import FixedLocator

    return FixedLocator(values)


def _ticks(low: float, high: float) -> list[float]:
    """Rates between the limits, as many as stand apart on the axis."""
    from scipy.special import ndtri

    room = float(ndtri(high) - ndtri(low)) / CROWDED
    chosen: list[float] = []
    for rate in TICKS:
        for tick in dict.fromkeys((rate, round(1.0 - rate, 10))):
            apart = all(abs(float(ndtri(tick) - ndtri(other))) >= room for other in chosen)
            if low <= tick <= high and apart:
                chosen.append(tick)
    return sorted(chosen)

"""The reliability diagram."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.curves.curve import select
from deciban.curves.reliability import Reliability
from deciban.plots.canvas import SQUARE, Canvas
from deciban.plots.extents import drawable
from deciban.plots.looks import GREY, Look
from deciban.plots.roc_plane import UNIT
from deciban.plots.systems import Records, by_name
from deciban.values.arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

THINNEST = 0.006
"""Least width of a bar: that of a block at one probability."""

COUNTED = 12
"""So many bins of one system have their number of trials written above them."""


def reliability(records: Records[Reliability], *, ax: Axes | None = None, vocabulary: str = "neutral") -> Axes:
    """Draw how often what was stated with a probability came true.

    Parameters
    ----------
    records
        What ``deciban.reliability`` returns, or several by name.
    ax
        Axes to draw on; a new figure when None. Limits that they already have are kept.
    vocabulary
        Words of the labels: "neutral", "forensic", "biometric", "spoofing" or "ml".

    Returns
    -------
    Axes
        Observed share of targets over stated probability; calibrated forecasts follow the dotted diagonal. Bins are
        points at their mean probability; CORP is level over each of its blocks and straight between them. A strip above
        has the number of trials in each bin, or of several systems the share of theirs.

    Raises
    ------
    OptionError
        When a record is of another kind, or a name is unknown.
    MissingExtraError
        When matplotlib is absent.

    Notes
    -----
    A band is drawn as bars through the points of bins, and for CORP as an area; a consistency band is about the
    diagonal: where calibrated forecasts lie.

    References
    ----------
    Dimitriadis, Gneiting and Jordan (2021), Stable reliability diagrams for probabilistic classifiers, PNAS 118.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([0.75, 0.5], [0.25, 0.5], scale="probability")
    >>> ax = db.plots.reliability(db.reliability(counts, n_bins=3))
    >>> ax.get_ylabel(), ax.lines[1].get_ydata().tolist()
    ('Observed share of targets', [0.0, 0.5, 1.0])
    """
    systems = by_name("reliability", records, Reliability, "reliability")
    canvas = Canvas(ax, vocabulary, SQUARE)
    canvas.labels(f"stated probability of {canvas.words.target}", f"observed share of {canvas.words.targets}")
    canvas.frame_x(*UNIT)
    canvas.frame_y(*UNIT)
    canvas.ax.set_aspect("equal")
    canvas.reference([0, 1], [0, 1], "")
    counted = False
    strip = canvas.ax.inset_axes((0.0, 1.03, 1.0, 0.2), sharex=canvas.ax)
    for name, record, style in canvas.systems(systems):
        if record.bins == "corp":
            _blocks(canvas, name, record, style, alone=len(systems) == 1)
        else:
            _bins(canvas, name, record, style)
        counted |= _strip(strip, record, style, len(systems))
    _scale_of_strip(strip, counted, alone=len(systems) == 1)
    return canvas.finish("lower right")


def _bins(canvas: Canvas, name: str, record: Reliability, style: Look) -> None:
    filled = ~np.ma.getmaskarray(record.observed)
    stated, observed = drawable(record.stated)[filled], drawable(record.observed)[filled]
    canvas.bars(stated, select(record, filled).band, style, (0.0, 1.0))
    canvas.line(stated, observed, canvas.titled(name), style, marker=style.marker, markersize=5)


def _blocks(canvas: Canvas, name: str, record: Reliability, style: Look, alone: bool) -> None:
    """Level from the lowest to the highest probability of each block."""
    # A consistency band belongs to the diagonal, which is grey, unless it must be told from that of another system.
    about_diagonal = alone and record.band is not None and record.band.method == "consistency"
    observed = np.repeat(drawable(record.observed), 2)
    x = np.column_stack([record.low, record.high]).ravel()
    canvas.band(drawable(record.stated), record.band, Look(GREY) if about_diagonal else style, (0.0, 1.0))
    canvas.line(x, observed, canvas.titled(name), style)


def _strip(strip: Any, record: Reliability, style: Look, systems: int) -> bool:
    """The number of trials as bars over the bins, of several systems their shares; whether numbers stand above them."""
    filled = record.n > 0
    n: Floats = record.n[filled].astype(np.float64)
    low, high = record.low[filled], record.high[filled]
    half = np.maximum(high - low, THINNEST) / 2
    middle = (low + high) / 2
    if systems > 1:
        # Faces are left transparent, so that the bars of one system do not hide those of another.
        face = {"facecolor": (style.colour, 0.3 / systems), "edgecolor": style.colour, "linestyle": style.dash}
        _bars(strip, middle, half, n / n.sum(), linewidth=1.0, **face)
        return False
    _bars(strip, middle, half, n, facecolor=style.colour, edgecolor="white", linewidth=0.5, alpha=0.7)
    if n.size > COUNTED or record.bins == "corp":
        return False
    for x, count in zip(middle.tolist(), n.tolist(), strict=True):
        strip.text(x, count, _short(count), ha="center", va="bottom", fontsize=6.5)
    return True


def _bars(strip: Any, middle: Floats, half: Floats, height: Floats, **look: Any) -> None:
    """Bars as one shape: each by itself, the hundreds of CORP would be most of a file and of the time to draw it."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    left, right, floor = middle - half, middle + half, np.zeros_like(height)
    corners = [(left, floor), (left, height), (right, height), (right, floor)]
    outlines = np.stack([np.column_stack(corner) for corner in corners], axis=1)
    strip.add_patch(PathPatch(Path.make_compound_path_from_polys(outlines), **look))


def _scale_of_strip(strip: Any, counted: bool, alone: bool) -> None:
    """Ticks at round numbers of trials, or shares of several systems; none where each bar has its number."""
    from matplotlib.ticker import MaxNLocator

    strip.tick_params(axis="x", labelbottom=False, length=0)
    strip.set_ylim(0.0, 1.3 * strip.dataLim.y1)
    strip.set_ylabel("trials" if alone else "share of\ntrials", fontsize="small")
    strip.yaxis.set_major_locator(MaxNLocator(2, integer=alone))
    strip.yaxis.set_major_formatter(lambda n, _: _short(n))
    strip.tick_params(axis="y", labelsize="small")
    if counted:
        strip.set_yticks([])


def _short(count: float) -> str:
    """A number of trials in the width of a bin: 12, 4 305, 45k, 1.2M."""
    if count < 10_000:
        return f"{count:.4g}"
    size, letter = (1e6, "M") if count >= 999_500 else (1e3, "k")
    return f"{count / size:.3g}{letter}"

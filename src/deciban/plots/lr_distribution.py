"""The Tippett plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from deciban.curves.curve import select
from deciban.curves.thinning import thin
from deciban.curves.tippett import Tippett
from deciban.errors import OptionError
from deciban.plots.canvas import POINTS, Canvas
from deciban.plots.extents import at_infinity, padded
from deciban.plots.looks import GREY, Look, of_class
from deciban.plots.marks import mark_thresholds
from deciban.plots.systems import Marks, Records, band_around, by_name
from deciban.values.arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LOG10_LR: Final = "log$_{10}$ LR"
Frame = tuple[float, float]


def tippett(
    records: Records[Tippett], *, ax: Axes | None = None, mark: Marks | None = None, vocabulary: str = "neutral"
) -> Axes:
    """Draw how the likelihood ratios of each class are distributed.

    Parameters
    ----------
    records
        What ``deciban.tippett`` returns, all of one type, or several by name.
    ax
        Axes to draw on; a new figure when None. Limits that they already have are kept.
    mark
        Values of log10 LR by name, drawn as vertical lines (one for each system when they differ).
    vocabulary
        Words of the labels: "neutral", "forensic", "biometric", "spoofing" or "ml".

    Returns
    -------
    Axes
        Steps from frame to frame: solid for targets, dashed for nontargets. LRs of 0 and infinity are steps at the
        frame, and the legend says how many they are. A thin line stands at LR = 1.

    Raises
    ------
    OptionError
        When a record is of another kind, the types differ, or a name is unknown.
    MissingExtraError
        When matplotlib is absent.

    Notes
    -----
    The crossing of type 1 is not the equal error rate.

    References
    ----------
    Evett and Buckleton (1996), Statistical analysis of STR data, Advances in Forensic Haemogenetics 6.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([2, 1, 0, float("inf")], [-2, -1, 0, 1, -1], scale="log10_lr")
    >>> ax = db.plots.tippett(db.tippett(counts), vocabulary="forensic")
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['same-source trials (1 at LR = ∞)', 'different-source trials']
    """
    systems = by_name("tippett", records, Tippett, "tippett")
    types = {record.type for record in systems.values()}
    if len(types) > 1:
        raise OptionError(
            "tippett: expected records of one type, found types 1 and 2: their axes mean different things"
        )
    canvas = Canvas(ax, vocabulary)
    words = canvas.words
    below = f"share of trials: {words.targets} below,\n{words.nontargets} at or above this LR"
    canvas.labels(LOG10_LR, "share of trials with at least this LR" if types == {1} else below)
    frame = canvas.frame_x(*padded(np.concatenate([_ends(record) for record in systems.values()])))
    canvas.frame_y(-0.02, 1.02)
    canvas.ax.axvline(0.0, color=GREY, linewidth=0.8, zorder=1.5)
    for name, record, style in canvas.systems(systems):
        _system(canvas, name, record, style, frame, alone=len(systems) == 1)
    mark_thresholds(canvas, mark, systems)
    return canvas.finish("best")


def _ends(record: Tippett) -> Floats:
    finite = record.log10_lr[np.isfinite(record.log10_lr)]
    return finite[[0, -1]] if finite.size else finite


def _system(canvas: Canvas, name: str, record: Tippett, style: Look, frame: Frame, alone: bool) -> None:
    words = canvas.words
    finite = select(record, np.isfinite(record.log10_lr))
    shown = thin(finite, POINTS) if finite.log10_lr.size else finite
    for target in (True, False):
        full, column, n, class_ = (
            (record.target, shown.target, record.n_target, words.targets)
            if target
            else (record.nontarget, shown.nontarget, record.n_nontarget, words.nontargets)
        )
        # Shares below the lowest LR and beyond the highest: type 2 counts targets from the other side.
        outer = (0.0, 1.0) if target and record.type == 2 else (1.0, 0.0)
        inner = _within(record.log10_lr, full, outer)
        counts = [abs(a - b) * n for a, b in zip(outer, inner, strict=True)]
        if isinstance(n, int):
            counts = [round(count) for count in counts]
        look = of_class(style, alone, target=target)
        x = np.concatenate([frame[:1], shown.log10_lr, frame[1:], frame[1:]])
        y = np.concatenate([[outer[0]], column, [inner[1], outer[1]]])
        _band(canvas, record, "target" if target else "nontarget", look, frame)
        label = f"{canvas.titled(name, class_)}{at_infinity({'LR = 0': counts[0], 'LR = ∞': counts[1]})}"
        canvas.line(x, y, label, look, steps=True, markers=not alone)


def _band(canvas: Canvas, record: Tippett, column: str, look: Look, frame: Frame) -> None:
    """Shade around the steps of one class from the frame to the highest LR, beyond which nothing was seen."""
    above = select(record, record.log10_lr > -np.inf)
    if band_around(above, column, main="target") is None or above.log10_lr.size == 0:
        return
    shown = thin(above, POINTS)
    # What holds at the lowest LR holds below it.
    shown = select(shown, np.append(0, np.arange(shown.log10_lr.size)))
    x = np.append(frame[0], shown.log10_lr[1:].clip(*frame))
    canvas.band(x, band_around(shown, column, main="target"), look, (0.0, 1.0), steps=True)


def _within(log10_lr: Floats, share: Floats, outer: tuple[float, float]) -> tuple[float, float]:
    """Shares just inside the two ends of the axis: what is missing from the outer ones lies at LR 0 and infinity."""
    low, high = outer
    if np.isposinf(log10_lr[-1]):
        high = float(share[-1])
    if np.isneginf(log10_lr[0]):
        low = float(share[1]) if share.size > 1 else high
    return low, high

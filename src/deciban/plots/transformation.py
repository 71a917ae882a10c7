"""The map from scores to likelihood ratios that pooling adjacent violators finds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.curves.hull import PavMap
from deciban.errors import OptionError
from deciban.plots.canvas import Canvas
from deciban.plots.extents import at_infinity, padded
from deciban.plots.looks import GREY, Look
from deciban.plots.lr_distribution import LOG10_LR
from deciban.plots.score_axis import score_label
from deciban.plots.systems import Records, by_name, changed
from deciban.values.arrays import Floats
from deciban.values.log_domain import LN10
from deciban.values.scale import carries_lr, to_log10_lr

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BAR, ROOM = 4.0, 24.0
"""Points from the bar of one system at the frame to that of the next, and of all of them together at most."""

Frame = tuple[float, float]


def pav_map(records: Records[PavMap], *, ax: Axes | None = None, vocabulary: str = "neutral") -> Axes:
    """Draw the increasing map from scores to likelihood ratios that suits the trials best.

    Parameters
    ----------
    records
        What ``deciban.pav_map`` returns, all of scores with one scale, or several by name.
    ax
        Axes to draw on; a new figure when None. Limits that they already have are kept.
    vocabulary
        Words of the labels: "neutral", "forensic", "biometric", "spoofing" or "ml".

    Returns
    -------
    Axes
        log10 LR after PAV over the score, or over log10 LR as given where the scores are LRs: calibrated ones then lie
        near the dotted identity. Level over each block, straight between two; blocks of one class have LR 0 or infinity
        and lie at the frame, with a triangle at their end towards the others; the legend says how many trials they hold
        and, where they run on beyond the axis, how far.

    Raises
    ------
    OptionError
        When a record is of another kind, the scales differ, or a name is unknown.
    MissingExtraError
        When matplotlib is absent.

    References
    ----------
    Brümmer and du Preez (2006), Application-independent evaluation of speaker detection, CSL 20.

    Examples
    --------
    >>> import deciban as db
    >>> blocks = db.pav_map(db.Counts.from_classes([0.9, 0.5], [0.8, 0.7, 0.1]))
    >>> ax = db.plots.pav_map({"A": blocks})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['A (1 at LR = 0, 1 at LR = ∞)']
    """
    systems = by_name("pav_map", records, PavMap, "pav_map")
    scales = {(record.scale, record.prior) for record in systems.values()}
    lr = all(carries_lr(scale, prior) for scale, prior in scales)
    if not lr and len({scale for scale, _ in scales}) > 1:
        names = ", ".join(sorted({scale for scale, _ in scales}))
        raise OptionError(f"pav_map: expected scores of one scale, found {names}; draw them on axes of their own")
    canvas = Canvas(ax, vocabulary)
    canvas.labels(f"{LOG10_LR} as given" if lr else score_label(scales.pop()[0]), f"{LOG10_LR} after PAV")
    ends = {name: _ends(record, lr) for name, record in systems.items()}
    x = canvas.frame_x(*_reach(systems, ends))
    y = canvas.frame_y(*padded(np.concatenate([record.ln_lr for record in systems.values()]) / LN10, 0.1))
    canvas.ax.axhline(0.0, color=GREY, linewidth=0.8, zorder=1.4)
    step = min(BAR, ROOM / len(systems))
    for index, (name, record, style) in enumerate(canvas.systems(systems)):
        _blocks(canvas, name, record, ends[name], style, x, y)
        _at_the_frame(canvas, record, ends[name], style, index, step)
    if lr:
        both = max(x[0], y[0]), min(x[1], y[1])
        canvas.reference(both, both, "unchanged")
    return canvas.finish("best")


def _reach(systems: Mapping[str, PavMap], ends: Mapping[str, tuple[Floats, Floats]]) -> Frame:
    """Limits about all scores, unless those of one class are so far out that the others would have no third."""
    inner = [end[np.isfinite(systems[name].ln_lr)] for name, pair in ends.items() for end in pair]
    finite, every = np.concatenate(inner), np.concatenate([end for pair in ends.values() for end in pair])
    left, right = padded(every)
    if not np.isfinite(finite).any():
        return left, right
    low, high = padded(finite, 0.15)
    return min(low, max(left, 2 * low - high)), max(high, min(right, 2 * high - low))


def _ends(record: PavMap, lr: bool) -> tuple[Floats, Floats]:
    """Lowest and highest score of each block on the x axis."""
    if not lr:
        return record.low, record.high
    return to_log10_lr(record.low, record.scale, record.prior), to_log10_lr(record.high, record.scale, record.prior)


def _blocks(
    canvas: Canvas, name: str, record: PavMap, ends: tuple[Floats, Floats], style: Look, x: Frame, y: Frame
) -> None:
    low, high = (end.clip(*x) for end in ends)
    log10_lr = record.ln_lr / LN10
    finite = np.isfinite(log10_lr)
    bottom, top = np.isneginf(log10_lr), np.isposinf(log10_lr)
    across = np.column_stack([low, high])[finite].ravel()
    level = np.repeat(log10_lr[finite], 2)
    if finite.any():
        # In the gap to a block of one class the finite block's value holds.
        across = np.concatenate([high[bottom], across, low[top]])
        level = np.concatenate([level[:1][: bottom.sum()], level, level[-1:][: top.sum()]])
        if record.band is not None:
            band = changed(record.band, lambda ln_lr: ln_lr / LN10)
            canvas.band((low + high) / 2, band, style, y)
    said = _pure(record, ends, x)
    # A single place may lie on the frame, which would hide half of it.
    several = np.unique(across).size > 1
    canvas.line(across, level, f"{canvas.titled(name)}{said}" if name else said.strip(" ()"), style, clip_on=several)


def _pure(record: PavMap, ends: tuple[Floats, Floats], x: Frame) -> str:
    """How many trials the blocks of one class hold, and how far they run on beyond the axis."""
    held = {}
    for lr, where, outer in ((-np.inf, "LR = 0", ends[0]), (np.inf, "LR = ∞", ends[1])):
        for row in np.flatnonzero(record.ln_lr == lr):
            end = float(outer[row])
            runs_on = f" {'down' if lr < 0 else 'up'} to {_written(end)}" if not x[0] <= end <= x[1] else ""
            held[where + runs_on] = float(record.n_target[row] + record.n_nontarget[row])
    return at_infinity(held)


def _at_the_frame(
    canvas: Canvas, record: PavMap, ends: tuple[Floats, Floats], style: Look, index: int, step: float
) -> None:
    """Bars for the blocks of one class, each system's some points inward of those of the one before.

    A triangle stands at the end towards the other blocks, where there is a trial.
    """
    from matplotlib.transforms import ScaledTranslation

    low, high = (end.clip(*canvas.ax.get_xlim()) for end in ends)
    bottom, top = canvas.ax.get_ylim()
    figure: Any = canvas.ax.figure
    for lr, edge, marker, inner, away in (
        (-np.inf, bottom, "v", high, index * step),
        (np.inf, top, "^", low, -index * step),
    ):
        moved = canvas.ax.transData + ScaledTranslation(0.0, away / 72, figure.dpi_scale_trans)
        how: dict[str, Any] = {"color": style.colour, "clip_on": False, "transform": moved}
        for row in np.flatnonzero(record.ln_lr == lr):
            canvas.ax.plot([low[row], high[row]], [edge, edge], linewidth=0.8 * step, solid_capstyle="butt", **how)
            canvas.ax.plot([inner[row]], [edge], marker=marker, markersize=2 * BAR, **how)


def _written(score: float) -> str:
    return f"{score:.3g}".replace("inf", "∞").replace("-", "−")

"""The map from scores to likelihood ratios that pooling adjacent violators finds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from deciban.arrays import Floats
from deciban.curves.hull import PavMap
from deciban.errors import OptionError
from deciban.log_domain import LN10
from deciban.plots.canvas import Canvas
from deciban.plots.extents import at_infinity, padded
from deciban.plots.looks import GREY, Look
from deciban.plots.lr_distribution import LOG10_LR
from deciban.plots.score_axis import score_label
from deciban.plots.systems import Records, by_name, changed
from deciban.scale import carries_lr, to_log10_lr

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
        Words of the labels: "neutral", "forensic", "biometric" or "ml".

    Returns
    -------
    Axes
        log10 LR after PAV over the score, or over log10 LR as given where the scores are LRs: calibrated ones then lie
        near the dotted identity. Level over each block, straight between two; blocks of one class have LR 0 or infinity
        and lie on the frame, which they may run beyond; the legend says how many trials they hold.

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
    for name, record, style in canvas.systems(systems):
        _blocks(canvas, name, record, ends[name], style, x, y)
    if lr:
        both = max(x[0], y[0]), min(x[1], y[1])
        canvas.reference(both, both, "unchanged")
    return canvas.finish("best")


def _reach(systems: Mapping[str, PavMap], ends: Mapping[str, tuple[Floats, Floats]]) -> Frame:
    """Limits about the blocks with a finite LR; those of one class may reach much further, and run to the frame."""
    inner = [end[np.isfinite(systems[name].ln_lr)] for name, pair in ends.items() for end in pair]
    finite = np.concatenate(inner)
    if not np.isfinite(finite).any():
        return padded(np.concatenate([end for pair in ends.values() for end in pair]))
    return padded(finite, 0.15)


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
    held = record.n_target + record.n_nontarget
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
    said = at_infinity({"LR = 0": held[bottom].sum().item(), "LR = ∞": held[top].sum().item()})
    canvas.line(across, level, f"{canvas.titled(name)}{said}" if name else said.strip(" ()"), style)
    for there, edge, marker in ((bottom, y[0], "v"), (top, y[1], "^")):
        for left, right in zip(low[there], high[there], strict=True):
            canvas.ax.plot([left, right], [edge, edge], color=style.colour, linewidth=3.5, clip_on=False)
            middle = [(left + right) / 2]
            canvas.ax.plot(middle, [edge], color=style.colour, marker=marker, markersize=8, clip_on=False)

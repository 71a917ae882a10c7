"""How far likelihood ratios claim more than the data bear out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deciban.curves.curve import select
from deciban.curves.overestimation import Overestimation
from deciban.plots.canvas import Canvas
from deciban.plots.extents import at_infinity, padded
from deciban.plots.looks import GREY, Look
from deciban.plots.lr_distribution import LOG10_LR
from deciban.plots.systems import Records, band_around, by_name
from deciban.values.arrays import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def lr_overestimation(records: Records[Overestimation], *, ax: Axes | None = None, vocabulary: str = "neutral") -> Axes:
    """Draw by how much LRs overstate the evidence, bin by bin.

    Parameters
    ----------
    records
        What ``deciban.lr_overestimation`` returns, or several by name.
    ax
        Axes to draw on; a new figure when None. Limits that they already have are kept.
    vocabulary
        Words of the labels: "neutral", "forensic", "biometric", "spoofing" or "ml".

    Returns
    -------
    Axes
        log10 of the mean LR that is claimed in a bin less that of the ratio of shares in the data: at 0 (grey line) LRs
        are calibrated, above it they speak too much for the target proposition, below it too little. Level over each
        bin; LRs of 0 and infinity are in none, and the legend says how many they are.

    Raises
    ------
    OptionError
        When a record is of another kind, or a name is unknown.
    MissingExtraError
        When matplotlib is absent.

    Notes
    -----
    For LRs below 1, too little for the target is too much for the other proposition.

    References
    ----------
    Hannig, Riman, Iyer and Vallone (2019), Are reported likelihood ratios well calibrated?, FSI Genetics Supplement 7.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([10.0] * 9 + [1.0] * 6, [10.0] * 5 + [1.0] * 10, scale="lr")
    >>> ax = db.plots.lr_overestimation(db.lr_overestimation(counts))
    >>> ax.lines[1].get_ydata().round(4).tolist()
    [0.2218, 0.2218, 0.7447, 0.7447]
    """
    systems = by_name("lr_overestimation", records, Overestimation, "lr_overestimation")
    canvas = Canvas(ax, vocabulary)
    canvas.labels(f"{LOG10_LR} as given", f"overestimation: {LOG10_LR} claimed\nless that borne out by the data")
    canvas.frame_x(*padded(np.concatenate([record.edges for record in systems.values()]), 0.02))
    canvas.frame_y(*padded(np.concatenate([np.zeros(1), *(_heights(record) for record in systems.values())]), 0.1))
    canvas.ax.axhline(0.0, color=GREY, linewidth=0.8, zorder=1.4)
    for name, record, style in canvas.systems(systems):
        _bins(canvas, name, record, style)
    return canvas.finish("best")


def _heights(record: Overestimation) -> Floats:
    """Every height that the axis should reach."""
    band = band_around(record, "discrepancy", main="discrepancy")
    return np.concatenate([record.discrepancy, *(end.compressed() for end in ((band.low, band.high) if band else ()))])


def _bins(canvas: Canvas, name: str, record: Overestimation, style: Look) -> None:
    rows = np.repeat(np.arange(record.low.size), 2)
    across = np.column_stack([record.low, record.high]).ravel()
    level = select(record, rows)
    canvas.band(across, band_around(level, "discrepancy", main="discrepancy"), style, canvas.ax.get_ylim())
    said = at_infinity({"LR = 0 or ∞": float(record.infinite_target + record.infinite_nontarget)})
    canvas.line(across, level.discrepancy, f"{canvas.titled(name) or 'overestimation'}{said}", style)

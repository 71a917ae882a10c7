"""The ROC and its convex hull."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deciban.curves.hull import Rocch
from deciban.curves.roc import Roc
from deciban.curves.thinning import thin
from deciban.errors import OptionError
from deciban.plots.canvas import POINTS, SQUARE, Canvas
from deciban.plots.looks import DASHED, Look
from deciban.plots.marks import mark_points
from deciban.plots.systems import Marks, Records, by_name, changed, row_at

if TYPE_CHECKING:
    from matplotlib.axes import Axes

UNIT = (-0.015, 1.015)
"""A little beyond 0 and 1, so that a line along the frame is seen."""


def roc(
    records: Records[Roc],
    *,
    ax: Axes | None = None,
    hull: Records[Rocch] | None = None,
    mark: Marks | None = None,
    vocabulary: str = "neutral",
) -> Axes:
    """Draw the receiver operating characteristic: recall against p_fa.

    Parameters
    ----------
    records
        What ``deciban.roc`` returns, or several by name.
    ax
        Axes to draw on; a new figure when None. Limits that they already have are kept.
    hull
        What ``deciban.rocch`` returns for the same systems, drawn dashed beside the curves.
    mark
        Operating points by name: a threshold for all systems, or ``{system: threshold}``.
    vocabulary
        Words of the labels: "neutral", "forensic", "biometric", "spoofing" or "ml".

    Returns
    -------
    Axes
        Both axes as shares, to one scale. An uninformative system follows the dotted diagonal.

    Raises
    ------
    OptionError
        When a record is of another kind, or a name is unknown.
    MissingExtraError
        When matplotlib is absent.

    References
    ----------
    Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1])
    >>> ax = db.plots.roc(db.roc(counts), mark={"0.5": 0.5})
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('False-alarm rate (share of nontargets)', 'Recall (share of targets)')
    """
    systems = by_name("roc", records, Roc, "roc")
    canvas = _plane(ax, vocabulary)
    for name, record, style in canvas.systems(systems):
        shown = thin(record, POINTS)
        canvas.band(shown.p_fa, shown.band, style, (0.0, 1.0))
        canvas.line(shown.p_fa, shown.recall, canvas.titled(name), style)
    if hull is not None:
        _hulls(canvas, by_name("roc", hull, Rocch, "rocch"), list(systems))
    mark_points(canvas, mark, systems, lambda name, threshold: _point(systems[name], threshold))
    return canvas.finish("lower right")


def rocch(records: Records[Rocch], *, ax: Axes | None = None, vocabulary: str = "neutral") -> Axes:
    """Draw the ROC convex hull with its vertices: the rates that thresholds, and randomising between two, can reach.

    Parameters
    ----------
    records
        What ``deciban.rocch`` returns, or several by name.
    ax
        Axes to draw on; a new figure when None. Limits that they already have are kept.
    vocabulary
        Words of the labels: "neutral", "forensic", "biometric", "spoofing" or "ml".

    Returns
    -------
    Axes
        The plane of the ROC: both axes as shares, to one scale.

    Raises
    ------
    OptionError
        When a record is of another kind, or a name is unknown.
    MissingExtraError
        When matplotlib is absent.

    References
    ----------
    Provost and Fawcett (2001), Robust classification for imprecise environments, Machine Learning 42.

    Examples
    --------
    >>> import deciban as db
    >>> ax = db.plots.rocch(db.rocch(db.Counts.from_classes([0.9, 0.5], [0.8, 0.7, 0.1])))
    >>> ax.lines[1].get_xdata().round(3).tolist()
    [0.0, 0.0, 0.667, 1.0]
    """
    systems = by_name("rocch", records, Rocch, "rocch")
    canvas = _plane(ax, vocabulary)
    for name, record, style in canvas.systems(systems):
        # Beyond a few dozen the markers would cover the line.
        shape: dict[str, Any] = {"marker": style.marker, "markersize": 4} if record.threshold.size <= 40 else {}
        if record.band is not None:
            canvas.band(record.p_fa, changed(record.band, lambda p_miss: 1.0 - p_miss), style, (0.0, 1.0))
        canvas.line(record.p_fa, 1.0 - record.p_miss, canvas.titled(name), style, **shape)
    return canvas.finish("lower right")


def _plane(ax: Axes | None, vocabulary: str) -> Canvas:
    canvas = Canvas(ax, vocabulary, SQUARE)
    words = canvas.words
    canvas.labels(f"{words.p_fa} (share of {words.nontargets})", f"{words.recall} (share of {words.targets})")
    canvas.frame_x(*UNIT)
    canvas.frame_y(*UNIT)
    canvas.ax.set_aspect("equal")
    canvas.reference([0, 1], [0, 1], "")
    return canvas


def _hulls(canvas: Canvas, hulls: dict[str, Rocch], names: list[str]) -> None:
    for name, hull in hulls.items():
        if name not in names:
            raise OptionError(f"hull: {name!r} is not among the curves {', '.join(map(repr, names))}")
        style = next(style for known, _, style in canvas.systems(dict.fromkeys(names)) if known == name)
        thinner = Look(style.colour, DASHED)
        canvas.line(hull.p_fa, 1.0 - hull.p_miss, canvas.titled(name, "convex hull"), thinner, linewidth=1.0)


def _point(record: Roc, threshold: float) -> tuple[float, float]:
    row = row_at(record.threshold, threshold)
    return float(record.p_fa[row]), float(record.recall[row])

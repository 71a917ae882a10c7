"""Precision–recall, plain and in gains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from deciban.curves.gain import PrGain
from deciban.curves.roc import PrecisionRecall
from deciban.curves.thinning import thin
from deciban.plots.canvas import POINTS, SQUARE, Canvas
from deciban.plots.marks import mark_points
from deciban.plots.roc_plane import UNIT
from deciban.plots.systems import Marks, Records, by_name, row_at

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BEFORE: Final = "recall gain below 0"
"""What the legend says of marks before the beginning of a gain curve."""


def precision_recall(
    records: Records[PrecisionRecall],
    *,
    ax: Axes | None = None,
    mark: Marks | None = None,
    vocabulary: str = "neutral",
) -> Axes:
    """Draw precision against recall as the steps whose area is the average precision.

    Parameters
    ----------
    records
        What ``deciban.precision_recall`` returns, or several by name.
    ax
        Axes to draw on; a new figure when None. Limits that they already have are kept.
    mark
        Operating points by name: a threshold for all systems, or ``{system: threshold}``.
    vocabulary
        Words of the labels: "neutral", "forensic", "biometric", "spoofing" or "ml".

    Returns
    -------
    Axes
        Between two points stands the precision of the one with more recall: no straight line joins them. The
        artificial point without predictions is left out. An uninformative system lies on the dotted line, whose
        height is the share of targets.

    Raises
    ------
    OptionError
        When a record is of another kind, or a name is unknown.
    MissingExtraError
        When matplotlib is absent.

    References
    ----------
    Davis and Goadrich (2006), The relationship between precision-recall and ROC curves, ICML.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([0.9, 0.6], [0.8, 0.1])
    >>> db.plots.precision_recall(db.precision_recall(counts)).get_ylabel()
    'Precision (targets among accepted)'
    """
    systems = by_name("precision_recall", records, PrecisionRecall, "precision_recall")
    canvas = Canvas(ax, vocabulary, SQUARE)
    words = canvas.words
    canvas.labels(f"{words.recall} (share of {words.targets})", f"{words.precision} ({words.targets} among accepted)")
    canvas.frame_x(*UNIT)
    canvas.frame_y(*UNIT)
    shares = {record.n_target / (record.n_target + record.n_nontarget): None for record in systems.values()}
    for share in shares:
        canvas.reference([0, 1], [share, share], "")
    for name, record, style in canvas.systems(systems):
        shown = thin(record, POINTS)
        # The first real point stands for all recall below its own.
        recall, precision = (np.append(column[1:2], column[1:]) for column in (shown.recall, shown.precision))
        recall[:1] = 0.0
        canvas.band(shown.recall, shown.band, style, (0.0, 1.0), steps=True)
        canvas.line(recall, precision, canvas.titled(name), style, steps=True)
    mark_points(canvas, mark, systems, lambda name, threshold: _point(systems[name], threshold))
    return canvas.finish("lower left")


def pr_gain(
    records: Records[PrGain], *, ax: Axes | None = None, mark: Marks | None = None, vocabulary: str = "neutral"
) -> Axes:
    """Draw precision gain against recall gain.

    Parameters
    ----------
    records
        What ``deciban.pr_gain`` returns, or several by name.
    ax
        Axes to draw on; a new figure when None. Limits that they already have are kept.
    mark
        Operating points by name: a threshold for all systems, or ``{system: threshold}``. Of those with
        less than recall gain 0, before which the curve has no point, the legend says so.
    vocabulary
        Words of the labels: "neutral", "forensic", "biometric", "spoofing" or "ml".

    Returns
    -------
    Axes
        Pure numbers; straight lines join the points. At precision gain 0 (dotted) accepting everything is as precise;
        below −1 the axis ends.

    Raises
    ------
    OptionError
        When a record is of another kind, or a name is unknown.
    MissingExtraError
        When matplotlib is absent.

    References
    ----------
    Flach and Kull (2015), Precision-recall-gain curves: PR analysis done right, NeurIPS.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([8, 7, 5, 3], [6, 4, 2, 1, 0, -1])
    >>> db.plots.pr_gain(db.pr_gain(counts)).get_xlabel()
    'Recall gain (0: as accepting everything)'
    """
    systems = by_name("pr_gain", records, PrGain, "pr_gain")
    canvas = Canvas(ax, vocabulary, SQUARE)
    canvas.labels("recall gain (0: as accepting everything)", "precision gain (0: as accepting everything)")
    lowest = min(float(record.precision_gain.min()) for record in systems.values())
    canvas.frame_x(*UNIT)
    canvas.frame_y(max(min(lowest, 0.0), -1.0) - 0.015, UNIT[1])
    canvas.reference([0, 1], [0, 0], "")
    for name, record, style in canvas.systems(systems):
        shown = thin(record, POINTS)
        canvas.band(shown.recall_gain, shown.band, style, canvas.ax.get_ylim())
        canvas.line(shown.recall_gain, shown.precision_gain, canvas.titled(name), style)
    mark_points(canvas, mark, systems, lambda name, threshold: _gains(systems[name], threshold), BEFORE)
    return canvas.finish("lower left")


def _point(record: PrecisionRecall, threshold: float) -> tuple[float, float]:
    row = row_at(record.threshold, threshold)
    return float(record.recall[row]), float(record.precision[row])


def _gains(record: PrGain, threshold: float) -> tuple[float, float] | None:
    """The point at a threshold; none above that of the curve's first point, which has recall gain 0 at least."""
    if threshold > record.threshold[0]:
        return None
    row = row_at(record.threshold, threshold)
    return float(record.recall_gain[row]), float(record.precision_gain[row])

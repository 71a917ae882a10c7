"""What thresholds do: net benefit, and ratios of the confusion matrix."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from deciban.curves.curve import select
from deciban.curves.net_benefit import NetBenefitCurve
from deciban.curves.thinning import thin
from deciban.curves.thresholds import ThresholdCurve
from deciban.plots.canvas import POINTS, Canvas
from deciban.plots.extents import drawable, padded
from deciban.plots.looks import DASHED, GREY, Look, look
from deciban.plots.marks import mark_thresholds
from deciban.plots.systems import Marks, Records, band_around, by_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def net_benefit(records: Records[NetBenefitCurve], *, ax: Axes | None = None, vocabulary: str = "neutral") -> Axes:
    """Draw the decision curve: net benefit over the probability at which one would act.

    Parameters
    ----------
    records
        What ``deciban.net_benefit_curve`` returns, or several by name.
    ax
        Axes to draw on; a new figure when None. Limits that they already have are kept.
    vocabulary
        Words of the labels: "neutral", "forensic", "biometric", "spoofing" or "ml".

    Returns
    -------
    Axes
        True positives per trial. A system is of use where it lies above both flagging all (dashed grey) and flagging
        none (the line at 0). The axis ends a little below 0, where no system is of use.

    Raises
    ------
    OptionError
        When a record is of another kind, or a name is unknown.
    MissingExtraError
        When matplotlib is absent.

    References
    ----------
    Vickers and Elkin (2006), Decision curve analysis, Medical Decision Making 26.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([0.9, 0.4], [0.8, 0.1], scale="probability")
    >>> ax = db.plots.net_benefit({"A": db.net_benefit_curve(counts, thresholds=[0.2, 0.5])})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['A', 'flagging all', 'flagging none']
    """
    systems = by_name("net_benefit", records, NetBenefitCurve, "net_benefit_curve")
    canvas = Canvas(ax, vocabulary)
    canvas.labels(
        f"probability of {canvas.words.target} at which to act",
        f"net benefit (flagged {canvas.words.targets} per trial)",
    )
    priors = np.concatenate([record.threshold for record in systems.values()])
    canvas.frame_x(*padded(priors, 0.0, (0.0, 1.0)))
    highest = max(float(np.maximum(r.benefit, r.treat_all).max()) for r in systems.values())
    highest = max(highest, *(r.n_target / (r.n_target + r.n_nontarget) for r in systems.values()), 1e-9)
    canvas.frame_y(-0.15 * highest, 1.05 * highest)
    for name, record, style in canvas.systems(systems):
        shown = select(record, np.argsort(record.threshold, kind="stable"))
        canvas.band(shown.threshold, shown.band, style, canvas.ax.get_ylim())
        canvas.line(shown.threshold, shown.benefit, canvas.titled(name), style)
    for record in systems.values():
        order = np.argsort(record.threshold, kind="stable")
        canvas.reference(record.threshold[order], record.treat_all[order], "flagging all", DASHED)
    canvas.entry(canvas.ax.axhline(0.0, color=GREY, linewidth=0.8, zorder=1.5), "flagging none")
    return canvas.finish("best")


def threshold_curve(
    records: Records[ThresholdCurve],
    *,
    ax: Axes | None = None,
    mark: Marks | None = None,
    vocabulary: str = "neutral",
) -> Axes:
    """Draw ratios of the confusion matrix against the threshold.

    Parameters
    ----------
    records
        What ``deciban.threshold_curve`` returns, or several by name.
    ax
        Axes to draw on; a new figure when None. Limits that they already have are kept.
    mark
        Thresholds by name, drawn as vertical lines.
    vocabulary
        Words of the labels: "neutral", "forensic", "biometric", "spoofing" or "ml".

    Returns
    -------
    Axes
        Steps: a value holds from the next lower score up to the threshold. Beyond the highest score a curve goes on to
        the frame with the value at infinity. Where a ratio has no value or is infinite there is a gap.

    Raises
    ------
    OptionError
        When a record is of another kind, or a name is unknown.
    MissingExtraError
        When matplotlib is absent.

    Notes
    -----
    For one system ratios differ by colour and dash, for several
    by dash.

    References
    ----------
    Powers (2011), Evaluation: from precision, recall and F-measure to ROC, J. Machine Learning Technologies 2.

    Examples
    --------
    >>> import deciban as db
    >>> ax = db.plots.threshold_curve(db.threshold_curve(db.Counts.from_classes([0.9, 0.6], [0.8, 0.1]), ["recall"]))
    >>> ax.get_xlabel(), [text.get_text() for text in ax.get_legend().get_texts()]
    ('Threshold (accept at or above)', ['recall'])
    """
    systems = by_name("threshold_curve", records, ThresholdCurve, "threshold_curve")
    canvas = Canvas(ax, vocabulary)
    names = list(dict.fromkeys(name for record in systems.values() for name in record.values))
    canvas.labels("threshold (accept at or above)", canvas.words.ratio(names[0]) if len(names) == 1 else "ratio")
    frame = canvas.frame_x(*padded(np.concatenate([record.threshold for record in systems.values()])))
    thinned = {name: _thinned(record) for name, record in systems.items()}
    found = np.concatenate([drawable(column) for record in thinned.values() for column in record.values.values()])
    within = found[np.isfinite(found)]
    if within.size == 0 or (within.min() >= 0.0 and within.max() <= 1.0):
        canvas.frame_y(-0.02, 1.02)
    else:
        canvas.frame_y(*padded(within))
    alone = len(systems) == 1
    for name, record, style in canvas.systems(thinned):
        for index, ratio in enumerate(names):
            if ratio in record.values:
                own = look(index) if alone else replace(style, dash=look(index).dash)
                label = canvas.titled(name, canvas.words.ratio(ratio))
                _ratio(canvas, label, record, ratio, own, frame, markers=not alone)
    mark_thresholds(canvas, mark, systems)
    return canvas.finish("best")


def _thinned(record: ThresholdCurve) -> ThresholdCurve:
    """A few of the points, in increasing order of thresholds."""
    falling = bool((record.threshold[1:] <= record.threshold[:-1]).all())
    # Thresholds that were given come in any order; the many of all scores fall, and are put in order when they are few.
    shown = thin(record if falling else _rising(record), POINTS)
    return _rising(shown)


def _rising(record: ThresholdCurve) -> ThresholdCurve:
    return select(record, np.argsort(record.threshold, kind="stable"))


def _ratio(
    canvas: Canvas,
    label: str,
    shown: ThresholdCurve,
    ratio: str,
    style: Look,
    frame: tuple[float, float],
    *,
    markers: bool,
) -> None:
    """Draw one ratio of a record in increasing order of thresholds."""
    finite = np.isfinite(shown.threshold)
    values = drawable(shown.values[ratio])
    x, y = shown.threshold[finite], values[finite]
    band = band_around(shown, ratio, main=next(iter(shown.values)))
    canvas.band(shown.threshold.clip(*frame), band, style, canvas.ax.get_ylim(), steps=True)
    # What holds at infinity holds from the highest score on; below the lowest score nothing changes any more. Where all
    # scores are infinite, it holds at every threshold.
    above = values[np.isposinf(shown.threshold)][:1]
    below = (y if x.size else above)[:1][: int(np.isneginf(shown.threshold).any())]
    x = np.concatenate([np.repeat(frame[0], below.size), x, np.repeat(frame[1], above.size)])
    y = np.concatenate([below, y, above])
    canvas.line(x, y, label, style, steps=True, markers=markers)

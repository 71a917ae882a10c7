"""What a countermeasure costs in a tandem, against its threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deciban.curves.tandem_cost import TandemCostCurve
from deciban.curves.thinning import thin
from deciban.plots.canvas import POINTS, Canvas
from deciban.plots.extents import padded
from deciban.plots.systems import Records, by_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def t_dcf(records: Records[TandemCostCurve], *, ax: Axes | None = None, vocabulary: str = "neutral") -> Axes:
    """Draw the normalised t-DCF against the countermeasure's threshold, its least value marked.

    Parameters
    ----------
    records
        What ``deciban.t_dcf_curve`` returns, or several by name.
    ax
        Axes to draw on; a new figure when None. Limits that they already have are kept.
    vocabulary
        Words of the labels: "neutral", "forensic", "biometric", "spoofing" or "ml".

    Returns
    -------
    Axes
        Steps: a cost holds from the next lower score up to the threshold. 1 (dotted) is what the better constant
        decision costs; beyond 1.5 the axis ends.

    Raises
    ------
    OptionError
        When a record is of another kind, or a name is unknown.
    MissingExtraError
        When matplotlib is absent.

    References
    ----------
    Kinnunen et al. (2020), Tandem assessment of spoofing countermeasures and automatic speaker verification:
    fundamentals, IEEE/ACM TASLP 28.

    Examples
    --------
    >>> import deciban as db
    >>> cm = db.Counts.from_classes([3, 4, 5], [0, 1, 3])
    >>> curve = db.t_dcf_curve(db.TandemCounts(cm=cm), cost="asvspoof2021", asv="asvspoof5")
    >>> db.plots.t_dcf(curve).get_ylabel()
    'Normalised t-DCF'
    """
    systems = by_name("t_dcf", records, TandemCostCurve, "t_dcf_curve")
    canvas = Canvas(ax, vocabulary)
    canvas.labels("threshold of the countermeasure (accept at or above)", "normalised t-DCF")
    low, high = canvas.frame_x(*padded(np.concatenate([record.threshold for record in systems.values()])))
    canvas.frame_y(-0.02, 1.5)
    for name, record, style in canvas.systems(systems):
        shown = thin(record, POINTS)
        # What holds at infinity holds from the highest score on.
        threshold = np.clip(shown.threshold[::-1], low, high)
        least = int(np.argmin(record.t_dcf))
        cost = float(record.t_dcf[least])
        canvas.line(threshold, shown.t_dcf[::-1], canvas.titled(name, f"least {cost:.3g}"), style, steps=True)
        at = float(np.clip(record.threshold[least], low, high))
        canvas.ax.plot([at], [cost], marker="o", color=style.colour, linestyle="none")
    canvas.reference([low, high], [1.0, 1.0], "decided without looking")
    return canvas.finish("best")

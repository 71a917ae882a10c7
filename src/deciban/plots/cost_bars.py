"""Bars of Cllr in two parts, which sum up a plot over priors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from deciban.errors import OptionError
from deciban.plots.canvas import Canvas
from deciban.plots.looks import BLUE, DOTTED, VERMILLION
from deciban.plots.names import shown_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TICK: Final = 24
"""Letters of a name below its bar."""

ACROSS: Final = 48
"""Letters of names side by side below an axis; more are written upright."""


def ape_bars(costs: Mapping[str, tuple[float, float]], *, ax: Axes | None = None, vocabulary: str = "neutral") -> Axes:
    """Draw Cllr as bars of two parts, what discrimination leaves and what calibration adds: areas under an APE plot.

    Parameters
    ----------
    costs
        ``(cllr_min, cllr_cal)`` of each system by name, in bits.
    ax
        Axes to draw on; a new figure when None. Limits that they already have are kept.
    vocabulary
        Words of the labels: "neutral", "forensic", "biometric", "spoofing" or "ml".

    Returns
    -------
    Axes
        One bar a system; its whole is Cllr. The dotted line at 1 is that of LR = 1 for every trial. An infinite bar
        runs to the frame.

    Raises
    ------
    OptionError
        When there is no system, or a cost is negative or no number.
    MissingExtraError
        When matplotlib is absent.

    References
    ----------
    Brümmer and du Preez (2006), Application-independent evaluation of speaker detection, CSL 20.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([2.0, 0.5], [-1.0, 0.7], scale="ln_lr")
    >>> ax = db.plots.ape_bars({"A": (db.cllr_min(counts), db.cllr_cal(counts))})
    >>> bool(abs(sum(bar.get_height() for bar in ax.patches) - db.cllr(counts)) < 1e-12)
    True
    """
    if not costs:
        raise OptionError("ape_bars: expected at least one system, found none")
    for name, pair in costs.items():
        if not all(part >= 0.0 for part in pair):
            raise OptionError(
                f"ape_bars: expected (cllr_min, cllr_cal), both at least 0, found {pair!r} under {name!r}"
            )
    canvas = Canvas(ax, vocabulary)
    places = np.arange(len(costs))
    lower, upper = (np.array([float(pair[part]) for pair in costs.values()]) for part in (0, 1))
    total = (lower + upper)[np.isfinite(lower + upper)]
    canvas.frame_x(-0.6, places.size - 0.4)
    top = canvas.frame_y(0.0, 1.08 * max(1.0, float(total.max(initial=0.0))))[1]
    bars = {
        "discrimination (min Cllr)": (np.zeros(places.size), lower, BLUE, None),
        "calibration (Cllr − min Cllr)": (lower, upper, VERMILLION, "///"),
    }
    for label, (bottom, height, colour, hatch) in bars.items():
        shown = np.where(np.isfinite(height), height, top - bottom)
        drawn = canvas.ax.bar(places, shown, 0.6, bottom=bottom, color=colour, hatch=hatch, edgecolor="white")
        canvas.entry(drawn, label)
    canvas.reference([-0.6, places.size - 0.4], [1, 1], "LR = 1 always", DOTTED)
    short = shown_names(costs, TICK)
    names = [f"{short[name]} (infinite)" if np.isinf(sum(pair)) else short[name] for name, pair in costs.items()]
    canvas.ax.set_xticks(places, names, parse_math=False)
    if max(map(len, names)) * len(names) > ACROSS:
        canvas.ax.tick_params(axis="x", labelrotation=90)
        canvas.grow(0.07 * max(map(len, names)))
    canvas.labels("", "Cllr (bits)")
    return canvas.finish("best")

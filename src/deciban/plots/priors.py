"""What is drawn over priors: empirical cross-entropy and Bayes error."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from deciban.curves.bayes_error import BayesErrorCurve
from deciban.curves.cross_entropy import CrossEntropyCurve
from deciban.curves.curve import select
from deciban.errors import OptionError
from deciban.plots.canvas import Canvas
from deciban.plots.extents import drawable
from deciban.plots.looks import DASHED, DOTTED, SOLID
from deciban.plots.systems import Records, band_around, by_name
from deciban.values.arrays import AnyArray, Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

XAxis = Literal["log10 odds", "probability"]
X_AXES: Final = ("log10 odds", "probability")

TALLEST: Final = 2.0
"""Curves may rise to so many times the uninformed one before the axis ends."""


def cross_entropy(
    records: Records[CrossEntropyCurve],
    *,
    ax: Axes | None = None,
    x: XAxis = "log10 odds",
    vocabulary: str = "neutral",
) -> Axes:
    """Draw the empirical cross-entropy over priors: the information plot.

    Parameters
    ----------
    records
        What ``deciban.empirical_cross_entropy_curve`` returns, or several by name.
    ax
        Axes to draw on; a new figure when None. Limits that they already have are kept.
    x
        "log10 odds" or "probability": how the prior is given; the plot was published with probabilities.
    vocabulary
        Words of the labels: "neutral", "forensic", "biometric", "spoofing" or "ml".

    Returns
    -------
    Axes
        Bits. Solid the LRs as they are, dashed after PAV, dotted with LR = 1 for every trial: where the solid line lies
        above the dotted one the LRs mislead. Beyond twice the uninformed value the axis ends; an infinite curve is not
        drawn, and the legend says so.

    Raises
    ------
    OptionError
        When a record is of another kind, or a name is unknown.
    MissingExtraError
        When matplotlib is absent.

    References
    ----------
    Ramos and Gonzalez-Rodriguez (2007), Information-theoretical analysis of LRs, IEEE Odyssey.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([0.5, 2.0], [-1.0, 0.0], scale="log10_lr")
    >>> ax = db.plots.cross_entropy(db.empirical_cross_entropy_curve(counts), x="probability")
    >>> ax.get_xlabel(), [text.get_text() for text in ax.get_legend().get_texts()]
    ('Prior probability of target', ['LRs as they are', 'LRs after PAV', 'LR = 1 always'])
    """
    systems = by_name("cross_entropy", records, CrossEntropyCurve, "empirical_cross_entropy_curve")
    if x not in X_AXES:
        raise OptionError(f"x: expected 'log10 odds' or 'probability', found {x!r}")
    canvas = Canvas(ax, vocabulary)
    alone = len(systems) == 1
    kind = "probability" if x == "probability" else "log$_{10}$ odds"
    canvas.labels(f"prior {kind} of {canvas.words.target}", "empirical cross-entropy (bits)")
    at = {name: record.p_target if x == "probability" else record.log10_odds for name, record in systems.items()}
    neutral = [r.neutral for r in systems.values()]
    _frame(canvas, at.values(), neutral, [r.system for r in systems.values()], whole=x == "probability")
    for name, record, style in canvas.systems(systems):
        order = _order(at[name])
        shown, priors = select(record, order), at[name][order]
        for around, second in (("system", False), ("pav", True)):
            canvas.band(priors, band_around(shown, around, "system"), style, canvas.ax.get_ylim(), second=second)
        for column, dash, what in ((shown.system, SOLID, "LRs as they are"), (shown.pav, DASHED, "LRs after PAV")):
            label = canvas.titled(name, what) + (" (infinite)" if np.isposinf(column).any() else "")
            canvas.line(priors, drawable(column), label, style, dash=dash, markers=not alone)
    for grid, reference in _distinct((at[name], record.neutral) for name, record in systems.items()):
        canvas.reference(grid, reference, "LR = 1 always", DOTTED)
    return canvas.finish("upper left" if x != "probability" else "best")


def bayes_error(records: Records[BayesErrorCurve], *, ax: Axes | None = None, vocabulary: str = "neutral") -> Axes:
    """Draw the error probability over priors: an APE plot; from normalised records an NBE plot.

    Parameters
    ----------
    records
        What ``deciban.bayes_error_curve`` returns, all normalised or none, or several by name.
    ax
        Axes to draw on; a new figure when None. Limits that they already have are kept.
    vocabulary
        Words of the labels: "neutral", "forensic", "biometric", "spoofing" or "ml".

    Returns
    -------
    Axes
        Solid at the threshold of theory (where the scores are LRs), dashed at the best threshold, dotted of the better
        decision without looking. Beyond twice that the axis ends.

    Raises
    ------
    OptionError
        When a record is of another kind, only some are normalised, or a name is unknown.
    MissingExtraError
        When matplotlib is absent.

    References
    ----------
    Brümmer and de Villiers (2013), The BOSARIS toolkit, arXiv:1304.2865.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([8.0, 2.0], [0.1, 4.0], scale="lr")
    >>> db.plots.bayes_error(db.bayes_error_curve(counts, normalise=True)).get_ylabel()
    'Normalised Bayes error'
    """
    systems = by_name("bayes_error", records, BayesErrorCurve, "bayes_error_curve")
    normalised = {record.normalised for record in systems.values()}
    if len(normalised) > 1:
        raise OptionError("bayes_error: expected records that are all normalised, or none")
    canvas = Canvas(ax, vocabulary)
    alone = len(systems) == 1
    title = "normalised Bayes error" if normalised == {True} else "Bayes error (probability)"
    canvas.labels(f"prior log$_{{10}}$ odds of {canvas.words.target}", title)
    found = [column for r in systems.values() for column in (r.actual, r.minimum) if column is not None]
    _frame(canvas, [r.log10_odds for r in systems.values()], [r.default for r in systems.values()], found)
    for name, record, style in canvas.systems(systems):
        shown = select(record, _order(record.log10_odds))
        main = "minimum" if shown.actual is None else "actual"
        for around, second in (("actual", False), ("minimum", True)):
            band = band_around(shown, around, main)
            canvas.band(shown.log10_odds, band, style, canvas.ax.get_ylim(), second=second)
        for column, dash, what in (
            (shown.actual, SOLID, "theoretical threshold"),
            (shown.minimum, DASHED, "best threshold"),
        ):
            if column is not None:
                canvas.line(shown.log10_odds, column, canvas.titled(name, what), style, dash=dash, markers=not alone)
    for odds, default in _distinct((record.log10_odds, record.default) for record in systems.values()):
        canvas.reference(odds, default, "decided without looking", DOTTED)
    return canvas.finish("upper left")


def _order(values: Floats) -> AnyArray:
    """Rows in increasing order of the prior, those that no axis reaches left out."""
    order = np.argsort(values, kind="stable")
    return order[np.isfinite(values[order])]


def _frame(
    canvas: Canvas, x: Iterable[Floats], reference: list[Floats], found: list[Floats], whole: bool = False
) -> None:
    """From the least to the greatest prior, and up to the highest curve, but not much beyond the uninformed one."""
    priors = np.concatenate(list(x))
    priors = priors[np.isfinite(priors)]
    if whole:
        canvas.frame_x(0.0, 1.0)
    elif priors.size:
        low, high = float(priors.min()), float(priors.max())
        canvas.frame_x(*((low, high) if low < high else (low - 0.5, high + 0.5)))
    uninformed = float(np.concatenate(reference).max())
    values = np.concatenate(found)
    highest = float(values[np.isfinite(values)].max(initial=0.0))
    top = 1.05 * max(uninformed, min(highest, TALLEST * uninformed)) or 1.0
    # A little below 0, where perfect systems are.
    canvas.frame_y(-0.015 * top, top)


def _distinct(lines: Iterable[tuple[Floats, Floats]]) -> list[tuple[Floats, Floats]]:
    """Reference lines in increasing order of the prior, equal ones once."""
    found: dict[tuple[float, ...], tuple[Floats, Floats]] = {}
    for x, y in lines:
        order = _order(x)
        found.setdefault((*x[order].tolist(),), (x[order], y[order]))
    return list(found.values())

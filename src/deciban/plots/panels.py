"""Small multiples: one panel for each record, all with the same axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from deciban.errors import OptionError
from deciban.plots.canvas import new_figure
from deciban.plots.fitting import FEWEST
from deciban.plots.legends import below, entries_of, width_of_figure
from deciban.plots.names import shown_names
from deciban.plots.systems import Unseen

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import FigureBase

CAPITAL: Final = 0.1
"""Inches of a letter of a title, on average."""


def multiples(
    draw: Callable[..., Axes],
    records: Mapping[str, Any],
    *,
    columns: int | None = None,
    size: tuple[float, float] | None = None,
    figure: FigureBase | None = None,
    **options: Any,
) -> FigureBase:
    """Draw one panel for each record, with one scale for all, so that panels can be compared.

    Parameters
    ----------
    draw
        A function of ``deciban.plots`` such as ``tippett``.
    records
        Records by name, which becomes the title of the panel.
    columns
        Panels side by side; default up to three.
    size
        Width and height of a new figure in inches; default 2.6 × 2.8 for a panel.
    figure
        A figure or part of one (``Figure.subfigures``) to draw on; a new one when None.
    options
        Passed on to ``draw``, e.g. ``vocabulary="forensic"``.

    Returns
    -------
    Figure
        Its ``axes`` are the panels in order. Limits hold all records; only outer panels have labels, and there is one
        legend below them all where it is the same in each.

    Raises
    ------
    OptionError
        When there is no record, or fewer than one column is asked for.
    MissingExtraError
        When matplotlib is absent.

    References
    ----------
    Tufte (1983), The visual display of quantitative information, Graphics Press.

    Examples
    --------
    >>> import deciban as db
    >>> one, two = (db.Counts.from_classes(x, [0.0, -1.0], scale="ln_lr") for x in ([1.0, 2.0], [3.0, 9.0]))
    >>> figure = db.plots.multiples(db.plots.tippett, {"A": db.tippett(one), "B": db.tippett(two)})
    >>> [panel.get_title() for panel in figure.axes], figure.axes[0].get_xlim() == figure.axes[1].get_xlim()
    (['A', 'B'], True)
    """
    if not records:
        raise OptionError("multiples: expected at least one record, found none")
    if columns is not None and columns < 1:
        raise OptionError(f"columns: expected at least 1, found {columns!r}")
    wide = min(columns or 3, len(records))
    high = math.ceil(len(records) / wide)
    # Drawn once all together, on a sheet that is thrown away, for limits that hold every record.
    sheet = draw(Unseen(records), **options)
    ours = figure is None and size is None
    if figure is not None and not hasattr(figure, "subplots"):
        raise OptionError(f"figure: expected a figure of matplotlib or a part of one, found {type(figure).__name__}")
    if figure is None:
        figure = new_figure(*(size or (2.6 * wide + 0.6, 2.8 * high + 0.6)))
    panels = figure.subplots(high, wide, squeeze=False).ravel()
    for panel in panels[len(records) :]:
        figure.delaxes(panel)
    titles = shown_names(records, max(FEWEST, int(width_of_figure(figure) / wide / CAPITAL)))
    for index, (name, record) in enumerate(records.items()):
        panel = panels[index]
        panel.set_xlim(sheet.get_xlim())
        panel.set_ylim(sheet.get_ylim())
        draw(record, ax=panel, **{option: _own(option, value, name) for option, value in options.items()})
        panel.set_title(titles[name], fontsize="medium", parse_math=False)
        if index % wide:
            _unlabelled(panel.yaxis)
        if index + wide < len(records):
            _unlabelled(panel.xaxis)
    _one_legend(figure, list(panels[: len(records)]), grow=ours)
    return figure


def _own(option: str, value: Any, name: str) -> Any:
    """What an option says of one record: ``hull={name: …}`` and ``mark={label: {name: …}}`` are taken apart."""
    if option == "hull" and isinstance(value, Mapping):
        return value.get(name)
    if option == "mark" and value is not None:
        own = {label: given.get(name) if isinstance(given, Mapping) else given for label, given in value.items()}
        return {label: threshold for label, threshold in own.items() if threshold is not None}
    return value


def _unlabelled(axis: Any) -> None:
    axis.set_tick_params(labelleft=False, labelbottom=False)
    axis.label.set_visible(False)


def _one_legend(figure: FigureBase, panels: list[Axes], *, grow: bool) -> None:
    """One legend below all panels where all say the same."""
    legends = [legend for panel in panels if (legend := panel.get_legend()) is not None]
    texts = [[text.get_text() for text in legend.get_texts()] for legend in legends]
    if not legends or len(legends) < len(panels) or any(text != texts[0] for text in texts):
        return
    entries = entries_of(legends[0])
    for legend in legends:
        legend.remove()
    below(figure, entries, grow=grow)

"""Small multiples: one panel for each record, all with the same axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from deciban.errors import OptionError
from deciban.plots.canvas import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def multiples(
    draw: Callable[..., Axes],
    records: Mapping[str, Any],
    *,
    columns: int | None = None,
    size: tuple[float, float] | None = None,
    **options: Any,
) -> Figure:
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
        Width and height of the whole figure in inches; default 2.6 × 2.5 for a panel.
    options
        Passed on to ``draw``, e.g. ``vocabulary="forensic"``.

    Returns
    -------
    Figure
        Its ``axes`` are the panels in order. Limits hold all records; only outer panels have labels, and the legend is
        in the first panel alone where it is the same in all.

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
    sheet = draw(records, **options)
    figure = new_figure(*(size or (2.6 * wide + 0.6, 2.5 * high + 0.4)))
    panels = figure.subplots(high, wide, squeeze=False).ravel()
    for panel in panels[len(records) :]:
        figure.delaxes(panel)
    for index, (name, record) in enumerate(records.items()):
        panel = panels[index]
        panel.set_xlim(sheet.get_xlim())
        panel.set_ylim(sheet.get_ylim())
        draw(record, ax=panel, **options)
        panel.set_title(str(name), fontsize="medium", parse_math=False)
        if index % wide:
            _unlabelled(panel.yaxis)
        if index + wide < len(records):
            _unlabelled(panel.xaxis)
    _one_legend(list(panels[: len(records)]))
    return figure


def _unlabelled(axis: Any) -> None:
    axis.set_tick_params(labelleft=False, labelbottom=False)
    axis.label.set_visible(False)


def _one_legend(panels: list[Axes]) -> None:
    """Leave the legend to the first panel where all say the same."""
    legends = [legend for panel in panels if (legend := panel.get_legend()) is not None]
    texts = {tuple(text.get_text() for text in legend.get_texts()) for legend in legends}
    if len(texts) == 1 and len(legends) == len(panels):
        for legend in legends[1:]:
            legend.remove()

"""Figures of the page: curves of the record, drawn as everywhere, with words and numbers beside them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from deciban.curves.curve import Curve
from deciban.errors import DecibanError
from deciban.plots.canvas import own_axes
from deciban.plots.forest import forest
from deciban.plots.looks import MOST
from deciban.plots.saving import svg_with_text
from deciban.records.display import printable
from deciban.records.figures import MetricValue
from deciban.report.inline_svg import inline
from deciban.report.numbers import as_link, curve_csv, figures_csv
from deciban.report.section import FigureBlock, Figures, Prose, prose

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deciban.vocabulary import Vocabulary

SIZE: Final = (4.8, 3.9)
"""Inches: the letters of a drawing of this width are legible on a phone, and two stand side by side on paper."""

CSV: Final = "text/csv"


def curve_figure(
    id_: str,
    title: str,
    caption: str,
    alt: str,
    draw: Callable[..., Axes],
    curves: Mapping[str, Curve],
    words: Vocabulary,
    *,
    most: int = MOST,
    **options: Any,
) -> FigureBlock | Prose | None:
    """Draw curves by the name of their system; a paragraph that says why where that is impossible, None for none.

    Of more than ``most`` systems the first are drawn, as many as can be told apart; the CSV has the numbers of all.
    """
    if not curves:
        return None

    def drawn() -> Axes:
        shown = {printable(name): curve for name, curve in islice(curves.items(), most)}
        return draw(shown, ax=own_axes(*SIZE), vocabulary=words.name, **options)

    if len(curves) > most:
        caption += f" Drawn are the first {most} of {len(curves)} systems; the CSV has all."
    return _figure(id_, title, caption, alt, drawn, curve_csv(curves))


def forest_figure(
    id_: str, title: str, caption: str, alt: str, figures: Mapping[str, MetricValue], **options: Any
) -> FigureBlock | Prose:
    """Draw figures of groups or systems below one another."""
    shown = {printable(name): figure for name, figure in figures.items()}
    return _figure(id_, title, caption, alt, lambda: forest(shown, **options), figures_csv(figures))


def beside(*figures: FigureBlock | Prose | None) -> list[Figures | Prose]:
    """Figures side by side, then what could not be drawn."""
    drawn = tuple(figure for figure in figures if isinstance(figure, FigureBlock))
    said = [figure for figure in figures if isinstance(figure, Prose)]
    return [*([Figures(drawn)] if drawn else []), *said]


def _figure(
    id_: str, title: str, caption: str, alt: str, draw: Callable[[], Axes], numbers: str
) -> FigureBlock | Prose:
    try:
        with warnings.catch_warnings():
            # What matplotlib warns of is a layout without room, which is seen on the page.
            warnings.simplefilter("ignore", UserWarning)
            axes = draw()
            _plain_labels(axes)
            svg = svg_with_text(axes)
    except DecibanError as error:
        return prose(f"{title}: not drawn: {error}.")
    spoken = f"{title}. {alt or caption}"
    return FigureBlock(id_, title, caption, spoken, inline(svg, id_, spoken), f"{id_}.csv", as_link(numbers, CSV))


def _plain_labels(axes: Axes) -> None:
    """Write the base of a logarithm as a letter: signs of mathematics would be placed for another font."""
    figure: Any = axes.figure
    for each in figure.axes:
        legend = each.get_legend()
        for text in (each.xaxis.label, each.yaxis.label, *(legend.get_texts() if legend else ())):
            text.set_text(text.get_text().replace("log$_{10}$", "log₁₀"))

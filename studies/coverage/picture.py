"""The results as a picture: a panel for each figure, a row for each cell, a dot for each method."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

from matplotlib.figure import Figure

from studies.coverage.cells import INDEPENDENT, SOURCES, Cell
from studies.coverage.defaults import TITLES, as_if_independent, default
from studies.coverage.methods import BY_TRIAL
from studies.coverage.run import Tallies
from studies.coverage.table import WANTED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEFT: Final = 60.0
"""Percent below which dots are drawn at the edge."""

ALONE: Final = "default, as if trials that share sources were independent"

ROW: Final = 0.22
"""Inches a row is high."""


def draw(results: Mapping[str, Tallies]) -> Figure:
    """Draw coverage of every method, the defaults in black."""
    cells = [cell for cell in (*INDEPENDENT, *SOURCES) if cell.name in results]
    figure = Figure(figsize=(13.0, 1.5 + ROW * len(cells)), layout="constrained")
    panels = figure.subplots(1, len(TITLES), sharey=True)
    for axes, (name, title) in zip(panels, TITLES.items(), strict=True):
        _panel(axes, name, cells, results)
        axes.set_title(fill(title, 12), fontsize=9)
    panels[0].set_yticks(range(len(cells)), [cell.name for cell in cells], fontsize=8)
    panels[0].set_ylim(len(cells) - 0.5, -0.5)
    handles, labels = panels[1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False, fontsize=9)
    figure.supxlabel("coverage of a nominal 95 % in percent (60: or less)", fontsize=9)
    return figure


def _panel(axes: Axes, name: str, cells: list[Cell], results: Mapping[str, Tallies]) -> None:
    others, defaults, alone = [], [], []
    for row, cell in enumerate(cells):
        shared = cell.world.sharing != "none"
        for (figure, method), tally in results[cell.name].items():
            if figure != name or not tally.made:
                continue
            at = max(100.0 * tally.coverage, LEFT), row
            if method == default(name, cell):
                defaults.append(at)
            elif shared and method == as_if_independent(name):
                alone.append(at)
            elif BY_TRIAL not in method:
                others.append(at)
    _dots(axes, others, "other methods", color="tab:blue", s=10, alpha=0.6, zorder=2)
    _dots(axes, alone, ALONE, edgecolors="tab:red", facecolors="none", s=28, zorder=3)
    _dots(axes, defaults, "default", color="black", s=24, zorder=4)
    first = next((row for row, cell in enumerate(cells) if cell.world.sharing != "none"), None)
    if first is not None:
        axes.axhline(first - 0.5, color="0.6", linewidth=0.8)
    _furnish(axes)


def _dots(axes: Axes, dots: list[tuple[float, int]], label: str, **style: Any) -> None:
    axes.scatter([x for x, _ in dots], [y for _, y in dots], label=label, linewidths=1.0, **style)


def _furnish(axes: Axes) -> None:
    axes.axvspan(100 * WANTED[0], 100 * WANTED[1], color="0.9", zorder=0)
    axes.axvline(95.0, color="0.6", linewidth=0.8, zorder=1)
    axes.set_xlim(LEFT - 1.5, 101.5)
    axes.set_xticks([60, 80, 95])
    axes.tick_params(axis="both", length=0, labelsize=8)
    axes.grid(axis="y", color="0.93", linewidth=0.6)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)

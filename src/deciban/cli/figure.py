"""From counts to a figure in a file: records, operating points, drawing."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from deciban.errors import OptionError, UndefinedMetricError
from deciban.records.display import exact_digits, printable, shortened
from deciban.trials.direction import reversed_threshold
from deciban.uncertainty.bootstrap.repeat import check_draws
from deciban.values.scale import to_log10_lr
from deciban.values.whole_file import whole_file

if TYPE_CHECKING:
    from deciban.cli.systems import Systems
    from deciban.counts.counts import Counts
    from deciban.plots.kinds import Kind
    from deciban.uncertainty.bootstrap.repeat import Progress

PER_INCH: Final = {"": 1.0, "in": 1.0, "cm": 2.54, "mm": 25.4}
SMALLEST, LARGEST = 2.0, 60.0
"""Inches: below these no label is legible; no page is wider than those, and a larger picture would not fit memory."""

LEFT_OUT: Final = ("single_class", "too_few")
"""Reasons for which one of several systems is not drawn and the others are."""

_SIZE: Final = re.compile(r"\s*([\d.]+)\s*[x×]\s*([\d.]+)\s*(in|cm|mm|)\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRequest:
    """What is drawn, how, and where to; ``band`` holds level, replicates and seed where there is to be one."""

    kind: Kind
    path: Path
    format: str
    marks: tuple[str, ...] = ()
    vocabulary: str = "neutral"
    title: str | None = None
    size: tuple[float, float] | None = None
    panels: bool = False
    band: Mapping[str, Any] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def check(self) -> None:
        """Refuse what cannot be drawn before a large file is read."""
        self.kind.options(self.options)
        if self.band is not None:
            check_draws("replicates", self.band["replicates"], self.band["level"], self.band["seed"], workers=1)
        if self.marks and self.kind.marks is None:
            raise OptionError(f"--mark: the {self.kind.name} plot has no operating points")
        for mark in self.marks:
            name, _, value = mark.partition("=")
            if name.strip() == "threshold":
                _number(value, mark)


def parse_size(text: str) -> tuple[float, float]:
    """Width and height in inches of ``6x4``, ``150x100mm`` or ``15x10cm``."""
    found = _SIZE.fullmatch(text.lower())
    try:
        sides = [float(side) / PER_INCH[found[3]] for side in found.groups()[:2]] if found else []
    except ValueError:
        sides = []
    if not sides:
        raise OptionError(f"--size: expected WxH, in inches or with a unit as in 150x100mm, found {text!r}")
    if not all(SMALLEST <= side <= LARGEST for side in sides):
        raise OptionError(f"--size: expected {SMALLEST:g} to {LARGEST:g} inches each way, found {text!r}")
    return sides[0], sides[1]


def write_figure(request: FigureRequest, read: Systems, progress: Progress | None = None) -> list[str]:
    """Draw the systems into the file; what a reader should know besides is returned."""
    from deciban.plots.kinds import record_of
    from deciban.plots.saving import default_style, save

    curve_options, draw_options = request.kind.options(request.options)
    notes: list[str] = []
    drawn, records = {}, {}
    for name, counts in read.systems.items():
        try:
            record = record_of(request.kind, counts, curve_options)
        except UndefinedMetricError as error:
            if len(read.systems) == 1 or error.reason not in LEFT_OUT:
                raise
            notes.append(f"{name}: left out: {error}")
            continue
        if request.band is not None:
            try:
                record = record_of(request.kind, read.data[name], curve_options, {**request.band, "progress": progress})
            except UndefinedMetricError as error:
                notes.append(f"{name}: without a band: {error}".removeprefix(": "))
        drawn[printable(name)], records[printable(name)] = counts, record
    if not records:
        raise UndefinedMetricError(f"nothing to draw: {notes[0]}")
    if any(counts.reversed for counts in drawn.values()):
        notes.append("scores reversed: an axis of scores shows the reversed ones, a mark is for the scores as given")
    notes += [
        f"{name}: scores are in buckets {exact_digits(counts.resolution)} wide: points at their edges are exact, "
        "between them the curve is not known".removeprefix(": ")
        for name, counts in drawn.items()
        if counts.resolution is not None
    ]
    if request.marks:
        draw_options["mark"] = _marks(request, drawn, notes)
    if "hull" in draw_options:
        from deciban.curves.hull import rocch

        draw_options["hull"] = {name: rocch(counts) for name, counts in drawn.items()}
    with whole_file(request.path) as temporary, warnings.catch_warnings(record=True) as caught, default_style():
        warnings.simplefilter("always", UserWarning)
        save(_figure(request, records, draw_options), temporary, format=request.format)
        notes += _escaped([*records, *request.marks, request.title or ""])
    return notes + _told(caught)


def _figure(request: FigureRequest, records: Mapping[str, Any], draw_options: Mapping[str, Any]) -> Any:
    from deciban.plots.fitting import entitle, resize
    from deciban.plots.panels import multiples

    draw, words = request.kind.draw, request.vocabulary
    if request.panels:
        figure: Any = multiples(draw, records, vocabulary=words, **draw_options)
    else:
        figure = draw(records, vocabulary=words, **draw_options).figure
    if request.title is not None:
        entitle(figure, request.title)
    if request.size is not None:
        resize(figure, *request.size)
    return figure


def _marks(request: FigureRequest, systems: Mapping[str, Counts], notes: list[str]) -> dict[str, dict[str, float]]:
    """Operating points of every system, by the name in the legend."""
    from deciban.workflow.choose import choose_threshold

    found: dict[str, dict[str, float]] = {}
    for mark in request.marks:
        name, _, value = mark.partition("=")
        if name.strip() == "threshold":
            threshold = _number(value, mark)
            label, chosen = (
                f"threshold {exact_digits(threshold)}",
                {
                    system: reversed_threshold(threshold, counts.scale) if counts.reversed else threshold
                    for system, counts in systems.items()
                },
            )
        else:
            label, rules = mark.strip(), {name: choose_threshold(counts, mark) for name, counts in systems.items()}
            chosen = {name: rule.threshold for name, rule in rules.items()}
            notes += [
                f"{name}: no threshold has exactly {rule.rule}; the nearest one is marked".removeprefix(": ")
                for name, rule in rules.items()
                if not rule.reached
            ]
        if request.kind.marks == "log10 lr":
            chosen = {name: _log10(chosen[name], counts) for name, counts in systems.items()}
        found[label] = chosen
    return found


def _log10(threshold: float, counts: Counts) -> float:
    if counts.scale == "lr" and threshold < 0.0:
        return -math.inf
    return float(to_log10_lr(np.array([threshold]), counts.scale, counts.prior)[0])


def _number(text: str, mark: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise OptionError(f"--mark: expected threshold=T with a number T, found {mark!r}")
    return value


def _escaped(texts: Iterable[str]) -> list[str]:
    """Say how letters are written that the font of the figure does not have."""
    from deciban.plots.names import legible

    return [
        f"the font of the figure has not all letters of {shortened(text)!r}: written {shortened(shown)}"
        for text in map(printable, texts)
        if (shown := legible(text)) != text
    ]


def _told(caught: Iterable[warnings.WarningMessage]) -> list[str]:
    """What matplotlib warned of: once each."""
    return list(
        dict.fromkeys(
            str(warning.message).split("\n")[0] for warning in caught if issubclass(warning.category, UserWarning)
        )
    )

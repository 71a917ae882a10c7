"""What a drawing shows, in the main numbers, for those who cannot see it."""

from __future__ import annotations

from itertools import islice
from typing import Final

from deciban.records.display import shortened
from deciban.report.naming import is_rate, short_title
from deciban.report.subject import Subject
from deciban.report.wording import interval_text, value_text

SYSTEMS: Final = 6
"""Systems whose numbers are said; the table has all."""


def spoken(subject: Subject, *keys: str) -> str:
    """Values of some figures of each system, with their intervals."""
    said = []
    for name in islice(subject.systems, SYSTEMS):
        figures = ", ".join(_figures(subject, name, keys))
        if figures:
            said.append(f"{shortened(name)}: {figures}." if name else f"{figures}.")
    return " ".join(said)


def _figures(subject: Subject, name: str, keys: tuple[str, ...]) -> list[str]:
    system = subject.systems[name]
    found = []
    for key in keys:
        figure = system.metrics.get(key)
        if figure is not None and figure.value is not None:
            rate, unit = is_rate(key), f" {figure.unit}" if figure.unit else ""
            written = f"{value_text(figure, rate=rate)} {interval_text(figure.interval, rate=rate)}".strip()
            found.append(f"{short_title(key)} {written}{unit}")
    return found

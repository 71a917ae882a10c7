"""What every figure on the page is, and how intervals were made."""

from __future__ import annotations

from collections.abc import Iterator

from deciban.records.comparison import Comparison
from deciban.records.figures import MetricValue
from deciban.report.definitions import definitions_of
from deciban.report.section import Block, Definitions, Details, Prose, Section, prose
from deciban.report.subject import Subject
from deciban.report.wording import METHODS, count_text


def methods(subject: Subject) -> Section:
    """Make the section."""
    at_thresholds = [key for system in subject.systems.values() for row in system.thresholds for key in row.metrics]
    blocks: list[Block] = [*_conventions(), *_intervals(subject), Definitions(definitions_of(subject.figures()))]
    ratios = [key for key in dict.fromkeys(at_thresholds) if key not in subject.figures()]
    if ratios:
        blocks.append(Details("Ratios at a threshold", (Definitions(definitions_of(ratios)),)))
    return Section("methods", "Methods and definitions", tuple(blocks))


def _conventions() -> Iterator[Prose]:
    yield prose(
        "A trial is accepted when its score is at least the threshold; scores that are equal move together. A figure "
        "that the data do not give is left without a value, with the reason, and is never counted as 0."
    )


def _intervals(subject: Subject) -> Iterator[Prose]:
    figures = list(_all_figures(subject))
    made = dict.fromkeys(figure.interval.method for figure in figures if figure.interval is not None)
    drawn = {figure.interval.resampled for figure in figures if figure.interval is not None} - {None}
    if not made:
        yield prose("No intervals were computed.")
        return
    options, seed = subject.record.provenance.options, subject.record.provenance.seed
    unit = "sources, with all their trials" if drawn == {"sources"} else "trials"
    text = f"Intervals were made by: {'; '.join(METHODS.get(method, method) for method in made)}."
    if drawn:
        text += f" Random draws: {count_text(options.get('replicates', 0))} of {unit}, seed {seed}."
    yield prose(text)
    if any(figure.null_band is not None for figure in figures):
        yield prose(
            "“If calibrated” says what perfectly calibrated LRs of as many trials would show, by simulation: these "
            "figures are above 0 even then."
        )


def _all_figures(subject: Subject) -> Iterator[MetricValue]:
    for system in subject.systems.values():
        yield from system.metrics.values()
        for row in system.thresholds:
            yield from row.metrics.values()
    for group in subject.groups:
        yield from group.metrics.values()
    record = subject.record
    if isinstance(record, Comparison):
        for one in record.differences:
            yield MetricValue(value=one.value, interval=one.interval)

"""How systems differ: every figure of one less that of another, with interval and test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from deciban.records.comparison import Comparison
from deciban.records.comparison_tables import tables_of_tests
from deciban.records.differences import Difference
from deciban.records.figures import MetricValue
from deciban.report.callouts import callouts
from deciban.report.drawing import beside, forest_figure
from deciban.report.naming import headline_keys, inner, short_title, title_of
from deciban.report.section import Block, Cell, FigureBlock, Prose, Section, TableBlock, prose
from deciban.report.subject import Subject
from deciban.report.tabled import of_record
from deciban.report.wording import capital, distinct, interval_text, reason_text, signed, value_text

CODES = ("MULTI", "UNPAIRED", "PAIRED-ROWS", "UNMATCHED")
TESTS: Final = {
    "delong": "DeLong",
    "delong-unpaired": "DeLong, of trials of their own",
    "permutation": "permutation",
    "bootstrap": "bootstrap",
}
NAME, NUMBERED = 14, 9
"""Letters of the names of a pair: of names that are short by themselves, and of those that are shortened."""
ROWS: Final = 30
"""Pairs of systems of one drawing."""


def comparison(subject: Subject) -> Section | None:
    """Make the section; None for a single system."""
    record = subject.record
    if not isinstance(record, Comparison):
        return None
    blocks: list[Block] = [
        *callouts(subject, CODES),
        prose(f"{capital(record.pairing.why)}."),
        _adjusted(record),
    ]
    blocks += beside(*_forests(subject, record))
    blocks += [*_tables(record), *(of_record(f"tests-{at}", one) for at, one in enumerate(tables_of_tests(record), 1))]
    return Section("comparison", "Comparison", tuple(blocks))


def _tables(record: Comparison) -> Iterator[TableBlock]:
    """Of each figure the difference of every two systems, with its interval and test."""
    several, names = len(record.systems) > 2, distinct(record.systems)
    head = ("Systems", "Difference", "Interval", "p", *(["p (Holm)"] if several else []), "Test")
    for at, metric in enumerate(dict.fromkeys(one.metric for one in record.differences), 1):
        rows = tuple(
            (
                Cell(f"{names[one.first]} − {names[one.second]}"),
                *_difference(one),
                Cell(
                    _p(one.p_value), "" if one.value is None or one.p_value is not None else reason_text(one.p_reason)
                ),
                *([Cell(_p(one.p_holm))] if several else []),
                Cell("", TESTS.get(one.test, one.test) if one.test else ""),
            )
            for one in record.differences
            if one.metric == metric
        )
        yield TableBlock(
            f"differences-{at}", f"Differences in {inner(title_of(metric))}", head, rows, worded=(len(head) - 1,)
        )


def _difference(one: Difference) -> tuple[Cell, Cell]:
    figure = MetricValue(value=one.value, interval=one.interval, reason=one.reason)
    missing = "" if one.interval or one.value is None else reason_text(one.interval_reason)
    return Cell(value_text(figure), reason_text(one.reason)), Cell(interval_text(one.interval), missing)


def _p(value: float | None) -> str:
    return "" if value is None else signed(f"{value:.2g}")


def _adjusted(record: Comparison) -> Prose:
    """For how many questions p-values were adjusted."""
    said = ["Each difference is the first system less the second."]
    used = {one.test for one in record.differences}
    if "permutation" in used:
        said.append("Permutation: the scores of the two swapped trial by trial.")
    if "bootstrap" in used:
        said.append("Bootstrap: the level whose interval ends at 0.")
    if record.adjustment.tests > 1:
        said.append(f"p (Holm) is adjusted for {record.adjustment.tests} tests: {record.adjustment.family}.")
    return prose(" ".join(said))


def _forests(subject: Subject, record: Comparison) -> Iterator[FigureBlock | Prose]:
    first = next(iter(record.systems.values())).trials
    # Two names, numbered where they look alike, find room beside a drawing.
    names = distinct(record.systems, NAME if max(map(len, record.systems)) <= NAME else NUMBERED)
    for key in headline_keys(subject.figures(), first.scale, subject.carries_lr)[:4]:
        figures = {
            f"{names[one.first]} − {names[one.second]}": MetricValue(value=one.value, interval=one.interval)
            for one in record.differences
            if one.metric == key
        }
        figures = dict(list(figures.items())[:ROWS])
        if not any(figure.value is not None for figure in figures.values()):
            continue
        title = short_title(key)
        yield forest_figure(
            f"difference-{key.partition(':')[0].replace('_', '-')}",
            f"Difference in {inner(title)}",
            "First system less second, with its interval; at the dashed line the two are alike.",
            f"Differences in {inner(title)} between systems; the table below has the numbers.",
            figures,
            label=f"difference in {inner(title)}",
            reference=0.0,
        )

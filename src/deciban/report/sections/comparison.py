"""How systems differ: every figure of one less that of another, with interval and test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from deciban.records.comparison import Comparison
from deciban.records.comparison_tables import tables_of_tests
from deciban.records.differences import Difference
from deciban.records.display import shortened
from deciban.records.evaluation import MetricValue
from deciban.report.callouts import callouts
from deciban.report.drawing import beside, forest_figure
from deciban.report.naming import headline_keys, inner, short_title
from deciban.report.section import Block, Cell, FigureBlock, Prose, Section, TableBlock, prose
from deciban.report.subject import Subject
from deciban.report.tabled import named, of_record
from deciban.report.wording import capital, interval_text, reason_text, signed, value_text

CODES = ("MULTI", "UNPAIRED", "PAIRED-ROWS", "UNMATCHED")
TESTS: Final = {
    "delong": "DeLong",
    "delong-unpaired": "DeLong, of trials of their own",
    "permutation": "permutation: scores swapped trial by trial",
    "bootstrap": "bootstrap: the level whose interval ends at 0",
}
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
    blocks += [_table(record), *(of_record(f"tests-{at}", one) for at, one in enumerate(tables_of_tests(record), 1))]
    return Section("comparison", "Comparison", tuple(blocks))


def _table(record: Comparison) -> TableBlock:
    """Every difference with its interval and test."""
    several = len(record.systems) > 2
    rows = tuple(
        (
            named(one.metric),
            Cell(f"{shortened(one.first)} − {shortened(one.second)}"),
            *_difference(one),
            Cell(_p(one.p_value), "" if one.value is None or one.p_value is not None else reason_text(one.p_reason)),
            *([Cell(_p(one.p_holm))] if several else []),
            Cell("", TESTS.get(one.test, one.test) if one.test else ""),
        )
        for one in record.differences
    )
    head = ("Figure", "Systems", "Difference", "Interval", "p", *(["p (Holm)"] if several else []), "Test")
    return TableBlock("differences", "Differences", head, rows, worded=(1, len(head) - 1))


def _difference(one: Difference) -> tuple[Cell, Cell]:
    figure = MetricValue(value=one.value, interval=one.interval, reason=one.reason)
    missing = "" if one.interval or one.value is None else reason_text(one.interval_reason)
    return Cell(value_text(figure), reason_text(one.reason)), Cell(interval_text(one.interval), missing)


def _p(value: float | None) -> str:
    return "" if value is None else signed(f"{value:.2g}")


def _adjusted(record: Comparison) -> Prose:
    """For how many questions p-values were adjusted."""
    tests = record.adjustment.tests
    if tests < 2:
        return prose("Each difference is the first system less the second; p-values are those of one test.")
    return prose(
        f"Each difference is the first system less the second. p (Holm) is adjusted for {tests} tests: "
        f"{record.adjustment.family}."
    )


def _forests(subject: Subject, record: Comparison) -> Iterator[FigureBlock | Prose]:
    first = next(iter(record.systems.values())).trials
    for key in headline_keys(subject.figures(), first.scale, subject.carries_lr)[:4]:
        figures = {
            f"{shortened(one.first, 20)} − {shortened(one.second, 20)}": MetricValue(
                value=one.value, interval=one.interval
            )
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

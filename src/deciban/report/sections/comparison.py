"""How systems differ: every figure of one less that of another, with interval and test."""

from __future__ import annotations

from collections.abc import Iterator

from deciban.records.comparison import Comparison
from deciban.records.comparison_tables import difference_tables
from deciban.records.display import shortened
from deciban.records.evaluation import MetricValue
from deciban.report.callouts import callouts
from deciban.report.drawing import beside, forest_figure
from deciban.report.naming import headline_keys, short_title
from deciban.report.section import Block, FigureBlock, Prose, Section, prose
from deciban.report.subject import Subject
from deciban.report.tabled import of_record
from deciban.report.wording import capital

CODES = ("MULTI", "UNPAIRED", "PAIRED-ROWS", "UNMATCHED")
ROWS = 30
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
    blocks += [of_record(f"comparison-{at}", table) for at, table in enumerate(difference_tables(record), 1)]
    return Section("comparison", "Comparison", tuple(blocks))


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
            f"Difference of {title}",
            "First system less second, with its interval; at the dashed line the two are alike.",
            f"Differences of {title} between systems; the table below has the numbers.",
            figures,
            label=f"difference of {title}",
            reference=0.0,
        )

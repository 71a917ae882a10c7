"""The validation matrix: every criterion with what was found and how it was decided, then why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from deciban.records.display import probability, shortened
from deciban.records.figures import MetricValue
from deciban.records.validation import Validation
from deciban.records.validation_rows import Criterion, MatrixRow, Result, stated
from deciban.records.validation_tables import ORIGINS
from deciban.report.callouts import callouts
from deciban.report.naming import target_of
from deciban.report.section import Block, Cell, Prose, Section, TableBlock, prose
from deciban.report.sections.groups import forest_id
from deciban.report.subject import Subject
from deciban.report.validation_blocks import MatrixBlock, MatrixEntry, ResultLine, mark_of
from deciban.report.wording import capital, compared, count_text, interval_text, lr_words, value_text
from deciban.workflow.validation.reasons import in_words

CODES = ("CRITERIA-DATE", "CRITERIA-LATE", "GIVEN-INSTEAD")

SHOWN: Final = 8
"""Results of a criterion that the matrix shows; why it was decided tells of all that decided it."""

GRAPHS: Final = {
    "empirical cross-entropy": "cross-entropy",
    "empirical cross-entropy of both": "baseline-cross-entropy",
    "PAV transformation": "pav",
    "Tippett": "tippett",
    "distribution of LRs": "histogram",
    "DET": "det",
    "ROC": "roc",
}
"""Drawings of the page by what criteria call them; a link is made where there is such a drawing."""

HEAD: Final = ("Criterion", "Requirement", "Result", "Data", "Decision")


def matrix(subject: Subject) -> Section | None:
    """Make the section; None where nothing was validated."""
    validation = subject.validation
    if validation is None:
        return None
    common = _common([row.data for row in validation.rows])
    blocks: list[Block] = [*callouts(subject, CODES), *_before(validation, common)]
    if validation.rows:
        entries = tuple(_entry(at, row, common, subject) for at, row in enumerate(validation.rows, 1))
        blocks += [
            MatrixBlock("validation-matrix", "Criteria with results and decisions", HEAD, entries),
            *_why(validation),
        ]
    return Section("matrix", "Validation matrix", (*blocks, *_switched_off(validation)))


def place_of(at: int) -> str:
    """Where the row of a criterion is, by its number."""
    return f"criterion-{at}"


def _common(data: Sequence[str]) -> str:
    """What the data of all criteria have in common: the validation data."""
    shortest = min(data, key=len, default="")
    return shortest if all(one.startswith(shortest) for one in data) else ""


def _before(validation: Validation, common: str) -> Iterator[Prose]:
    said = f"Validation data: {compared(common)}. " if common else ""
    rule = "the end of its interval meets the limit" if validation.rule == "bound" else "its value meets the limit"
    yield prose(
        f"{said}Requirements are those of the laboratory's criteria file, and the defaults that it left as they are. "
        f"Where a criterion says nothing else, a figure passes when {rule}. Not assessable is what the data, or the "
        "laboratory, do not say enough about: neither a pass nor a failure."
    )
    dates = {row.criterion.fixed_on for row in validation.rows}
    if len(dates) == 1:
        yield prose(f"Criteria fixed on: {stated(dates.pop())}.")


def _entry(at: int, row: MatrixRow, common: str, subject: Subject) -> MatrixEntry:
    one, known = row.criterion, set(subject.figures())
    open_ones = [result for result in row.results if result.decision == "not assessable"]
    dated = len({row.criterion.fixed_on for row in subject.validation.rows}) > 1 if subject.validation else False
    about = [("Graph", _graphs(one, subject))] if one.graph != "none" else []
    about += [("Fixed on", (Cell(stated(one.fixed_on)),))] if dated else []
    return MatrixEntry(
        id=shortened(one.id, 24),
        place=place_of(at),
        characteristic=one.characteristic,
        metric=one.metric,
        # The name of a figure keeps its small letter, which programs know it by.
        requirement=compared(one.says if one.says.startswith(one.metric) else capital(one.says)),
        about=tuple(about),
        results=tuple(_line(one, result, known) for result in row.results[:SHOWN]),
        more=max(len(row.results) - SHOWN, 0),
        data=_data(row.data, common),
        mark=mark_of(row.decision),
        reasons=tuple(dict.fromkeys(in_words(result.reason) for result in open_ones))
        if row.decision == "not assessable"
        else (),
    )


def _data(data: str, common: str) -> str:
    if not common:
        return compared(data)
    beside = data.removeprefix(common).strip("; ")
    return compared(f"Validation data; {beside}") if beside else "Validation data"


def _graphs(criterion: Criterion, subject: Subject) -> tuple[Cell, ...]:
    if criterion.kind == "conditions":
        return (Cell(criterion.graph, target=forest_id(subject, 1, criterion.settings["metric"])),)
    return tuple(Cell(name, target=GRAPHS.get(name, "")) for name in criterion.graph.split(", "))


def _line(criterion: Criterion, result: Result, known: set[str]) -> ResultLine:
    """A figure with its interval; LRs, which may be astronomical, as everywhere on the page."""
    figure = MetricValue(value=result.value, interval=result.interval)
    if criterion.kind == "bounds" and result.value is not None:
        value = lr_words(result.value)
    elif isinstance(result.value, int):
        value = count_text(result.value)
    else:
        value = value_text(figure)
    unit = f" {result.unit}" if result.unit and result.value is not None else ""
    against = [compared(result.limit)] if result.limit else []
    against += [f"p = {compared(probability(result.p_value))}"] if result.p_value is not None else []
    against += ["shown beside, decides nothing"] if result.decision is None else []
    name = (
        Cell("", code=result.name, target=target_of(result.name)) if result.name in known else Cell(f"{result.name}:")
    )
    return ResultLine(name, f"{value} {interval_text(result.interval)}".strip() + unit, "; ".join(against))


def _why(validation: Validation) -> Iterator[Block]:
    rows = tuple(
        (
            Cell(shortened(row.criterion.id, 24), row.criterion.characteristic, target=place_of(at)),
            Cell(f"{mark_of(row.decision).symbol} {row.decision}"),
            Cell(compared(row.why)),
            Cell(compared(stated(row.criterion.reason)), ORIGINS[row.criterion.origin]),
        )
        for at, row in enumerate(validation.rows, 1)
    )
    head = ("Criterion", "Decision", "Why", "Reason for the criterion")
    yield TableBlock("decisions-why", "Why each was decided so", head, rows, worded=(1, 2, 3), stacked=True)


def _switched_off(validation: Validation) -> Iterator[TableBlock]:
    rows = tuple(
        (Cell(shortened(one.id, 24), one.characteristic), Cell(compared(one.says)), Cell(stated(one.reason)))
        for one in validation.switched_off
    )
    if rows:
        head = ("Criterion", "Requirement", "The laboratory's reason")
        yield TableBlock(
            "switched-off", "Criteria switched off by the laboratory", head, rows, worded=(1, 2), stacked=True
        )

"""The top of the page of a validation: how many criteria were decided how, whose report it is, and who signs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from deciban.records.display import percent, shortened
from deciban.records.validation import Validation
from deciban.records.validation_rows import Decision, Laboratory, stated
from deciban.report.heading import Top, title, told_first, warned
from deciban.report.section import Block, Code, Facts, Words
from deciban.report.sections.matrix import place_of
from deciban.report.subject import Subject
from deciban.report.validation_blocks import Counted, Signatures, Tally, mark_of
from deciban.report.wording import capital

DECISIONS: Final[tuple[Decision, ...]] = ("pass", "fail", "not assessable")


def validation_heading(subject: Subject, validation: Validation) -> Top:
    """Say how criteria were decided, never in one word for the method, and identify the report."""
    laboratory = validation.laboratory
    blocks: tuple[Block, ...] = (
        _tally(validation),
        Facts(tuple(_identified(validation, laboratory)), paired=True),
        Signatures((("Author", laboratory.author or ""), ("Reviewer", laboratory.reviewer or ""))),
        *told_first(subject),
    )
    named = " ".join(part for part in (laboratory.method, laboratory.version) if part)
    verdict = f"{capital(validation.verdict)}; {warned(subject)}."
    return Top("Validation report", subject.title or shortened(named, 90) or title(subject), verdict, blocks)


def _tally(validation: Validation) -> Tally:
    rows = enumerate(validation.rows, 1)
    placed = [(row.decision, shortened(row.criterion.id, 24), place_of(at)) for at, row in rows]
    return Tally(
        tuple(
            Counted(mark_of(decision), tuple((id_, place) for made, id_, place in placed if made == decision))
            for decision in DECISIONS
        )
    )


def _identified(validation: Validation, laboratory: Laboratory) -> Iterator[tuple[str, Words]]:
    yield "Method", (stated(laboratory.method),)
    yield "Version", (stated(laboratory.version),)
    yield "Laboratory", (stated(laboratory.name),)
    yield "Report", (stated(laboratory.report_id),)
    yield "Date", (stated(laboratory.date),)
    yield "Author", (stated(laboratory.author),)
    yield "Reviewer", (stated(laboratory.reviewer),)
    yield "Scope", (stated(laboratory.scope),)
    yield "Criteria", (shortened(validation.config.name, 60), " ", Code(f"sha256 {validation.config.sha256[:16]}…"))
    rule = "the end of the interval" if validation.rule == "bound" else "the value"
    yield "Decided by", (f"{rule}, unless a criterion says otherwise; intervals of {percent(validation.level)}",)

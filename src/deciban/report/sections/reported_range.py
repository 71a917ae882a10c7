"""The LRs beyond which none is reported, with the sentence for a case report, and the words of a verbal scale."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from deciban.records.validation_rows import Cap
from deciban.report.section import Block, Cell, Code, Facts, Heading, Prose, Section, TableBlock, prose
from deciban.report.sections.evidence import BOUNDS
from deciban.report.subject import Subject
from deciban.report.validation_blocks import Quote
from deciban.report.wording import capital, compared, lr_words
from deciban.verbal.scales import VerbalScale

RULES: Final = {**dict(BOUNDS), "laboratory": "the laboratory, inside the bounds that the data support"}


def reported_range(subject: Subject) -> Section | None:
    """Make the section; None where there is neither a range of LRs nor a verbal scale."""
    validation = subject.validation
    if validation is None or (validation.cap is None and validation.verbal is None):
        return None
    blocks: list[Block] = []
    if validation.cap is None:
        blocks.append(prose("These data give no range: the scores are no likelihood ratios, or have no bounds."))
    else:
        blocks += _cap(validation.cap, validation.verbal)
    if validation.verbal is None:
        blocks.append(prose("No verbal scale was named by the laboratory: LRs are reported as numbers."))
    else:
        blocks += _scale(validation.verbal)
    return Section("reported-range", "Range of the LRs reported", tuple(blocks))


def _cap(cap: Cap, verbal: VerbalScale | None) -> Iterator[Prose | Quote | TableBlock]:
    yield prose(f"Statement for case reports, by {RULES.get(cap.rule, cap.rule)}:")
    yield Quote(f"{capital(compared(cap.says))}.")
    ends = (cap.lower, cap.upper)
    rows = [(Cell("LR"), *(Cell(lr_words(end)) for end in ends))]
    if verbal is not None:
        rows.append((Cell("In words"), *(Cell("", verbal.words(end)) for end in ends)))
    yield TableBlock("cap", "LRs beyond which none is reported", ("", "Smallest", "Largest"), tuple(rows))


def _scale(scale: VerbalScale) -> Iterator[Block]:
    """The steps from 1 upwards; LRs below 1 mirror them."""
    yield Heading("Verbal scale")
    steps = tuple((Cell(lrs), Cell(capital(words))) for lrs, words in scale.ranges())
    yield TableBlock("verbal", scale.title, ("LR", "What is said"), steps, worded=(1,))
    facts = [("LRs below 1", ("as 1/LR, for the other proposition",)), ("Source", (scale.source,))]
    facts += [("Note", (scale.note,))] if scale.note else []
    yield Facts((*facts, ("SHA-256 of the scale", (Code(scale.sha256),))))

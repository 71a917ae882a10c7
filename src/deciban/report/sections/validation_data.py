"""What is known of the data of a validation beside their numbers: sources, conditions, what was seen in development."""

from __future__ import annotations

from collections.abc import Iterator

from deciban.records.display import number, shortened
from deciban.records.validation import Validation
from deciban.records.validation_rows import Development, SourceColumn, stated
from deciban.report.callouts import callouts
from deciban.report.section import Block, Cell, Facts, Heading, Prose, TableBlock, Words, prose
from deciban.report.subject import Subject
from deciban.report.wording import capital, count_text

CODES = ("FEW-SOURCES",)
CONDITIONS = 30
"""Conditions that the table shows; section Groups has more of them."""


def validation_data(subject: Subject, validation: Validation) -> Iterator[Block]:
    """Make the blocks."""
    yield from callouts(subject, CODES)
    yield _sources(validation.sources)
    yield from _conditions(subject)
    yield Heading("Data of development or calibration")
    yield Facts(tuple(_development(validation.development)))


def _sources(sources: tuple[SourceColumn, ...]) -> TableBlock | Prose:
    if not sources:
        return prose("No sources of the trials were named: every trial is taken for independent.")
    rows = tuple(
        (
            Cell(shortened(one.column)),
            *(Cell(count_text(n)) for n in (one.n, one.n_target, one.n_nontarget)),
            Cell(f"{count_text(one.fewest)} / {number(one.median)} / {count_text(one.most)}"),
        )
        for one in sources
    )
    head = ("Column", "Sources", "Of targets", "Of nontargets", "Trials of a source: fewest / median / most")
    return TableBlock("sources", "Sources of the trials", head, rows)


def _conditions(subject: Subject) -> Iterator[TableBlock]:
    if not subject.groups:
        return
    words, shown = subject.words, subject.groups[:CONDITIONS]
    rows = tuple(
        (Cell(shortened(one.name, 60)), Cell(count_text(one.trials.n_target)), Cell(count_text(one.trials.n_nontarget)))
        for one in shown
    )
    left = len(subject.groups) - len(shown)
    caption = "Conditions" + (f" (the first {len(shown)}, {left} more in section Groups)" if left else "")
    yield TableBlock("conditions", caption, ("Condition", capital(words.targets), capital(words.nontargets)), rows)


def _development(one: Development | None) -> Iterator[tuple[str, Words]]:
    """What the method was developed on, and the overlap, which has to be 0."""
    if one is None:
        yield "Data", (stated(None),)
        return
    yield "Data", (shortened(one.what, 90),)
    yield "Sources", ("not named" if one.n_sources is None else count_text(one.n_sources),)
    yield "Of these in the validation data", ("not known" if one.shared is None else count_text(one.shared),)
    if one.same:
        yield "The same as the validation data", (one.same,)

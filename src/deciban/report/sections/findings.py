"""What a reader must know beside the numbers, warnings first, none hidden without its number being said."""

from __future__ import annotations

from deciban.records.tables import by_code, said
from deciban.report.callouts import place
from deciban.report.section import Block, Details, FindingsBlock, Section, prose
from deciban.report.subject import Subject
from deciban.report.wording import count_text

OPEN = 8
"""Findings of one code that stand on the page; the rest opens when asked for."""
MOST = 100
"""Findings of one code that the page has at all, as of groups; the record has all."""
ADVICE = 8
"""Different pieces of advice that stand beside the findings of one code."""


def findings(subject: Subject) -> Section:
    """Make the section."""
    gathered = by_code(subject.findings)
    if not gathered:
        return Section(
            "findings", "Findings", (prose("Nothing was found that a reader must know beside the numbers."),)
        )
    blocks: list[Block] = []
    for (severity, code), alike in gathered.items():
        shown = alike[:MOST]
        messages = tuple(map(said, shown))
        advice = tuple(dict.fromkeys(one.advice for one in shown))[:ADVICE]
        blocks.append(FindingsBlock(place(severity, code), code, severity, messages[:OPEN], advice))
        if len(messages) > OPEN:
            rest = FindingsBlock(f"{place(severity, code)}-more", code, severity, messages[OPEN:], ())
            blocks.append(Details(f"{len(messages) - OPEN} more of {code}", (rest,)))
        if len(alike) > MOST:
            blocks.append(
                prose(f"The first {MOST} of {count_text(len(alike))} findings {code}; the record has all of them.")
            )
    return Section("findings", "Findings", tuple(blocks))

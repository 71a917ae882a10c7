"""Everything that a reader must know beside the numbers, warnings first, none hidden."""

from __future__ import annotations

from deciban.records.tables import by_code, said
from deciban.report.callouts import place
from deciban.report.section import Block, Details, FindingsBlock, Section, prose
from deciban.report.subject import Subject

OPEN = 8
"""Findings of one code that stand on the page; the rest opens when asked for."""


def findings(subject: Subject) -> Section:
    """Make the section."""
    gathered = by_code(subject.findings)
    if not gathered:
        return Section(
            "findings", "Findings", (prose("Nothing was found that a reader must know beside the numbers."),)
        )
    blocks: list[Block] = []
    for (severity, code), alike in gathered.items():
        messages = tuple(said(one) for one in alike)
        advice = tuple(dict.fromkeys(one.advice for one in alike))
        blocks.append(FindingsBlock(place(severity, code), code, severity, messages[:OPEN], advice))
        if len(messages) > OPEN:
            rest = FindingsBlock(f"{place(severity, code)}-more", code, severity, messages[OPEN:], ())
            blocks.append(Details(f"{len(messages) - OPEN} more of {code}", (rest,)))
    return Section("findings", "Findings", tuple(blocks))

"""Every figure of the record with its interval, by family."""

from __future__ import annotations

from deciban.report.callouts import callouts
from deciban.report.naming import by_family
from deciban.report.section import Block, Section, prose
from deciban.report.subject import Subject
from deciban.report.tabled import figure_table, in_columns

CODES = ("BOOT", "NO-INTERVAL", "TIES", "SHARES")


def all_figures(subject: Subject) -> Section | None:
    """Make the section."""
    families = by_family(subject.figures())
    if not families:
        return None
    blocks: list[Block] = [
        *callouts(subject, CODES),
        prose(
            "Each figure is written with the digits that its interval supports; the record holds all of them. "
            "The name in small letters is the expression that asks for a figure, and leads to its definition."
        ),
    ]
    for at, (family, keys) in enumerate(families.items(), 1):
        id_ = f"figures-{at}"
        if subject.alone:
            (system,) = subject.systems.values()
            blocks.append(figure_table(id_, family, {key: system.metrics[key] for key in keys}))
        else:
            blocks += in_columns(id_, family, keys, subject.by_name())
    return Section("figures", "All figures", tuple(blocks))

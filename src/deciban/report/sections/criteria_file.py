"""The criteria file that a validation was decided by, word for word."""

from __future__ import annotations

from deciban.records.display import shortened
from deciban.report.section import Code, Command, Details, Facts, Section
from deciban.report.subject import Subject


def criteria_file(subject: Subject) -> Section | None:
    """Make the section; None where nothing was validated."""
    if subject.validation is None:
        return None
    config = subject.validation.config
    facts = (("File", (shortened(config.name, 90),)), ("SHA-256", (Code(config.sha256),)))
    lines = len(config.text.splitlines())
    text = Details(f"The file as it was read ({lines} lines)", (Command(config.text.rstrip("\n") or "(empty)"),))
    return Section("criteria", "Criteria file", (Facts(facts), text))

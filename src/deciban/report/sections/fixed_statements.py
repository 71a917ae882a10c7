"""What must be said beside every result of a validation."""

from __future__ import annotations

from deciban.report.section import Section
from deciban.report.subject import Subject
from deciban.report.validation_blocks import Statements


def fixed_statements(subject: Subject) -> Section | None:
    """Make the section; None where nothing was validated."""
    if subject.validation is None:
        return None
    return Section("statements", "To be read with every result", (Statements(subject.validation.statements),))

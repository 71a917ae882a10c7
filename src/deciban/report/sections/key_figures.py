"""The main figures of the evaluation within a validation."""

from __future__ import annotations

from deciban.report.heading import headline, sentence
from deciban.report.section import Section, prose
from deciban.report.subject import Subject


def key_figures(subject: Subject) -> Section | None:
    """Make the section; None for an evaluation, which begins with them."""
    if subject.validation is None:
        return None
    return Section("key-figures", "Key figures", (prose(f"{sentence(subject)}."), *headline(subject)))

"""What a method is for, which propositions it weighs, and which casework the data stand for: the laboratory's words."""

from __future__ import annotations

from typing import Final

from deciban.records.validation_rows import stated
from deciban.records.validation_tables import FIELDS
from deciban.report.callouts import callouts
from deciban.report.section import Facts, Section
from deciban.report.subject import Subject
from deciban.report.wording import capital

SAID: Final = ("scope", "proposition_1", "proposition_2", "level", "conditioning", "casework_conditions")
"""Fields of the laboratory that the section shows; the others stand at the top of the page."""

CODES = ("CONDITION",)


def purpose(subject: Subject) -> Section | None:
    """Make the section; None where nothing was validated."""
    if subject.validation is None:
        return None
    laboratory = subject.validation.laboratory
    rows = tuple((capital(FIELDS[name]), (stated(getattr(laboratory, name)),)) for name in SAID)
    return Section("purpose", "Purpose and propositions", (*callouts(subject, CODES), Facts(rows)))

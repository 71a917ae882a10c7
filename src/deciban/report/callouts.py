"""Warnings where they matter, in few words; section Findings has all of them with advice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from deciban.records.tables import by_code, said
from deciban.report.section import Callout
from deciban.report.subject import Subject

SHOWN: Final = 3
"""Findings of one code that are told outside of section Findings."""


def callouts(subject: Subject, codes: Sequence[str], severity: str = "warn") -> tuple[Callout, ...]:
    """Findings of some codes, most urgent first."""
    return tuple(
        Callout(
            code, severe, tuple(said(one) for one in alike[:SHOWN]), max(len(alike) - SHOWN, 0), place(severe, code)
        )
        for (severe, code), alike in by_code(subject.findings).items()
        if code in codes and severe == severity
    )


def warnings_of(subject: Subject) -> tuple[Callout, ...]:
    """Every code of which there is a warning."""
    return callouts(subject, [one.code for one in subject.findings])


def place(severity: str, code: str) -> str:
    """The name of the place where findings of a code are."""
    return f"finding-{severity}-{code.lower()}"

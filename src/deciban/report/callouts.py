"""Warnings where they matter, in few words; section Findings has all of them with advice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from deciban.records.finding import Finding
from deciban.records.tables import by_code, said
from deciban.report.section import Callout
from deciban.report.subject import Subject

SHOWN: Final = 3
"""Findings of one code that are told outside of section Findings."""


def callouts(subject: Subject, codes: Sequence[str], shown: int = SHOWN) -> tuple[Callout, ...]:
    """Warnings of some codes; those about groups only where there is none about all trials."""
    return tuple(
        _callout(code, alike, shown)
        for (severity, code), alike in by_code(subject.findings).items()
        if severity == "warn" and code in codes
    )


def warnings_of(subject: Subject) -> tuple[Callout, ...]:
    """Every code of which there is a warning, with the first of them."""
    return callouts(subject, [one.code for one in subject.findings], shown=1)


def _callout(code: str, alike: Sequence[Finding], shown: int) -> Callout:
    told = [one for one in alike if one.group is None][:shown] or alike[:shown]
    return Callout(code, "warn", tuple(said(one) for one in told), len(alike) - len(told), place("warn", code))


def place(severity: str, code: str) -> str:
    """The name of the place where findings of a code are."""
    return f"finding-{severity}-{code.lower()}"

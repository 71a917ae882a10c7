"""The sections of a page in their order: each is a function of what the page is about, and None where it is nothing.

A new section is a module here and its place in :data:`SECTIONS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from deciban.report.section import Section
from deciban.report.sections.all_figures import all_figures
from deciban.report.sections.comparison import comparison
from deciban.report.sections.decisions import decisions
from deciban.report.sections.discrimination import discrimination
from deciban.report.sections.evidence import evidence
from deciban.report.sections.findings import findings
from deciban.report.sections.groups import groups
from deciban.report.sections.methods import methods
from deciban.report.sections.probability import probability
from deciban.report.sections.provenance import provenance
from deciban.report.sections.thresholds import thresholds
from deciban.report.sections.trials import trials
from deciban.report.subject import Subject

SECTIONS: Final[tuple[Callable[[Subject], Section | None], ...]] = (
    trials,
    comparison,
    all_figures,
    discrimination,
    evidence,
    probability,
    decisions,
    thresholds,
    groups,
    findings,
    methods,
    provenance,
)

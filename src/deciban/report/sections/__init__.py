"""The sections of a page in their order: each is a function of what the page is about, and None where it is nothing.

A new section is a module here and its place in :data:`SECTIONS`, or in :data:`FIRST`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from deciban.report.section import Section
from deciban.report.sections.all_figures import all_figures
from deciban.report.sections.baseline import baseline
from deciban.report.sections.comparison import comparison
from deciban.report.sections.criteria_file import criteria_file
from deciban.report.sections.decisions import decisions
from deciban.report.sections.discrimination import discrimination
from deciban.report.sections.evidence import evidence
from deciban.report.sections.findings import findings
from deciban.report.sections.fixed_statements import fixed_statements
from deciban.report.sections.groups import groups
from deciban.report.sections.key_figures import key_figures
from deciban.report.sections.matrix import matrix
from deciban.report.sections.methods import methods
from deciban.report.sections.probability import probability
from deciban.report.sections.provenance import provenance
from deciban.report.sections.purpose import purpose
from deciban.report.sections.reported_range import reported_range
from deciban.report.sections.thresholds import thresholds
from deciban.report.sections.trials import trials
from deciban.report.subject import Subject

Maker = Callable[[Subject], Section | None]

FIRST: Final[tuple[Maker, ...]] = (purpose, trials, matrix, key_figures)
"""What comes before the explorer on the page of a validation, where decisions go before figures."""

SECTIONS: Final[tuple[Maker, ...]] = (
    trials,
    comparison,
    baseline,
    all_figures,
    discrimination,
    evidence,
    reported_range,
    probability,
    decisions,
    thresholds,
    groups,
    fixed_statements,
    findings,
    methods,
    criteria_file,
    provenance,
)

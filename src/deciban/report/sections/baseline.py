"""The method beside its baseline on the same trials."""

from __future__ import annotations

from dataclasses import replace

from deciban.plots.priors import cross_entropy
from deciban.report.drawing import beside, curve_figure
from deciban.report.section import Section
from deciban.report.sections.comparison import comparison
from deciban.report.spoken import spoken
from deciban.report.subject import Subject, subject_of


def baseline(subject: Subject) -> Section | None:
    """Make the section; None where there is no baseline."""
    if subject.validation is None or subject.validation.comparison is None:
        return None
    # Its findings are among those of the page, which has a place for each.
    both = subject_of(replace(subject.validation.comparison, findings=()), subject.words, None)
    compared = comparison(both)
    drawn = beside(
        curve_figure(
            "baseline-cross-entropy",
            "Empirical cross-entropy of both",
            "What the LRs of the baseline and of the system leave unknown at each prior.",
            spoken(both, "cllr"),
            cross_entropy,
            both.curves("cross_entropy"),
            subject.words,
        )
    )
    return Section("baseline", "Beside the baseline", (*(compared.blocks if compared else ()), *drawn))

"""What decisions cost: over all priors, and at the costs that were asked for."""

from __future__ import annotations

from deciban.plots.priors import bayes_error
from deciban.report.callouts import callouts
from deciban.report.drawing import beside, curve_figure
from deciban.report.naming import FAMILIES, family_of
from deciban.report.section import Block, Section, prose
from deciban.report.spoken import spoken
from deciban.report.subject import Subject
from deciban.report.tabled import figure_table, in_columns

CODES = ("PREVALENCE",)


def decisions(subject: Subject) -> Section | None:
    """Make the section."""
    curves = subject.curves("bayes_error")
    costs = [key for key in subject.figures() if family_of(key) == FAMILIES[1][0]]
    if not curves and not costs:
        return None
    blocks: list[Block] = [*callouts(subject, CODES), *_costs(subject, costs)]
    if not costs:
        blocks.append(
            prose("No detection cost was asked for. Costs have no default: they belong to the use, not to the scores.")
        )
    blocks += beside(
        curve_figure(
            "bayes-error",
            "Error over priors",
            "Probability of a wrong decision at each prior, both errors weighing the same: at the threshold that "
            "theory gives (for LRs), at the best one, and without looking at the scores.",
            spoken(subject, *costs[:4]) or "Error probability over prior log-odds.",
            bayes_error,
            curves,
            subject.words,
        )
    )
    return Section("decisions", "Decisions and costs", tuple(blocks))


def _costs(subject: Subject, keys: list[str]) -> list[Block]:
    if not keys:
        return []
    if subject.alone:
        (system,) = subject.systems.values()
        return [figure_table("costs", "Costs", {key: system.metrics[key] for key in keys})]
    return [*in_columns("costs", "Costs", keys, subject.by_name())]

"""What a reader must know beside the numbers: each rule looks at one evaluated table and says what it found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from deciban.records.finding import Finding
from deciban.workflow.findings import acquisition, buckets, data, errors, evidence, figures, uncertainty
from deciban.workflow.findings.evaluated import Evaluated

Rule = Callable[[Evaluated], Iterator[Finding]]

RULES: Final[tuple[Rule, ...]] = (
    figures.direction,
    data.few_trials,
    acquisition.failures,
    data.small_group,
    errors.threshold_errors,
    errors.post_hoc,
    errors.resolution,
    errors.few_at_rate,
    figures.infinite_evidence,
    evidence.lr_support,
    evidence.misleading,
    evidence.units,
    data.hints,
    data.ties,
    figures.row_order,
    figures.prevalence,
    figures.optimism,
    figures.few_forecasts,
    data.dependence,
    uncertainty.recurring_sources,
    uncertainty.few_replicates,
    uncertainty.undefined_replicates,
    uncertainty.too_few_to_hold,
    uncertainty.left_out,
    data.duplicates,
)

OF_COMPARISONS: Final[tuple[Rule, ...]] = (
    figures.direction,
    data.few_trials,
    errors.threshold_errors,
    errors.post_hoc,
    errors.resolution,
    errors.few_at_rate,
    figures.infinite_evidence,
    evidence.units,
    figures.row_order,
    figures.prevalence,
    figures.optimism,
    figures.few_forecasts,
    data.dependence,
    uncertainty.recurring_sources,
    uncertainty.few_replicates,
    uncertainty.undefined_replicates,
    uncertainty.too_few_to_hold,
)
"""What bears on a comparison of systems: the rest is told when each of them is evaluated."""

OF_BUCKETS: Final[tuple[Rule, ...]] = (
    buckets.in_buckets,
    figures.direction,
    data.few_trials,
    data.small_group,
    errors.threshold_errors,
    errors.post_hoc,
    errors.resolution,
    data.hints,
    figures.prevalence,
    figures.optimism,
    data.dependence,
    data.duplicates,
)
"""What can be said of scores that are known by their buckets only: nothing that looks at one score or at a tie."""

WHOLE_ONLY: Final = frozenset(
    {
        "PREVALENCE",
        "PAV-OPT",
        "DEP-UNKNOWN",
        "DEP-SOURCE",
        "NO-INTERVAL",
        "SCALE-HINT",
        "DUP",
        "TIES",
        "ROW-ORDER",
        "FEW-TRIALS",
        "UNITS",
        "POST-HOC",
        "BUCKETS",
    }
)
"""What would only repeat itself in every group; of few trials in a group SUBGROUP tells."""


def find(table: Evaluated, rules: Sequence[Rule] = RULES) -> list[Finding]:
    """Apply the rules, warnings first; findings of a group carry its name."""
    found = [finding for rule in rules for finding in rule(table)]
    if table.record.by:
        found = [replace(finding, group=table.record.name) for finding in found if finding.code not in WHOLE_ONLY]
    return sorted(found, key=lambda finding: finding.severity != "warn")

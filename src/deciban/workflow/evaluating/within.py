"""Groups of trials, and how the AUC within them compares with that of all trials together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deciban.counts.counts import Counts
from deciban.counts.tally import Known
from deciban.errors import SingleClassError
from deciban.metrics.within import KEY, auc_within
from deciban.records.figures import MetricValue
from deciban.records.finding import Finding
from deciban.workflow.evaluating.bracketed import auc_within_buckets
from deciban.workflow.findings.conditions import pooling


@dataclass(frozen=True, slots=True)
class Part:
    """The trials of one group, or the rows that an engine counted; ``trials`` is None when only counts are known.

    ``by`` is the value of each condition, ``grouping`` the condition columns as they were asked for.
    """

    grouping: str
    by: Mapping[str, str]
    shared: int
    trials: Known | None
    counts: Counts


def compare_within(
    pooled: float | None, parts: Sequence[Part], exact: bool
) -> tuple[dict[str, MetricValue], list[Finding]]:
    """Give the AUC over pairs within one group, for each grouping, and what its difference from the pooled one says."""
    figures: dict[str, MetricValue] = {}
    findings: list[Finding] = []
    for grouping in dict.fromkeys(part.grouping for part in parts):
        groups = {str(tuple(part.by.values())): part.counts for part in parts if part.grouping == grouping}
        key = f"{KEY}{grouping}"
        if any(counts.resolution is not None for counts in groups.values()):
            figures[key] = auc_within_buckets(groups)
            continue
        try:
            value = auc_within(groups)
        except SingleClassError as error:
            figures[key] = MetricValue(value=None, reason=error.reason, interval_reason=error.reason)
            continue
        weighted = any(counts.weighted for counts in groups.values())
        fraction = str(auc_within(groups, exact=True)) if exact and not weighted else None
        figures[key] = MetricValue(value=value, exact=fraction, interval_reason="not_computed")
        findings += [] if pooled is None else pooling(pooled, value, grouping)
    return figures, findings

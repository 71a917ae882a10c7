"""Trials of a table counted to be kept: the whole, and its groups where they are asked for."""

from __future__ import annotations

from deciban.counts.buckets import Resolution
from deciban.counts.groups import by_columns, members
from deciban.counts.of_trials import count_trials, width_of
from deciban.tables.counts_files import KeptCounts
from deciban.tables.table import Table
from deciban.trials.trials import Trials
from deciban.values.option_checks import check_whole
from deciban.workflow.evaluating.repeated_ids import refuse_conflicts


def keep(
    table: Table, by: str | None, resolution: Resolution | None, max_blocks: int
) -> tuple[KeptCounts, tuple[str, ...]]:
    """Count a table and its groups by one column (or crossed ones), and say what was recognised rather than given."""
    check_whole("max_blocks", max_blocks, 1, "at least one distinct score")
    trials = table.read(() if by is None else (by,), resolution, max_blocks)
    if isinstance(trials, Trials):
        refuse_conflicts(trials, table, table.what)
    width = width_of(trials, resolution)
    parts = [] if by is None else list(members(trials, by))
    kept = KeptCounts(
        whole=count_trials(trials, width, max_blocks),
        groups={group.values: count_trials(selected, width, max_blocks) for group, selected in parts},
        by=() if by is None else by_columns(by, trials.conditions),
        shared={group.values: group.shared for group, _ in parts if group.shared},
        dropped=trials.dropped,
        failed=trials.n_failed,
    )
    return kept, trials.assumed

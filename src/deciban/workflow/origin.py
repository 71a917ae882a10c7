"""Where numbers come from: the provenance of a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from deciban.counts.tally import Known
from deciban.records.figures import TrialsSummary
from deciban.records.provenance import Provenance
from deciban.tables.counts_files import SCHEMA, KeptCounts
from deciban.tables.files.inputs import Input
from deciban.tables.table import Table
from deciban.values.record import to_plain
from deciban.version import versions

COUNTED: Final = "counts_file"
"""What the columns of a record name instead of columns, where it was made from a file of counts: its schema."""


def provenance_of(
    table: Table | None, trials: Known | None, options: Mapping[str, Any], seed: int, counted: Input | None = None
) -> Provenance:
    """Say which inputs, columns, options, seed and versions a record was made from; ``counted`` is a file of counts."""
    declared: dict[str, Any] = {} if table is None else to_plain(table.columns)
    inputs = () if table is None else table.inputs
    if counted is not None:
        declared, inputs = {COUNTED: SCHEMA}, (counted,)
    return Provenance(
        inputs=inputs,
        columns={**declared, "assumed": [] if trials is None else list(trials.assumed)},
        options=options,
        seed=seed,
        versions=versions(),
        engine="numpy" if table is None else table.engine,
    )


def with_missing(summary: TrialsSummary, kept: KeptCounts) -> TrialsSummary:
    """The summary with the missing scores that were dropped or never accepted when the trials were counted."""
    target, nontarget = kept.failed
    return replace(summary, dropped=kept.dropped, failed={"target": target, "nontarget": nontarget})

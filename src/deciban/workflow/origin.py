"""Where numbers come from: the provenance of a record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deciban.record import to_plain
from deciban.records.provenance import Provenance
from deciban.scanning import Table
from deciban.tally import Known
from deciban.version import versions


def provenance_of(table: Table | None, trials: Known | None, options: Mapping[str, Any], seed: int) -> Provenance:
    """Say which inputs, columns, options, seed and versions a record was made from."""
    declared = {} if table is None else to_plain(table.columns)
    return Provenance(
        inputs=() if table is None else table.inputs,
        columns={**declared, "assumed": [] if trials is None else list(trials.assumed)},
        options=options,
        seed=seed,
        versions=versions(),
        engine="numpy" if table is None else table.engine,
    )

"""The finding about scores that were counted in buckets: how wide the brackets are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from deciban.records.display import exact_digits
from deciban.records.finding import Finding
from deciban.workflow.findings.evaluated import Evaluated

WIDE: Final = 1e-6
"""What ``resolution="auto"`` keeps the bracket of AUC below, where scores do not come in heaps."""


def in_buckets(table: Evaluated) -> Iterator[Finding]:
    """Scores in buckets, of which AUC says how much they leave open."""
    counts, figure = table.counts, table.record.metrics.get("auc")
    if counts.resolution is None:
        return
    bracket = None if figure is None else figure.bracket
    width = 0.0 if bracket is None else bracket.high - bracket.low
    said = f"scores were counted in {counts.n_distinct} buckets of width {exact_digits(counts.resolution)}"
    if figure is not None and figure.value is None and bracket is None:
        said += f": no figure that depends on them is given ({figure.reason})"
    elif width:
        said += (
            f": figures are brackets that hold the exact values; that of AUC is {width:.2g} wide. Sampling intervals "
        )
        said += "are given for shares of a known number of trials only"
    wide = width > WIDE
    yield Finding(
        code="BUCKETS",
        severity="warn" if wide else "note",
        message=said,
        advice="ask for a finer resolution= (--resolution), or for none where scores have few different values"
        if wide
        else "for values instead of brackets count without resolution= (--resolution)",
        data={"resolution": counts.resolution, "buckets": counts.n_distinct, "auc_width": width},
    )

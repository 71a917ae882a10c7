"""Findings about trials without a score that count as never accepted."""

from __future__ import annotations

from collections.abc import Iterator

from deciban.records.display import number, several
from deciban.records.finding import Finding
from deciban.workflow.findings.evaluated import Evaluated


def failures(table: Evaluated) -> Iterator[Finding]:
    """Failures to acquire: what p_miss and p_fa are then."""
    targets, nontargets = (0, 0) if table.trials is None else table.trials.n_failed
    if targets or nontargets:
        sizes = dict(table.counts_by_class)
        if table.counts.weighted:
            said = f"{several(targets, 'target')} and {several(nontargets, 'nontarget')}"
        else:
            rates = [
                f"{several(n, kind)} of {sizes[kind]}" + (f" ({number(n / sizes[kind])})" if sizes[kind] else "")
                for n, kind in ((targets, "target"), (nontargets, "nontarget"))
            ]
            said = " and ".join(rates)
        yield Finding(
            code="FTA",
            severity="note",
            message=f"{said} without a score count as never accepted: p_miss is FRR and p_fa is FAR, and every figure "
            "has them at the bottom",
            advice="report failures to acquire beside FNMR and FMR, which are those of the comparisons that took place",
            data={"target": targets, "nontarget": nontargets},
        )

"""What a reader must know of the criteria themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

from deciban.records.display import several
from deciban.records.finding import Finding
from deciban.records.validation_rows import NOT_STATED, Criterion, Laboratory, SourceColumn

FEW_SOURCES = 30


def remarks(
    laboratory: Laboratory, criteria: Sequence[Criterion], sources: Sequence[SourceColumn]
) -> Iterator[Finding]:
    """Fields left empty, dates missing or too late, few sources."""
    yield from _dates(laboratory, criteria)
    if laboratory.casework_conditions is None:
        yield Finding(
            code="CONDITION",
            severity="warn",
            message=f"conditions of casework that the data are meant to reflect: {NOT_STATED}",
            advice="say in casework_conditions of [laboratory] which conditions of casework the data stand for",
        )
    empty = [one.name for one in fields(laboratory) if getattr(laboratory, one.name) is None]
    empty = [name for name in empty if name != "casework_conditions"]
    if empty:
        yield Finding(
            code="NOT-STATED",
            severity="note",
            message=f"{NOT_STATED}: {', '.join(empty)}",
            advice="fill them in under [laboratory] of the criteria file",
            data={"fields": empty},
        )
    yield from _few_sources(sources)


def _dates(laboratory: Laboratory, criteria: Sequence[Criterion]) -> Iterator[Finding]:
    undated = [criterion.id for criterion in criteria if criterion.fixed_on is None]
    if undated:
        yield Finding(
            code="CRITERIA-DATE",
            severity="warn",
            message=f"when the criteria were fixed is {NOT_STATED} for {', '.join(undated)}",
            advice="say so in fixed_on of [decision] or of the criterion: criteria are to be fixed before the data are "
            "seen",
            data={"criteria": undated},
        )
    late = [one.id for one in criteria if laboratory.date and one.fixed_on and one.fixed_on > laboratory.date]
    if late:
        yield Finding(
            code="CRITERIA-LATE",
            severity="warn",
            message=f"{', '.join(late)}: fixed after the date of the report, {laboratory.date}",
            advice="criteria are to be fixed before the data are seen: correct the date, or say why",
            data={"criteria": late, "date": laboratory.date},
        )


def _few_sources(sources: Sequence[SourceColumn]) -> Iterator[Finding]:
    for column in sources:
        few = {
            kind: n for kind, n in (("targets", column.n_target), ("nontargets", column.n_nontarget)) if n < FEW_SOURCES
        }
        if few:
            shown = " and ".join(f"{several(n, 'source')} of {kind}" for kind, n in few.items())
            yield Finding(
                code="FEW-SOURCES",
                severity="warn",
                message=f"column {column.column!r} names only {shown}: intervals by source rest on few of them",
                advice=f"collect trials of at least {FEW_SOURCES} sources of each class",
                data={"column": column.column, **few},
            )

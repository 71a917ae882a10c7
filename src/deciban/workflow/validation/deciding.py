"""The matrix: every criterion decided by the function of its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from deciban.records.validation_rows import Criterion, MatrixRow, Result, decision_of
from deciban.workflow.validation import data_rules, figures
from deciban.workflow.validation.conditions import conditions
from deciban.workflow.validation.material import Material

DECIDE: Final[Mapping[str, Callable[[Criterion, Material], tuple[list[Result], str]]]] = {
    "figure": figures.figure,
    "baseline": figures.baseline,
    "null_band": figures.null_band,
    "line": figures.line,
    "misleading": figures.misleading,
    "conditions": conditions,
    "errors": data_rules.errors,
    "sources": data_rules.sources,
    "bounds": data_rules.bounds,
    "overlap": data_rules.overlap,
}
"""How each kind of ``kinds.KINDS`` is decided: its results, and the data they are from in words."""


def decide(criteria: Sequence[Criterion], material: Material) -> tuple[MatrixRow, ...]:
    """The rows of the matrix, in the order of the criteria."""
    return tuple(_row(criterion, material) for criterion in criteria)


def _row(criterion: Criterion, material: Material) -> MatrixRow:
    results, data = DECIDE[criterion.kind](criterion, material)
    return MatrixRow(criterion=criterion, data=data, results=tuple(results), decision=decision_of(results))

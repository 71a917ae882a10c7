"""The equal error rate by every definition side by side, where all of them were asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deciban.metrics.eer_definitions import DEFINITIONS
from deciban.records.display import exact_digits, number
from deciban.records.tables import Row, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinedError:
    """The equal error rate by one definition.

    Attributes
    ----------
    method
        The definition, as ``eer:method=`` names it.
    value, reason
        The rate, or why there is none.
    threshold
        For the scores as given; None where only randomising between two thresholds reaches the rate.
    below, above
        These two, else None.
    """

    method: str
    value: float | None
    reason: str | None = None
    threshold: float | None = None
    below: float | None = None
    above: float | None = None


def definitions_tables(found: Sequence[DefinedError]) -> Iterator[Table]:
    """Values and thresholds beside each other, then what each definition says and who uses it."""
    if not found:
        return
    head = ("definition", "value", "threshold", "the rate is", "used by")
    rows: list[Row] = []
    for one in found:
        known = DEFINITIONS[one.method]
        value = f"- ({one.reason})" if one.value is None else number(one.value)
        rows.append((one.method, value, _where(one), known.rule, known.used_by))
    yield Table("Equal error rate by definition (say which one you report)", head, rows, splits=True)


def _where(one: DefinedError) -> str:
    if one.threshold is not None:
        return exact_digits(one.threshold)
    ends = [end for end in (one.below, one.above) if end is not None]
    if len(ends) < 2:
        return "-"
    return f"between {exact_digits(min(ends))} and {exact_digits(max(ends))}"

"""What must be said beside every result, and the LRs beyond which none is reported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from deciban.records.evaluation import Evaluation
from deciban.records.validation_rows import NOT_STATED, Cap, Criterion, Laboratory, MatrixRow, stated
from deciban.workflow.validation.material import Material

DIGITS = 3
"""Significant digits of a cap as it is reported: more than the data bear out, and easily read."""


def statements(
    laboratory: Laboratory, criteria: Sequence[Criterion], evaluation: Evaluation, sources: Sequence[object]
) -> Iterator[str]:
    """The six sentences, filled in."""
    yield (
        "The results hold for conditions like those of the validation data. Conditions of casework that the data are "
        f"meant to reflect: {stated(laboratory.casework_conditions)}."
    )
    yield (
        "A likelihood ratio concerns the findings given the propositions, not the propositions given the findings. "
        f"Proposition 1: {stated(laboratory.proposition_1)}. Proposition 2: {stated(laboratory.proposition_2)}."
    )
    yield _independence(evaluation, bool(sources))
    yield (
        f"No universal threshold makes a method valid. Criteria used: {_by_origin(criteria)}. They were fixed "
        f"{_dates(criteria)}."
    )
    yield (
        "This program does not certify conformity with any standard. It reports the quantities named in Meuwly, Ramos "
        "and Haraksim (2017), Forensic Science International 276, and the papers given as reasons of the criteria."
    )
    yield (
        "Figures that rest on PAV (cllr_min, cllr_cal, devpav, eer by the convex hull) are optimistic, since PAV is "
        "fitted to the data it judges."
    )


def _independence(evaluation: Evaluation, known: bool) -> str:
    if evaluation.provenance.options["interval"] == "none":
        return "No intervals were computed."
    if known:
        return (
            "Intervals assume independent sources, which were named. Exact tests and null bands assume independent "
            "trials: where sources recur they fail a criterion only together with the interval by source."
        )
    return (
        "Intervals, exact tests and null bands assume independent trials: no sources were named, and where sources "
        "recur the intervals are too narrow."
    )


def _by_origin(criteria: Sequence[Criterion]) -> str:
    """Whose criteria they are: a default that the laboratory left as it is was not made by it."""
    said = {
        "default": "defaults of this program, which the laboratory left as they are",
        "completed": "defaults of this program with numbers of the laboratory",
        "changed": "defaults of this program that the laboratory changed",
        "laboratory": "the laboratory's own",
    }
    found = {origin: [one.id for one in criteria if one.origin == origin] for origin in said}
    return "; ".join(f"{', '.join(names)}: {said[origin]}" for origin, names in found.items() if names)


def _dates(criteria: Sequence[Criterion]) -> str:
    by_date: dict[str | None, list[str]] = {}
    for criterion in criteria:
        by_date.setdefault(criterion.fixed_on, []).append(criterion.id)
    if list(by_date) == [None]:
        return f"on a date {NOT_STATED}"
    if len(by_date) == 1:
        return f"on {next(iter(by_date))}"
    return " and ".join(
        f"on {date} ({', '.join(names)})" if date else f"on a date {NOT_STATED} ({', '.join(names)})"
        for date, names in by_date.items()
    )


def cap_of(rows: Sequence[MatrixRow], material: Material) -> Cap | None:
    """The cap of the laboratory where it passed, else the bounds that the data support; None without LRs."""
    row = next((row for row in rows if row.criterion.kind == "bounds"), None)
    rule = "elub" if row is None else row.criterion.settings["bounds"]
    lower, upper = (material.figure(f"{rule}.{side}").value for side in ("lower", "upper"))
    if lower is None or upper is None:
        return None
    given = {} if row is None or row.decision != "pass" else row.criterion.settings
    lower, upper = given.get("lower", _inwards(lower, ROUND_CEILING)), given.get("upper", _inwards(upper, ROUND_FLOOR))
    by = "laboratory" if "lower" in given or "upper" in given else rule
    says = f"LRs above {upper:.6g} are reported as {upper:.6g}, LRs below {lower:.3g} as {lower:.3g}"
    return Cap(lower=lower, upper=upper, rule=by, says=says)


def _inwards(lr: float, rounding: str) -> float:
    """An LR with few digits, rounded towards 1: a cap never promises more than the bound."""
    exact = Decimal(lr)
    if not exact.is_finite() or exact == 0:
        return lr
    step = Decimal(1).scaleb(exact.adjusted() - DIGITS + 1)
    return float((exact / step).to_integral_value(rounding=rounding) * step)

"""A validation as titled tables of text cells, as rows and as lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, Final

from deciban.records.display import amount, limits, number, percent, probability, six_decimals
from deciban.records.tables import Row, Table
from deciban.records.validation import Validation
from deciban.records.validation_rows import Cap, Criterion, MatrixRow, Result, stated
from deciban.verbal.scales import VerbalScale

FIELDS: Final = {
    "name": "laboratory",
    "method": "method",
    "version": "version",
    "report_id": "report",
    "date": "date",
    "author": "author",
    "reviewer": "reviewer",
    "scope": "scope",
    "proposition_1": "proposition 1 (targets)",
    "proposition_2": "proposition 2 (nontargets)",
    "level": "level of the propositions",
    "conditioning": "conditioning information",
    "casework_conditions": "conditions of casework that the data are to reflect",
}
"""Fields of the laboratory as people read them."""

ORIGINS: Final = {
    "default": "default",
    "completed": "default, number by the laboratory",
    "changed": "default, changed by the laboratory",
    "laboratory": "the laboratory's own",
}


def tables_of(result: Validation) -> Iterator[Table]:
    """Every table of the matrix."""
    yield Table("Validation", ("", ""), _header(result))
    yield Table("Validation matrix", _MATRIX, [_matrix(row) for row in result.rows], splits=True)
    decisions: list[Row] = [(row.criterion.id, row.decision, row.why) for row in result.rows]
    yield Table("Decisions", ("id", "decision", "why"), decisions)
    yield Table("Criteria", ("id", "origin", "reason"), [_reason(row.criterion) for row in result.rows])
    if result.switched_off:
        off: list[Row] = [(one.id, one.says, stated(one.reason)) for one in result.switched_off]
        yield Table("Criteria switched off by the laboratory", ("id", "criterion", "reason"), off)
    if result.sources:
        yield Table("Sources", ("column", *_SOURCES), _sources(result))
    yield Table("Data of development or calibration", ("", ""), _development(result))
    if result.cap is not None:
        yield Table("Range of the LRs reported", ("", ""), _cap(result.cap, result.verbal))
    if result.verbal is not None:
        yield Table(f"Verbal scale: {result.verbal.title}", ("LR", "support"), _verbal(result.verbal))
    numbered: list[Row] = [(f"({n})", said) for n, said in zip(_NUMERALS, result.statements, strict=False)]
    yield Table("To be read with every result", ("", ""), numbered)


def rows_of(result: Validation) -> list[dict[str, Any]]:
    """One row per figure of a criterion."""
    return [
        {
            "id": row.criterion.id,
            "characteristic": row.criterion.characteristic,
            "metric": row.criterion.metric,
            "graph": row.criterion.graph,
            "criterion": row.criterion.says,
            "rule": row.criterion.rule,
            "fixed_on": row.criterion.fixed_on,
            "origin": row.criterion.origin,
            "data": row.data,
            "decision": row.decision,
            "figure": one.name,
            "value": one.value,
            "unit": one.unit,
            "low": None if one.interval is None else one.interval.low,
            "high": None if one.interval is None else one.interval.high,
            "limit": one.limit,
            "p_value": one.p_value,
            "figure_decision": one.decision,
            "reason": one.reason,
            "said": one.said,
        }
        for row in result.rows
        for one in row.results
    ]


def lines_of(result: Validation) -> Iterator[str]:
    """``name value`` lines: how many criteria were decided how, each decision, and each figure as ``ID/figure``."""
    yield f"criteria {len(result.rows)}"
    yield f"pass {result.count('pass')}"
    yield f"fail {result.count('fail')}"
    yield f"not_assessable {result.count('not assessable')}"
    for row in result.rows:
        yield f"{row.criterion.id} {row.decision.replace(' ', '_')}"
        for one in row.results:
            yield f"{row.criterion.id}/{one.name.replace(' ', '_')} {_plain(one.value)}"


def _plain(value: float | None) -> str:
    """Six decimals, unless the number is so large that nobody could read it: an LR may be."""
    return six_decimals(value) if value is None or abs(value) < 1e9 else number(value)


_NUMERALS: Final = ("i", "ii", "iii", "iv", "v", "vi")
_SOURCES: Final = ("sources", "of targets", "of nontargets", "trials per source: fewest", "median", "most")
_MATRIX: Final = (*("id", "characteristic", "metric", "graph", "criterion", "fixed on", "data", "result", "decision"),)


def _header(result: Validation) -> list[Row]:
    named = [(FIELDS[one.name], stated(getattr(result.laboratory, one.name))) for one in fields(result.laboratory)]
    return [
        ("verdict", result.verdict),
        *named,
        ("criteria", f"{result.config.name}, SHA-256 {result.config.sha256}"),
        ("decided by", f"{result.rule} unless a criterion says otherwise; intervals of {percent(result.level)}"),
    ]


def _matrix(row: MatrixRow) -> Row:
    one = row.criterion
    results = "; ".join(_shown(result) for result in row.results)
    return (
        one.id,
        one.characteristic,
        one.metric,
        one.graph,
        one.says,
        stated(one.fixed_on),
        row.data,
        results,
        row.decision,
    )


def _shown(result: Result) -> str:
    """The figure with its interval or p-value."""
    value = amount(result.value) if isinstance(result.value, int) else number(result.value)
    text = f"{result.name} = {value}{f' {result.unit}' if result.unit else ''}"
    if result.interval is not None:
        text += f" {limits(result.interval.low, result.interval.high)}"
    return text if result.p_value is None else f"{text} (p = {probability(result.p_value)})"


def _reason(criterion: Criterion) -> Row:
    return criterion.id, ORIGINS[criterion.origin], stated(criterion.reason)


def _sources(result: Validation) -> list[Row]:
    return [
        (one.column, *map(str, (one.n, one.n_target, one.n_nontarget, one.fewest)), number(one.median), str(one.most))
        for one in result.sources
    ]


def _development(result: Validation) -> list[Row]:
    one = result.development
    if one is None:
        return [("data", stated(None))]
    rows: list[Row] = [("data", one.what), ("sources", "not named" if one.n_sources is None else str(one.n_sources))]
    rows.append(("of these in the validation data", "not known" if one.shared is None else str(one.shared)))
    return [*rows, ("the same as the validation data", one.same)] if one.same else rows


def _cap(cap: Cap, verbal: VerbalScale | None) -> list[Row]:
    rows: list[Row] = [("rule", cap.rule), ("statement", cap.says)]
    if verbal is not None:
        rows.append(("the upper end in words", verbal.words(cap.upper)))
        rows.append(("the lower end in words", verbal.words(cap.lower)))
    return rows


def _verbal(scale: VerbalScale) -> list[Row]:
    """The steps from 1 upwards; LRs below 1 mirror them."""
    rows: list[Row] = [*scale.ranges(), ("below 1", "as 1/LR, for the other proposition"), ("source", scale.source)]
    return [*rows, ("note", scale.note)] if scale.note else rows

"""Presentation-attack detection as tables, rows and ``name value`` lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from deciban.records.display import exact_digits, limits, percent, shortened, six_decimals
from deciban.records.figures import MetricValue
from deciban.records.tables import Row, Table, shown

if TYPE_CHECKING:
    from deciban.records.attacks import AttackEvaluation, AttackPoint, Share

Errors = tuple[int | None, int | None]


def tables_of(result: AttackEvaluation) -> Iterator[Table]:
    """Presentations of each kind, then the rates at each threshold, the worst species first."""
    interval = f"{percent(result.level)} interval"
    rows = [("bona fide", "BPNRR", result.bona_fide), *((name, "APNRR", one) for name, one in result.species.items())]
    counted: list[Row] = [
        (shortened(name), str(one.n), str(one.without_response), rate, shown(one.rate), _ends(one.rate))
        for name, rate, one in rows
    ]
    used = "left out below" if result.nonresponse == "apart" else "never taken for bona fide below"
    title = f"Presentations (those without a response are {used})"
    yield Table(title, ("", "presentations", "no response", "rate", "value", interval), counted)
    for point in result.points:
        chosen = "" if point.limit is None else f", chosen here for APCER <= {exact_digits(point.limit)}"
        title = f"Bona fide when {point.accept}{chosen}"
        yield Table(title, ("rate", "of", "value", interval, "errors", "presentations"), list(_point(point)))


def _point(point: AttackPoint) -> Iterator[Row]:
    yield _share("APCER", f"worst species: {shortened(point.worst)}", point.species[point.worst])
    yield _share("BPCER", "bona fide", point.bpcer)
    for name, share in point.species.items():
        yield _share("APCER", shortened(name), share)
    for name, figure in point.asked.items():
        yield (NAMES[name], WORDS[name], shown(figure), _ends(figure), "", "")


NAMES = {"acer": "ACER", "apcer_pooled": "APCER pooled"}
WORDS = {"acer": "mean of worst APCER and BPCER", "apcer_pooled": "all attacks together"}


def _share(rate: str, of: str, share: Share) -> Row:
    return (rate, of, shown(share.rate), _ends(share.rate), str(share.errors), str(share.n))


def _ends(figure: MetricValue) -> str:
    if figure.interval is None:
        return "-" if figure.value is None else f"- ({figure.interval_reason})"
    return limits(figure.interval.low, figure.interval.high)


def rows_of(result: AttackEvaluation) -> list[dict[str, Any]]:
    """One row per rate: non-responses, then the rates at each threshold."""
    bona_fide = result.bona_fide
    rows = [_row(None, "bpnrr", "", bona_fide.rate, (bona_fide.without_response, bona_fide.n))]
    rows += [_row(None, "apnrr", name, one.rate, (one.without_response, one.n)) for name, one in result.species.items()]
    for point in result.points:
        worst = point.species[point.worst]
        rows.append(_row(point, "apcer_worst", point.worst, worst.rate, (worst.errors, worst.n)))
        rows.append(_row(point, "bpcer", "", point.bpcer.rate, (point.bpcer.errors, point.bpcer.n)))
        rows += [_row(point, "apcer", name, one.rate, (one.errors, one.n)) for name, one in point.species.items()]
        rows += [_row(point, name, "", figure, (None, None)) for name, figure in point.asked.items()]
    return rows


def _row(point: AttackPoint | None, metric: str, species: str, figure: MetricValue, errors: Errors) -> dict[str, Any]:
    interval = figure.interval
    return {
        "threshold": None if point is None else point.shown,
        "limit": None if point is None else point.limit,
        "metric": metric,
        "species": species,
        "value": figure.value,
        "reason": figure.reason,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "errors": errors[0],
        "presentations": errors[1],
    }


def lines_of(result: AttackEvaluation) -> Iterator[str]:
    """``name value`` lines: ``apcer.mask@0.5``; a point chosen by a limit is ``bpcer@apcer=0.05``."""
    for row in rows_of(result):
        species = f".{row['species']}" if row["species"] and row["metric"] != "apcer_worst" else ""
        at = ""
        if row["limit"] is not None:
            at = f"@apcer={exact_digits(row['limit'])}"
        elif row["threshold"] is not None:
            at = f"@{exact_digits(row['threshold'])}"
        yield f"{row['metric']}{species}{at} {six_decimals(row['value'])}"
    for point in result.points:
        if point.limit is not None:
            yield f"threshold@apcer={exact_digits(point.limit)} {exact_digits(point.shown)}"

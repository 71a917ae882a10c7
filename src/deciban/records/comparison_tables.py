"""A comparison as titled tables of text cells, as rows and as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from deciban.records.display import amount, exact_digits, limits, number, probability, shortened, six_decimals
from deciban.records.figures import MetricValue
from deciban.records.tables import CELLS, Row, Table, shown

if TYPE_CHECKING:
    from deciban.records.comparison import Comparison, SystemRecord
    from deciban.records.differences import Difference, ErrorsCompared
    from deciban.uncertainty.interval import Interval

SPLIT: Final = ("cllr", "cllr_min", "cllr_cal")
"""A whole and its two parts."""


def tables_of(result: Comparison) -> Iterator[Table]:
    """Every table of the record but the findings."""
    yield trials_table(result)
    yield _figures(result)
    yield from _differences(result)
    yield from _split(result)
    yield from _joint(result)
    yield from _thresholds(result)
    yield from _errors(result)


def tables_of_tests(result: Comparison) -> Iterator[Table]:
    """What is said of every two systems beside their differences, and of all of them together."""
    yield from _split(result)
    yield from _joint(result)
    yield from _errors(result)


def trials_table(result: Comparison) -> Table:
    """What was compared: how many trials of each system."""
    systems = result.systems.values()
    rows: list[Row] = [
        ("trials", *(amount(s.trials.n) + (" (sum of weights)" if s.trials.weighted else "") for s in systems)),
        ("targets", *(amount(s.trials.n_target) for s in systems)),
        ("nontargets", *(amount(s.trials.n_nontarget) for s in systems)),
        ("distinct scores", *(str(s.trials.n_distinct) for s in systems)),
        ("scale", *(s.trials.scale for s in systems)),
    ]
    optional: dict[str, list[str]] = {
        "prior of the probabilities": [number(s.trials.prior) if s.trials.prior is not None else "" for s in systems],
        "p_target of posteriors": [number(s.trials.p_target) if s.trials.p_target is not None else "" for s in systems],
        "direction": ["reversed" if s.trials.reversed else "" for s in systems],
        "dropped (missing score)": [str(s.trials.dropped or "") for s in systems],
        "left out (not in all systems)": [str(result.pairing.left_out.get(name) or "") for name in result.systems],
        "never accepted (missing score)": [amount(sum(s.trials.failed.values()) or 0) for s in systems],
    }
    rows += [(name, *cells) for name, cells in optional.items() if any(cell not in ("", "0") for cell in cells)]
    return Table(f"Trials ({result.pairing.why})", ("", *map(shortened, result.systems)), rows, splits=True)


def _figures(result: Comparison) -> Table:
    systems = result.systems.values()
    keys = list(dict.fromkeys(key for system in systems for key in system.metrics))
    rows = [(_with_unit(key, result), *(_cell(system, key) for system in systems)) for key in keys]
    return Table("Figures", ("metric", *map(shortened, result.systems)), rows, splits=True)


def _with_unit(key: str, result: Comparison) -> str:
    units = {system.metrics[key].unit for system in result.systems.values() if key in system.metrics}
    unit = ", ".join(sorted(units - {""}))
    return f"{key} ({unit})" if unit else key


def _cell(system: SystemRecord, key: str) -> str:
    if key not in system.metrics:
        return ""
    figure = system.metrics[key]
    return f"{shown(figure)} {_ends(figure.interval)}".rstrip()


def _ends(interval: Interval | None) -> str:
    return limits(interval.low, interval.high) if interval else ""


def _differences(result: Comparison) -> Iterator[Table]:
    several = len(result.systems) > 2
    head: Row = ("metric", "systems", "difference", "interval", "p", *(["p (Holm)"] if several else []), "test")
    rows: list[Row] = []
    for one in result.differences:
        adjusted = [probability(one.p_holm)] if several else []
        rows.append((one.metric, _pair(one), _value(one), _interval(one), _p(one), *adjusted, one.test or ""))
    if rows:
        yield Table("Differences", head, rows)


def _pair(one: Difference | ErrorsCompared) -> str:
    return f"{shortened(one.first)} - {shortened(one.second)}"


def _value(one: Difference) -> str:
    return f"- ({one.reason})" if one.value is None else number(one.value)


def _interval(one: Difference) -> str:
    if one.interval is not None:
        return _ends(one.interval)
    return f"- ({one.interval_reason})" if one.interval_reason and one.value is not None else ""


def _p(one: Difference) -> str:
    if one.p_value is None:
        return f"- ({one.p_reason})" if one.p_reason and one.value is not None else ""
    return probability(one.p_value)


def _split(result: Comparison) -> Iterator[Table]:
    """Differences of Cllr as what discrimination and what calibration make of them."""
    found: dict[str, dict[str, Difference]] = {}
    for one in result.differences:
        if one.metric in SPLIT:
            found.setdefault(_pair(one), {})[one.metric] = one
    rows: list[Row] = [
        (name, *(_value(parts[metric]) for metric in SPLIT)) for name, parts in found.items() if len(parts) == 3
    ]
    if rows:
        yield Table("Differences of Cllr taken apart", ("systems", "cllr", "= cllr_min", "+ cllr_cal"), rows)


def _joint(result: Comparison) -> Iterator[Table]:
    rows: list[Row] = [
        (one.metric, f"- ({one.reason})", "", "", one.test)
        if one.p_value is None
        else (one.metric, number(one.chi2), str(one.df), probability(one.p_value), one.test)
        for one in result.joint
    ]
    if rows:
        yield Table("All systems equal", ("metric", "chi2", "df", "p", "test"), rows)


def _thresholds(result: Comparison) -> Iterator[Table]:
    """Counts at each threshold."""
    rows: list[Row] = []
    for name, system in result.systems.items():
        for at in system.thresholds:
            cells = (amount(getattr(at, cell)) for cell in CELLS)
            rows.append((shortened(name), at.accept, *cells, shown(at.metrics["accuracy"])))
    if rows:
        yield Table("At each threshold", ("system", "accept when", *CELLS, "accuracy"), rows)


def _errors(result: Comparison) -> Iterator[Table]:
    """McNemar's test."""
    several = len(result.systems) > 2
    adjusted = ["exact (Holm)", "mid-p (Holm)"] if several else []
    head: Row = ("systems", "thresholds", "only first", "only second", "both", "exact p", "mid-p", *adjusted)
    rows: list[Row] = []
    for one in result.errors:
        at_each = f"{exact_digits(one.first_threshold)}, {exact_digits(one.second_threshold)}"
        more = [probability(one.p_exact_holm), probability(one.p_mid_holm)] if several else []
        told = (str(n) if n is not None else f"- ({one.reason})" for n in (one.only_first, one.only_second, one.both))
        rows.append((_pair(one), at_each, *told, probability(one.p_exact), probability(one.p_mid), *more))
    if rows:
        yield Table("Errors that only one of two systems makes (McNemar)", head, rows)


def rows_of(result: Comparison) -> list[dict[str, Any]]:
    """One row per figure of a system, per difference, per pair of thresholds and per joint test."""
    rows = [row for name, system in result.systems.items() for row in _rows_of_system(name, system)]
    rows += [
        _row(one.first, one.metric, one, less=one.second, test=one.test, statistic=one.statistic)
        | {"p_value": one.p_value, "p_holm": one.p_holm}
        for one in result.differences
    ]
    for errors in result.errors:
        cells = {"only_first_wrong": errors.only_first, "only_second_wrong": errors.only_second}
        at = {"less": errors.second, "threshold": errors.first_threshold, "reason": errors.reason}
        tests = (("exact", errors.p_exact, errors.p_exact_holm), ("mid-p", errors.p_mid, errors.p_mid_holm))
        rows += [_row(errors.first, name, None, value=n, **at) for name, n in cells.items()]
        rows += [
            _row(errors.first, "mcnemar", None, test=test, p_value=p, p_holm=holm, **at) for test, p, holm in tests
        ]
    rows += [
        _row(None, one.metric, None, test=one.test, statistic=one.chi2, p_value=one.p_value, reason=one.reason)
        for one in result.joint
    ]
    return rows


def _rows_of_system(name: str, system: SystemRecord) -> Iterator[dict[str, Any]]:
    counts = {"trials": system.trials.n, "targets": system.trials.n_target, "nontargets": system.trials.n_nontarget}
    for word, n in counts.items():
        yield _row(name, word, None, value=n)
    for key, figure in system.metrics.items():
        yield _row(name, key, figure)
    for at in system.thresholds:
        for word in CELLS:
            yield _row(name, word, None, value=getattr(at, word), threshold=at.shown)
        for key, figure in at.metrics.items():
            yield _row(name, key, figure, threshold=at.shown)


def _row(system: str | None, metric: str, of: MetricValue | Difference | None, **more: Any) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(
        ("system", "less", "threshold", "metric", "value", "unit", "reason", "low", "high")
    ) | dict.fromkeys(("test", "statistic", "p_value", "p_holm"))
    row |= {"system": system, "metric": metric, "unit": ""}
    if of is not None:
        row |= {"value": of.value, "unit": of.unit, "reason": of.reason}
        if of.interval is not None:
            row |= {"low": of.interval.low, "high": of.interval.high}
    return row | more


def lines_of(result: Comparison) -> Iterator[str]:
    """``name value`` lines: ``system/metric``, ``first-second/metric`` and its ``.p`` and ``.p_holm``.

    A figure at a threshold is ``name@threshold``; McNemar's p-values are ``first-second/mcnemar.exact@threshold`` and
    ``.mid-p``.
    """
    for row in rows_of(result):
        prefix = _prefix(row)
        suffix = "" if row["threshold"] is None else f"@{exact_digits(row['threshold'])}"
        if row["metric"] == "mcnemar":
            yield f"{prefix}mcnemar.{row['test']}{suffix} {number(row['p_value'])}"
            continue
        if row["system"] is not None:
            yield f"{prefix}{row['metric']}{suffix} {six_decimals(row['value'])}"
        yield from _p_lines(f"{prefix}{row['metric']}", row)


def _prefix(row: Mapping[str, Any]) -> str:
    if row["system"] is None:
        return "all/"
    return f"{row['system']}/" if row["less"] is None else f"{row['system']}-{row['less']}/"


def _p_lines(name: str, row: Mapping[str, Any]) -> Iterator[str]:
    if row["test"] is not None:
        yield f"{name}.p {number(row['p_value'])}"
        if row["p_holm"] is not None:
            yield f"{name}.p_holm {number(row['p_holm'])}"

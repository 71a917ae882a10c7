"""The record as titled tables of text cells, which text, Markdown and HTML are written from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from deciban.records.display import (
    amount,
    enclosing,
    exact_digits,
    limits,
    number,
    readable_fraction,
    shortened,
    six_decimals,
)
from deciban.trials.direction import reversal

if TYPE_CHECKING:
    from deciban.records.evaluation import Evaluation
    from deciban.records.figures import GroupRecord, MetricValue, ThresholdRow, TrialsSummary
    from deciban.records.finding import Finding
    from deciban.records.group_difference import GroupDifference

Row = tuple[str, ...]

CELLS: Final = ("tp", "fp", "fn", "tn")
ALIKE: Final = 5
"""How many findings of one code a table for people lists before it gives their number."""


@dataclass(frozen=True, slots=True)
class Table:
    """Title, head (all empty: none) and rows; ``splits`` when columns may go below one another to fit a page."""

    title: str
    head: Row
    rows: list[Row]
    splits: bool = False


def tables_of(result: Evaluation) -> Iterator[Table]:
    """Every table of the record but the findings."""
    from deciban.records.eer_definitions import definitions_tables

    yield _summary(result.trials)
    yield figures_table(result.metrics)
    yield from definitions_tables(result.equal_errors)
    if result.thresholds:
        yield _threshold_table(result)
    for by in dict.fromkeys(tuple(group.by) for group in result.groups):
        yield from _groups(by, [group for group in result.groups if tuple(group.by) == by])
        yield from _differences(by, [apart for apart in result.differences if tuple(apart.group) == by])


def lines_of(result: Evaluation) -> Iterator[str]:
    """``name value`` lines of the record.

    A figure at a threshold is ``name@threshold``, of a group ``by=group/name``; where fractions were asked for, a
    figure that has one gets a second line, ``name.exact``. A bracket has two lines with every digit.
    """
    for row in result.to_rows():
        prefix = f"{row['group']}/" if row["group"] else ""
        suffix = "" if row["threshold"] is None else f"@{exact_digits(row['threshold'])}"
        yield f"{prefix}{row['metric']}{suffix} {six_decimals(row['value'])}"
        if row["bracket_low"] is not None:
            yield f"{prefix}{row['metric']}.bracket_low{suffix} {exact_digits(row['bracket_low'])}"
            yield f"{prefix}{row['metric']}.bracket_high{suffix} {exact_digits(row['bracket_high'])}"
        if row["exact"] is not None:
            yield f"{prefix}{row['metric']}.exact{suffix} {row['exact']}"


def by_code(findings: Sequence[Finding]) -> dict[tuple[str, str], list[Finding]]:
    """Findings of one severity and code together, warnings first, codes in order of appearance."""
    ordered = sorted(findings, key=lambda finding: finding.severity != "warn")
    gathered: dict[tuple[str, str], list[Finding]] = {}
    for finding in ordered:
        gathered.setdefault((finding.severity, finding.code), []).append(finding)
    return gathered


def said(finding: Finding) -> str:
    """The message with the group it is about."""
    return f"{shortened(finding.group)}: {finding.message}" if finding.group else finding.message


def short_findings(findings: Sequence[Finding]) -> list[Row]:
    """Findings for a reader of text: alike ones under one another, their advice once below them."""
    rows: list[Row] = []
    for (severity, code), alike in by_code(findings).items():
        lines = [said(finding) for finding in alike[:ALIKE]]
        if len(alike) > ALIKE:
            lines.append(f"… and {len(alike) - ALIKE} more like these (the JSON record has all)")
        lines += [f"-> {advice}" for advice in dict.fromkeys(finding.advice for finding in alike[:ALIKE])]
        rows += [(severity, code, lines[0]), *(("", "", line) for line in lines[1:])]
    return rows


def full_findings(findings: Sequence[Finding]) -> list[Row]:
    """Every finding with its advice beside it."""
    return [
        (finding.severity, finding.code, said(finding), finding.advice)
        for alike in by_code(findings).values()
        for finding in alike
    ]


def shown(figure: MetricValue) -> str:
    """A figure for a table: its fraction where that can be read, its bracket, or the reason why there is no value."""
    if figure.bracket is not None and figure.value is None:
        return enclosing(figure.bracket.low, figure.bracket.high)
    if figure.value is None:
        return f"- ({figure.reason})"
    fraction = readable_fraction(figure.exact)
    return f"{number(figure.value)} = {fraction}" if fraction else number(figure.value)


def _summary(trials: TrialsSummary) -> Table:
    rows: list[Row] = [
        ("trials", amount(trials.n) + (" (sum of weights)" if trials.weighted else "")),
        ("targets", amount(trials.n_target)),
        ("nontargets", amount(trials.n_nontarget)),
        _distinct(trials),
        ("scale", trials.scale),
    ]
    if trials.prior is not None:
        rows.append(("prior of the probabilities", number(trials.prior)))
    if trials.p_target is not None:
        origin = "share of targets in the data" if trials.p_target_origin == "data" else "given"
        rows.append(("p_target of posteriors", f"{number(trials.p_target)} ({origin})"))
    if trials.reversed:
        rows.append(("direction", "scores reversed; thresholds are those for the scores as given"))
    if trials.dropped:
        rows.append(("dropped (missing score)", str(trials.dropped)))
    if any(trials.failed.values()):
        failed = ", ".join(f"{n} of class {kind}" for kind, n in trials.failed.items())
        rows.append(("never accepted (missing score)", failed))
    return Table("Trials", ("", ""), rows)


def _distinct(trials: TrialsSummary) -> Row:
    if trials.resolution is None:
        return "distinct scores", str(trials.n_distinct)
    return (
        "buckets of scores",
        f"{trials.n_distinct}, each {exact_digits(trials.resolution)} wide (a … b: between a and b)",
    )


def _cell(row: ThresholdRow, name: str) -> str:
    """One of the four counts at a threshold, or between what it lies."""
    cell = row.cell(name)
    return shown(cell) if cell.value is None else amount(cell.value)


def figures_table(figures: Mapping[str, MetricValue]) -> Table:
    """Figures one below the other, with their intervals."""
    head = ["metric", "value", "unit", "interval", "if calibrated"]
    rows = [(key, shown(figure), figure.unit, _interval(figure), _null_band(figure)) for key, figure in figures.items()]
    # Columns that would be empty from top to bottom are left out.
    kept = [index for index in range(len(head)) if index < 3 or any(row[index] for row in rows)]
    return Table("Figures", tuple(head[i] for i in kept), [tuple(row[i] for i in kept) for row in rows])


def _interval(figure: MetricValue) -> str:
    """The interval, or why there is none where one was looked for."""
    if figure.interval is not None:
        return limits(figure.interval.low, figure.interval.high)
    sought = figure.value is not None and figure.interval_reason not in (
        None,
        "not_computed",
    )
    return f"- ({figure.interval_reason})" if sought else ""


def _null_band(figure: MetricValue) -> str:
    """What perfectly calibrated LRs would give: usually, at most, and how rarely as much as was observed."""
    band = figure.null_band
    if band is None:
        return ""
    return f"median {band.median:.3g}, {band.level * 100:g} % up to {band.high:.3g} (p = {band.p_value:.2g})"


def with_interval(figure: MetricValue) -> str:
    """A figure for a table without a column for intervals."""
    return f"{shown(figure)} {_interval(figure)}".rstrip()


def _threshold_table(result: Evaluation) -> Table:
    thresholds = result.thresholds
    head = ("", *(exact_digits(row.shown) for row in thresholds))
    rows = [(name, *(_cell(row, name) for row in thresholds)) for name in CELLS]
    for figures in ([row.metrics for row in thresholds], [row.acquisition for row in thresholds]):
        rows += [(name, *(with_interval(each[name]) for each in figures)) for name in figures[0]]
    said = reversal(result.provenance.columns) if result.trials.reversed else "accept when score >= threshold"
    return Table(f"At each threshold ({said})", head, rows, splits=True)


def _groups(by: tuple[str, ...], groups: list[GroupRecord]) -> Iterator[Table]:
    """One table of figures, and one per threshold."""
    title = f"By {', '.join(by)}"
    shared = max(group.shared for group in groups)
    note = f" ({shared} trials without a value belong to every group)" if shared else ""
    names = [shortened(",".join(group.by.values())) for group in groups]
    keys = list(dict.fromkeys(key for group in groups for key in group.metrics))
    columns: dict[str, list[str]] = {
        "targets": [amount(group.trials.n_target) for group in groups],
        "nontargets": [amount(group.trials.n_nontarget) for group in groups],
    }
    columns |= {key: [with_interval(g.metrics[key]) if key in g.metrics else "" for g in groups] for key in keys}
    yield grid(title + note, names, columns)
    for index, at in enumerate(groups[0].thresholds):
        rows = [group.thresholds[index] for group in groups]
        columns = {name: [_cell(row, name) for row in rows] for name in CELLS}
        columns |= {name: [with_interval(row.metrics[name]) for row in rows] for name in at.metrics}
        kept = [name for name in at.acquisition if all(name in row.acquisition for row in rows)]
        columns |= {name: [with_interval(row.acquisition[name]) for row in rows] for name in kept}
        where = f"at threshold {exact_digits(at.shown)}" if at.as_given is None else f"where {at.accept}"
        yield grid(f"{title} {where}", names, columns)


def _differences(by: tuple[str, ...], found: list[GroupDifference]) -> Iterator[Table]:
    """Figures against pairs of groups; an interval that leaves 0 out is marked."""
    if not found:
        return
    pairs = list(dict.fromkeys(apart.pair for apart in found))
    keys = list(dict.fromkeys(apart.metric for apart in found))
    cells = {(apart.metric, apart.pair): _difference(apart) for apart in found}
    columns = {key: [cells.get((key, pair), "") for pair in pairs] for key in keys}
    yield grid(
        f"Differences by {', '.join(by)} (* where the interval leaves 0 out)", list(map(shortened, pairs)), columns
    )


def _difference(apart: GroupDifference) -> str:
    if apart.interval is None:
        return f"{number(apart.difference)} ({apart.interval_reason})"
    mark = " *" if apart.clear else ""
    return f"{number(apart.difference)} {limits(apart.interval.low, apart.interval.high)}{mark}"


def grid(title: str, names: list[str], columns: dict[str, list[str]]) -> Table:
    """Groups against figures; the more numerous of the two go down the page."""
    if len(names) > len(columns):
        rows = [(name, *(cells[i] for cells in columns.values())) for i, name in enumerate(names)]
        return Table(title, ("group", *columns), rows, splits=True)
    return Table(title, ("", *names), [(name, *cells) for name, cells in columns.items()], splits=True)

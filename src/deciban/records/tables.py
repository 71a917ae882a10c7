"""The record as tables for people: plain text, Markdown, CSV, HTML and ``name value`` lines."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deciban.records.evaluation import Evaluation, GroupRecord, MetricValue, ThresholdRow, TrialsSummary

Row = tuple[str, ...]
Table = tuple[str, Row, list[Row]]
"""Title, head and rows."""


def as_text(result: Evaluation) -> str:
    """Aligned text, one table after another."""
    return "\n\n".join(_text(table) for table in _tables(result)) + "\n"


def as_markdown(result: Evaluation) -> str:
    """Markdown tables with headings."""
    return "\n\n".join(_markdown(table) for table in _tables(result)) + "\n"


def as_html(result: Evaluation) -> str:
    """Escaped HTML tables without style or script, for notebooks."""
    return "\n".join(_html(table) for table in _tables(result))


def as_csv(result: Evaluation) -> str:
    """One line per figure, every digit: the rows of ``Evaluation.to_rows``."""
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=result.COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _cell(value) for key, value in row.items()} for row in result.to_rows())
    return out.getvalue()


def as_plain(result: Evaluation) -> str:
    """``name value`` lines: counts as whole numbers, the rest with six decimals, ``-`` for no value."""
    lines = [f"trials {result.trials.n:g}", f"targets {result.trials.n_target:g}"]
    for row in result.to_rows():
        name = row["metric"] if row["threshold"] is None else f"{row['metric']}@{row['threshold']:g}"
        prefix = f"{row['group']}/" if row["group"] else ""
        lines.append(f"{prefix}{name} {_plain(row['value'])}")
    return "\n".join(lines) + "\n"


def _cell(value: object) -> object:
    return "" if value is None else repr(value) if isinstance(value, float) else value


def _plain(value: float | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.6f}"


def number(value: float | None) -> str:
    """Write a number for a table: six significant digits, whole numbers as they are, ``-`` for none."""
    if value is None:
        return "-"
    if isinstance(value, int) or (math.isfinite(value) and value.is_integer() and abs(value) < 1e6):
        return f"{value:.0f}"
    return f"{value:.6g}"


def shown(figure: MetricValue) -> str:
    """A figure for a table: its fraction beside it where there is one, the reason where there is no value."""
    if figure.value is None:
        return f"- ({figure.reason})"
    return f"{number(figure.value)} = {figure.exact}" if figure.exact else number(figure.value)


def _tables(result: Evaluation) -> Iterable[Table]:
    yield _summary(result.trials)
    yield _figures("Figures", result.metrics)
    if result.thresholds:
        yield _threshold_table("At each threshold (accept when score >= threshold)", result.thresholds)
    for by in dict.fromkeys(tuple(group.by) for group in result.groups):
        yield from _groups(by, [group for group in result.groups if tuple(group.by) == by])
    if result.findings or any(group.findings for group in result.groups):
        yield _findings(result)


def _summary(trials: TrialsSummary) -> Table:
    rows: list[Row] = [
        ("trials", f"{trials.n:g}"),
        ("targets", f"{trials.n_target:g}"),
        ("nontargets", f"{trials.n_nontarget:g}"),
        ("distinct scores", str(trials.n_distinct)),
        ("scale", trials.scale),
    ]
    if trials.prior is not None:
        rows.append(("prior of the probabilities", number(trials.prior)))
    if trials.p_target is not None:
        origin = "share of targets in the data" if trials.p_target_origin == "data" else "given"
        rows.append(("prior of posteriors", f"{number(trials.p_target)} ({origin})"))
    if trials.dropped:
        rows.append(("dropped (missing score)", str(trials.dropped)))
    if any(trials.failed.values()):
        failed = ", ".join(f"{n} {kind}s" for kind, n in trials.failed.items())
        rows.append(("never accepted (missing score)", failed))
    return "Trials", ("", ""), rows


def _figures(title: str, figures: Mapping[str, MetricValue]) -> Table:
    rows: list[Row] = [(key, shown(figure), figure.unit, _interval(figure)) for key, figure in figures.items()]
    if not any(row[3] for row in rows):
        return title, ("metric", "value", "unit"), [row[:3] for row in rows]
    return title, ("metric", "value", "unit", "interval"), rows


def _interval(figure: MetricValue) -> str:
    interval = figure.interval
    return f"[{number(interval.low)}, {number(interval.high)}]" if interval else ""


def _threshold_table(title: str, thresholds: tuple[ThresholdRow, ...]) -> Table:
    head = ("", *(number(row.threshold) for row in thresholds))
    rows = [(name, *(number(getattr(row, name)) for row in thresholds)) for name in ("tp", "fp", "fn", "tn")]
    rows += [(name, *(shown(row.metrics[name]) for row in thresholds)) for name in thresholds[0].metrics]
    return title, head, rows


def _groups(by: tuple[str, ...], groups: list[GroupRecord]) -> Iterable[Table]:
    """One line per group for the figures, and one table per threshold."""
    title = f"By {', '.join(by)}"
    if any(group.shared for group in groups):
        title += f" ({groups[0].shared} trials without a value belong to every group)"
    keys = list(dict.fromkeys(key for group in groups for key in group.metrics))
    head = ("group", "targets", "nontargets", *keys)
    rows = [
        (
            ",".join(group.by.values()),
            f"{group.trials.n_target:g}",
            f"{group.trials.n_nontarget:g}",
            *(shown(group.metrics[key]) if key in group.metrics else "" for key in keys),
        )
        for group in groups
    ]
    yield title, head, rows
    for index, at in enumerate(groups[0].thresholds):
        names = ("tp", "fp", "fn", "tn")
        yield (
            f"By {', '.join(by)} at threshold {number(at.threshold)}",
            ("group", *names, *at.metrics),
            [
                (
                    ",".join(group.by.values()),
                    *(number(getattr(group.thresholds[index], name)) for name in names),
                    *(shown(figure) for figure in group.thresholds[index].metrics.values()),
                )
                for group in groups
            ],
        )


def _findings(result: Evaluation) -> Table:
    everything = [*result.findings, *(finding for group in result.groups for finding in group.findings)]
    rows: list[Row] = [
        (finding.severity, finding.code, f"{finding.group}: {finding.message}" if finding.group else finding.message)
        for finding in everything
    ]
    return "Findings", ("", "code", "what was found"), rows


def _text(table: Table) -> str:
    title, head, rows = table
    lines = [head, *rows] if any(head) else rows
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    body = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    return "\n".join([title, "-" * len(title), *body])


def _markdown(table: Table) -> str:
    title, head, rows = table
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join([f"## {title}", "", *("| " + " | ".join(_md(cell) for cell in line) + " |" for line in lines)])


def _md(cell: str) -> str:
    return cell.replace("|", "\\|").replace("\n", " ")


def _html(table: Table) -> str:
    title, head, rows = table
    top = "<tr>" + "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head) + "</tr>" if any(head) else ""
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>' + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:]) + "</tr>"
        for row in rows
    )
    return f"<table><caption>{escape(title)}</caption>{top}{body}</table>"

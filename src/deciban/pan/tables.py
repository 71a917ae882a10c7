"""The ranking of submissions as tables, rows and ``name value`` lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from deciban.pan.profiles import find_profile
from deciban.records.display import exact_digits, limits, number, percent, shortened, six_decimals
from deciban.records.figures import MetricValue
from deciban.records.tables import Row, Table, shown

if TYPE_CHECKING:
    from deciban.pan.record import PanEvaluation, PanRanking

COUNTS = ("n_target", "n_nontarget", "unanswered", "missing", "outside")


def tables_of(result: PanRanking) -> Iterator[Table]:
    """The official figures, rounded as the evaluator does; the unrounded ones with intervals; the counts."""
    profile = find_profile(result.profile)
    ranked = list(result.submissions.items())
    names = [shortened(name) for name, _ in ranked]
    rows: list[Row] = [
        (name, str(one.rank), *(_official(one.evaluation, key) for key in profile.keys))
        for name, (_, one) in zip(names, ranked, strict=True)
    ]
    yield Table(f"Official figures ({result.profile})", ("submission", "rank", *profile.keys), rows)
    columns = [_with_interval(one.evaluation[key]) for _, one in ranked for key in profile.keys]
    if any(figure.interval for _, one in ranked for figure in one.evaluation.metrics.values()):
        width = len(profile.keys)
        cells = [columns[i : i + width] for i in range(0, len(columns), width)]
        rows = [(name, *row) for name, row in zip(names, cells, strict=True)]
        title = f"Unrounded, with {percent(result.level)} intervals (over problems; not official)"
        yield Table(title, ("submission", *profile.keys), rows, splits=True)
    if any(one.behind for _, one in ranked):
        rows = [
            (name, "-" if one.behind is None else _difference(one.behind))
            for name, (_, one) in zip(names, ranked, strict=True)
        ]
        title = f"How far behind the first in {profile.summary} (same problems; * where the interval leaves 0 out)"
        yield Table(title, ("submission", "behind"), rows)
    yield _counts(result, names)


def _counts(result: PanRanking, names: list[str]) -> Table:
    """Answers of each submission by kind, and the confusion matrix where the year has one."""
    evaluations = [one.evaluation for one in result.submissions.values()]
    first = evaluations[0]
    head: Row = ("submission", "unanswered", "of them missing", "outside [0, 1]")
    rows: list[Row] = [
        (name, str(one.unanswered), str(one.missing), str(one.outside))
        for name, one in zip(names, evaluations, strict=True)
    ]
    if first.confusion is not None:
        head = (*head, "tn", "fp", "fn", "tp")
        cells = [[str(n) for row in one.confusion or () for n in row] for one in evaluations]
        rows = [(*row, *more) for row, more in zip(rows, cells, strict=True)]
    title = f"Answers to {first.n_target + first.n_nontarget} problems ({first.n_target} of class 1)"
    return Table(title, head, rows)


def _official(evaluation: PanEvaluation, key: str) -> str:
    value = evaluation.rounded()[key]
    return shown(evaluation[key]) if value is None else str(value)


def _with_interval(figure: MetricValue) -> str:
    if figure.interval is None:
        return shown(figure)
    return f"{number(figure.value)} {limits(figure.interval.low, figure.interval.high)}"


def _difference(figure: MetricValue) -> str:
    apart = figure.interval is not None and (figure.interval.low > 0.0 or figure.interval.high < 0.0)
    return _with_interval(figure) + (" *" if apart else "")


def rows_of(result: PanRanking) -> list[dict[str, Any]]:
    """One row per figure and count of each submission."""
    rows = []
    for name, one in result.submissions.items():
        figures = dict(one.evaluation.metrics)
        if one.behind is not None:
            figures["behind"] = one.behind
        counts = {key: MetricValue(value=getattr(one.evaluation, key)) for key in COUNTS}
        for key, figure in {**figures, **counts}.items():
            interval = figure.interval
            rows.append(
                {
                    "rank": one.rank,
                    "submission": name,
                    "metric": key,
                    "value": figure.value,
                    "reason": figure.reason,
                    "low": interval.low if interval else None,
                    "high": interval.high if interval else None,
                }
            )
    return rows


def lines_of(result: PanRanking) -> Iterator[str]:
    """``name value`` lines; with several submissions the name is ``submission/figure``."""
    several = len(result.submissions) > 1
    for row in result.to_rows():
        prefix = f"{row['submission']}/" if several else ""
        yield f"{prefix}{row['metric']} {six_decimals(row['value'])}"
    yield f"level {exact_digits(result.level)}"

"""Intervals in closed form, where trials are independent: of each metric that has one, and of shares at a threshold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from deciban.counts.counts import Counts
from deciban.errors import UndefinedMetricError
from deciban.metrics.expression import Expression, parse
from deciban.records.figures import MetricValue, ThresholdRow
from deciban.uncertainty.cost_intervals import brier_interval, cllr_interval, cross_entropy_interval, log_loss_interval
from deciban.uncertainty.delong.single import auc_interval
from deciban.uncertainty.interval import Interval
from deciban.uncertainty.proportion import proportion_interval
from deciban.uncertainty.rates import lr_positive_interval
from deciban.workflow.intervals.ways import Ways


@dataclass(frozen=True, slots=True)
class Asked:
    """What a closed form may need besides the figure: the counts, the prior of posteriors, the ways."""

    counts: Counts
    p_target: float | None
    ways: Ways


Closed = Callable[[Asked, Expression, MetricValue], Interval]


def _rate(of_targets: bool) -> Closed:
    """A share of one class that depends on no threshold chosen on these trials."""

    def closed(asked: Asked, _: Expression, figure: MetricValue) -> Interval:
        if asked.counts.weighted:
            raise UndefinedMetricError("a rate of weighted trials is no number of trials of another", "weighted")
        n = asked.counts.total_target if of_targets else asked.counts.total_nontarget
        return proportion_interval(round((figure.value or 0.0) * n), n, asked.ways.level, asked.ways.proportion)

    return closed


def _cross_entropy(asked: Asked, expression: Expression, _: MetricValue) -> Interval:
    return cross_entropy_interval(asked.counts, float(str(expression.options["log10_odds"])), asked.ways.level)


CLOSED: Final[dict[str, Closed]] = {
    "auc": lambda asked, _, __: auc_interval(asked.counts, asked.ways.level, asked.ways.auc),
    "cllr": lambda asked, _, __: cllr_interval(asked.counts, asked.ways.level),
    "cllr.target_half": lambda asked, _, __: cllr_interval(asked.counts, asked.ways.level, "target"),
    "cllr.nontarget_half": lambda asked, _, __: cllr_interval(asked.counts, asked.ways.level, "nontarget"),
    "empirical_cross_entropy": _cross_entropy,
    "rmed": _rate(of_targets=True),
    "rmep": _rate(of_targets=False),
    "brier": lambda asked, _, __: brier_interval(asked.counts, asked.ways.level, p_target=asked.p_target),
    "log_loss": lambda asked, _, __: log_loss_interval(asked.counts, asked.ways.level, p_target=asked.p_target),
}
"""Closed forms by metric."""

Cells = tuple[int | float, int | float, int | float, int | float]

RATES: Final[dict[str, Callable[[Cells], tuple[float, float]]]] = {
    "accuracy": lambda cells: (cells[0] + cells[3], sum(cells)),
    "precision": lambda cells: (cells[0], cells[0] + cells[1]),
    "recall": lambda cells: (cells[0], cells[0] + cells[2]),
    "specificity": lambda cells: (cells[3], cells[3] + cells[1]),
    "npv": lambda cells: (cells[3], cells[3] + cells[2]),
    "p_miss": lambda cells: (cells[2], cells[0] + cells[2]),
    "p_fa": lambda cells: (cells[1], cells[1] + cells[3]),
}
"""Ratios of the threshold table that are a share: how many of how many, of tp, fp, fn and tn."""


def with_closed_form(asked: Asked, key: str, figure: MetricValue) -> MetricValue:
    """Return a figure with its interval in closed form, or the reason why that has none."""
    expression = parse(key)[0]
    form = CLOSED.get(expression.spec.name)
    if figure.value is None or form is None:
        return figure
    return _or_reason(figure, lambda: form(asked, expression, figure))


def row_with_closed_forms(asked: Asked, row: ThresholdRow) -> ThresholdRow:
    """Return a row of the threshold table whose shares have their intervals."""
    level, weighted = asked.ways.level, asked.counts.weighted
    metrics, cells = dict(row.metrics), row.cells
    if cells is None:
        return row
    for name, count in RATES.items():
        if metrics[name].value is None:
            continue
        if weighted:
            metrics[name] = replace(metrics[name], interval_reason="weighted")
            continue
        k, n = count(cells)
        metrics[name] = replace(
            metrics[name], interval=proportion_interval(k, n, level, asked.ways.proportion), interval_reason=None
        )
    if metrics["lr_positive"].value is not None and not weighted:
        ratio = metrics["lr_positive"]
        tp, fp, fn, tn = cells
        metrics["lr_positive"] = _or_reason(ratio, lambda: lr_positive_interval(tp, fp, tp + fn, fp + tn, level))
    return replace(row, metrics=metrics)


def _or_reason(figure: MetricValue, make: Callable[[], Interval]) -> MetricValue:
    try:
        return replace(figure, interval=make(), interval_reason=None)
    except UndefinedMetricError as error:
        return replace(figure, interval_reason=error.reason)

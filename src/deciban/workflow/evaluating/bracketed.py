"""Figures of counts in buckets: brackets, and values where buckets leave nothing open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from deciban.counts.counts import Counts
from deciban.errors import UndefinedMetricError
from deciban.metrics.brackets.bracket import ends_of, of_orders
from deciban.metrics.brackets.ends import Bracket, Ends, exactly
from deciban.metrics.brackets.ranking import between
from deciban.metrics.brackets.thresholds import Box, box_at, corners
from deciban.metrics.brackets.view import View, view_of
from deciban.metrics.catalogue import AT_THRESHOLD, BY_NAME
from deciban.metrics.expression import Expression, express, parse
from deciban.metrics.spec import Spec
from deciban.passes.confusion_matrix import first_accepted
from deciban.passes.forecasts import as_trials
from deciban.records.figures import MetricValue, ThresholdRow
from deciban.uncertainty.proportion import proportion_interval
from deciban.workflow.compute import compute, figure, no_value, steps_for, threshold_row, values
from deciban.workflow.intervals.closed_forms import Asked, row_with_closed_forms
from deciban.workflow.intervals.ways import Ways


def compute_brackets(
    counts: Counts, expressions: Sequence[Expression], p_target: float | None, exact: bool
) -> dict[str, MetricValue]:
    """Compute the figures of bucketed counts; one without value and bracket becomes None with its reason."""
    try:
        view = view_of(counts)
    except UndefinedMetricError as error:
        return {expression.key: no_value(expression.spec, error.reason) for expression in expressions}
    if view.settled:
        return compute(view.at_low(), expressions, p_target, exact)
    ends = _of_orders(view, expressions)
    for expression in expressions:
        if expression.key not in ends:
            ends[expression.key] = _or_reason(view, expression, p_target)
    return {expression.key: _figure(expression, ends[expression.key], exact) for expression in expressions}


def _of_orders(view: View, expressions: Sequence[Expression]) -> dict[str, Ends | UndefinedMetricError]:
    """Figures of the best and the worst order: of each order in turn, so that every pass is run once for all."""
    steps = steps_for([expression for expression in expressions if of_orders(expression)], None, exact=True)
    found: list[dict[str, Any]] = [values(steps, view.arranged(best=best)) for best in (True, False)]
    ends: dict[str, Ends | UndefinedMetricError] = {}
    for key, one in found[0].items():
        ends[key] = one if isinstance(one, UndefinedMetricError) else between(one, found[1][key])
    return ends


def _or_reason(view: View, expression: Expression, p_target: float | None) -> Ends | UndefinedMetricError:
    try:
        return ends_of(view, expression, p_target)
    except UndefinedMetricError as error:
        return error


def _figure(expression: Expression, ends: Ends | UndefinedMetricError, exact: bool) -> MetricValue:
    spec = expression.spec
    if isinstance(ends, UndefinedMetricError):
        return no_value(spec, ends.reason)
    if ends.settled:
        return figure(spec, ends.low if exact else float(ends.low))
    return replace(no_value(spec, "bucketed"), bracket=ends.bracket(expression.range))


def bracketed_row(counts: Counts, threshold: float, origin: str, exact: bool, post_hoc: bool) -> ThresholdRow:
    """Counts and ratios at one threshold: exact at an edge, brackets inside a bucket."""
    if not first_accepted(counts, threshold)[1]:
        return threshold_row(counts, threshold, origin, exact, post_hoc)
    try:
        box = box_at(as_trials(counts, "a bracket"), threshold)
    except UndefinedMetricError as error:
        nothing = {metric.spec.name: no_value(metric.spec, error.reason) for metric in AT_THRESHOLD}
        return ThresholdRow(threshold=threshold, origin=origin, post_hoc=post_hoc, metrics=nothing)
    found: dict[str, MetricValue] = {}
    for metric in AT_THRESHOLD:
        expression = express(metric.spec, {"threshold": threshold})
        found[metric.spec.name] = _figure(expression, _of_corners(box, expression), exact)
    cells = {"tp": box.tp, "fp": box.fp, "fn": _rest(box.n_target, box.tp), "tn": _rest(box.n_nontarget, box.fp)}
    known = {name: low if low == high else None for name, (low, high) in cells.items()}
    return ThresholdRow(
        threshold=threshold,
        origin=origin,
        post_hoc=post_hoc,
        tp=known["tp"],
        fp=known["fp"],
        fn=known["fn"],
        tn=known["tn"],
        brackets={name: Bracket(low=float(low), high=float(high)) for name, (low, high) in cells.items() if low < high},
        metrics=found,
    )


def _rest(total: int, accepted: tuple[int, int]) -> tuple[int, int]:
    return total - accepted[1], total - accepted[0]


def _of_corners(box: Box, expression: Expression) -> Ends | UndefinedMetricError:
    try:
        return corners(box, expression.spec, expression.spec.complete(expression.options))
    except UndefinedMetricError as error:
        return error


def with_joined_intervals(
    figures: Mapping[str, MetricValue], rows: Sequence[ThresholdRow], counts: Counts, ways: Ways
) -> tuple[dict[str, MetricValue], tuple[ThresholdRow, ...]]:
    """Return the same figures and rows, shares of a known number of trials with their intervals.

    Those rise with the number that is counted, so that the lower limit at the least and the upper limit at the most of
    them surround the interval of the scores themselves. All others depend on scores within buckets and have none.
    """
    if ways.interval == "none":
        return dict(figures), tuple(rows)
    n1, n0 = counts.total_target, counts.total_nontarget
    of_all = {"rmed": n1, "rmep": n0}
    at_threshold = {"p_miss": n1, "recall": n1, "p_fa": n0, "specificity": n0, "accuracy": counts.total}
    metrics = {
        key: _joined(spec, figure, of_all.get(spec.name), counts, ways)
        for key, figure in figures.items()
        for spec in (parse(key)[0].spec,)
    }
    asked = Asked(counts, None, ways)
    given = [row_with_closed_forms(asked, row) for row in rows]
    return metrics, tuple(
        replace(
            row,
            metrics={
                name: _joined(BY_NAME[name].spec, each, at_threshold.get(name), counts, ways)
                for name, each in row.metrics.items()
            },
        )
        for row in given
    )


def _joined(spec: Spec, figure: MetricValue, n: int | float | None, counts: Counts, ways: Ways) -> MetricValue:
    """A share of ``n`` trials with its interval; any other figure with the reason why there is none."""
    if figure.interval is not None or figure.interval_reason not in ("not_computed", "bucketed"):
        return figure
    ends = figure.bracket if figure.value is None else Bracket(low=figure.value, high=figure.value)
    if spec.bootstrap is None:
        return figure
    if n is None or ends is None:
        return replace(figure, interval_reason="bucketed")
    if counts.weighted:
        return replace(figure, interval_reason="weighted")
    low, high = (proportion_interval(round(end * n), n, ways.level, ways.proportion) for end in (ends.low, ends.high))
    return replace(figure, interval=replace(low, high=high.high), interval_reason=None)


def auc_within_buckets(groups: Mapping[str, Counts]) -> MetricValue:
    """Bracket the AUC of pairs within one group: the mean of the ends of each group, by its number of pairs."""
    asked = parse("auc")[0]
    sums, pairs = [Fraction(0), Fraction(0)], 0
    try:
        for counts in groups.values():
            n = int(counts.total_target) * int(counts.total_nontarget)
            if n:
                ends = ends_of(view_of(counts), asked)
                sums = [sums[0] + Fraction(ends.low) * n, sums[1] + Fraction(ends.high) * n]
                pairs += n
    except UndefinedMetricError as error:
        return no_value(asked.spec, error.reason)
    if not pairs:
        return no_value(asked.spec, "single_class")
    return _figure(asked, exactly(sums[0] / pairs, sums[1] / pairs), exact=False)

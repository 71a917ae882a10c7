"""Run every pass once and read all figures from the results."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import Any

from deciban.confusion_matrix import confusion
from deciban.counts import Counts
from deciban.errors import OptionError, UndefinedMetricError
from deciban.metrics.catalogue import AT_THRESHOLD
from deciban.metrics.expression import Expression
from deciban.metrics.spec import Pass, Spec, run_body, run_pass, takes
from deciban.records.evaluation import MetricValue, ThresholdRow

PassKey = tuple[Pass, tuple[tuple[str, object], ...]]


def compute(
    counts: Counts, expressions: Sequence[Expression], p_target: float | None, exact: bool
) -> dict[str, MetricValue]:
    """Compute the figures; one without a value becomes None with its reason.

    Figures are worked through pass by pass, and the result of a pass is let go after its last use, so that the peak
    memory is that of the largest passes and not of all. The parts of a record are read from one record.
    """
    # Keys are made once: to write out numbers a thousand times takes longer than a sort of a million.
    keyed = {expression.key: expression for expression in expressions}
    plans = {key: _plan(expression, counts, p_target, exact) for key, expression in keyed.items()}
    order = sorted(keyed, key=lambda key: [function.__name__ for function, _ in plans[key]])
    last_use = {needed: key for key in order for needed in plans[key]}
    results: dict[PassKey, Any] = {}
    values: dict[str, Any] = {}
    figures: dict[str, MetricValue] = {}
    for key in order:
        expression, passes = keyed[key], plans[key]
        whole = key if expression.part is None else replace(expression, part=None).key
        with _named(key):
            for needed in passes:
                if needed not in results:
                    results[needed] = _or_error(lambda run=needed: run_pass(run[0], counts, dict(run[1]), exact))  # type: ignore[misc]
            if whole not in values:
                done = [results[needed] for needed in passes]
                values[whole] = _value(expression, done, exact and not counts.weighted)
        figures[key] = _figure(expression, values[whole])
        for needed in passes:
            if last_use[needed] == key:
                del results[needed]
    return {key: figures[key] for key in keyed}


def _plan(expression: Expression, counts: Counts, p_target: float | None, exact: bool) -> list[PassKey]:
    """The passes a figure needs, each with the options it takes; posteriors are taken at the evaluation's prior."""
    options = expression.spec.complete(expression.options)
    exact = exact and expression.spec.exact and not counts.weighted
    keys = []
    for function in expression.spec.passes:
        taken = {name: value for name, value in options.items() if takes(function, name)}
        if takes(function, "p_target") and taken.get("p_target") is None:
            taken["p_target"] = p_target
        if takes(function, "exact"):
            taken["exact"] = exact
        keys.append((function, tuple(sorted(taken.items()))))
    return keys


@contextmanager
def _named(key: str) -> Iterator[None]:
    """Name the figure in an error about its options, which others of the evaluation share names with."""
    try:
        yield
    except OptionError as error:
        raise OptionError(f"{key}: {error}") from None


def _or_error(run: Callable[[], Any]) -> Any:
    """The result of a pass or body, or the error that says why it has none."""
    try:
        return run()
    except UndefinedMetricError as error:
        return error


def _value(expression: Expression, results: list[Any], exact: bool) -> Any:
    """The value of a metric, or record of its parts, from the results of its passes; the error when it has none."""
    spec = expression.spec
    failed = [result for result in results if isinstance(result, UndefinedMetricError)]
    if failed:
        return failed[0]
    return _or_error(lambda: run_body(spec, results, spec.complete(expression.options), exact and spec.exact))


def _figure(expression: Expression, value: Any) -> MetricValue:
    """One figure from the value of its metric."""
    if isinstance(value, UndefinedMetricError):
        return _no_value(expression.spec, value.reason)
    return figure(expression.spec, getattr(value, expression.part) if expression.part else value)


def figure(spec: Spec, value: float | Fraction) -> MetricValue:
    """A figure that has a value, without an interval: those are made for all figures of a table together."""
    fraction = str(value) if isinstance(value, Fraction) else None
    number = float(value)
    if math.isnan(number):
        return _no_value(spec, "undefined_ratio")
    return MetricValue(value=number, unit=spec.unit, exact=fraction, interval_reason="not_computed")


def _no_value(spec: Spec, reason: str) -> MetricValue:
    return MetricValue(value=None, unit=spec.unit, reason=reason, interval_reason=reason)


def threshold_row(counts: Counts, threshold: float, origin: str, exact: bool, post_hoc: bool = False) -> ThresholdRow:
    """Counts and ratios at one threshold."""
    table = confusion(counts, threshold=threshold)
    exact = exact and not counts.weighted
    fractions = confusion(counts, threshold=threshold, exact=True) if exact else table
    figures: dict[str, MetricValue] = {}
    for metric in AT_THRESHOLD:
        result = fractions if metric.spec.exact else table
        expression = Expression(metric.spec, None, {"threshold": threshold})
        figures[metric.spec.name] = _figure(expression, _value(expression, [result], exact))
    return ThresholdRow(
        threshold=threshold,
        origin=origin,
        post_hoc=post_hoc,
        tp=table.tp,
        fp=table.fp,
        fn=table.fn,
        tn=table.tn,
        metrics=figures,
    )


def with_value(figures: Mapping[str, MetricValue], key: str) -> float | None:
    """The value of a figure that was computed, else None."""
    return figures[key].value if key in figures else None

"""Run every pass once and read all figures from the results."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from deciban.counts.counts import Counts
from deciban.errors import OptionError, UndefinedMetricError
from deciban.metrics.catalogue import AT_THRESHOLD
from deciban.metrics.expression import Expression
from deciban.metrics.spec import Pass, Spec, run_body, run_pass, takes
from deciban.passes.confusion_matrix import confusion
from deciban.records.figures import MetricValue, ThresholdRow

PassKey = tuple[Pass, tuple[tuple[str, object], ...]]


@dataclass(frozen=True, slots=True)
class Step:
    """One figure to compute: what it needs, and what nothing after it needs.

    Attributes
    ----------
    key, expression
        The figure.
    whole
        Key of the record that it is a part of, which is computed once for all its parts; else its own key.
    options
        All options of its body.
    exact
        Whether its value is a fraction.
    passes
        The passes it needs, each with the options it takes.
    ends
        Those of them whose result can go afterwards.
    """

    key: str
    expression: Expression
    whole: str
    options: Mapping[str, object]
    exact: bool
    passes: tuple[PassKey, ...]
    ends: tuple[PassKey, ...] = ()


def compute(
    counts: Counts, expressions: Sequence[Expression], p_target: float | None, exact: bool
) -> dict[str, MetricValue]:
    """Compute the figures; one without a value becomes None with its reason."""
    steps = steps_for(expressions, p_target, exact and not counts.weighted)
    found = values(steps, counts)
    shown = {step.key: _figure(step.expression, found[step.key]) for step in steps}
    return {expression.key: shown[expression.key] for expression in expressions}


def steps_for(expressions: Sequence[Expression], p_target: float | None, exact: bool) -> tuple[Step, ...]:
    """Put the figures in the order in which they are computed.

    Figures are worked through pass by pass, and the result of a pass is let go after its last use, so that the peak
    memory is that of the largest passes and not of all. Posteriors are taken at the evaluation's prior.
    """
    steps = {expression.key: _step(expression, p_target, exact) for expression in expressions}
    ordered = sorted(steps.values(), key=lambda step: [function.__name__ for function, _ in step.passes])
    last_use = {needed: step.key for step in ordered for needed in step.passes}
    return tuple(
        replace(step, ends=tuple(needed for needed in step.passes if last_use[needed] == step.key)) for step in ordered
    )


def _step(expression: Expression, p_target: float | None, exact: bool) -> Step:
    spec = expression.spec
    options = spec.complete(expression.options)
    exact = exact and spec.exact
    passes = []
    for function in spec.passes:
        taken = {name: value for name, value in options.items() if takes(function, name)}
        if takes(function, "p_target") and taken.get("p_target") is None:
            taken["p_target"] = p_target
        if takes(function, "exact"):
            taken["exact"] = exact
        passes.append((function, tuple(sorted(taken.items()))))
    key = expression.key
    whole = key if expression.part is None else replace(expression, part=None).key
    return Step(key, expression, whole, options, exact, tuple(passes))


def values(steps: Sequence[Step], counts: Counts) -> dict[str, Any]:
    """The value of each figure by key, or the error that says why it has none; every pass is run once."""
    results: dict[PassKey, Any] = {}
    wholes: dict[str, Any] = {}
    found: dict[str, Any] = {}
    for step in steps:
        with _named(step.key):
            for needed in step.passes:
                if needed not in results:
                    results[needed] = _or_error(partial(run_pass, needed[0], counts, dict(needed[1]), step.exact))
            if step.whole not in wholes:
                wholes[step.whole] = _value(step, [results[needed] for needed in step.passes])
        whole, part = wholes[step.whole], step.expression.part
        found[step.key] = whole if part is None or isinstance(whole, UndefinedMetricError) else getattr(whole, part)
        for needed in step.ends:
            results.pop(needed, None)
    return found


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


def _value(step: Step, results: list[Any]) -> Any:
    """The value of a metric, or record of its parts, from the results of its passes; the error when it has none."""
    failed = [result for result in results if isinstance(result, UndefinedMetricError)]
    if failed:
        return failed[0]
    return _or_error(partial(run_body, step.expression.spec, results, step.options, step.exact))


def _figure(expression: Expression, value: Any) -> MetricValue:
    """One figure from its value."""
    if isinstance(value, UndefinedMetricError):
        return no_value(expression.spec, value.reason)
    return figure(expression.spec, value)


def figure(spec: Spec, value: float | Fraction) -> MetricValue:
    """A figure that has a value, without an interval: those are made for all figures of a table together."""
    fraction = str(value) if isinstance(value, Fraction) else None
    number = float(value)
    if math.isnan(number):
        return no_value(spec, "undefined_ratio")
    return MetricValue(value=number, unit=spec.unit, exact=fraction, interval_reason="not_computed")


def no_value(spec: Spec, reason: str) -> MetricValue:
    """A figure that has no value, and so no interval."""
    return MetricValue(value=None, unit=spec.unit, reason=reason, interval_reason=reason)


def threshold_row(counts: Counts, threshold: float, origin: str, exact: bool, post_hoc: bool = False) -> ThresholdRow:
    """Counts and ratios at one threshold."""
    table = confusion(counts, threshold=threshold)
    exact = exact and not counts.weighted
    fractions = confusion(counts, threshold=threshold, exact=True) if exact else table
    figures: dict[str, MetricValue] = {}
    for metric in AT_THRESHOLD:
        result = fractions if metric.spec.exact else table
        step = _step(Expression(metric.spec, None, {"threshold": threshold}), None, exact)
        figures[metric.spec.name] = _figure(step.expression, _value(step, [result]))
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

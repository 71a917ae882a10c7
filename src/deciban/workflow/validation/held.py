"""One figure held against one limit: passed, failed, or not assessable and why."""

from __future__ import annotations

from typing import Any, Final

from deciban.metrics.expression import parse
from deciban.records.display import limits, number, percent
from deciban.records.figures import MetricValue, TrialsSummary
from deciban.records.validation_rows import Decision, Result, Rule
from deciban.workflow.findings.errors import FEW_ERRORS
from deciban.workflow.require import Limit
from deciban.workflow.validation.reasons import in_words

RATES: Final = {"eer": ("target", "nontarget"), "p_miss": ("target",), "p_fa": ("nontarget",)}
"""Figures that are rates of errors, and of the trials of which classes."""


def open_result(name: str, reason: str, figure: MetricValue | None = None, limit: str = "", said: str = "") -> Result:
    """A result that is not assessable, with what is known of the figure."""
    return Result(
        name=name,
        value=None if figure is None else figure.value,
        unit="" if figure is None else figure.unit,
        interval=None if figure is None else figure.interval,
        limit=limit,
        decision="not assessable",
        reason=reason,
        said=said or f"{name}: {in_words(reason)}",
    )


def of_figure(name: str, figure: MetricValue, limit: str, met: bool, said: str, **more: Any) -> Result:
    """A result that is decided."""
    decision: Decision = "pass" if met else "fail"
    return Result(
        name=name,
        value=figure.value,
        unit=figure.unit,
        interval=figure.interval,
        limit=limit,
        decision=decision,
        said=f"{said}: {'met' if met else 'not met'}",
        **more,
    )


def held(name: str, figure: MetricValue, limit: Limit, rule: Rule, trials: TrialsSummary) -> Result:
    """Hold a figure, or the end of its interval, against a limit.

    Without an interval a value that itself misses the limit fails; one that meets it leaves open whether the end would.
    """
    if figure.value is None:
        return open_result(name, figure.reason or "undefined_ratio", limit=str(limit))
    if rule == "point":
        few = few_errors(name, figure.value, trials)
        if few is not None:
            return open_result(name, "few_errors", figure, str(limit), few)
        return of_figure(name, figure, str(limit), limit.met_by(figure.value), f"{name} {number(figure.value)} {limit}")
    if figure.interval is None:
        if not limit.met_by(figure.value):
            return of_figure(name, figure, str(limit), False, f"{name} itself, {number(figure.value)}, {limit}")
        why = in_words(figure.interval_reason)
        return open_result(
            name, "no_interval", figure, str(limit), f"{name} has no interval, whose end is to be {limit}: {why}"
        )
    end = figure.interval.high if limit.upper else figure.interval.low
    which = f"{'upper' if limit.upper else 'lower'} end of the {percent(figure.interval.level)} interval"
    shown = limits(figure.interval.low, figure.interval.high)
    return of_figure(name, figure, str(limit), limit.met_by(end), f"{which} {shown} of {name} {limit}")


def few_errors(expression: str, value: float, trials: TrialsSummary) -> str | None:
    """Say how many errors a rate rests on, where they are too few to go by the rate alone."""
    name = parse(expression)[0].spec.name
    of_class = {"target": ("misses", trials.n_target), "nontarget": ("false alarms", trials.n_nontarget)}
    found = [(round(value * of_class[kind][1], 6), of_class[kind][0]) for kind in _classes(name)]
    few = [f"{errors:.4g} {what}" for errors, what in found if errors < FEW_ERRORS]
    if not few:
        return None
    return f"{expression} rests on {' and '.join(few)}, and a rate is not judged by fewer than {FEW_ERRORS}"


def _classes(name: str) -> tuple[str, ...]:
    """The classes whose errors a rate counts; none for a figure that is no rate of errors."""
    return RATES.get(name.removesuffix("_at"), ())

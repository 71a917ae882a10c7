"""Which figures an evaluation shows: those the scale allows, and those asked for."""

from __future__ import annotations

from collections.abc import Iterable

from deciban.errors import OptionError, ScaleError
from deciban.metrics.catalogue import METRICS
from deciban.metrics.decision import act_dcf, min_dcf
from deciban.metrics.expression import Expression, express, parse, parse_options
from deciban.metrics.presets import PRESETS
from deciban.metrics.spec import Needs, Spec, takes
from deciban.values.scale import Scale, carries_lr, carries_probability, needs_lr


def allowed(needs: Needs, scale: Scale, prior: float | None) -> bool:
    """Whether scores of this scale carry what a metric needs."""
    if needs == "lr":
        return carries_lr(scale, prior)
    return needs == "any" or carries_probability(scale)


def default_expressions(scale: Scale, prior: float | None) -> list[Expression]:
    """The figures shown unasked, in the order of the catalogue."""
    return [
        express(metric.spec, options)
        for metric in METRICS
        if allowed(metric.spec.needs, scale, prior)
        for options in metric.spec.shown
    ]


def asked_expressions(metrics: Iterable[str], scale: Scale, prior: float | None) -> list[Expression]:
    """The figures asked for by expression; raises :class:`ScaleError` for one the scale does not allow."""
    expressions = [expression for text in metrics for expression in parse(text)]
    for expression in expressions:
        check_allowed(expression.spec, scale, prior)
        reweighted = any(takes(needed, "p_target") for needed in expression.spec.passes)
        if reweighted and scale == "probability" and prior is None and expression.options.get("p_target") is not None:
            raise ScaleError(
                f"{expression.key}: probabilities are re-weighted to another prior only when the one they were made "
                "under is known: give it with prior= (--prior)"
            )
    return expressions


def check_allowed(spec: Spec, scale: Scale, prior: float | None) -> None:
    """Raise :class:`ScaleError`, saying what to pass, when the scale does not carry what the metric needs."""
    if allowed(spec.needs, scale, prior):
        return
    if spec.needs == "lr":
        raise ScaleError(f"{spec.name} {needs_lr(scale)}")
    raise ScaleError(
        f"{spec.name} needs probabilities or likelihood ratios, and the scores have scale {scale!r}: say what they are "
        "with scale= (--scale), or calibrate them first"
    )


def cost_expressions(costs: Iterable[str], scale: Scale, prior: float | None) -> list[Expression]:
    """Minimum and (on an LR scale) actual cost for each cost: ``preset=voxsrc`` or ``p_target=.01,c_miss=1,c_fa=1``."""
    expressions: list[Expression] = []
    for text in costs:
        if ":" in text or "=" not in text:
            presets = ", ".join(PRESETS)
            raise OptionError(
                f"cost: expected preset=NAME (one of {presets}) or p_target=0.01,c_miss=1,c_fa=1, found {text!r}"
            )
        expressions += [
            express(metric.spec, parse_options(metric.spec, text))
            for metric in (min_dcf, act_dcf)
            if allowed(metric.spec.needs, scale, prior)
        ]
    return expressions


def unique(expressions: Iterable[Expression]) -> list[Expression]:
    """Each expression once, records split into their parts, in the order of first mention."""
    return list({part.key: part for expression in expressions for part in expression.parts()}.values())

"""What kinds of criteria there are: the settings each takes, what it asks of the evaluation, and how it reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from deciban.records.display import percent
from deciban.records.validation_rows import NOT_STATED, Rule
from deciban.workflow.require import Limit, parse_limit

Settings = Mapping[str, Any]

BOUNDS: Final = ("elub", "elub-one-sided", "iv_bounds")
LINE: Final = ("calibration_line.slope", "calibration_intercept")
LINE_TARGETS: Final = (1.0, 0.0)
"""Slope and intercept of perfectly calibrated LRs; the intercept is that beside a slope of 1, which stands alone."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of criterion.

    Attributes
    ----------
    settings
        Keys of the criteria file that it takes beside those of every criterion.
    metric
        Its figure in words, from the settings.
    says
        The criterion in words, from settings, rule and level.
    asks
        Expressions that the evaluation has to hold.
    rule
        How it is always decided; None where that is to be chosen.
    """

    settings: tuple[str, ...]
    metric: Callable[[Settings], str]
    says: Callable[[Settings, Rule, float], str]
    asks: Callable[[Settings], Sequence[str]] = lambda _: ()
    rule: Rule | None = None


def _end(limit: Limit, rule: Rule, level: float, figure: str) -> str:
    """The figure, or the end of its interval that has to meet a limit."""
    if rule == "point":
        return figure
    return f"{'upper' if limit.upper else 'lower'} end of the {percent(level)} interval of {figure}"


def _figure(settings: Settings, rule: Rule, level: float) -> str:
    if settings.get("limit") is None:
        return f"{settings['metric']}: limit {NOT_STATED}"
    limit = parse_limit(settings["limit"])
    return f"{_end(limit, rule, level, settings['metric'])} {limit}"


def _margin(settings: Settings, said: Callable[[str], str]) -> str:
    margin = settings.get("margin")
    return said(NOT_STATED if margin is None else f"{margin:.10g}")


def _baseline(settings: Settings, rule: Rule, level: float) -> str:
    gain = f"the gain in {settings['metric']} over the baseline on the same trials"
    figure = gain if rule == "point" else f"lower end of the {percent(level)} interval of {gain}"
    return _margin(settings, lambda margin: f"{figure} > −margin; margin {margin}")


def _conditions(settings: Settings, rule: Rule, level: float) -> str:
    change = f"the change of {settings['metric']} between any two conditions"
    figure = change if rule == "point" else f"{percent(level)} interval of {change}"
    return _margin(settings, lambda margin: f"{figure} within ±margin; margin {margin}")


def _sources(settings: Settings, rule: Rule, level: float) -> str:
    limit = settings.get("limit")
    return f"sources of each class {limit}" if limit else f"sources of each class: number {NOT_STATED}"


def _bounds(settings: Settings, rule: Rule, level: float) -> str:
    cap = "the laboratory's cap of LRs" if "upper" in settings or "lower" in settings else "every LR"
    inside = f"the {percent(level)} interval's inner ends of" if rule == "bound" else ""
    return f"{cap} lies inside {inside + ' ' if inside else ''}{settings['bounds']}"


def _misleading(settings: Settings, rule: Rule, level: float) -> str:
    strengths = ", ".join(f"{k:g}" for k in settings["k"])
    return (
        f"at most 1/k of the nontargets with LR >= k and of the targets with LR <= 1/k, for k = {strengths}: exact "
        f"one-sided p >= {settings['alpha']:g}"
    )


def _both_sides(settings: Settings) -> list[str]:
    return [f"{name}:k={k:g}" for k in settings["k"] for name in ("rmep", "rmed")]


KINDS: Final[Mapping[str, Kind]] = {
    "figure": Kind(("metric", "limit"), lambda s: s["metric"], _figure, lambda s: [s["metric"]]),
    "baseline": Kind(
        ("metric", "margin"), lambda s: f"{s['metric']} against the baseline", _baseline, lambda s: [s["metric"]]
    ),
    "null_band": Kind(
        ("metric",),
        lambda s: s["metric"],
        lambda s, _, level: (
            f"{s['metric']} within what {percent(level)} of perfectly calibrated LRs of as many trials give"
        ),
        lambda s: [s["metric"]],
        rule="point",
    ),
    "line": Kind(
        (),
        lambda _: " and ".join(LINE),
        lambda _s, _r, level: (
            f"the {percent(level)} interval of the slope, of a line with both slope and intercept fitted, holds 1, "
            "and that of the intercept, of a line whose slope is held at 1, holds 0"
        ),
        lambda _: LINE,
        rule="bound",
    ),
    "misleading": Kind(
        ("k", "alpha"), lambda _: "rates of misleading evidence", _misleading, _both_sides, rule="point"
    ),
    "conditions": Kind(
        ("metric", "margin"), lambda s: f"{s['metric']} by condition", _conditions, lambda s: [s["metric"]]
    ),
    "errors": Kind(
        ("limit",),
        lambda _: "errors at each threshold",
        lambda s, *_: f"misses {s['limit']} and false alarms {s['limit']} at each threshold, else not assessable",
        rule="point",
    ),
    "sources": Kind(("limit",), lambda _: "sources of each class", _sources, rule="point"),
    "bounds": Kind(
        ("bounds", "lower", "upper"),
        lambda s: f"LRs against {s['bounds']}",
        _bounds,
        lambda s: [f"{s['bounds']}.lower", f"{s['bounds']}.upper"],
    ),
    "overlap": Kind(
        (),
        lambda _: "sources of the validation data among those of development",
        lambda *_: "sources shared with the development or calibration data = 0",
        rule="point",
    ),
}
"""Every kind by name. How each is decided is in ``deciding.DECIDE``."""

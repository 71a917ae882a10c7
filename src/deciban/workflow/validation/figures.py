"""Criteria about figures of the method: limits, baseline, null band, calibration line, misleading evidence."""

from __future__ import annotations

import math
from dataclasses import replace

from deciban.metrics.calibration_checks import at_least
from deciban.metrics.expression import parse
from deciban.records.display import limits, number, percent, probability
from deciban.records.figures import MetricValue
from deciban.records.validation_rows import Criterion, Result
from deciban.workflow.require import parse_limit
from deciban.workflow.validation.held import held, of_figure, open_result
from deciban.workflow.validation.kinds import LINE, LINE_TARGETS
from deciban.workflow.validation.material import Material
from deciban.workflow.validation.reasons import in_words

Found = tuple[list[Result], str]
"""The results of a row, and the data they are from."""


def figure(criterion: Criterion, material: Material) -> Found:
    """A figure against a limit."""
    name, limit = criterion.settings["metric"], criterion.settings.get("limit")
    found = material.figure(name)
    if limit is None:
        return [open_result(name, "no_limit", found)], material.data
    return [held(name, found, parse_limit(limit), criterion.rule, material.evaluation.trials)], material.data


def baseline(criterion: Criterion, material: Material) -> Found:
    """The gain over a baseline on the same trials."""
    metric, margin = criterion.settings["metric"], criterion.settings.get("margin")
    name = f"gain in {metric}"
    if material.comparison is None:
        reason = "no_baseline" if material.baseline is None else "scale"
        return [open_result(name, reason)], material.data
    pairing = material.comparison.pairing
    data = f"{material.data}; baseline {material.baseline}; {pairing.why}"
    if pairing.by == "none":
        return [open_result(name, "not_paired", said=f"{name}: {in_words('not_paired')} ({pairing.why})")], data
    lower_is_better = parse(metric)[0].spec.direction == "lower"
    first, second = ("baseline", "system") if lower_is_better else ("system", "baseline")
    apart = material.comparison.difference(metric, first, second)
    gain = MetricValue(
        value=apart.value,
        unit=apart.unit,
        reason=apart.reason,
        interval=apart.interval,
        interval_reason=apart.interval_reason,
    )
    if margin is None:
        return [open_result(name, "no_margin", gain)], data
    limit = parse_limit(f"> {0.0 - margin!r}")
    return [held(name, gain, limit, criterion.rule, material.evaluation.trials)], data


def null_band(criterion: Criterion, material: Material) -> Found:
    """A figure of calibration beside what calibrated LRs give; the other one is shown."""
    name = criterion.settings["metric"]
    other = {"cllr_cal": "devpav", "devpav": "cllr_cal"}[name]
    found = [_within_band(name, material.figure(name), material.recurring)]
    beside = _within_band(other, material.figure(other), material.recurring)
    if beside.value is not None:
        found.append(replace(beside, decision=None, reason=None, said=f"shown beside: {beside.said}"))
    return found, material.data


def _within_band(name: str, found: MetricValue, recurring: bool) -> Result:
    band = found.null_band
    if found.value is None:
        return open_result(name, found.reason or "undefined_ratio")
    if band is None:
        if math.isinf(found.value):
            return of_figure(name, found, "finite", False, f"{name} is infinite, which calibrated LRs never give")
        return open_result(name, "no_null_band", found)
    limit = f"<= {band.high:.3g} (calibrated: median {band.median:.3g})"
    said = (
        f"{name} {number(found.value)} against {band.high:.3g}, up to which {percent(band.level)} of calibrated LRs of "
        f"independent trials go (p = {probability(band.p_value)})"
    )
    met = found.value <= band.high
    if not met and recurring and not _clear_of(found, band.high):
        left_open = open_result(name, "dependent_trials", found, limit, f"{said}: {in_words('dependent_trials')}")
        return replace(left_open, null_band=band, p_value=band.p_value)
    return of_figure(name, found, limit, met, said, null_band=band, p_value=band.p_value)


def _clear_of(found: MetricValue, limit: float) -> bool:
    """Whether the interval by source lies above a limit: the test that stands where trials are not independent."""
    return found.interval is not None and found.interval.low > limit


def line(criterion: Criterion, material: Material) -> Found:
    """Slope 1 and intercept 0 within their intervals."""
    found = [_holds(name, material.figure(name), to) for name, to in zip(LINE, LINE_TARGETS, strict=True)]
    return found, material.data


def _holds(name: str, found: MetricValue, target: float) -> Result:
    limit = f"interval holds {target:g}"
    if found.value is None:
        return open_result(name, found.reason or "undefined_ratio", limit=limit)
    if found.interval is None:
        said = f"{name} has no interval: {in_words(found.interval_reason)}"
        return open_result(name, "no_interval", found, limit, said)
    low, high = found.interval.low, found.interval.high
    return of_figure(name, found, limit, low <= target <= high, f"{limits(low, high)} of {name} holds {target:g}")


def misleading(criterion: Criterion, material: Material) -> Found:
    """Rates of strongly misleading evidence on both sides."""
    counts, alpha = material.counts, criterion.settings["alpha"]
    found = []
    for k in criterion.settings["k"]:
        for name, n in (("rmep", counts.total_nontarget), ("rmed", counts.total_target)):
            key = f"{name}:k={k:g}"
            found.append(_seldom(key, material.figure(key), k, n, alpha, material.recurring))
    return found, material.data


def _seldom(key: str, found: MetricValue, k: float, n: float, alpha: float, recurring: bool) -> Result:
    limit = f"<= 1/{k:g}"
    if found.value is None:
        return open_result(key, found.reason or "undefined_ratio", limit=limit)
    if not isinstance(n, int):
        return open_result(key, "weighted", found, limit)
    errors = round(found.value * n)
    p_value = at_least(errors, n, 1.0 / k)
    said = f"{errors} of {n} for {key}, {n / k:.3g} expected at most (p = {probability(p_value)})"
    met = p_value >= alpha
    if not met and recurring and not _clear_of(found, 1.0 / k):
        left_open = open_result(key, "dependent_trials", found, limit, f"{said}: {in_words('dependent_trials')}")
        return replace(left_open, p_value=p_value)
    return of_figure(key, found, limit, met, said, p_value=p_value)

"""Criteria about the data: errors, sources, the range of LRs they support, overlap with the data of development."""

from __future__ import annotations

import math

import numpy as np

from deciban.records.display import amount, exact_digits, number, several
from deciban.records.figures import MetricValue, ThresholdRow
from deciban.records.validation_rows import Criterion, Result
from deciban.values.scale import to_log10_lr
from deciban.workflow.findings.evidence import lr_text
from deciban.workflow.require import Limit, parse_limit
from deciban.workflow.validation.held import of_figure, open_result
from deciban.workflow.validation.material import Material
from deciban.workflow.validation.reasons import in_words

SLACK = 1e-9
"""A log10 LR this near to a bound is at it: the bound has been converted to and from the unit of the scores."""


def errors(criterion: Criterion, material: Material) -> tuple[list[Result], str]:
    """Enough errors of each kind at every threshold; too few leave rates unassessable rather than fail the method."""
    rows, limit = material.evaluation.thresholds, parse_limit(criterion.settings["limit"])
    if material.counts.weighted:
        return [open_result("errors", "weighted", limit=str(limit))], material.data
    if not rows:
        return [open_result("errors", "no_threshold", limit=str(limit))], material.data
    found = [_enough(row, what, limit) for row in rows for what in ("misses", "false alarms")]
    return found, f"{material.data}; accepted when {' or '.join(row.accept for row in rows)}"


def _enough(row: ThresholdRow, what: str, limit: Limit) -> Result:
    n = row.fn if what == "misses" else row.fp
    where = f"at threshold {exact_digits(row.shown)}"
    name, figure = f"{what} {where}", MetricValue(value=n)
    if n is None:
        return open_result(name, "bucketed", limit=str(limit))
    if limit.met_by(n):
        return of_figure(name, figure, str(limit), True, f"{several(n, 'error')} ({what} {where}) {limit}")
    said = f"only {amount(n)} {what} {where}, {limit} wanted: rates there are hardly known"
    return open_result(name, "few_errors", figure, str(limit), said)


def sources(criterion: Criterion, material: Material) -> tuple[list[Result], str]:
    """Enough sources of each class; where a trial has two, of the column that names fewer."""
    text = criterion.settings.get("limit")
    if not material.sources:
        return [open_result("sources", "no_sources", limit=text or "")], material.data
    found = []
    for kind in ("target", "nontarget"):
        fewest = min(material.sources, key=lambda column: getattr(column, f"n_{kind}"))
        n, name = getattr(fewest, f"n_{kind}"), f"sources of {kind}s"
        figure = MetricValue(value=n)
        if text is None:
            found.append(open_result(name, "no_limit", figure))
        else:
            met = parse_limit(text).met_by(n)
            found.append(of_figure(name, figure, text, met, f"{n} {name} in column {fewest.column!r}, {text} wanted"))
    return found, f"{material.data}; sources of {' and '.join(one.column for one in material.sources)}"


def overlap(criterion: Criterion, material: Material) -> tuple[list[Result], str]:
    """No source of the validation data may have been seen in development."""
    name, limit, known = "sources shared", "= 0", material.development
    if known is None:
        return [open_result(name, "no_development", limit=limit)], material.data
    data = f"{material.data}; development: {known.what}"
    data += "" if known.n_sources is None else f", {several(known.n_sources, 'source')}"
    if known.same is not None:
        said = f"the method was developed on {known.same} that it is judged by"
        return [of_figure(name, MetricValue(value=known.shared), limit, False, said)], data
    if known.shared is None:
        reason = "no_sources" if not material.sources else "no_development_sources"
        return [open_result(name, reason, limit=limit)], data
    said = f"{several(known.shared, 'source')} of development among those of the validation data, none allowed"
    return [of_figure(name, MetricValue(value=known.shared), limit, known.shared == 0, said)], data


def bounds(criterion: Criterion, material: Material) -> tuple[list[Result], str]:
    """The cap of the laboratory, or without one every LR of the data, lies inside the bounds that the data support."""
    rule = criterion.settings["bounds"]
    found = [_inside(criterion, material, side) for side in ("upper", "lower")]
    return found, f"{material.data}; bounds by {rule}"


def _inside(criterion: Criterion, material: Material, side: str) -> Result:
    """One side: the largest LR against the upper bound, or the smallest against the lower."""
    key = f"{criterion.settings['bounds']}.{side}"
    bound, cap = material.figure(key), criterion.settings.get(side)
    what = f"{'largest' if side == 'upper' else 'smallest'} LR {'observed' if cap is None else 'reported'}"
    if bound.value is None:
        return open_result(what, bound.reason or "undefined_ratio")
    edge = bound.value
    if criterion.rule == "bound":
        if bound.interval is None:
            return open_result(what, "no_interval", said=f"{key} has no interval: {in_words(bound.interval_reason)}")
        edge = bound.interval.low if side == "upper" else bound.interval.high
    log10_lr = _extreme(material, side) if cap is None else _log10(cap)
    beyond = log10_lr - _log10(edge) if side == "upper" else _log10(edge) - log10_lr
    with np.errstate(over="ignore"):
        value = float(cap if cap is not None else np.power(10.0, log10_lr))
    limit = f"{'<=' if side == 'upper' else '>='} {number(edge)}"
    of_edge = key if criterion.rule == "point" else f"the inner end of the interval of {key}"
    said = f"{what} {lr_text(log10_lr)} {limit} ({of_edge})"
    return of_figure(what, MetricValue(value=value), limit, beyond <= SLACK, said)


def _log10(lr: float) -> float:
    return math.log10(lr) if lr > 0.0 else -math.inf


def _extreme(material: Material, side: str) -> float:
    """The largest or smallest log10 LR of the data."""
    counts = material.counts
    at = counts.score[-1:] if side == "upper" else counts.score[:1]
    return float(to_log10_lr(at, counts.scale, counts.prior)[0])

"""Robustness: how a figure changes between conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from deciban.records.display import amount, limits, number, percent
from deciban.records.figures import GroupRecord, MetricValue
from deciban.records.group_difference import GroupDifference
from deciban.records.validation_rows import Criterion, Result
from deciban.workflow.evaluating.group_differences import MOST_GROUPS
from deciban.workflow.validation.held import of_figure, open_result
from deciban.workflow.validation.material import Material
from deciban.workflow.validation.reasons import in_words


def conditions(criterion: Criterion, material: Material) -> tuple[list[Result], str]:
    """Return the change of a figure between every two conditions, and the data in words."""
    groups = material.evaluation.groups
    if not groups:
        return [open_result(f"change of {criterion.metric}", "no_conditions")], material.data
    numbers = (f"{one.name} {amount(one.trials.n_target)}/{amount(one.trials.n_nontarget)}" for one in groups)
    found: list[Result] = []
    for by in dict.fromkeys(tuple(group.by) for group in groups):
        of_grouping = [group for group in groups if tuple(group.by) == by]
        found += _changes(criterion, material.evaluation.differences, of_grouping)
    return found, f"{material.data}; targets / nontargets of {'; '.join(numbers)}"


def _changes(
    criterion: Criterion, differences: Sequence[GroupDifference], groups: Sequence[GroupRecord]
) -> Iterator[Result]:
    """Every two groups of one grouping."""
    metric = criterion.settings["metric"]
    if not 2 <= len(groups) <= MOST_GROUPS:
        reason = "one_condition" if len(groups) < 2 else "too_many_conditions"
        yield open_result(f"{metric} by {', '.join(groups[0].by)}", reason)
        return
    for one, other in combinations(groups, 2):
        name = f"{metric}: {one.name} - {other.name}"
        found = [d for d in differences if (d.metric, d.group, d.other) == (metric, one.by, other.by)]
        if found:
            yield _held(name, found[0], criterion, one.metrics[metric].unit)
        else:
            yield _unknown(name, metric, one, other)


def _held(name: str, change: GroupDifference, criterion: Criterion, unit: str) -> Result:
    """A change against the margin of the laboratory."""
    figure = MetricValue(
        value=change.difference, unit=unit, interval=change.interval, interval_reason=change.interval_reason
    )
    margin = criterion.settings.get("margin")
    if margin is None:
        return open_result(name, "no_margin", figure)
    limit = f"within ±{margin:g}"
    if criterion.rule == "point":
        met = abs(change.difference) <= margin
        return of_figure(name, figure, limit, met, f"{name} = {number(change.difference)} {limit}")
    if change.interval is None:
        said = f"{name}: {in_words(change.interval_reason)}"
        return open_result(name, change.interval_reason or "no_interval", figure, limit, said)
    low, high = change.interval.low, change.interval.high
    said = f"{percent(change.interval.level)} interval {limits(low, high)} of {name} {limit}"
    return of_figure(name, figure, limit, -margin <= low and high <= margin, said)


def _unknown(name: str, metric: str, one: GroupRecord, other: GroupRecord) -> Result:
    """Why two groups have no difference: the figure or its interval is missing in one of them."""
    for group in (one, other):
        figure = group.metrics.get(metric)
        if figure is None or figure.value is None:
            reason = "scale" if figure is None else figure.reason or "undefined_ratio"
            return open_result(name, reason, said=f"{name}: {group.name}: {in_words(reason)}")
    for group in (one, other):
        if group.metrics[metric].interval is None:
            why = in_words(group.metrics[metric].interval_reason)
            return open_result(name, "no_interval", said=f"{name}: {group.name} has no interval: {why}")
    return open_result(name, "undefined_ratio")

"""Differences between groups: of every figure that has an interval in both."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from deciban.counts.tally import Known
from deciban.metrics.catalogue import BY_NAME
from deciban.metrics.expression import express
from deciban.records.figures import GroupRecord, MetricValue
from deciban.records.finding import Finding
from deciban.records.group_difference import GroupDifference
from deciban.trials.source_keys import source_keys
from deciban.uncertainty.recovery import difference_interval
from deciban.workflow.evaluating.within import Part

MOST_GROUPS: Final = 10
"""Groups of one grouping up to which every pair is compared: 45 pairs."""


def differences(parts: Sequence[Part], groups: Sequence[GroupRecord]) -> tuple[GroupDifference, ...]:
    """Compare every two groups of each grouping; ``parts`` are what the groups were computed from."""
    found: list[GroupDifference] = []
    for grouping in dict.fromkeys(part.grouping for part in parts):
        members = [(part, group) for part, group in zip(parts, groups, strict=True) if part.grouping == grouping]
        if len(members) <= MOST_GROUPS:
            for one, other in combinations(members, 2):
                found += _between(*one, *other)
    return tuple(found)


def multiplicity(found: Sequence[GroupDifference], level: float) -> Iterator[Finding]:
    """Many differences: some intervals leave 0 out by chance alone."""
    with_interval = [difference for difference in found if difference.interval is not None]
    if len(with_interval) > 1:
        clear = sum(difference.clear for difference in with_interval)
        yield Finding(
            code="MULTI",
            severity="note",
            message=f"{len(with_interval)} differences between groups were looked at, {clear} of whose intervals leave "
            f"0 out; about {(1.0 - level) * len(with_interval):.2g} would if no group differed. Nothing was adjusted",
            advice="name the figure and the groups to be compared beforehand, or ask for a higher level= (--level)",
            data={"differences": len(with_interval), "clear": clear, "level": level},
        )


def _between(part: Part, group: GroupRecord, other_part: Part, other: GroupRecord) -> Iterator[GroupDifference]:
    reason = "dependent" if _share(part, other_part) else None
    theirs = dict(_figures(other))
    for key, ours in _figures(group):
        if key not in theirs:
            continue
        second = theirs[key]
        if ours.value is None or second.value is None or ours.interval is None or second.interval is None:
            continue
        apart = ours.value - second.value
        if not math.isfinite(apart):
            continue
        yield GroupDifference(
            group=group.by,
            other=other.by,
            metric=key,
            difference=apart,
            interval=None if reason else difference_interval(ours.value, ours.interval, second.value, second.interval),
            interval_reason=reason,
        )


def _figures(group: GroupRecord) -> Iterator[tuple[str, MetricValue]]:
    """Figures by expression; those at a threshold name it."""
    yield from group.metrics.items()
    for row in group.thresholds:
        for name, figure in row.metrics.items():
            yield express(BY_NAME[name].spec, {"threshold": row.shown}).key, figure


def _share(part: Part, other: Part) -> bool:
    """Whether trials or sources belong to both groups, so that their figures are not independent."""
    if part.shared or other.shared:
        return True
    return not _sources(part.trials).isdisjoint(_sources(other.trials))


def _sources(trials: Known | None) -> set[str]:
    columns = () if trials is None else trials.sources
    return {key for keys in source_keys(columns) for key in np.unique(keys).tolist()}

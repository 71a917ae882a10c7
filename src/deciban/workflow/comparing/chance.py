"""What chance does to differences: replicates of all systems, and swaps of two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from deciban.errors import UndefinedMetricError
from deciban.metrics.expression import parse
from deciban.metrics.spec import Spec
from deciban.trials.trials import Trials
from deciban.uncertainty.bootstrap.bootstrap import SAME, Figure, interval_of
from deciban.uncertainty.bootstrap.repeat import Progress
from deciban.uncertainty.bootstrap.swapping import (
    Pair,
    p_of_replicates,
    p_of_swaps,
    pair_up,
    swapped_differences,
)
from deciban.uncertainty.bootstrap.together import apart, figures_of_draws, together
from deciban.uncertainty.delong.placements import midranks
from deciban.uncertainty.interval import Interval
from deciban.values.arrays import Floats
from deciban.values.scale import carries_lr, to_ln_lr
from deciban.workflow.comparing.compared import Compared
from deciban.workflow.intervals.replicated import Figures
from deciban.workflow.intervals.ways import Ways


@dataclass(frozen=True, slots=True)
class Replicates:
    """Figures of every system in every replicate.

    Attributes
    ----------
    drawn
        By name of the system and key of the figure, shape (replicates,); NaN where there is no value.
    resampled
        What was drawn of each system.
    level
        Confidence level of intervals.
    """

    drawn: Mapping[tuple[str, str], Floats]
    resampled: Mapping[str, Literal["trials", "sources"]]
    level: float

    def interval(self, system: Compared, key: str) -> Interval | str:
        """Interval of a figure of one system, or the reason why there is none."""
        asked = parse(system.computed[key])[0]
        value = system.figure(key).value
        figure = Figure(name=key, range=asked.range, method=_read(asked.spec))
        drawn = self.drawn[system.name, key]
        at = np.nan if value is None else value
        return interval_of(figure, at, drawn, self.level, 0.0, self.resampled[system.name])

    def interval_of_difference(self, one: Compared, other: Compared, key: str, value: float) -> Interval | str:
        """Interval of the difference of two systems, or the reason why there is none."""
        asked = parse(one.computed[key])[0]
        reach = asked.range[1] - asked.range[0]
        figure = Figure(name=key, range=(-reach, reach), method=_read(asked.spec))
        drawn = self._difference(one, other, key)
        sourced = "sources" in (self.resampled[one.name], self.resampled[other.name])
        return interval_of(figure, value, drawn, self.level, 0.0, "sources" if sourced else "trials")

    def p_value(self, one: Compared, other: Compared, key: str, value: float) -> float:
        """How often replicates lie beyond 0, NaN when that is not known."""
        reflected = _read(parse(one.computed[key])[0].spec) == "basic"
        return p_of_replicates(value, self._difference(one, other, key), reflected=reflected)

    def _difference(self, one: Compared, other: Compared, key: str) -> Floats:
        return less(self.drawn[one.name, key], self.drawn[other.name, key])


def _read(spec: Spec) -> Literal["percentile", "basic"]:
    """How intervals are read: reflected where resampling shifts a figure, as its slowly shrinking bias says.

    BCa would need every unit left out in turn, and halves a draw of their own, for every pair of systems.
    """
    return "basic" if spec.bootstrap == "basic" or spec.bias_rate < 1.0 else "percentile"


def less(one: Floats, other: Floats) -> Floats:
    """Differences, 0 where two values differ by rounding only."""
    with np.errstate(invalid="ignore"):
        difference = np.asarray(one - other)
    size = np.maximum(np.abs(one), np.abs(other))
    difference[np.isfinite(size) & (np.abs(difference) <= SAME * size)] = 0.0
    return difference


def replicate(
    systems: Sequence[Compared], shared: bool, keys: Sequence[str], ways: Ways, progress: Progress | None
) -> Replicates:
    """Draw the trials of all systems, those that they share together.

    Raises
    ------
    UndefinedMetricError
        Reason ``weighted``, for counts that are sums of weights.
    """
    # In an order of their own, so that draws do not depend on the order in which systems are named.
    ordered = sorted(systems, key=lambda system: system.name)
    of_trials = [system.trials for system in ordered if system.trials is not None]
    drawing = together(of_trials) if shared else apart([system.trials or system.counts for system in ordered])
    statistics = [
        Figures(part.blocks, system.plan.p_target)([system.computed[key] for key in keys])
        for part, system in zip(drawing.parts, ordered, strict=True)
    ]
    drawn = figures_of_draws(
        drawing, statistics, len(keys), replicates=ways.replicates, seed=ways.seed, progress=progress
    )
    return Replicates(
        {
            (system.name, key): drawn[:, place, at]
            for place, system in enumerate(ordered)
            for at, key in enumerate(keys)
        },
        {system.name: part.resampled for part, system in zip(drawing.parts, ordered, strict=True)},
        ways.level,
    )


def swappable(one: Compared, other: Compared, key: str) -> bool:
    """Whether the scores of two systems on the same independent trials can be swapped for this figure.

    Those of figures that depend on ranks alone are ranks; others must be of one scale, or likelihood ratios.
    """
    if one.trials is None or other.trials is None or one.sourced or one.computed[key] != other.computed[key]:
        return False
    spec = parse(one.computed[key])[0].spec
    if spec.rank_only and spec.needs == "any":
        return True
    if (one.counts.scale, one.counts.prior) == (other.counts.scale, other.counts.prior):
        return True
    return spec.needs == "lr" and all(carries_lr(s.counts.scale, s.counts.prior) for s in (one, other))


def swap(
    one: Compared, other: Compared, values: Mapping[str, float], ways: Ways, progress: Progress | None
) -> dict[str, float]:
    """P-values of the differences of some figures, by swapping the scores of two systems trial by trial."""
    if one.trials is None or other.trials is None:
        raise UndefinedMetricError("counts have no trials to swap", "not_computed")
    by_view: dict[str, list[str]] = {}
    for key in values:
        by_view.setdefault(_view(one, other, key), []).append(key)
    pairs = []
    for view, of_view in by_view.items():
        pair = _pair(one.trials, other.trials, view)
        pairs.append((pair, Figures(pair.blocks, one.plan.p_target)([one.computed[key] for key in of_view])))
    ordered = [key for of_view in by_view.values() for key in of_view]
    drawn = swapped_differences(pairs, len(ordered), draws=ways.replicates, seed=ways.seed, progress=progress)
    return {key: p_of_swaps(values[key], drawn[:, at]) for at, key in enumerate(ordered)}


def _view(one: Compared, other: Compared, key: str) -> str:
    """As what scores are swapped."""
    spec = parse(one.computed[key])[0].spec
    if spec.rank_only and spec.needs == "any":
        return "ranks"
    same = (one.counts.scale, one.counts.prior) == (other.counts.scale, other.counts.prior)
    return "scores" if same else "ln_lr"


def _pair(one: Trials, other: Trials, view: str) -> Pair:
    if view == "ranks":
        one, other = (replace(t, score=midranks(t.score), scale="score", prior=None) for t in (one, other))
    elif view == "ln_lr":
        one, other = (
            replace(t, score=to_ln_lr(t.score, t.scale, t.prior), scale="ln_lr", prior=None) for t in (one, other)
        )
    return pair_up(one, other)

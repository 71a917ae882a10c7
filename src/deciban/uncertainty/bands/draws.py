"""From what a band surrounds to its limits: closed forms, or quantiles over re-weighted counts, at few places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from deciban.counts.counts import Counts
from deciban.curves.curve import Band
from deciban.errors import UndefinedMetricError
from deciban.trials.trials import Trials
from deciban.uncertainty.bands.plan import NONE, Closed, Column, Ends, Plan
from deciban.uncertainty.bootstrap.bootstrap import Figure, interval_of
from deciban.uncertainty.bootstrap.repeat import Progress, child, repeat
from deciban.uncertainty.bootstrap.resample import Resampling, by_trial
from deciban.uncertainty.bootstrap.sources import by_source
from deciban.uncertainty.interval import Interval
from deciban.values.arrays import Floats, undefined_where


@dataclass(frozen=True, kw_only=True, eq=False)
class Draws:
    """The data, and how limits are drawn from them."""

    data: Counts | Trials
    counts: Counts
    level: float
    replicates: int
    seed: int
    progress: Progress | None = None

    @property
    def independent(self) -> bool:
        """Whether closed forms hold: trials that share no source that we know of, and are counted, not weighed."""
        return not self.counts.weighted and not (isinstance(self.data, Trials) and self.data.sources)

    @cached_property
    def resampling(self) -> Resampling:
        """What is drawn: sources where trials name them."""
        if isinstance(self.data, Trials) and self.data.sources:
            return by_source(self.data)
        return by_trial(self.data)

    def bands(self, plan: Plan) -> dict[str, Band]:
        """Each band of a plan by its column; those without a closed form from one pass over the replicates."""
        drawn = [c for c in plan.columns if c.closed is None or not self.independent]
        values = dict(zip(drawn, self._replicated(drawn, plan.places.size), strict=True)) if drawn else {}
        return {
            column.name: self._drawn(plan, column, values[column])
            if column in values
            else self.band(*plan.at_points(self._or_none(column.closed)), method=column.form, column=column.name)
            for column in plan.columns
        }

    def _or_none(self, closed: Closed | None) -> list[Ends]:
        """Limits of a closed form at each place, NaN where it has none."""
        return [found or NONE for found in (closed(self.level) if closed else ())]

    def _drawn(self, plan: Plan, column: Column, drawn: Floats) -> Band:
        """Quantiles over the replicates at each place, widened to what is certain for independent trials."""
        resampled = self.resampling.resampled
        low, high = (np.broadcast_to(limit, plan.places.shape).tolist() for limit in column.limits)
        figures = [Figure(name=column.name, range=pair, method=column.method) for pair in zip(low, high, strict=True)]
        found = [
            interval_of(figure, value, values, self.level, 0.0, resampled)
            for figure, value, values in zip(figures, column.values(self.counts).tolist(), drawn.T, strict=True)
        ]
        intervals = [each for each in found if isinstance(each, Interval)]
        ends = [(each.low, each.high) if isinstance(each, Interval) else NONE for each in found]
        method: str = column.method
        if column.at_least is not None and self.independent:
            method += " or wilson"
            # fmin and fmax: where the replicates give no limit, those of the closed form stand alone.
            pairs, least = np.array(ends).T, np.array(self._or_none(column.at_least)).T
            ends = list(zip(np.fmin(pairs[0], least[0]).tolist(), np.fmax(pairs[1], least[1]).tolist(), strict=True))
        band = self.band(
            *plan.at_points(ends),
            method=f"{method} at fixed {plan.fixed}" if plan.fixed else method,
            column=column.name,
            drawn=self.replicates,
        )
        return replace(band, resampled=resampled, undefined=max((each.undefined or 0 for each in intervals), default=0))

    def _replicated(self, columns: Sequence[Column], width: int) -> list[Floats]:
        """Values of each column in all replicates, shape (replicates, places)."""
        nothing = np.full(width, np.nan)

        def work(number: int) -> Floats:
            counts = self.resampling.draw(self.generator(number)).counts()
            return np.concatenate([_or(nothing, column.values, counts) for column in columns])

        table = self.repeat(work, width * len(columns))
        return [table[:, start : start + width] for start in range(0, table.shape[1], width)]

    def generator(self, number: int) -> np.random.Generator:
        """Return the generator of one draw."""
        return child(self.seed, number)

    def repeat(self, work: Callable[[int], Floats], width: int) -> Floats:
        """Do some work once for each draw."""
        return repeat(work, self.replicates, width, progress=self.progress)  # type: ignore[arg-type]

    def band(self, low: Floats, high: Floats, *, method: str, column: str, drawn: int | None = None) -> Band:
        """Make the record, with limits that are NaN masked."""
        return Band(
            low=undefined_where(np.isnan(low), low),
            high=undefined_where(np.isnan(high), high),
            level=self.level,
            method=method,
            column=column,
            replicates=drawn,
            undefined=None if drawn is None else 0,
            seed=None if drawn is None else self.seed,
        )


def _or(nothing: Floats, values: Callable[[Counts], Floats], counts: Counts) -> Floats:
    try:
        return values(counts)
    except UndefinedMetricError:
        return nothing

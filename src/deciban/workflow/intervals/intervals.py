"""The intervals of one table: closed forms where trials are independent and there is one, else the bootstrap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from deciban.counts.counts import Counts
from deciban.counts.tally import Known, Tally
from deciban.errors import UndefinedMetricError
from deciban.metrics.catalogue import BY_NAME
from deciban.metrics.expression import express, parse
from deciban.metrics.spec import Spec
from deciban.metrics.within import KEY
from deciban.records.figures import MetricValue, ThresholdRow
from deciban.uncertainty.bootstrap.bootstrap import HALVED, Figure, Method, bootstrap
from deciban.uncertainty.bootstrap.resample import Resampling, by_trial
from deciban.uncertainty.bootstrap.sources import by_source
from deciban.uncertainty.interval import Interval
from deciban.workflow.intervals.closed_forms import Asked, row_with_closed_forms, with_closed_form
from deciban.workflow.intervals.replicated import Figures
from deciban.workflow.intervals.ways import AUTO_LIMIT, Ways

Tables = tuple[dict[str, MetricValue], tuple[ThresholdRow, ...]]


def with_intervals(
    figures: Mapping[str, MetricValue],
    rows: Sequence[ThresholdRow],
    counts: Counts,
    trials: Known | None,
    p_target: float | None,
    ways: Ways,
) -> Tables:
    """Return the same figures and threshold rows with their intervals, or the reason why there is none."""
    if ways.interval == "none":
        return dict(figures), tuple(rows)
    if ways.interval == "closed" or (ways.interval == "auto" and not sources_known(trials)):
        asked = Asked(counts, p_target, ways)
        figures = {key: with_closed_form(asked, key, figure) for key, figure in figures.items()}
        rows = [row_with_closed_forms(asked, row) for row in rows]
        if ways.interval == "closed" or counts.n_distinct > AUTO_LIMIT:
            return figures, tuple(rows)
    return _bootstrapped(figures, rows, counts, trials, p_target, ways)


def _bootstrapped(
    figures: Mapping[str, MetricValue],
    rows: Sequence[ThresholdRow],
    counts: Counts,
    trials: Known | None,
    p_target: float | None,
    ways: Ways,
) -> Tables:
    """Intervals of the figures that have none yet, all from one pass over the replicates."""
    at_row = [
        {name: express(BY_NAME[name].spec, {"threshold": row.threshold}).key for name in row.metrics} for row in rows
    ]
    named = dict(figures)
    for keys, row in zip(at_row, rows, strict=True):
        named |= {keys[name]: figure for name, figure in row.metrics.items()}
    in_pairs = trials is not None and len(trials.sources) > 1
    drawn = [figure for key, value in named.items() if (figure := _drawn(key, value, ways, in_pairs)) is not None]
    found = _found(drawn, counts, trials, p_target, ways) if drawn else {}
    metrics = {key: _with(figure, found.get(key)) for key, figure in figures.items()}
    return metrics, tuple(
        replace(row, metrics={name: _with(figure, found.get(keys[name])) for name, figure in row.metrics.items()})
        for keys, row in zip(at_row, rows, strict=True)
    )


def _drawn(key: str, value: MetricValue, ways: Ways, in_pairs: bool) -> Figure | None:
    """What the bootstrap is to know of a figure; None where it has no value, an interval or a reason already."""
    expression = parse(key)[0]
    spec = expression.spec
    # Closed forms are for trials without weights; weighted trials can be drawn, sums of weights cannot.
    open_ = value.interval_reason in ("not_computed", "weighted")
    method = method_of(spec, ways, in_pairs)
    if value.value is None or not open_ or method is None:
        return None
    return Figure(name=key, range=expression.range, method=method, perfect=spec.anchors[0], rate=spec.bias_rate)


def method_of(spec: Spec, ways: Ways, in_pairs: bool) -> Method | None:
    """How a figure is read, None where it has no interval.

    Half of the speakers have a quarter of the pairs of two, but half of the trials of one. So halves of trials in pairs
    hold another share of targets: they are left to figures that do not depend on it.
    """
    if spec.bootstrap is None:
        return None
    method = ways.method or spec.bootstrap
    if in_pairs and method in HALVED and (spec.of_these_shares or spec.bootstrap not in HALVED):
        return "bca"
    return method


def bootstrapped(key: str) -> bool:
    """Whether a figure of the record is one that the bootstrap gives an interval."""
    return not key.startswith(KEY) and parse(key)[0].spec.bootstrap is not None


def _found(
    drawn: list[Figure], counts: Counts, trials: Known | None, p_target: float | None, ways: Ways
) -> dict[str, Interval | str]:
    """The interval of each figure, or the reason why there is none."""
    try:
        resampling = resampling_of(counts, trials)
    except UndefinedMetricError as error:
        return {figure.name: error.reason for figure in drawn}
    return bootstrap(
        resampling,
        Figures(resampling.blocks, p_target),
        drawn,
        replicates=ways.replicates,
        level=ways.level,
        seed=ways.seed,
        progress=ways.progress,
    )


def sources_known(trials: Known | None) -> bool:
    """Whether trials name their sources, which are then what replicates are drawn from."""
    return trials is not None and bool(trials.sources)


def resampling_of(counts: Counts, trials: Known | None) -> Resampling:
    """What replicates are drawn from: sources where they are known, else trials."""
    if isinstance(trials, Tally) and trials.weight is not None:
        # Weights are drawn with the trials that carry them.
        trials = trials.trials()
    if trials is not None and trials.sources:
        return by_source(trials)
    return by_trial(counts if trials is None or isinstance(trials, Tally) else trials)


def _with(figure: MetricValue, found: Interval | str | None) -> MetricValue:
    if isinstance(found, Interval):
        return replace(figure, interval=found, interval_reason=None)
    return figure if found is None else replace(figure, interval_reason=found)

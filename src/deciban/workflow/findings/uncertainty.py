"""Findings about intervals: replicates without a value, sources that widen them, figures that have none."""

from __future__ import annotations

from collections.abc import Iterator

from deciban.errors import UndefinedMetricError
from deciban.metrics.catalogue import BY_NAME
from deciban.records.display import exact_digits, number, several
from deciban.records.evaluation import MetricValue
from deciban.records.finding import Finding
from deciban.uncertainty.delong import auc_interval
from deciban.uncertainty.interval import Interval
from deciban.uncertainty.sources import number_sources
from deciban.workflow.findings.evaluated import Evaluated
from deciban.workflow.intervals import AUTO_LIMIT, bootstrapped


def undefined_replicates(table: Evaluated) -> Iterator[Finding]:
    """Bootstrap replicates in which a figure has no value: its interval rests on the others."""
    undefined = {
        name: (interval.undefined, interval.replicates)
        for name, figure in _figures(table)
        if (interval := figure.interval) and interval.undefined and interval.replicates
    }
    if undefined:
        shown = ", ".join(f"{name} ({k} of {n})" for name, (k, n) in undefined.items())
        yield Finding(
            code="BOOT",
            severity="warn",
            message=f"without a value in some bootstrap replicates, so that the interval rests on the others: {shown}",
            advice="read these intervals with caution where the share is not small: collect more trials or sources",
            data={"undefined": {name: k for name, (k, _) in undefined.items()}},
        )


def recurring_sources(table: Evaluated) -> Iterator[Finding]:
    """Sources that occur in more than one trial, and how much wider that makes the interval of the AUC."""
    trials, figure = table.trials, table.record.metrics.get("auc")
    if trials is None or not trials.sources:
        return
    sources = number_sources(trials)
    if min(sources.pools) == len(trials):
        return
    many = " and ".join(several(n, "source") for n in sources.pools)
    found: dict[str, object] = {"trials": len(trials), "sources": list(sources.pools)}
    wider = "" if figure is None or figure.interval is None else _widening(table, figure.interval, found)
    yield Finding(
        code="DEP-SOURCE",
        severity="note",
        message=f"{several(len(trials), 'trial')} come from {many}, so they are not independent{wider}",
        advice="quote intervals that resample sources (interval auto or bootstrap), and the number of sources beside "
        "that of trials",
        data=found,
    )


def _widening(table: Evaluated, by_source: Interval, found: dict[str, object]) -> str:
    """How the interval by source compares with that of independent trials."""
    if by_source.resampled != "sources":
        return ", but the intervals take them to be"
    try:
        by_trial = auc_interval(table.counts, by_source.level)
    except UndefinedMetricError:
        return ""
    ratio = (by_source.high - by_source.low) / (by_trial.high - by_trial.low)
    found["width_ratio"] = ratio
    times = number(round(ratio, 2))
    return f": intervals resample sources, and that of AUC is {times} times as wide as for independent trials"


def left_out(table: Evaluated) -> Iterator[Finding]:
    """Figures without a closed form, whose bootstrap was left out since it would take long."""
    figures = dict(_figures(table))
    if table.counts.n_distinct <= AUTO_LIMIT or not any(figure.interval for figure in figures.values()):
        return
    missing = [
        name
        for name, figure in figures.items()
        if figure.value is not None and figure.interval_reason == "not_computed" and _has_an_interval(name)
    ]
    if missing:
        yield Finding(
            code="NO-INTERVAL",
            severity="note",
            message=f"no interval was computed where there is no closed form, since the bootstrap of "
            f"{table.counts.n_distinct} distinct scores takes long: {', '.join(missing)}",
            advice="interval='bootstrap' (--interval bootstrap) computes them; fewer replicates= (--replicates) take "
            "less time",
            data={"metrics": missing, "n_distinct": table.counts.n_distinct},
        )


def _has_an_interval(name: str) -> bool:
    """Whether the bootstrap would give the figure of that name one."""
    metric, _, threshold = name.partition("@")
    return BY_NAME[metric].spec.bootstrap is not None if threshold else bootstrapped(metric)


def _figures(table: Evaluated) -> Iterator[tuple[str, MetricValue]]:
    """Every figure of the table with its name; at a threshold ``name@threshold``."""
    yield from table.record.metrics.items()
    for row in table.record.thresholds:
        for name, figure in row.metrics.items():
            yield f"{name}@{exact_digits(row.shown)}", figure

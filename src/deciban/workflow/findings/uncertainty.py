"""Findings about intervals: replicates without a value, sources that widen them, figures that have none."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from deciban.counts.of_trials import present
from deciban.errors import UndefinedMetricError
from deciban.metrics.catalogue import BY_NAME
from deciban.records.display import exact_digits, number, several
from deciban.records.figures import MetricValue
from deciban.records.finding import Finding
from deciban.uncertainty.bootstrap.sources import number_sources
from deciban.uncertainty.delong.single import auc_interval
from deciban.uncertainty.interval import Interval
from deciban.workflow.findings.errors import rates_asked
from deciban.workflow.findings.evaluated import Evaluated
from deciban.workflow.intervals.intervals import bootstrapped
from deciban.workflow.intervals.ways import AUTO_LIMIT

FEWEST: Final = 5
"""Trials that a figure must rest on for some method to hold the truth as often as it says."""

FEW_SOURCES: Final = 30
"""Sources from which on intervals by source were seen to hold the truth as often as they say."""

RESTS_ON_ERRORS: Final = ("auc", "eer", "cllr", "cllr_min", "cllr_cal")


def few_replicates(table: Evaluated) -> Iterator[Finding]:
    """Bootstrap replicates too few to show where the tails of an interval begin."""
    drawn = [figure.interval for _, figure in _figures(table) if figure.interval and figure.interval.replicates]
    if not drawn:
        return
    # One replicate beyond each end on average is the least that shows where it is.
    least = max(math.ceil(2.0 / (1.0 - interval.level)) for interval in drawn)
    fewest = min(interval.replicates or 0 for interval in drawn)
    if fewest < least:
        yield Finding(
            code="BOOT",
            severity="warn",
            message=f"{several(fewest, 'replicate')} cannot show where the outermost {(1.0 - drawn[0].level) * 50:.2g} "
            "% begin: intervals by the bootstrap are rough",
            advice=f"ask for replicates= (--replicates) of at least {least}, better ten times as many",
            data={"replicates": fewest, "least": least},
        )


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
    if trials is None or not trials.sources or table.record.by:  # of groups it would only repeat itself
        return
    trials = present(trials)
    sources = number_sources(trials)
    if min(sources.pools) == len(trials):
        return
    if max(sources.pools) == 1:
        yield Finding(
            code="DEP-SOURCE",
            severity="warn",
            message=f"all {len(trials)} trials come from one source: there is nothing to resample, and no interval",
            advice="leave sources= (--source) out if the trials are independent all the same; else collect others",
            data={"trials": len(trials), "sources": list(sources.pools)},
        )
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


def too_few_to_hold(table: Evaluated) -> Iterator[Finding]:
    """Intervals that hold the truth less often than their level says, whatever the method (docs/coverage.md)."""
    reasons = [*_few_errors(table), *_small_rates(table), *_few_sources(table)]
    if reasons:
        yield Finding(
            code="COVERAGE",
            severity="warn",
            message=f"intervals may be too short: {'; '.join(said for said, _ in reasons)}",
            advice="collect more trials of the smaller class, or sources: until then they hold the truth less often "
            "than they say (the coverage study in the documentation says how often)",
            data={name: value for _, data in reasons for name, value in data.items()},
        )


Reason = tuple[str, dict[str, object]]


def _few_errors(table: Evaluated) -> Iterator[Reason]:
    """Figures of discrimination and evidence that rest on the trials at the EER, where these are a handful."""
    metrics = table.record.metrics
    eer = metrics["eer"].value if "eer" in metrics else None
    held = [name for name in RESTS_ON_ERRORS if name in metrics and metrics[name].interval]
    if eer is None or not held:
        return
    errors = eer * min(n for _, n in table.counts_by_class)
    if errors < FEWEST:
        few = f"about {number(round(errors, 1))}" if errors >= 1.0 else "fewer than one"
        yield (
            f"at the EER only {few} trials of the smaller class err, which {', '.join(held)} depend on most",
            {"errors_at_eer": errors, "metrics": held},
        )


def _small_rates(table: Evaluated) -> Iterator[Reason]:
    """Rates at a rate that a trial or two decide."""
    for key, _, kind, rate, n in rates_asked(table):
        if table.record.metrics[key].interval is not None and rate * n < FEWEST:
            yield f"{key} is decided by about {number(round(rate * n, 1))} {kind}s", {key: rate * n}


def _few_sources(table: Evaluated) -> Iterator[Reason]:
    """Sources too few to stand for all there could be."""
    trials = table.trials
    drawn = [figure for _, figure in _figures(table) if figure.interval and figure.interval.resampled == "sources"]
    if trials is None or not drawn:
        return
    fewest = min(number_sources(present(trials)).pools)
    if fewest < FEW_SOURCES:
        yield f"they resample {several(fewest, 'source')}", {"sources": fewest}


def left_out(table: Evaluated) -> Iterator[Finding]:
    """Figures without a closed form, whose bootstrap was left out since it would take long.

    Whoever asks for closed forms alone, or for no interval, has left it out and needs no word about it.
    """
    figures = dict(_figures(table))
    if table.interval in ("closed", "none") or table.counts.n_distinct <= AUTO_LIMIT:
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

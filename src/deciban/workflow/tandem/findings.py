"""What a reader must know beside the figures of three-class trials."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from deciban.counts.tandem import TandemCounts
from deciban.errors import listing
from deciban.metrics.discrimination import auc
from deciban.records.display import number, several
from deciban.records.figures import MetricValue
from deciban.records.finding import Finding
from deciban.records.tandem import TandemGroup
from deciban.trials.tandem import TandemTrials
from deciban.workflow.tandem.figures import TandemFigure

FEW: int = 30
"""Trials of a class below which its rates are known to little more than an order of magnitude."""


def findings_of(
    tables: Sequence[TandemTrials],
    counts: TandemCounts,
    metrics: Mapping[str, MetricValue],
    figures: Mapping[str, TandemFigure],
    groups: Sequence[TandemGroup],
    *,
    intervals: bool,
) -> Iterator[Finding]:
    """Every finding about one evaluation; ``intervals`` says whether these were asked for."""
    yield from _few(tables)
    yield from _missing(tables)
    yield from _one_sided(counts)
    yield from _in_one_table(groups)
    least = [name for name, figure in figures.items() if figure.method == "basic"]
    if least:
        yield Finding(
            code="POST-HOC",
            severity="note",
            message=f"{', '.join(least)}: the threshold was chosen on these very trials",
            advice="quote the actual cost at a threshold fixed beforehand too (--cm-threshold, --threshold)",
        )
    if intervals:
        yield from _uncertainty(tables, metrics)


def _few(tables: Sequence[TandemTrials]) -> Iterator[Finding]:
    for trials in tables:
        for name, n in trials.numbers().items():
            if 0 < n < FEW:
                yield Finding(
                    code="FEW-TRIALS",
                    severity="warn",
                    message=f"only {several(n, 'trial')} of class {name} ({'/'.join(trials.scores)} scores)",
                    advice="collect more, or read the figures as examples",
                    data={"n": n, "class": name},
                )


def _missing(tables: Sequence[TandemTrials]) -> Iterator[Finding]:
    dropped, failed = sum(t.dropped for t in tables), sum(t.failed for t in tables)
    if dropped or failed:
        done = f"{several(dropped, 'trial')} left out" if dropped else f"{several(failed, 'score')} counted as rejected"
        yield Finding(
            code="MISSING",
            severity="note",
            message=f"missing scores: {done}",
            advice="say how many there were, of which class and why",
            data={"dropped": dropped, "failed": failed},
        )


def _one_sided(counts: TandemCounts) -> Iterator[Finding]:
    systems = {
        "asv_eer": None if counts.asv is None else counts.asv.against("nontarget"),
        "cm_eer": counts.cm,
        "sasv_eer": None if counts.sasv is None else counts.sasv.against("both"),
    }
    for name, of_system in systems.items():
        if of_system is None or not of_system.total_target or not of_system.total_nontarget:
            continue
        area = auc(of_system)
        if area < 0.5:
            yield Finding(
                code="DIRECTION",
                severity="warn",
                metric=name,
                message=f"AUC of the scores of {name} is {number(area)}: high scores speak for the other side",
                advice="see that high scores mean bona fide (countermeasure) and target (verifier)",
                data={"auc": area},
            )


def _in_one_table(groups: Sequence[TandemGroup]) -> Iterator[Finding]:
    lacking = {
        group.name: [key for key, n in group.trials.items() if n.spoof == 0]
        for group in groups
        if any(n.spoof for n in group.trials.values())
    }
    lacking = {name: keys for name, keys in lacking.items() if keys}
    if lacking:
        said = listing([f"{name} ({'/'.join(keys)})" for name, keys in lacking.items()])
        yield Finding(
            code="ONE-TABLE",
            severity="warn",
            message=f"groups without spoofs in one of the tables: {said}; what needs both has no value there",
            advice="give both tables the same attacks, and see that these are written alike",
            data={"groups": lacking},
        )


def _uncertainty(tables: Sequence[TandemTrials], metrics: Mapping[str, MetricValue]) -> Iterator[Finding]:
    drawn = [value.interval for value in metrics.values() if value.interval is not None]
    if not drawn:
        yield Finding(
            code="NO-INTERVAL",
            severity="note",
            message="no figure has an interval",
            advice="ask for interval='bootstrap' (--interval bootstrap); it may take minutes",
        )
    elif not any(trials.sources for trials in tables):
        yield Finding(
            code="DEP-UNKNOWN",
            severity="note",
            message="intervals count trials as independent: nothing says which share a speaker",
            advice="name the speaker with sources= (--source): trials of one speaker are alike, intervals then wider",
        )

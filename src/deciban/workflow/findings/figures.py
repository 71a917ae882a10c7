"""Findings about the figures: what they depend on, and when they mislead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from deciban.errors import listing
from deciban.metrics.catalogue import BY_NAME
from deciban.metrics.expression import Expression, parse
from deciban.records.display import number, several
from deciban.records.finding import Finding
from deciban.values.scale import carries_lr, to_ln_lr
from deciban.workflow.findings.evaluated import Evaluated
from deciban.workflow.intervals.null_bands import MOST_TRIALS

FEW_FORECASTS: Final = 200


def direction(table: Evaluated) -> Iterator[Finding]:
    """Scores that point the other way."""
    figure = table.record.metrics.get("auc")
    value = figure.value if figure is not None else None
    if figure is not None and figure.bracket is not None:
        value = figure.bracket.high
    if value is not None and value < 0.5:
        said = "Scores were reversed as asked" if table.counts.reversed else "Nothing was flipped"
        yield Finding(
            code="DIRECTION",
            severity="warn",
            metric="auc",
            message=f"AUC is {number(value)}: nontargets tend to score higher than targets. {said}",
            advice="the scores were reversed already: leave that out if high ones speak for the target"
            if table.counts.reversed
            else "if high scores mean nontarget (distances), say higher='nontarget' (--higher nontarget); if the "
            "classes are the other way round, name the target value",
            data={"auc": value},
        )


def infinite_evidence(table: Evaluated) -> Iterator[Finding]:
    """Infinite LRs on the wrong side, which make Cllr infinite: name the trials."""
    counts = table.counts
    if not carries_lr(counts.scale, counts.prior) or counts.n_distinct == 0:
        return
    ln_lr = to_ln_lr(counts.score[[0, -1]], counts.scale, counts.prior)
    cases = (
        ("target", "0", np.isneginf(ln_lr[0]) and counts.n_target[0], counts.score[0]),
        ("nontarget", "inf", np.isposinf(ln_lr[1]) and counts.n_nontarget[-1], counts.score[-1]),
    )
    for kind, lr, n, score in cases:
        if not n:
            continue
        named = table.named(score, target=kind == "target")
        yield Finding(
            code="INF-LR",
            severity="warn",
            metric="cllr",
            message=f"Cllr is infinite: {several(n, kind)} with LR {lr}"
            + (f" ({listing(named, round(n))})" if named else ""),
            advice="check these trials; bound the LRs to what the development data support",
            data={"class": kind, "lr": float(lr), "trials": n.item(), "named": named},
        )


def row_order(table: Evaluated) -> Iterator[Finding]:
    """EERs whose original programs depend on the order of rows."""
    counts = table.counts
    shown = [key for key in table.record.metrics if key in ("eer:method=nist", "eer:method=asvspoof")]
    if not shown:
        return
    mixed = int(np.count_nonzero((counts.n_target > 0) & (counts.n_nontarget > 0)))
    for key in shown if mixed else []:
        yield Finding(
            code="ROW-ORDER",
            severity="note",
            metric=key,
            message=f"{mixed} scores occur in both classes: programs that step through single trials depend on the "
            "order of rows there; here targets come before nontargets",
            advice="quote the EER without method, which no order of rows can change",
            data={"mixed_scores": mixed},
        )


def prevalence(table: Evaluated) -> Iterator[Finding]:
    """Figures that hold for the share of targets in these data only."""
    shown = [key for key in _given(table) if (asked := _asked(key)) and asked.spec.of_these_shares]
    if table.record.thresholds:
        shown += ["precision", "npv", "accuracy", "f1"]
    if shown and table.counts.total:
        share = table.counts.total_target / table.counts.total
        yield Finding(
            code="PREVALENCE",
            severity="note",
            message=f"holds only where {share * 100:.4g} % are targets, as in these data: {', '.join(shown)}",
            advice="do not carry them over to a population with another share",
            data={"share_of_targets": share, "metrics": shown},
        )


def optimism(table: Evaluated) -> Iterator[Finding]:
    """Figures that rest on the best map or threshold for these very trials."""
    shown = [key for key in _given(table) if (asked := _asked(key)) and _is_optimistic(asked)]
    if shown:
        yield Finding(
            code="PAV-OPT",
            severity="note",
            message=f"rests on the best map or threshold for these very trials: {', '.join(shown)}"
            + _beside_calibration(table),
            advice="read them as what the system could reach, optimistic when trials are few",
            data={"metrics": shown},
        )


def _beside_calibration(table: Evaluated) -> str:
    """What calibration loss would be at this number of trials if there were none, where that was simulated."""
    figure = table.record.metrics.get("cllr_cal")
    band = figure.null_band if figure else None
    if band is None:
        simulated = figure is None or figure.interval is None or table.counts.total <= MOST_TRIALS["auto"]
        return "" if simulated else "; what calibrated LRs of so many trials would show was not simulated"
    return (
        f"; perfectly calibrated LRs of as many independent trials would show a cllr_cal of {band.median:.3g}, in "
        f"{band.level * 100:g} % of cases up to {band.high:.3g}"
    )


def _given(table: Evaluated) -> list[str]:
    """The figures of a table but those that buckets of scores leave without a bracket."""
    figures = table.record.metrics
    return [key for key, figure in figures.items() if figure.reason != "bucketed" or figure.bracket is not None]


def _asked(key: str) -> Expression | None:
    """The metric that a key of the record names; None for what is no metric of counts (``auc_within``)."""
    name = key.partition(":")[0]
    return parse(key)[0] if name in BY_NAME or name.rpartition(".")[0] in BY_NAME else None


def _is_optimistic(asked: Expression) -> bool:
    optimistic = asked.spec.optimistic
    return optimistic if isinstance(optimistic, bool) else asked.part in optimistic


def few_forecasts(table: Evaluated) -> Iterator[Finding]:
    """A binned calibration error of few trials."""
    shown = [key for key in table.record.metrics if key.split(":")[0] == "calibration_error"]
    if shown and table.counts.total < FEW_FORECASTS:
        yield Finding(
            code="ECE-FEW",
            severity="note",
            metric=shown[0],
            message=f"calibration error of {several(table.counts.total, 'trial')}: binned estimates are above 0 by "
            "chance alone",
            advice=f"use it from about {FEW_FORECASTS} trials on",
            data={"trials": table.counts.total},
        )

"""Findings about errors: too few to measure a rate by, none at all, rates below one trial's share."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from deciban.metrics.expression import parse
from deciban.records.display import amount, exact_digits, number, several
from deciban.records.figures import ThresholdRow
from deciban.records.finding import Finding
from deciban.trials.source_keys import source_keys
from deciban.uncertainty.planning.rules_of_thumb import rule_of_30, zero_error_bound
from deciban.workflow.findings.evaluated import Evaluated

FEW_ERRORS: Final = 30
LEVEL: Final = 0.95
PRECISION_LEVEL: Final = 0.9


def threshold_errors(table: Evaluated) -> Iterator[Finding]:
    """Too few errors, or none, at a threshold shown."""
    for row in table.record.thresholds:
        yield from _errors_at(table, row)


def post_hoc(table: Evaluated) -> Iterator[Finding]:
    """Thresholds that were chosen on the trials they are judged by."""
    for row in table.record.thresholds:
        if row.post_hoc:
            yield Finding(
                code="POST-HOC",
                severity="note",
                message=f"the threshold {exact_digits(row.shown)} ({row.origin}) was chosen on these very trials: "
                "its rates are optimistic",
                advice="choose it on development trials and judge it on others",
                data={"threshold": row.threshold, "rule": row.origin},
            )


def _errors_at(table: Evaluated, row: ThresholdRow) -> Iterator[Finding]:
    """Zero errors, and too few of them, at one threshold."""
    kinds = (
        ("miss", "misses", "p_miss", "target", row.fn, table.counts.total_target),
        ("false alarm", "false alarms", "p_fa", "nontarget", row.fp, table.counts.total_nontarget),
    )
    where = f"at threshold {exact_digits(row.shown)}"
    for one, many, metric, kind, errors, n in kinds:
        if errors is None or n == 0 or errors >= FEW_ERRORS:
            continue
        data = {"threshold": row.threshold, "errors": errors, "trials": n}
        if errors == 0:
            why_not = _why_no_bound(table, row)
            said = f"no bound: {why_not}"
            if why_not is None:
                bound = zero_error_bound(int(n), LEVEL)
                said = f"the rate may be as high as {number(bound)} (one-sided 95 % bound)"
                data |= {"upper_bound": bound, "level": LEVEL}
            yield Finding(
                code="ZERO-ERR",
                severity="warn",
                metric=metric,
                message=f"no {one} in {several(n, kind)} {where}; {said}",
                advice="do not report the rate as 0",
                data=data,
            )
        else:
            half = rule_of_30(errors, PRECISION_LEVEL)
            yield Finding(
                code="RES-30",
                severity="warn",
                metric=metric,
                message=f"only {amount(errors)} {one if errors == 1 else many} {where}: the rate is known to about "
                f"±{half * 100:.0f} % of itself (90 % confidence, independent trials)",
                advice=f"{FEW_ERRORS} errors give ±30 %: collect more trials, or say how few the errors are",
                data=data,
            )


def _why_no_bound(table: Evaluated, row: ThresholdRow) -> str | None:
    if row.post_hoc:
        return "the threshold was chosen on these trials"
    if table.counts.weighted:
        return "the trials are weighted"
    if table.trials is not None and any(np.unique(keys).size < keys.size for keys in source_keys(table.trials.sources)):
        return "sources recur, so the trials are not independent"
    return None


def resolution(table: Evaluated) -> Iterator[Finding]:
    """A rate asked for that is smaller than one trial's share."""
    for key, option, kind, rate, n in rates_asked(table):
        if n and rate < 1.0 / n:
            yield Finding(
                code="RES-FPR" if kind == "nontarget" else "RES-FNR",
                severity="warn",
                metric=key,
                message=f"{option} = {exact_digits(rate)} cannot be resolved with {several(n, kind)} (one step is "
                f"{number(1 / n)}): the value is that of no such error at all",
                advice=f"ask for {option} of at least {1 / n:.2g}, or collect more trials",
                data={"rate": rate, "trials": n, "step": 1.0 / n},
            )


def few_at_rate(table: Evaluated) -> Iterator[Finding]:
    """A rate asked for that so few trials make up that the operating point is not known well."""
    words = {"nontarget": "false alarm", "target": "miss"}
    for key, option, kind, rate, n in rates_asked(table):
        allowed = math.floor(rate * n)
        if 1 <= allowed < FEW_ERRORS:
            half = rule_of_30(allowed, PRECISION_LEVEL)
            so_many = several(allowed, words[kind], "es" if kind == "target" else "s")
            yield Finding(
                code="RES-30",
                severity="warn",
                metric=key,
                message=f"{option} = {exact_digits(rate)} of {several(n, kind)} is {so_many}: "
                f"the {option} of that threshold is known to about ±{half * 100:.0f} % of itself (90 % confidence, "
                "independent trials)",
                advice=f"ask for {option} of at least {FEW_ERRORS / n:.2g}, or collect more trials",
                data={"rate": rate, "errors": allowed, "trials": n},
            )


def rates_asked(table: Evaluated) -> Iterator[tuple[str, str, str, float, int | float]]:
    """Figures at a rate: key, the option that says the rate, its class, the rate and how many trials that class has."""
    limits = {"p_miss_at": ("p_fa", "nontarget"), "p_fa_at": ("p_miss", "target")}
    for key in table.record.metrics:
        name = key.partition(":")[0]
        if name in limits:
            option, kind = limits[name]
            yield key, option, kind, float(str(parse(key)[0].options[option])), dict(table.counts_by_class)[kind]

"""Findings about errors: too few to measure a rate by, none at all, rates below one trial's share."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from deciban.metrics.expression import parse
from deciban.records.evaluation import ThresholdRow
from deciban.records.finding import Finding
from deciban.workflow.findings.evaluated import Evaluated

FEW_ERRORS: Final = 30
LEVEL: Final = 0.95


def threshold_errors(table: Evaluated) -> Iterator[Finding]:
    """Too few errors, or none, at a threshold shown."""
    for row in table.record.thresholds:
        yield from _errors_at(table, row)


def _errors_at(table: Evaluated, row: ThresholdRow) -> Iterator[Finding]:
    """Zero errors, and too few of them, at one threshold."""
    kinds = (("misses", row.fn, table.counts.total_target), ("false alarms", row.fp, table.counts.total_nontarget))
    for kind, errors, n in kinds:
        data = {"threshold": row.threshold, "errors": errors, "trials": n}
        where = f"at threshold {row.threshold:g}"
        if n == 0 or errors >= FEW_ERRORS:
            continue
        if errors > 0:
            half = 1.6448536269514722 / math.sqrt(errors)
            yield Finding(
                code="RES-30",
                severity="warn",
                metric="p_miss" if kind == "misses" else "p_fa",
                message=f"only {errors:g} {kind} {where}: expect about ±{half:.0%} of the rate at 90 % confidence, if "
                "trials are independent",
                advice=f"{FEW_ERRORS} errors give ±30 %",
                data=data,
            )
        else:
            yield _zero_errors(table, kind, where, int(n), row, data)


def _zero_errors(table: Evaluated, kind: str, where: str, n: int, row: ThresholdRow, data: dict[str, Any]) -> Finding:
    """No error at all: the bound that n independent trials of a rule fixed beforehand give, or why there is none."""
    why_not = _why_no_bound(table, row)
    # Weights, which have no such bound, may add up to less than one trial.
    bound = -math.expm1(math.log1p(-LEVEL) / n) if why_not is None else math.nan
    said = (
        f"the rate may be as high as {bound:.6g} (one-sided 95 % bound)" if why_not is None else f"no bound: {why_not}"
    )
    return Finding(
        code="ZERO-ERR",
        severity="warn",
        metric="p_miss" if kind == "misses" else "p_fa",
        message=f"no {kind} in {n} trials {where}; {said}",
        advice="do not report the rate as 0",
        data=data | ({"upper_bound": bound, "level": LEVEL} if why_not is None else {}),
    )


def _why_no_bound(table: Evaluated, row: ThresholdRow) -> str | None:
    if row.origin not in ("given", "default"):
        return "the threshold was chosen on these trials"
    if table.counts.weighted:
        return "the trials are weighted"
    if table.trials is not None and any(np.unique(c.astype(str)).size < c.size for c in table.trials.sources):
        return "sources recur, so the trials are not independent"
    return None


def resolution(table: Evaluated) -> Iterator[Finding]:
    """A rate asked for that is smaller than one trial's share."""
    limits = {"p_miss_at": ("p_fa", "nontarget", "RES-FPR"), "p_fa_at": ("p_miss", "target", "RES-FNR")}
    for key in table.record.metrics:
        name = key.partition(":")[0]
        if name not in limits:
            continue
        option, kind, code = limits[name]
        rate = float(str(parse(key)[0].options[option]))
        n = dict(table.counts_by_class)[kind]
        if n and rate < 1.0 / n:
            yield Finding(
                code=code,
                severity="warn",
                metric=key,
                message=f"{option} = {rate:g} cannot be resolved with {n:g} {kind} trials (one step is {1 / n:.6g}): "
                "the value is that of no such error at all",
                advice=f"ask for {option} of at least {1 / n:.2g}, or collect more trials",
                data={"rate": rate, "trials": n, "step": 1.0 / n},
            )

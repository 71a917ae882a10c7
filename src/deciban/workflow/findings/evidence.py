"""Findings about likelihood ratios: stronger than the data support, misleading too often, read in the wrong unit."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from deciban.counts.columns import ends
from deciban.counts.counts import Counts
from deciban.errors import UndefinedMetricError
from deciban.metrics.calibration_checks import turing
from deciban.metrics.misleading import rmep
from deciban.passes.logistic import LrLine, fit_lr_line
from deciban.passes.logistic_cells import join
from deciban.records.finding import Finding
from deciban.uncertainty.bootstrap.sources import number_sources
from deciban.values.arrays import AnyArray, Floats
from deciban.values.log_domain import LN10
from deciban.values.scale import carries_lr, threshold_of_lr, to_ln_lr, to_log10_lr
from deciban.workflow.findings.evaluated import Evaluated

STRENGTHS: Final = (10.0, 100.0, 1000.0)
SIGNIFICANT: Final = 0.05
NEAR: Final = 0.1
"""How near, relatively, the slope must be to that of a wrong unit."""

SLACK: Final = 1e-9
"""An LR this near to a bound, relatively, is at it: the bound has been converted to and from the unit of the scores."""


@dataclass(frozen=True, slots=True)
class Extremes:
    """The strongest LRs in log10: smallest and largest of all, of a nontarget, of a target that misleads."""

    smallest: float
    largest: float
    largest_nontarget: float
    smallest_target: float


def applies(table: Evaluated) -> bool:
    """Whether the scores are LRs of both classes."""
    counts = table.counts
    return carries_lr(counts.scale, counts.prior) and counts.total_target > 0 and counts.total_nontarget > 0


def lr_support(table: Evaluated) -> Iterator[Finding]:
    """LRs stronger than these data can support."""
    if not applies(table) or "elub.lower" not in table.record.metrics:
        return
    counts = table.counts
    lower, upper = (table.record.metrics[f"elub.{part}"].value for part in ("lower", "upper"))
    if lower is None or upper is None:
        return
    low = threshold_of_lr(lower * (1.0 - SLACK), counts.scale, counts.prior)
    high = threshold_of_lr(upper * (1.0 + SLACK), counts.scale, counts.prior)
    below = int(np.searchsorted(counts.score, low, side="left"))
    above = int(np.searchsorted(counts.score, high, side="right"))
    n_below, n_above = (
        (counts.n_target[part] + counts.n_nontarget[part]).sum().item() for part in (slice(below), slice(above, None))
    )
    if not n_below and not n_above:
        return
    found = extremes(counts)
    sides = [
        f"{trials_text(n)} of {trials_text(counts.total)} LRs {verb} {lr_text(math.log10(limit))}, the {size} that "
        f"these data can support, the {size} claimed being {lr_text(extreme)}"
        for n, verb, limit, size, extreme in (
            (n_above, "exceed", upper, "largest", found.largest),
            (n_below, "are below", lower, "smallest", found.smallest),
        )
        if n
    ]
    yield Finding(
        code="LR-SUPPORT",
        severity="warn",
        metric="elub",
        message=f"{'; '.join(sides)}; {strongest_misleading(table, found)}",
        advice="report LRs beyond the bounds as the bound, or collect more trials",
        data={
            "lower": lower,
            "upper": upper,
            "below": n_below,
            "above": n_above,
            "log10_smallest": found.smallest,
            "log10_largest": found.largest,
            "log10_largest_nontarget": found.largest_nontarget,
            "log10_smallest_target": found.smallest_target,
        },
    )


def misleading(table: Evaluated) -> Iterator[Finding]:
    """More nontargets with strong evidence against them than calibrated LRs allow."""
    if not applies(table) or table.counts.weighted:
        return
    # A share of 1/k or less cannot be significant, and a p-value costs the first use of SciPy.
    results = [(k, turing(table.counts, k=k)) for k in STRENGTHS if rmep(table.counts, k=k) > 1.0 / k]
    exceeded = [(k, result) for k, result in results if result.p_value < SIGNIFICANT]
    if not exceeded:
        return
    n = table.counts.total_nontarget
    # Where sources recur, only an interval that resamples them shows that more mislead than their few errors.
    dependent = sources_recur(table)
    clear = [k for k, _ in exceeded if _lies_above(table, k)]
    shown = "; ".join(
        f"{result.observed * n:.0f} of {n} have LR >= {k:g}, {n / k:.4g} expected at most (p = {result.p_value:.2g})"
        for k, result in exceeded
    )
    found = extremes(table.counts)
    yield Finding(
        code="MISLEAD",
        severity="note" if dependent and not clear else "warn",
        metric="turing",
        message=f"nontargets have large LRs more often than calibrated LRs of independent trials would: {shown}"
        f"{_beside_sources(clear) if dependent else ''}; {strongest_misleading(table, found)}",
        advice="look at the trials named, and at the interval of rmep by source: it decides whether to calibrate on "
        "other data"
        if dependent and not clear
        else "calibrate the LRs on other data, and look at the trials named",
        data={
            "k": [k for k, _ in exceeded],
            "observed": [result.observed for _, result in exceeded],
            "p_value": [result.p_value for _, result in exceeded],
            "log10_largest_nontarget": found.largest_nontarget,
            "log10_smallest_target": found.smallest_target,
        },
    )


def sources_recur(table: Evaluated) -> bool:
    """Whether sources are known to occur in more than one trial, so that trials are not independent."""
    trials = table.trials
    return trials is not None and bool(trials.sources) and min(number_sources(trials).pools) < len(trials)


def _lies_above(table: Evaluated, k: float) -> bool:
    """Whether the interval of the share, which resamples sources where there are any, lies above 1/k."""
    figure = table.record.metrics.get(f"rmep:k={k:g}")
    return figure is not None and figure.interval is not None and figure.interval.low > 1.0 / k


def _beside_sources(clear: list[float]) -> str:
    """What p-values of independent trials are worth where sources recur."""
    if clear:
        return (
            f" (p takes trials as independent, and sources recur; for k = {clear[0]:g} the interval by source agrees)"
        )
    return " (p takes trials as independent, and sources recur: it is too small, and the intervals leave it open)"


def units(table: Evaluated) -> Iterator[Finding]:
    """LRs whose logarithms look as if they had been read in the wrong base."""
    if not applies(table):
        return
    line, left_out = calibration_slope(table.counts)
    if line is None:
        return
    factor = wrong_unit(line.slope)
    if factor is None:
        return
    read_as, are = ("natural-log", "log10") if factor > 1.0 else ("log10", "natural-log")
    data: dict[str, Any] = {"slope": line.slope, "factor": factor, "infinite": left_out}
    yield Finding(
        code="UNITS",
        severity="warn",
        message=f"the LRs look like {are} LRs read as {read_as} LRs: the best straight line through ln LR has slope "
        f"{line.slope:.4g}, within 10 % of {'ln 10' if factor > 1.0 else '1/ln 10'} = {factor:.4g}"
        + (f" ({trials_text(left_out)} infinite LRs left out)" if left_out else ""),
        advice=f"check the unit of the scores: scale= (--scale) was {table.counts.scale}",
        data=data,
    )


def calibration_slope(counts: Counts) -> tuple[LrLine | None, int | float]:
    """The line that best calibrates the finite ln LRs, or None, and how many trials have an infinite one.

    Joined into pieces, scores give the slope to a few digits; only one near a wrong unit's is worth the full fit.
    """
    low, high = to_ln_lr(counts.score[[0, -1]], counts.scale, counts.prior).tolist()
    finite = slice(int(low == -math.inf), counts.n_distinct - int(high == math.inf))
    columns = counts.score[finite], counts.n_target[finite], counts.n_nontarget[finite]
    _, n_target, n_nontarget = columns
    left_out = counts.total - n_target.sum().item() - n_nontarget.sum().item()
    try:
        line = _fit(counts, *join(*columns))
        if wrong_unit(line.slope, 3.0 * NEAR) is not None:
            line = _fit(counts, *columns)
    except UndefinedMetricError:
        return None, left_out
    return line, left_out


def _fit(counts: Counts, score: Floats, n_target: AnyArray, n_nontarget: AnyArray) -> LrLine:
    return fit_lr_line(to_ln_lr(score, counts.scale, counts.prior), n_target, n_nontarget)


def wrong_unit(slope: float, near: float = NEAR) -> float | None:
    """The factor between two bases of logarithms that a slope is near to, if any."""
    return next((factor for factor in (LN10, 1.0 / LN10) if abs(slope / factor - 1.0) <= near), None)


def extremes(counts: Counts) -> Extremes:
    """The strongest LRs there are."""
    at = [0, -1, ends(counts.n_nontarget)[1], ends(counts.n_target)[0]]
    return Extremes(*(to_log10_lr(counts.score[at], counts.scale, counts.prior)).tolist())


def strongest_misleading(table: Evaluated, found: Extremes) -> str:
    """Name the nontarget with the largest LR and the target with the smallest, where they mislead."""
    counts = table.counts
    said = []
    if found.largest_nontarget > 0.0:
        score = float(counts.score[ends(counts.n_nontarget)[1]])
        said.append(f"{lr_text(found.largest_nontarget)} for a nontarget{table.who(score, target=False)}")
    if found.smallest_target < 0.0:
        score = float(counts.score[ends(counts.n_target)[0]])
        said.append(f"{lr_text(found.smallest_target)} for a target{table.who(score, target=True)}")
    return f"strongest misleading {' and '.join(said)}" if said else "none of the LRs misleads"


def lr_text(log10_lr: float) -> str:
    """An LR for a sentence: plain where it is short, else as a power of ten."""
    if math.isinf(log10_lr):
        return "inf" if log10_lr > 0 else "0"
    return f"{10.0**log10_lr:.3g}" if abs(log10_lr) < 3.0 else f"10^{log10_lr:.1f}"


def trials_text(n: int | float) -> str:
    """A number of trials with all its digits, a weight with six."""
    return str(n) if isinstance(n, int) else f"{n:g}"

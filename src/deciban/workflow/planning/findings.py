"""What a plan must say beside its numbers: what cannot be shown, and what the numbers rest on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deciban.records.display import decimal, percent, several
from deciban.records.finding import Finding
from deciban.records.trial_plan import AtHand, NeededTrials
from deciban.uncertainty.planning.visible import RatePrecision
from deciban.workflow.findings.data import FEW_TRIALS


def plan_findings(at_hand: AtHand | None, needed: Sequence[NeededTrials], level: float) -> Iterator[Finding]:
    """Everything a reader of a plan must know, warnings first."""
    if at_hand is not None:
        yield from _few_trials(at_hand)
        yield _no_errors("RES-FNR", "p_miss", "target", at_hand.rates.p_miss, level)
        yield _no_errors("RES-FPR", "p_fa", "nontarget", at_hand.rates.p_fa, level)
        yield from _rule_of_30(at_hand)
        yield _calibration(at_hand, level)
        yield _lr_support(at_hand)
    if at_hand is not None or any(item.figure == "cllr" for item in needed):
        yield Finding(
            code="MODEL",
            severity="note",
            metric="cllr",
            message="what is said of Cllr and cllr_cal holds for log LRs that are normal and perfectly calibrated",
            advice="poorly calibrated LRs vary more: expect wider intervals, and more trials needed",
        )
    yield Finding(
        code="DEP-UNKNOWN",
        severity="note",
        message="every trial counts as independent; trials that share speakers, authors or items tell less than as "
        "many independent ones, so that these numbers are optimistic",
        advice="evaluate a pilot with and without its sources (--source): the trials needed grow with the square of "
        "how much wider the intervals by source are",
    )


def _few_trials(at_hand: AtHand) -> Iterator[Finding]:
    few = {"target": at_hand.n_target, "nontarget": at_hand.n_nontarget}
    few = {name: n for name, n in few.items() if n < FEW_TRIALS}
    if few:
        only = " and ".join(several(n, name) for name, n in few.items())
        yield Finding(
            code="FEW-TRIALS",
            severity="warn",
            message=f"only {only}: every rate moves in large steps",
            advice=f"collect at least {FEW_TRIALS} trials of each class before drawing conclusions",
            data=few,
        )


def _no_errors(code: str, metric: str, kind: str, rate: RatePrecision, level: float) -> Finding:
    return Finding(
        code=code,
        severity="note",
        metric=metric,
        message=f"{metric}: no rate between 0 and {decimal(rate.smallest)} can be seen, and {several(rate.n, kind)} "
        f"without an error do not exclude rates up to {decimal(rate.bound_without_errors)} "
        f"(one-sided {percent(level)})",
        advice="do not report a rate as 0: report the bound",
        data={"trials": rate.n, "step": rate.smallest, "upper_bound": rate.bound_without_errors, "level": level},
    )


def _rule_of_30(at_hand: AtHand) -> Iterator[Finding]:
    rates = {"p_miss": at_hand.rates.p_miss.rule_of_30, "p_fa": at_hand.rates.p_fa.rule_of_30}
    known = [f"{name} below {decimal(rate)}" for name, rate in rates.items() if rate is not None]
    known += [f"any {name}" for name, rate in rates.items() if rate is None]
    yield Finding(
        code="RES-30",
        severity="note",
        message=f"{' and '.join(known)}: fewer than 30 errors are expected, so that the rate is known to worse than "
        "±30 % of itself (90 %)",
        advice="say how few the errors are, or collect more trials",
        data=rates,
    )


def _calibration(at_hand: AtHand, level: float) -> Finding:
    ends = [system.cllr_cal.high for system in at_hand.systems if system.cllr_cal is not None]
    said = "what cllr_cal is although calibration is perfect was not simulated: that takes draws, and few enough trials"
    if ends:
        said = (
            f"a perfectly calibrated system shows a cllr_cal of up to {decimal(min(ends))} to {decimal(max(ends))} "
            f"bits ({percent(level)} of tests), depending on how well it tells the classes apart: a smaller loss "
            "cannot be told from none"
        )
    return Finding(
        code="PAV-OPT",
        severity="note",
        metric="cllr_cal",
        message=said,
        advice="judge cllr_cal beside the band of a calibrated system, not against a fixed limit",
        data={"lowest": min(ends), "highest": max(ends), "level": level} if ends else {},
    )


def _lr_support(at_hand: AtHand) -> Finding:
    bounds = at_hand.lr_bounds
    return Finding(
        code="LR-SUPPORT",
        severity="note",
        metric="elub",
        message=f"no method, however good, can show that LRs above {decimal(bounds.upper, 5)} or "
        f"below {decimal(bounds.lower)} are supported",
        advice="report stronger LRs as the bound, or collect more trials",
        data={"lower": bounds.lower, "upper": bounds.upper},
    )

"""A plan as titled tables of text cells."""

from __future__ import annotations

from collections.abc import Iterator

from deciban.records.display import decimal, percent, several
from deciban.records.tables import Row, Table, full_findings, short_findings
from deciban.records.trial_plan import AtHand, CalibratedSystem, NeededTrials, TrialPlan
from deciban.uncertainty.planning.visible import ExpectedInterval, RatePrecision


def tables_of_plan(plan: TrialPlan, full: bool = False) -> Iterator[Table]:
    """Every table of a plan; with ``full`` each finding has its advice beside it."""
    level = percent(plan.level)
    if plan.at_hand is not None:
        yield _small_rates(plan.at_hand, level)
        yield _rates(plan.at_hand, level)
        yield _aucs(plan.at_hand, level)
        yield _systems(plan.at_hand, level)
        yield _lrs(plan.at_hand)
    if plan.needed:
        rows = [_needed(item, plan, level) for item in plan.needed]
        yield Table("Trials needed", ("to show", "independent trials", "then expected"), rows)
    title = "What cannot be shown, and what this rests on"
    if full:
        yield Table(title, ("severity", "code", "what", "what to do"), full_findings(plan.findings))
    else:
        yield Table(title, ("", "", ""), short_findings(plan.findings))


def _small_rates(at_hand: AtHand, level: str) -> Table:
    both = (at_hand.rates.p_miss, at_hand.rates.p_fa)
    rows: list[Row] = [
        ("smallest rate but 0: one error", *(f"{decimal(of.smallest)} = 1/{of.n}" for of in both)),
        (f"no error at all: one-sided {level} bound", *(_bound(of, of.bound_without_errors) for of in both)),
        (f"no error at all: two-sided {level} bound", *(_bound(of, of.two_sided_bound) for of in both)),
        ("known to ±30 % of itself (30 errors, 90 %)", *(_from(of) for of in both)),
    ]
    head = ("", f"p_miss ({several(both[0].n, 'target')})", f"p_fa ({several(both[1].n, 'nontarget')})")
    return Table("Small error rates", head, rows)


def _bound(rate: RatePrecision, bound: float) -> str:
    return f"{decimal(bound)} = {decimal(bound * rate.n)}/{rate.n}"


def _from(rate: RatePrecision) -> str:
    return "no rate" if rate.rule_of_30 is None else f"{decimal(rate.rule_of_30)} and above"


def _rates(at_hand: AtHand, level: str) -> Table:
    both = (at_hand.rates.p_miss, at_hand.rates.p_fa)
    rows: list[Row] = [
        (decimal(pair[0].value), *(_rate(of.n, at) for of, at in zip(both, pair, strict=True)))
        for pair in zip(both[0].intervals, both[1].intervals, strict=True)
    ]
    return Table(f"If an error rate is observed: its {level} interval (Wilson)", ("rate", "p_miss", "p_fa"), rows)


def _rate(n: int, interval: ExpectedInterval) -> str:
    return _ends(interval) if interval.value * n >= 1.0 else "less than one error"


def _ends(interval: ExpectedInterval) -> str:
    return f"[{_share(interval.low)}, {_share(interval.high)}]"


def _share(value: float) -> str:
    """A share, near 1 with the digits that its distance from 1 has: never 1 for what is less."""
    if not 0.9 < value < 1.0:
        return decimal(value)
    places = len(decimal(1.0 - value).partition(".")[2])
    return f"{value:.{places}f}"


def _aucs(at_hand: AtHand, level: str) -> Table:
    rows: list[Row] = [(_share(at.value), _ends(at), decimal(at.width)) for at in at_hand.auc]
    return Table(f"If an AUC is observed: its {level} interval (Newcombe)", ("auc", "interval", "width"), rows)


def _systems(at_hand: AtHand, level: str) -> Table:
    head = ("eer", "auc", "cllr", f"{level} interval", "width", "cllr_cal, median", f"cllr_cal, {level} below")
    rows = [_system(system) for system in at_hand.systems]
    title = (
        "If log LRs are normal and perfectly calibrated: the interval of Cllr, and the cllr_cal seen although it is 0"
    )
    return Table(title, head, rows)


def _system(system: CalibratedSystem) -> Row:
    band = system.cllr_cal
    shown = ("-", "-") if band is None else (decimal(band.median), decimal(band.high))
    figures = (_share(value) for value in (system.eer, system.auc, system.cllr.value))
    return (*figures, _ends(system.cllr), decimal(system.cllr.width), *shown)


def _lrs(at_hand: AtHand) -> Table:
    bounds = at_hand.lr_bounds
    rows: list[Row] = [
        ("largest LR", decimal(bounds.upper, 5)),
        ("smallest LR", f"{decimal(bounds.lower)} = 1/{decimal(1.0 / bounds.lower, 5)}"),
    ]
    return Table("If a method were perfect: the LRs that these trials support (ELUB)", ("", ""), rows)


def _needed(item: NeededTrials, plan: TrialPlan, level: str) -> Row:
    value = decimal(item.value, 6)
    if item.rule == "rule_of_3":
        return f"that a rate is below {value} (one-sided {level})", _trials(item), "no error, or it is not shown"
    if item.rule == "rule_of_30":
        return f"a rate of {value} to ±30 % of itself (90 %)", _trials(item), "30 errors"
    names = {"rate": ("a rate", "Wilson"), "auc": ("an AUC", "Newcombe"), "cllr": ("a Cllr", "calibrated normal LRs")}
    what, how = names[item.figure]
    width = "" if plan.width is None else decimal(plan.width, 6)
    expected = "" if item.interval is None else _ends(item.interval)
    return f"{what} of {value} to a width of {width} ({level}, {how})", _trials(item), expected


def _trials(item: NeededTrials) -> str:
    if item.n_target is None or item.n_nontarget is None:
        return f"{item.n} of the class"
    return f"{several(item.n_target, 'target')} and {several(item.n_nontarget, 'nontarget')}"

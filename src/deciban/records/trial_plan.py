"""The record of a plan, schema ``deciban.plan/1``: what numbers of trials can show, and how many are needed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from deciban.metrics.bounds import Bounds
from deciban.records.finding import Finding
from deciban.records.provenance import Provenance
from deciban.uncertainty.null_band import CalibratedBand
from deciban.uncertainty.planning.visible import ExpectedInterval, RatePrecision, Visible
from deciban.values.record import from_plain, load_json, to_json

SCHEMA: Literal["deciban.plan/1"] = "deciban.plan/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratedSystem:
    """How well a perfectly calibrated system of some strength would be known.

    Attributes
    ----------
    sigma
        Its natural-log LRs are N(σ²/2, σ²) for targets and N(−σ²/2, σ²) for nontargets.
    eer, auc
        What it reaches with infinitely many trials.
    cllr
        Its Cllr in bits and the interval that the trials at hand would give.
    cllr_cal
        What its calibration loss would be although its calibration is perfect; None where that was not simulated.
    """

    sigma: float
    eer: float
    auc: float
    cllr: ExpectedInterval
    cllr_cal: CalibratedBand | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AtHand:
    """What the trials at hand can show.

    Attributes
    ----------
    n_target, n_nontarget
        Independent trials of each class.
    rates
        How small and how well rates of misses and of false alarms can be seen.
    auc
        Intervals around some AUCs, were they observed.
    systems
        Perfectly calibrated systems of some strengths.
    lr_bounds
        The smallest and the largest LR that any method, even a perfect one, can show to be supported (ELUB).
    """

    n_target: int
    n_nontarget: int
    rates: Visible
    auc: tuple[ExpectedInterval, ...]
    systems: tuple[CalibratedSystem, ...]
    lr_bounds: Bounds


@dataclass(frozen=True, slots=True, kw_only=True)
class NeededTrials:
    """How many independent trials something takes.

    Attributes
    ----------
    figure, value
        What is to be known, and the value that is expected of it.
    rule
        ``width``: its interval is no wider than wanted; ``rule_of_30``: 30 errors are expected, so that a rate is known
        to ±30 % of itself at 90 %; ``rule_of_3``: without an error they show that the rate is below the value.
    n
        Trials: of the class whose rate it is, of both classes for the other figures.
    n_target, n_nontarget
        Trials of each class; None for a rate.
    interval
        The interval then expected; None where the rule is not about one.
    """

    figure: Literal["rate", "auc", "cllr"]
    value: float
    rule: Literal["width", "rule_of_30", "rule_of_3"]
    n: int
    n_target: int | None = None
    n_nontarget: int | None = None
    interval: ExpectedInterval | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialPlan:
    """What trials at hand can show, and how many a wanted precision takes; ``print(plan)`` shows it.

    Attributes
    ----------
    level
        Confidence level: two-sided of intervals, one-sided of bounds without errors and of bands.
    width
        The width that was wanted.
    at_hand
        What the trials at hand can show; None where their numbers were not given.
    needed
        Numbers of trials, empty where no figure was named.
    findings
        What cannot be shown, and what the numbers rest on.
    provenance
        Options, seed and versions.
    """

    schema: Literal["deciban.plan/1"] = SCHEMA
    level: float
    width: float | None
    at_hand: AtHand | None
    needed: tuple[NeededTrials, ...]
    findings: tuple[Finding, ...]
    provenance: Provenance

    def to_json(self) -> str:
        """Write the record as JSON."""
        return to_json(self)

    @classmethod
    def from_json(cls, text: str) -> TrialPlan:
        """Read a record that :meth:`to_json` wrote; raises :class:`InputError` for anything else."""
        return from_plain(cls, load_json(text, SCHEMA))

    def named_values(self) -> Iterator[tuple[str, float | None]]:
        """Every number by a name of its own: ``p_fa.step``, ``auc.low@0.9``, ``needed.rate.width.n``."""
        if self.at_hand is not None:
            yield from _at_hand_values(self.at_hand)
        for needed in self.needed:
            name = f"needed.{needed.figure}.{needed.rule}"
            yield f"{name}.n", needed.n
            if needed.n_target is not None:
                yield f"{name}.n_target", needed.n_target
                yield f"{name}.n_nontarget", needed.n_nontarget
            if needed.interval is not None:
                yield f"{name}.low", needed.interval.low
                yield f"{name}.high", needed.interval.high

    def to_markdown(self) -> str:
        """Write the tables as Markdown, each finding with its advice beside it."""
        from deciban.records.plan_tables import tables_of_plan
        from deciban.records.writing import markdown_of

        return markdown_of(tables_of_plan(self, full=True))

    def __str__(self) -> str:
        from deciban.records.plan_tables import tables_of_plan
        from deciban.records.writing import text_of

        return text_of(tables_of_plan(self))

    def _repr_html_(self) -> str:
        from deciban.records.plan_tables import tables_of_plan
        from deciban.records.writing import html_of

        return html_of(tables_of_plan(self, full=True))


def _at_hand_values(at_hand: AtHand) -> Iterator[tuple[str, float | None]]:
    yield "n_target", at_hand.n_target
    yield "n_nontarget", at_hand.n_nontarget
    yield from _rate_values("p_miss", at_hand.rates.p_miss)
    yield from _rate_values("p_fa", at_hand.rates.p_fa)
    for auc in at_hand.auc:
        yield f"auc.low@{auc.value:g}", auc.low
        yield f"auc.high@{auc.value:g}", auc.high
    for system in at_hand.systems:
        at, band = f"@sigma={system.sigma:g}", system.cllr_cal
        yield f"cllr{at}", system.cllr.value
        yield f"cllr.low{at}", system.cllr.low
        yield f"cllr.high{at}", system.cllr.high
        yield f"cllr_cal.median{at}", None if band is None else band.median
        yield f"cllr_cal.high{at}", None if band is None else band.high
    yield "elub.lower", at_hand.lr_bounds.lower
    yield "elub.upper", at_hand.lr_bounds.upper


def _rate_values(name: str, rate: RatePrecision) -> Iterator[tuple[str, float | None]]:
    yield f"{name}.step", rate.smallest
    yield f"{name}.no_error_one_sided", rate.bound_without_errors
    yield f"{name}.no_error_two_sided", rate.two_sided_bound
    yield f"{name}.rule_of_30", rate.rule_of_30
    for interval in rate.intervals:
        yield f"{name}.low@{interval.value:g}", interval.low
        yield f"{name}.high@{interval.value:g}", interval.high

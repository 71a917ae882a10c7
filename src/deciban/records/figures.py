"""What records are made of: figures, what they are figures of, and rows of them at thresholds and for groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from deciban.metrics.brackets.ends import Bracket
from deciban.records.curves import Curves
from deciban.records.finding import Finding
from deciban.uncertainty.interval import Interval
from deciban.uncertainty.null_band import NullBand


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricValue:
    """One figure: a value, or None with the reason why there is none.

    Attributes
    ----------
    value
        The number; infinities are legal.
    unit
        "" for a pure number.
    reason
        Code when there is no value: single_class, undefined_ratio, scale, weighted, bucketed, …
    interval, interval_reason
        Its uncertainty, or why there is none.
    null_band
        What perfectly calibrated LRs of as many trials give, beside a figure that is above 0 even for them.
    bracket
        Between which values the exact one provably lies, where scores in buckets leave the figure without a value.
    exact
        The value as a fraction, where asked for and possible.
    """

    value: float | None
    unit: str = ""
    reason: str | None = None
    interval: Interval | None = None
    interval_reason: str | None = None
    null_band: NullBand | None = None
    bracket: Bracket | None = None
    exact: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialsSummary:
    """What was evaluated.

    Attributes
    ----------
    n, n_target, n_nontarget, n_distinct
        Trials (weight when weighted) in all and by class; distinct scores.
    scale, prior
        Unit of the scores; prior that probabilities were made under.
    reversed
        Whether the scores evaluated are those given turned round, since high ones speak for nontargets or the other
        class is evaluated.
    p_target, p_target_origin
        The prior at which posteriors were taken, and where it comes from: "given" or "data"; None where not needed.
    weighted
        Whether counts are sums of weights.
    resolution
        Width of the buckets that scores were counted in, ``n_distinct`` of them; None where each was counted itself.
    dropped
        Trials left out because their score was missing; None for a group, whose dropped trials are gone.
    failed
        Trials with a missing score counted as never accepted, by class.
    counts_sha256
        Hash of the canonical counts: the same on every engine.
    """

    n: int | float
    n_target: int | float
    n_nontarget: int | float
    n_distinct: int
    scale: str
    prior: float | None
    reversed: bool = False
    p_target: float | None
    p_target_origin: Literal["given", "data"] | None
    weighted: bool
    resolution: float | None = None
    dropped: int | None
    failed: Mapping[str, int]
    counts_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdRow:
    """The four counts and every ratio of them at one threshold.

    Attributes
    ----------
    threshold
        Accept when score >= threshold, in the unit of the scores, and for reversed scores in their new direction.
    as_given
        The same threshold for the scores as they were given, where they were reversed, else None.
    accept
        When a trial is accepted, in terms of the scores as given: ``"score >= 0.6"``, ``"distance <= 0.25"``.
    origin
        "given", "default", or the rule that chose it.
    post_hoc
        Whether it was chosen on these very trials.
    tp, fp, fn, tn
        The counts; None where the threshold is inside a bucket that leaves them open.
    brackets
        By the name of such a count the fewest and the most that it can be.
    metrics
        The ratios by name.
    acquisition
        Where failures to acquire are counted or given: their rates (``fta_target``, ``fta_nontarget``), the errors of
        the comparisons that took place (``fnmr``, ``fmr``), of all attempts (``frr``, ``far``) and, with a given rate
        of failure to enrol, of all (``gfrr``, ``gfar``).
    """

    threshold: float
    as_given: float | None = None
    accept: str = ""
    origin: str
    post_hoc: bool = False
    tp: int | float | None = None
    fp: int | float | None = None
    fn: int | float | None = None
    tn: int | float | None = None
    brackets: Mapping[str, Bracket] = field(default_factory=dict)
    metrics: Mapping[str, MetricValue]
    acquisition: Mapping[str, MetricValue] = field(default_factory=dict)

    @property
    def cells(self) -> tuple[int | float, int | float, int | float, int | float] | None:
        """The four counts tp, fp, fn, tn; None where one of them is open."""
        if self.tp is None or self.fp is None or self.fn is None or self.tn is None:
            return None
        return self.tp, self.fp, self.fn, self.tn

    def cell(self, name: str) -> MetricValue:
        """One of the four counts as a figure."""
        value = getattr(self, name)
        return MetricValue(
            value=value, reason=None if value is not None else "bucketed", bracket=self.brackets.get(name)
        )

    @property
    def shown(self) -> float:
        """The threshold as tables show it: for the scores as they were given."""
        return self.threshold if self.as_given is None else self.as_given


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRecord:
    """The same tables for the trials of one group.

    Attributes
    ----------
    by
        The group's value of each condition.
    shared
        Trials without a value of the condition, which belong to every group.
    curves
        Operating points, where the grouping has no more groups than one plot can tell apart.
    """

    by: Mapping[str, str]
    shared: int
    trials: TrialsSummary
    metrics: Mapping[str, MetricValue]
    thresholds: tuple[ThresholdRow, ...] = ()
    curves: Curves = field(default_factory=Curves)
    findings: tuple[Finding, ...] = ()

    @property
    def name(self) -> str:
        """The group in words: ``gender=f,codec=C1``."""
        return ",".join(f"{column}={value}" for column, value in self.by.items())

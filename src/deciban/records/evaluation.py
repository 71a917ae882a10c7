"""The record of an evaluation, schema ``deciban.evaluation/1``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from deciban.errors import OptionError, did_you_mean
from deciban.metrics.brackets.ends import Bracket
from deciban.metrics.expression import parse
from deciban.metrics.within import KEY
from deciban.records.consistency import check_sums
from deciban.records.curves import Curves
from deciban.records.eer_definitions import DefinedError
from deciban.records.finding import Finding
from deciban.records.group_difference import GroupDifference
from deciban.records.provenance import Provenance
from deciban.records.rows import Backend, frame_of
from deciban.uncertainty.interval import Interval
from deciban.uncertainty.null_band import NullBand
from deciban.values.option_checks import check_text
from deciban.values.record import from_plain, load_json, to_json

if TYPE_CHECKING:
    from deciban.records.tables import Table

SCHEMA: Literal["deciban.evaluation/1"] = "deciban.evaluation/1"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Every figure of one set of trials.

    ``result["auc"].value`` reads a figure by its expression; ``print(result)`` shows the command line's table.

    Attributes
    ----------
    trials
        What was evaluated.
    metrics
        Figures by expression.
    thresholds
        One row of counts and ratios per threshold.
    groups
        The same for each group.
    differences
        Figures of one group less those of another, for every two groups of a grouping of at most ten.
    equal_errors
        The equal error rate by every definition with its threshold, where all of them were asked for (``eer:all``).
    curves
        What figures are drawn from and explored by.
    findings
        What a reader must know beside the numbers.
    provenance
        Where the numbers come from.
    """

    schema: Literal["deciban.evaluation/1"] = SCHEMA
    trials: TrialsSummary
    metrics: Mapping[str, MetricValue]
    thresholds: tuple[ThresholdRow, ...] = ()
    groups: tuple[GroupRecord, ...] = ()
    differences: tuple[GroupDifference, ...] = ()
    equal_errors: tuple[DefinedError, ...] = ()
    curves: Curves = field(default_factory=Curves)
    findings: tuple[Finding, ...] = ()
    provenance: Provenance

    COLUMNS: ClassVar[tuple[str, ...]] = (
        *("group", "threshold", "metric", "value", "unit", "reason", "low", "high", "exact"),
        *("bracket_low", "bracket_high"),
    )

    def __getitem__(self, expression: str) -> MetricValue:
        """Return the figure that an expression names; options equal to the default may be written or left out."""
        check_text("metric", expression, "an expression such as 'auc'")
        if expression.strip() in self.metrics:
            return self.metrics[expression.strip()]
        if expression.strip().startswith(KEY):
            by = expression.strip().removeprefix(KEY)
            raise OptionError(f"{expression.strip()!r} was not evaluated: it needs groups, by={by!r} (--by {by})")
        named = [part for item in parse(expression) for part in item.parts()]
        if len(named) == 1 and named[0].key in self.metrics:
            return self.metrics[named[0].key]
        if len(named) > 1:
            raise OptionError(f"{expression!r} is several figures: name one of {', '.join(n.key for n in named)}")
        raise OptionError(
            f"{expression!r} was not evaluated; pass it in metrics=; {did_you_mean(expression, self.metrics)}"
        )

    def __contains__(self, expression: object) -> bool:
        """Whether a figure of that key was evaluated."""
        return isinstance(expression, str) and expression in self.metrics

    def to_json(self) -> str:
        """Write the record as JSON (schema ``deciban.evaluation/1``)."""
        return to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Evaluation:
        """Read a record that :meth:`to_json` wrote; raises :class:`InputError` for anything else.

        So too for a record that contradicts itself: whose numbers of trials do not add up.
        """
        result = from_plain(cls, load_json(text, SCHEMA))
        check_sums(result)
        return result

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row per figure, with the fields of ``COLUMNS``.

        ``low`` and ``high`` are the interval, what other trials could give; ``bracket_low`` and ``bracket_high`` are
        between what the exact value of these very trials lies, where scores in buckets leave it open.
        ``group`` is "" for the whole; ``threshold`` is None for figures that have none. Counts are rows too: trials,
        targets, nontargets of the whole and of each group, and tp, fp, fn, tn at each threshold. A threshold is the one
        for the scores as they were given, also where they were reversed.
        """
        rows = _rows("", self.trials, self.metrics, self.thresholds)
        for group in self.groups:
            rows += _rows(group.name, group.trials, group.metrics, group.thresholds)
        return rows

    def to_frame(self, backend: Backend = "pandas") -> Any:
        """Return :meth:`to_rows` as a dataframe of ``backend``: pandas, polars or pyarrow."""
        return frame_of(
            self.to_rows(), self.COLUMNS, ("threshold", "value", "low", "high", "bracket_low", "bracket_high"), backend
        )

    def tables(self) -> Iterator[Table]:
        """Every table of the record but the findings."""
        from deciban.records.tables import tables_of

        return tables_of(self)

    def lines(self) -> Iterator[str]:
        """``name value`` lines of the record."""
        from deciban.records.tables import lines_of

        return lines_of(self)

    def all_findings(self) -> list[Finding]:
        """Findings of the whole, then of each group."""
        return [*self.findings, *(finding for group in self.groups for finding in group.findings)]

    def __str__(self) -> str:
        from deciban.records.writing import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from deciban.records.writing import as_html

        return as_html(self)


def _rows(
    group: str, trials: TrialsSummary, metrics: Mapping[str, MetricValue], thresholds: tuple[ThresholdRow, ...]
) -> list[dict[str, Any]]:
    counts = {"trials": trials.n, "targets": trials.n_target, "nontargets": trials.n_nontarget}
    rows = [_row(group, None, name, MetricValue(value=n)) for name, n in counts.items()]
    rows += [_row(group, None, key, figure) for key, figure in metrics.items()]
    for at in thresholds:
        cells = {name: at.cell(name) for name in ("tp", "fp", "fn", "tn")}
        rows += [_row(group, at.shown, name, cell) for name, cell in cells.items()]
        rows += [_row(group, at.shown, key, figure) for key, figure in (*at.metrics.items(), *at.acquisition.items())]
    return rows


def _row(group: str, threshold: float | None, name: str, figure: MetricValue) -> dict[str, Any]:
    interval = figure.interval
    return {
        "group": group,
        "threshold": threshold,
        "metric": name,
        "value": figure.value,
        "unit": figure.unit,
        "reason": figure.reason,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "exact": figure.exact,
        "bracket_low": figure.bracket.low if figure.bracket else None,
        "bracket_high": figure.bracket.high if figure.bracket else None,
    }

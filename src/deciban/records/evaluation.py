"""The record of an evaluation, schema ``deciban.evaluation/1``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from deciban.errors import OptionError, did_you_mean
from deciban.metrics.expression import parse
from deciban.metrics.within import KEY
from deciban.records.consistency import check_sums
from deciban.records.curves import Curves
from deciban.records.eer_definitions import DefinedError
from deciban.records.figures import GroupRecord, MetricValue, ThresholdRow, TrialsSummary
from deciban.records.finding import Finding
from deciban.records.group_difference import GroupDifference
from deciban.records.provenance import Provenance
from deciban.records.rows import Backend, frame_of
from deciban.values.option_checks import check_text
from deciban.values.record import from_plain, load_json, to_json

if TYPE_CHECKING:
    from deciban.records.tables import Table

SCHEMA: Literal["deciban.evaluation/1"] = "deciban.evaluation/1"


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

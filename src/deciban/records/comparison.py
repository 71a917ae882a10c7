"""The record of a comparison of systems, schema ``deciban.comparison/1``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from deciban.errors import OptionError, did_you_mean
from deciban.metrics.expression import parse
from deciban.records.consistency import check_differences
from deciban.records.curves import Curves
from deciban.records.differences import Adjustment, Difference, ErrorsCompared, JointTest
from deciban.records.figures import MetricValue, ThresholdRow, TrialsSummary
from deciban.records.finding import Finding
from deciban.records.provenance import Provenance
from deciban.records.rows import Backend, frame_of
from deciban.values.record import from_plain, load_json, to_json

if TYPE_CHECKING:
    from deciban.records.tables import Table

SCHEMA: Literal["deciban.comparison/1"] = "deciban.comparison/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Which trials of the systems were taken to be the same.

    Attributes
    ----------
    by
        ``ids``: those of the same ids; ``rows``: those of the same row; ``none``: each system has trials of its own.
    why
        In words.
    n
        How many trials all systems share; None where there are none.
    left_out
        Of each system, how many trials were left out because another system lacks them.
    """

    by: Literal["ids", "rows", "none"]
    why: str
    n: int | None
    left_out: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRecord:
    """What was compared of one system, its figures, its counts and ratios at each threshold, and its curves."""

    trials: TrialsSummary
    metrics: Mapping[str, MetricValue]
    thresholds: tuple[ThresholdRow, ...] = ()
    curves: Curves = field(default_factory=Curves)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Every figure of several systems, and of every two of them the difference.

    ``result.difference("auc", "wfns", "s100b").p_value`` reads one of them; ``print(result)`` shows the command line's
    tables.

    Attributes
    ----------
    pairing
        Which trials of the systems are the same.
    systems
        Trials and figures of each system, by name.
    differences
        Of each figure and every two systems the first less the second, with interval and test.
    errors
        At each threshold, the errors that only one of two systems makes.
    joint
        Tests that all of more than two systems are equal.
    adjustment
        For which tests together p-values were adjusted.
    findings
        What a reader must know beside the numbers; those of one system carry its name as their group.
    provenance
        Where the numbers come from; columns are those of each system.
    """

    schema: Literal["deciban.comparison/1"] = SCHEMA
    pairing: Pairing
    systems: Mapping[str, SystemRecord]
    differences: tuple[Difference, ...]
    errors: tuple[ErrorsCompared, ...] = ()
    joint: tuple[JointTest, ...] = ()
    adjustment: Adjustment
    findings: tuple[Finding, ...] = ()
    provenance: Provenance

    COLUMNS: ClassVar[tuple[str, ...]] = (
        *("system", "less", "threshold", "metric", "value", "unit", "reason", "low", "high"),
        *("test", "statistic", "p_value", "p_holm"),
    )
    NUMBERS: ClassVar[tuple[str, ...]] = ("threshold", "value", "low", "high", "statistic", "p_value", "p_holm")

    def difference(self, metric: str, first: str | None = None, second: str | None = None) -> Difference:
        """Return the difference of one figure, ``first`` less ``second``; of two systems these need not be named.

        Options of the figure equal to the default may be written or left out.
        """
        names = list(self.systems)
        if first is None and second is None and len(names) == 2:
            first, second = names
        if first not in names or second not in names or first == second:
            raise OptionError(
                f"difference: expected two of the systems {', '.join(names)}, found {first!r} and {second!r}"
            )
        known = dict.fromkeys(one.metric for one in self.differences)
        if metric not in known:
            parts = [part.key for expression in parse(metric) for part in expression.parts()]
            if len(parts) > 1:
                raise OptionError(f"{metric!r} is several figures: name one of {', '.join(parts)}")
            (metric,) = parts
        if metric not in known:
            raise OptionError(f"{metric!r} was not compared; pass it in metrics=; {did_you_mean(metric, known)}")
        of_metric = (one for one in self.differences if one.metric == metric)
        one = next(one for one in of_metric if {one.first, one.second} == {first, second})
        return one if one.first == first else one.turned()

    def to_json(self) -> str:
        """Write the record as JSON (schema ``deciban.comparison/1``)."""
        return to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Comparison:
        """Read a record that :meth:`to_json` wrote; raises :class:`InputError` for anything else.

        So too for a record that contradicts itself: whose numbers of trials do not add up, or which names a system that
        it does not hold.
        """
        result = from_plain(cls, load_json(text, SCHEMA))
        check_differences(result)
        return result

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row per figure of a system, and per difference of two.

        ``system`` names the system and ``less`` the one that was taken from it, None for a figure of one system.
        Counts are rows too: trials, targets, nontargets of each system, and tp, fp, fn, tn at each of its thresholds.
        """
        from deciban.records.comparison_tables import rows_of

        return rows_of(self)

    def to_frame(self, backend: Backend = "pandas") -> Any:
        """Return :meth:`to_rows` as a dataframe of ``backend``: pandas, polars or pyarrow."""
        return frame_of(self.to_rows(), self.COLUMNS, self.NUMBERS, backend)

    def tables(self) -> Iterator[Table]:
        """Every table of the record but the findings."""
        from deciban.records.comparison_tables import tables_of

        return tables_of(self)

    def lines(self) -> Iterator[str]:
        """``name value`` lines of the record."""
        from deciban.records.comparison_tables import lines_of

        return lines_of(self)

    def all_findings(self) -> tuple[Finding, ...]:
        """What a reader must know beside the numbers."""
        return self.findings

    def __str__(self) -> str:
        from deciban.records.writing import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from deciban.records.writing import as_html

        return as_html(self)

"""The record of a validation, schema ``deciban.validation/1``: the matrix, and everything it was decided from."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from deciban.errors import InputError, OptionError, did_you_mean
from deciban.records.comparison import Comparison
from deciban.records.consistency import check_differences, check_sums
from deciban.records.evaluation import Evaluation
from deciban.records.finding import Finding
from deciban.records.provenance import Provenance
from deciban.records.rows import Backend, frame_of
from deciban.records.validation_given import Given
from deciban.records.validation_rows import (
    Cap,
    Config,
    Criterion,
    Decision,
    Development,
    Laboratory,
    MatrixRow,
    Rule,
    SourceColumn,
    decision_of,
)
from deciban.values.record import from_plain, load_json, to_json
from deciban.verbal.scales import VerbalScale

if TYPE_CHECKING:
    from deciban.records.tables import Table

SCHEMA: Literal["deciban.validation/1"] = "deciban.validation/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """A validation matrix; ``result.row("A1").decision`` reads one row, ``print(result)`` shows it.

    Attributes
    ----------
    laboratory
        What the laboratory said.
    config
        The criteria file.
    rule, level
        How criteria that say nothing else are decided, and the confidence level of the intervals.
    rows
        The matrix.
    switched_off
        Criteria that the laboratory does not use, with its reason.
    evaluation
        Every figure of the validation data.
    comparison
        Baseline and system on the same trials, where there is a baseline.
    sources
        Sources of the validation data by column; empty when none were named.
    development
        What the method was developed on, where that is known.
    cap
        The LRs beyond which none is reported; None where there are no LRs.
    verbal
        The verbal scale that the laboratory uses, if any.
    statements
        What must be said beside every result.
    findings
        What a reader must know of the criteria; see :meth:`all_findings` for those of the figures.
    given
        What was given beside the criteria file, and every file that was read: it takes both to make the record again.
    """

    schema: Literal["deciban.validation/1"] = SCHEMA
    laboratory: Laboratory
    config: Config
    rule: Rule
    level: float
    rows: tuple[MatrixRow, ...]
    switched_off: tuple[Criterion, ...] = ()
    evaluation: Evaluation
    comparison: Comparison | None = None
    sources: tuple[SourceColumn, ...] = ()
    development: Development | None = None
    cap: Cap | None = None
    verbal: VerbalScale | None = None
    statements: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    given: Given

    COLUMNS: ClassVar[tuple[str, ...]] = (
        *("id", "characteristic", "metric", "graph", "criterion", "rule", "fixed_on", "origin", "data", "decision"),
        *("figure", "value", "unit", "low", "high", "limit", "p_value", "figure_decision", "reason", "said"),
    )

    @property
    def provenance(self) -> Provenance:
        """Where the numbers come from: that of the evaluation, with every file that was read."""
        return replace(self.evaluation.provenance, inputs=self.given.inputs)

    def row(self, id: str) -> MatrixRow:  # noqa: A002 - the criterion's own word
        """Return the row of a criterion."""
        for row in self.rows:
            if row.criterion.id == id:
                return row
        raise OptionError(f"no criterion {id!r}; {did_you_mean(id, [row.criterion.id for row in self.rows])}")

    def count(self, decision: Decision) -> int:
        """How many criteria were decided so."""
        return Counter(row.decision for row in self.rows)[decision]

    @property
    def verdict(self) -> str:
        """How many criteria passed, failed and could not be assessed; never one word for the method."""
        n = len(self.rows)
        text = f"{n} criteri{'on' if n == 1 else 'a'}: {self.count('pass')} pass, {self.count('fail')} fail, "
        text += f"{self.count('not assessable')} not assessable"
        return text + (f"; {len(self.switched_off)} switched off by the laboratory" if self.switched_off else "")

    def to_json(self) -> str:
        """Write the record as JSON (schema ``deciban.validation/1``)."""
        return to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Validation:
        """Read a record that :meth:`to_json` wrote; raises :class:`InputError` for anything else.

        So too for a record that contradicts itself: a decision that is not that of its results, a criteria file that
        does not have its hash, numbers of trials that do not add up.
        """
        result = from_plain(cls, load_json(text, SCHEMA))
        _check(result)
        return result

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row per figure of a criterion, with the decision of both."""
        from deciban.records.validation_tables import rows_of

        return rows_of(self)

    def to_frame(self, backend: Backend = "pandas") -> Any:
        """Return :meth:`to_rows` as a dataframe of ``backend``: pandas, polars or pyarrow."""
        return frame_of(self.to_rows(), self.COLUMNS, ("value", "low", "high", "p_value"), backend)

    def to_markdown(self) -> str:
        """Write the whole record as Markdown: the matrix, then every table of the evaluation."""
        from deciban.records.validation_tables import tables_of
        from deciban.records.writing import findings_table, markdown_of

        return markdown_of([*tables_of(self), *findings_table(self.all_findings()), *self.evaluation.tables()])

    def tables(self) -> Iterator[Table]:
        """Every table of the matrix; those of the figures are ``evaluation.tables()``."""
        from deciban.records.validation_tables import tables_of

        return tables_of(self)

    def lines(self) -> Iterator[str]:
        """``name value`` lines of the record."""
        from deciban.records.validation_tables import lines_of

        return lines_of(self)

    def all_findings(self) -> list[Finding]:
        """Findings about the criteria, about the figures, about the baseline and how it is paired."""
        figures = self.evaluation.all_findings()
        compared = () if self.comparison is None else self.comparison.findings
        # What is known of the system and of the trials of both is among the figures already.
        beside = [one for one in compared if one.group != "system" and one not in figures]
        return [*self.findings, *figures, *beside]

    def __str__(self) -> str:
        from deciban.records.writing import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from deciban.records.writing import as_html

        return as_html(self)


def _check(result: Validation) -> None:
    """Raise :class:`InputError` where a record contradicts itself."""
    check_sums(result.evaluation)
    if result.comparison is not None:
        check_differences(result.comparison)
    if hashlib.sha256(result.config.text.encode()).hexdigest() != result.config.sha256:
        raise InputError("record.config: the record contradicts itself: the text does not have the hash given")
    for index, row in enumerate(result.rows):
        if row.decision != decision_of(row.results):
            raise InputError(
                f"record.rows[{index}]: the record contradicts itself: its results make it "
                f"{decision_of(row.results)!r}, found {row.decision!r}"
            )

"""The records of PAN evaluations: one submission, and several ranked, schema ``deciban.pan/1``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from deciban.errors import OptionError, did_you_mean
from deciban.pan.profiles import find_profile
from deciban.records.figures import MetricValue
from deciban.records.finding import Finding
from deciban.records.provenance import Provenance
from deciban.records.rows import Backend, frame_of
from deciban.values.record import from_plain, load_json, to_json

if TYPE_CHECKING:
    from deciban.records.tables import Table

SCHEMA: Literal["deciban.pan/1"] = "deciban.pan/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class PanEvaluation:
    """The figures of one submission by the evaluator of one year.

    Attributes
    ----------
    profile
        The year's evaluator.
    metrics
        Figures by official name, unrounded, what sums them up last; one without a value is None with the reason.
    official
        The same as the evaluator writes them: computed by its steps in doubles, which decide where an exact value is
        a half in the fourth decimal, and rounded as it does.
    confusion
        ((tn, fp), (fn, tp)) at a threshold of 0.5, where the year has it.
    n_target, n_nontarget
        Problems of each class.
    unanswered, missing
        Answers of exactly 0.5, and how many of them are such because the submission lacks them.
    outside
        Answers outside [0, 1].
    """

    profile: str
    metrics: Mapping[str, MetricValue]
    official: Mapping[str, float | None]
    confusion: tuple[tuple[int, ...], ...] | None = None
    n_target: int
    n_nontarget: int
    unanswered: int
    missing: int
    outside: int

    def __getitem__(self, key: str) -> MetricValue:
        """Return a figure by its official name."""
        if key not in self.metrics:
            raise OptionError(f"{self.profile} has no figure {key!r}; {did_you_mean(key, self.metrics)}")
        return self.metrics[key]

    @property
    def overall(self) -> float | None:
        """What sums the figures up, whatever its name is in that year."""
        return self.metrics[find_profile(self.profile).summary].value

    def to_dict(self) -> dict[str, Any]:
        """Return the values under their official keys, unrounded."""
        return {key: figure.value for key, figure in self.metrics.items()} | self._confusion()

    def rounded(self) -> dict[str, Any]:
        """Return what the evaluator of the year writes: official keys, values computed and rounded as it does."""
        return dict(self.official) | self._confusion()

    def official_json(self) -> str:
        """Write :meth:`rounded` as the evaluator of the year does."""
        return json.dumps(self.rounded(), indent=4, sort_keys=find_profile(self.profile).sorted_keys) + "\n"

    def official_prototext(self) -> str:
        """Write the figures that have a value as prototext, as the evaluator of the year does."""
        profile, values = find_profile(self.profile), self.rounded()
        return "".join(profile.prototext(key, str(values[key])) for key in self.metrics if values[key] is not None)

    def _confusion(self) -> dict[str, Any]:
        return {} if self.confusion is None else {"confusion": [list(row) for row in self.confusion]}


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedSubmission:
    """One submission in a ranking.

    Attributes
    ----------
    rank
        1 for the best by what sums the figures up, before rounding; equal ones share a rank.
    evaluation
        Its figures, with intervals.
    behind
        What sums up the first, less that of this one, with the interval of the difference on the same problems; None
        for the first.
    """

    rank: int
    evaluation: PanEvaluation
    behind: MetricValue | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PanRanking:
    """Submissions to one truth, ranked.

    ``result["name"]`` is one of them; ``print(result)`` shows the command line's table.

    Attributes
    ----------
    profile
        The year's evaluator.
    level
        Confidence level of the intervals, which no evaluator of PAN gives.
    submissions
        In order of their ranks, by name.
    findings
        What a reader must know beside the numbers; those of one submission carry its name as their group.
    provenance
        Where the numbers come from.
    """

    schema: Literal["deciban.pan/1"] = SCHEMA
    profile: str
    level: float
    submissions: Mapping[str, RankedSubmission]
    findings: tuple[Finding, ...]
    provenance: Provenance

    COLUMNS: ClassVar[tuple[str, ...]] = ("rank", "submission", "metric", "value", "reason", "low", "high")

    def __getitem__(self, name: str) -> PanEvaluation:
        """Return the figures of one submission."""
        if name not in self.submissions:
            raise OptionError(f"no submission {name!r}; {did_you_mean(name, self.submissions)}")
        return self.submissions[name].evaluation

    def to_json(self) -> str:
        """Write the record as JSON (schema ``deciban.pan/1``)."""
        return to_json(self)

    @classmethod
    def from_json(cls, text: str) -> PanRanking:
        """Read a record that :meth:`to_json` wrote; raises :class:`InputError` for anything else."""
        return from_plain(cls, load_json(text, SCHEMA))

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row per figure of each submission, in order of their ranks; counts are rows too."""
        from deciban.pan.tables import rows_of

        return rows_of(self)

    def to_frame(self, backend: Backend = "pandas") -> Any:
        """Return :meth:`to_rows` as a dataframe of ``backend``: pandas, polars or pyarrow."""
        return frame_of(self.to_rows(), self.COLUMNS, ("rank", "value", "low", "high"), backend)

    def tables(self) -> Iterator[Table]:
        """Every table of the record but the findings."""
        from deciban.pan.tables import tables_of

        return tables_of(self)

    def lines(self) -> Iterator[str]:
        """``name value`` lines of the record."""
        from deciban.pan.tables import lines_of

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

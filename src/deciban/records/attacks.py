"""The record of presentation-attack detection, schema ``deciban.pad/1``: APCER by species, BPCER, non-responses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from deciban.records.figures import MetricValue
from deciban.records.finding import Finding
from deciban.records.provenance import Provenance
from deciban.records.rows import Backend, frame_of
from deciban.values.record import from_plain, load_json, to_json

if TYPE_CHECKING:
    from deciban.records.tables import Table

SCHEMA: Literal["deciban.pad/1"] = "deciban.pad/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Presentations:
    """Presentations of one kind, how many of them got no response, and the rate of these (APNRR or BPNRR)."""

    n: int
    without_response: int
    rate: MetricValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A rate with the numbers that it is a ratio of."""

    errors: int
    n: int
    rate: MetricValue


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackPoint:
    """Error rates at one threshold.

    Attributes
    ----------
    threshold, as_given
        Taken for bona fide when score >= threshold; ``as_given`` is the threshold for scores before they were reversed.
    accept
        The same in words, for the scores as given.
    limit
        The APCER that the worst species was not to exceed, where that chose the threshold on these presentations; None
        where the threshold was given.
    species
        APCER of each attack species: attacks taken for bona fide; None where no presentation got a response.
    worst
        Of the species that have an APCER the one with the highest, which is the headline; of equal ones that with the
        fewest presentations, which is known least.
    bpcer
        Bona fide presentations taken for attacks.
    asked
        ``acer`` and ``apcer_pooled``, where asked for by name.
    """

    threshold: float
    as_given: float | None = None
    accept: str
    limit: float | None = None
    species: Mapping[str, Share]
    worst: str
    bpcer: Share
    asked: Mapping[str, MetricValue]

    @property
    def apcer(self) -> MetricValue:
        """APCER of the worst species."""
        return self.species[self.worst].rate

    @property
    def shown(self) -> float:
        """The threshold for the scores as they were given."""
        return self.threshold if self.as_given is None else self.as_given


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackEvaluation:
    """Presentation-attack detection at thresholds that were given, or at a largest APCER.

    Attributes
    ----------
    level
        Confidence level.
    nonresponse
        What presentations without a response are: ``apart``, left out of APCER and BPCER; ``rejected``, counted there
        as never taken for bona fide.
    bona_fide, species
        Presentations of each kind.
    points
        Error rates at each threshold.
    findings
        What a reader must know beside the numbers.
    provenance
        Where the numbers come from.
    """

    schema: Literal["deciban.pad/1"] = SCHEMA
    level: float
    nonresponse: Literal["apart", "rejected"]
    bona_fide: Presentations
    species: Mapping[str, Presentations]
    points: tuple[AttackPoint, ...]
    findings: tuple[Finding, ...]
    provenance: Provenance

    COLUMNS: ClassVar[tuple[str, ...]] = (
        *("threshold", "limit", "metric", "species", "value", "reason", "low", "high", "errors", "presentations"),
    )

    def to_json(self) -> str:
        """Write the record as JSON (schema ``deciban.pad/1``)."""
        return to_json(self)

    @classmethod
    def from_json(cls, text: str) -> AttackEvaluation:
        """Read a record that :meth:`to_json` wrote; raises :class:`InputError` for anything else."""
        return from_plain(cls, load_json(text, SCHEMA))

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row per rate; ``species`` is "" for rates that are of no one species."""
        from deciban.records.attack_tables import rows_of

        return rows_of(self)

    def to_frame(self, backend: Backend = "pandas") -> Any:
        """Return :meth:`to_rows` as a dataframe of ``backend``: pandas, polars or pyarrow."""
        numbers = ("threshold", "limit", "value", "low", "high", "errors", "presentations")
        return frame_of(self.to_rows(), self.COLUMNS, numbers, backend)

    def tables(self) -> Iterator[Table]:
        """Every table of the record but the findings."""
        from deciban.records.attack_tables import tables_of

        return tables_of(self)

    def lines(self) -> Iterator[str]:
        """``name value`` lines of the record."""
        from deciban.records.attack_tables import lines_of

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

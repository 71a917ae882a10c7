"""The record of replicates, schema ``deciban.replicates/1``: Cllr-mean, and how far an LR scatters when made again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from deciban.records.display import decimal, number, percent, several
from deciban.records.figures import MetricValue
from deciban.records.finding import Finding
from deciban.records.provenance import Provenance
from deciban.records.tables import Row, Table, full_findings, short_findings
from deciban.records.tables import shown as shown_figure
from deciban.uncertainty.replicates import ReplicatePrecision
from deciban.values.record import from_plain, load_json, to_json

SCHEMA: Literal["deciban.replicates/1"] = "deciban.replicates/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scatter:
    """How far the LRs of some pairs scatter within each of them.

    Attributes
    ----------
    n, pairs, repeated
        LRs, pairs, and pairs that have more than one LR.
    precision
        The scatter, pooled over the pairs; None where there is none.
    reason
        Why not: too_few (no pair has two LRs), infinite_end (LRs of 0 or infinity), degenerate (all alike).
    """

    n: int
    pairs: int
    repeated: int
    precision: ReplicatePrecision | None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Replicates:
    """Several LRs of the same pairs: how good their means are, and how precise one of them is.

    Attributes
    ----------
    level
        Confidence level.
    cllr_mean
        Cllr of one LR for each pair, the one whose log10 is the mean of its log10 LRs; the interval counts pairs.
    cllr
        Cllr of all LRs, in which a pair counts as often as it was measured.
    scatter
        Under ``all``, ``target`` and ``nontarget``: precision of one log10 LR of these pairs.
    dropped
        Measurements left out because their LR was missing.
    findings
        What a reader must know beside the numbers.
    provenance
        Where the numbers come from.
    """

    schema: Literal["deciban.replicates/1"] = SCHEMA
    level: float
    cllr_mean: MetricValue
    cllr: MetricValue
    scatter: Mapping[str, Scatter]
    dropped: int
    findings: tuple[Finding, ...]
    provenance: Provenance

    def to_json(self) -> str:
        """Write the record as JSON."""
        return to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Replicates:
        """Read a record that :meth:`to_json` wrote; raises :class:`InputError` for anything else."""
        return from_plain(cls, load_json(text, SCHEMA))

    def named_values(self) -> Iterator[tuple[str, float | None]]:
        """Every number by a name of its own: ``cllr_mean``, ``half_width.all``."""
        interval = self.cllr_mean.interval
        yield "cllr_mean", self.cllr_mean.value
        yield "cllr_mean.low", interval.low if interval else None
        yield "cllr_mean.high", interval.high if interval else None
        yield "cllr", self.cllr.value
        yield "dropped", self.dropped
        for name, scatter in self.scatter.items():
            found = scatter.precision
            yield f"n.{name}", scatter.n
            yield f"pairs.{name}", scatter.pairs
            yield f"repeated.{name}", scatter.repeated
            yield f"df.{name}", found.df if found else None
            yield f"pooled_sd.{name}", found.pooled_sd if found else None
            yield f"half_width.{name}", found.half_width if found else None

    def to_markdown(self) -> str:
        """Write the tables as Markdown, each finding with its advice beside it."""
        from deciban.records.writing import markdown_of

        return markdown_of(_tables(self, full=True))

    def __str__(self) -> str:
        from deciban.records.writing import text_of

        return text_of(_tables(self, full=False))

    def _repr_html_(self) -> str:
        from deciban.records.writing import html_of

        return html_of(_tables(self, full=True))


def _tables(result: Replicates, full: bool) -> Iterator[Table]:
    level = percent(result.level)
    interval = result.cllr_mean.interval
    ends = f"- ({result.cllr_mean.interval_reason})"
    if interval is not None:
        ends = f"[{number(interval.low)}, {number(interval.high)}]"
    everyone = result.scatter["all"]
    rows: list[Row] = [
        ("cllr_mean", shown_figure(result.cllr_mean), "bits", ends, f"{several(everyone.pairs, 'pair')}, one LR each"),
        ("cllr", shown_figure(result.cllr), "bits", "", several(everyone.n, "LR")),
    ]
    yield Table("Accuracy", ("metric", "value", "unit", f"{level} interval", "of"), rows)
    head = ("pairs", "number", "measured again", "LRs", "df", "sd", f"{level} half-width", "as a factor")
    title = "Precision of one log10 LR, measured again for the same pair"
    yield Table(title, head, [_scatter(name, scatter) for name, scatter in result.scatter.items()])
    if full:
        yield Table("Findings", ("severity", "code", "what was found", "what to do"), full_findings(result.findings))
    else:
        yield Table("Findings", ("", "", ""), short_findings(result.findings))


def _scatter(name: str, scatter: Scatter) -> Row:
    counted = (name, str(scatter.pairs), str(scatter.repeated), str(scatter.n))
    found = scatter.precision
    if found is None:
        return (*counted, "-", "-", f"- ({scatter.reason})", "-")
    factor = decimal(10.0**found.half_width) if found.half_width < 6.0 else f"10^{number(found.half_width)}"
    return (*counted, str(found.df), number(found.pooled_sd), f"±{number(found.half_width)}", f"x/÷ {factor}")

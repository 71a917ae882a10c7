"""The record of a verifier behind a countermeasure, or of one system that does both: schema ``deciban.tandem/1``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from deciban.curves.tandem_cost import TandemCostCurve
from deciban.errors import OptionError, did_you_mean
from deciban.metrics.tandem.asv_rates import AsvRates
from deciban.records.display import exact_digits, number, six_decimals
from deciban.records.figures import MetricValue
from deciban.records.finding import Finding
from deciban.records.provenance import Provenance
from deciban.records.rows import Backend, frame_of
from deciban.records.tables import Table, figures_table, grid, with_interval
from deciban.values.record import from_plain, load_json, to_json

SCHEMA: Literal["deciban.tandem/1"] = "deciban.tandem/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassNumbers:
    """How many trials of each class a score was given to; ``bonafide`` ones claim nobody."""

    target: int
    nontarget: int
    spoof: int
    bonafide: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TandemGroup:
    """The same figures for the trials of one group, the verifier at the threshold of the whole.

    Attributes
    ----------
    by
        The group's value of each condition.
    shared
        Trials without a value of the condition, which belong to every group.
    trials, metrics
        As in :class:`TandemEvaluation`.
    """

    by: Mapping[str, str]
    shared: int
    trials: Mapping[str, ClassNumbers]
    metrics: Mapping[str, MetricValue]

    @property
    def name(self) -> str:
        """The group in words: ``attack=A07``."""
        return ",".join(f"{column}={value}" for column, value in self.by.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class TandemEvaluation:
    """Figures of three-class trials.

    ``result["t_eer"].value`` reads a figure; ``print(result)`` shows the command line's table.

    Attributes
    ----------
    trials
        How many trials of each class have each score: ``asv``, ``cm``, ``sasv``.
    dropped, failed
        Trials left out because a score was missing; missing scores that count as never accepted.
    asv
        The verifier's rates in the tandem and where they come from; None without a tandem.
    costs
        The parameters of each detection cost, by its name.
    metrics
        Figures by name.
    groups
        The same for each group.
    curves
        The t-DCF against the countermeasure's threshold, for each cost, thinned for drawing.
    findings
        What a reader must know beside the numbers.
    provenance
        Where the numbers come from.
    """

    schema: Literal["deciban.tandem/1"] = SCHEMA
    trials: Mapping[str, ClassNumbers]
    dropped: int = 0
    failed: int = 0
    asv: AsvRates | None = None
    costs: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    metrics: Mapping[str, MetricValue]
    groups: tuple[TandemGroup, ...] = ()
    curves: Mapping[str, TandemCostCurve] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    provenance: Provenance

    COLUMNS: ClassVar[tuple[str, ...]] = ("group", "metric", "value", "unit", "reason", "low", "high")

    def __getitem__(self, name: str) -> MetricValue:
        """Return the figure of a name."""
        if name not in self.metrics:
            raise OptionError(f"{name!r} was not evaluated; {did_you_mean(name, self.metrics)}")
        return self.metrics[name]

    def to_json(self) -> str:
        """Write the record as JSON (schema ``deciban.tandem/1``)."""
        return to_json(self)

    @classmethod
    def from_json(cls, text: str) -> TandemEvaluation:
        """Read a record that :meth:`to_json` wrote; raises :class:`InputError` for anything else."""
        return from_plain(cls, load_json(text, SCHEMA))

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row per figure: group ("" for the whole), metric, value, unit, reason, low, high.

        Numbers of trials are rows too: ``asv.targets``, ….
        """
        rows = _rows("", self.trials, self.metrics)
        for group in self.groups:
            rows += _rows(group.name, group.trials, group.metrics)
        return rows

    def to_frame(self, backend: Backend = "pandas") -> Any:
        """Return :meth:`to_rows` as a dataframe of ``backend``: pandas, polars or pyarrow."""
        return frame_of(self.to_rows(), self.COLUMNS, ("value", "low", "high"), backend)

    def tables(self) -> Iterator[Table]:
        """Every table of the record but the findings."""
        names = ("target", "nontarget", "spoof", "bonafide")
        shown = [name for name in names if any(getattr(n, name) for n in self.trials.values())]
        yield Table(
            "Trials",
            ("scores of", *shown),
            [(key, *(str(getattr(n, name)) for name in shown)) for key, n in self.trials.items()],
        )
        if self.asv is not None:
            yield _verifier(self.asv)
        for name, parameters in self.costs.items():
            yield Table(f"Costs {name}", tuple(parameters), [tuple(number(value) for value in parameters.values())])
        yield figures_table(self.metrics)
        for by in dict.fromkeys(tuple(group.by) for group in self.groups):
            yield _grouped(by, [group for group in self.groups if tuple(group.by) == by])

    def lines(self) -> Iterator[str]:
        """``name value`` lines of the record; a figure of a group is ``by=group/name``."""
        for row in self.to_rows():
            prefix = f"{row['group']}/" if row["group"] else ""
            yield f"{prefix}{row['metric']} {six_decimals(row['value'])}"

    def all_findings(self) -> list[Finding]:
        """Return what a reader must know beside the numbers."""
        return list(self.findings)

    def __str__(self) -> str:
        from deciban.records.writing import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from deciban.records.writing import as_html

        return as_html(self)


def _verifier(asv: AsvRates) -> Table:
    """The verifier's operating point."""
    where = "rates as given" if asv.threshold is None else f"accepts at {exact_digits(asv.threshold)} or above"
    head = ("p_miss", "p_fa", "p_fa_spoof")
    return Table(f"Verifier in the tandem ({where})", head, [tuple(number(getattr(asv, name)) for name in head)])


def _grouped(by: tuple[str, ...], groups: list[TandemGroup]) -> Table:
    """One grouping: groups against figures."""
    shared = max(group.shared for group in groups)
    note = f" ({shared} trials without a value belong to every group)" if shared else ""
    columns = {"spoofs": [str(max(n.spoof for n in group.trials.values())) for group in groups]}
    for key in dict.fromkeys(key for group in groups for key in group.metrics):
        columns[key] = [with_interval(group.metrics[key]) if key in group.metrics else "" for group in groups]
    return grid(f"By {', '.join(by)}{note}", [",".join(group.by.values()) for group in groups], columns)


def _rows(group: str, trials: Mapping[str, ClassNumbers], metrics: Mapping[str, MetricValue]) -> list[dict[str, Any]]:
    plural = {"target": "targets", "nontarget": "nontargets", "spoof": "spoofs", "bonafide": "bonafide"}
    counted = {
        f"{key}.{words}": MetricValue(value=getattr(n, name))
        for key, n in trials.items()
        for name, words in plural.items()
    }
    return [_row(group, key, figure) for key, figure in {**counted, **metrics}.items()]


def _row(group: str, name: str, figure: MetricValue) -> dict[str, Any]:
    interval = figure.interval
    return {
        "group": group,
        "metric": name,
        "value": figure.value,
        "unit": figure.unit,
        "reason": figure.reason,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
    }

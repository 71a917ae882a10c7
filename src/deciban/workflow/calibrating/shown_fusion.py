"""A fusion for people: what it does with which systems, what it was fitted to, and what must be known of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from deciban.calibration.reading import said
from deciban.records.display import exact_digits, number
from deciban.records.finding import Finding
from deciban.records.shown_calibration import training_rows
from deciban.records.tables import Row, Table, full_findings, short_findings
from deciban.records.writing import markdown_of, text_of
from deciban.workflow.calibrating.fusion import Fusion


@dataclass(frozen=True, slots=True)
class ShownFusion:
    """A fusion with its findings, in every format a command writes."""

    fusion: Fusion
    findings: tuple[Finding, ...]

    def to_json(self) -> str:
        """Write the fusion itself."""
        return self.fusion.to_json()

    def to_markdown(self) -> str:
        """Write Markdown tables."""
        return markdown_of(self._tables(("severity", "code", "what was found", "what to do"), full_findings))

    def __str__(self) -> str:
        return text_of(self._tables(("", "", ""), short_findings)).rstrip("\n") + "\n"

    def named_values(self) -> Iterator[tuple[str, float | None]]:
        """Give every single number by name: offset, bounds, and of each system slope, centre and training."""
        fusion = self.fusion
        yield "offset", fusion.offset
        yield "intercept", fusion.intercept
        if fusion.bounds is not None:
            yield "lower", fusion.bounds.lower
            yield "upper", fusion.bounds.upper
        for name, training in fusion.training.items():
            yield f"{name}.slope", fusion.slopes[name]
            yield f"{name}.centre", fusion.centres[name]
            for field in ("n_target", "n_nontarget", "n_distinct", "low", "high"):
                yield f"{name}.{field}", getattr(training, field)

    def _tables(self, head: Row, rows_of: object) -> Iterator[Table]:
        fusion = self.fusion
        yield Table("Fusion", ("", ""), self._settings())
        weights: list[Row] = [
            (name, exact_digits(slope), exact_digits(fusion.centres[name]), said(of.scale, of.prior, "log"))
            for (name, slope), of in zip(fusion.slopes.items(), fusion.training.values(), strict=True)
        ]
        yield Table("Systems", ("system", "slope", "centre", "x"), weights)
        for name, training in fusion.training.items():
            yield Table(f"Fitted to: {name}", ("", ""), training_rows(training))
        if fusion.inputs:
            files: list[Row] = [(file.path, str(file.rows), file.sha256 or "-") for file in fusion.inputs]
            yield Table("Files", ("path", "rows", "SHA-256"), files)
        if self.findings:
            yield Table("Findings", head, rows_of(self.findings))  # type: ignore[operator]

    def _settings(self) -> list[Row]:
        fusion = self.fusion
        settings, bounds = fusion.settings, fusion.bounds
        rows: list[Row] = [("model", "logistic"), ("formula", "ln LR = Σ slope · (x − centre) + offset")]
        rows += [] if settings.prior is None else [("prior", number(settings.prior))]
        rows += [("penalty", str(settings.penalty)), ("offset", exact_digits(fusion.offset))]
        rows.append(("intercept (ln LR where every x is 0)", exact_digits(fusion.intercept)))
        if bounds is not None:
            rows.append((f"bounds of the LRs ({bounds.by})", f"{number(bounds.lower)} to {number(bounds.upper)}"))
        return [*rows, ("written by deciban", str(fusion.versions.get("deciban", "-")))]

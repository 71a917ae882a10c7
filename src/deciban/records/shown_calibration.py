"""A calibration for people: what it does, what it was fitted to, and what must be known of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Final

import numpy as np

from deciban.calibration.calibration import Calibration
from deciban.calibration.reading import said
from deciban.calibration.training import Training
from deciban.records.display import amount, exact_digits, number
from deciban.records.finding import Finding
from deciban.records.tables import Row, Table, full_findings, short_findings
from deciban.records.writing import markdown_of, text_of

DERIVED: Final = {"intercept": "intercept (ln LR at x = 0)", "c": "c, as in a · ln p − b · ln(1 − p) + c"}
"""What tables call numbers that follow from those of the model."""


@dataclass(frozen=True, slots=True)
class ShownCalibration:
    """A calibration with its findings, in every format a command writes."""

    calibration: Calibration
    findings: tuple[Finding, ...]

    def to_json(self) -> str:
        """Write the calibration itself."""
        return self.calibration.to_json()

    def to_markdown(self) -> str:
        """Write Markdown tables."""
        return markdown_of(self._tables(("severity", "code", "what was found", "what to do"), full_findings))

    def __str__(self) -> str:
        return text_of(self._tables(("", "", ""), short_findings)).rstrip("\n") + "\n"

    def named_values(self) -> Iterator[tuple[str, float | None]]:
        """Give every single number by name: parameters, bounds, training."""
        calibration = self.calibration
        for part in (calibration.model, calibration.bounds, calibration.training):
            for field in fields(part) if part is not None else ():
                value = getattr(part, field.name)
                if isinstance(value, (int, float)) and not isinstance(value, bool):
                    yield field.name, value
            if part is calibration.model:
                yield from ((name, getattr(part, name)) for name in calibration.model.derived)

    def _tables(self, head: Row, rows_of: object) -> Iterator[Table]:
        calibration = self.calibration
        yield Table("Calibration", ("", ""), self._settings())
        yield Table("Model", ("", ""), self._parameters())
        yield Table("Fitted to", ("", ""), self._training())
        if calibration.inputs:
            files: list[Row] = [(file.path, str(file.rows), file.sha256 or "-") for file in calibration.inputs]
            yield Table("Files", ("path", "rows", "SHA-256"), files)
        if self.findings:
            yield Table("Findings", head, rows_of(self.findings))  # type: ignore[operator]

    def _settings(self) -> list[Row]:
        calibration = self.calibration
        rows: list[Row] = [("calibrator", calibration.plain.kind)]
        for field in fields(calibration.plain):
            value = getattr(calibration.plain, field.name)
            if field.name != "kind" and value is not None:
                rows.append((field.name, str(value)))
        if calibration.bounds is not None:
            bounds = calibration.bounds
            rows.append((f"bounds of the LRs ({bounds.by})", f"{number(bounds.lower)} to {number(bounds.upper)}"))
        return [*rows, ("written by deciban", str(calibration.versions.get("deciban", "-")))]

    def _parameters(self) -> list[Row]:
        model = self.calibration.model
        training = self.calibration.training
        rows: list[Row] = [("kind", model.kind), ("formula", model.formula)]
        rows.append(("x", said(training.scale, training.prior, model.reads)))
        for field in fields(model):
            value = getattr(model, field.name)
            if isinstance(value, np.ndarray):
                rows.append((field.name, f"{value.size} values"))
            elif field.name != "kind":
                rows.append((field.name, exact_digits(value) if isinstance(value, float) else str(value)))
        return [*rows, *((DERIVED.get(name, name), exact_digits(getattr(model, name))) for name in model.derived)]

    def _training(self) -> list[Row]:
        return training_rows(self.calibration.training)


def training_rows(training: Training) -> list[Row]:
    """The trials that were fitted."""
    rows: list[Row] = [
        ("targets", amount(training.n_target)),
        ("nontargets", amount(training.n_nontarget)),
        ("distinct scores", str(training.n_distinct)),
        ("scores from", exact_digits(training.low)),
        ("scores to", exact_digits(training.high)),
        ("scale", training.scale + (", reversed" if training.reversed else "")),
        ("sources", "not given" if training.n_sources is None else str(training.n_sources)),
        ("SHA-256 of the counts", training.counts_sha256),
    ]
    if training.prior is not None:
        rows.insert(6, ("prior of the probabilities", number(training.prior)))
    return rows

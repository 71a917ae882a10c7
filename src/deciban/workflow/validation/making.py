"""The record of a validation from a criteria file that was read and what was given beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from deciban.calibration.calibration import Calibration
from deciban.counts.counts import Counts
from deciban.records.comparison import Comparison
from deciban.records.finding import Finding
from deciban.records.validation import Validation
from deciban.records.validation_rows import Development
from deciban.tables.table import Table
from deciban.trials.trials import Trials
from deciban.uncertainty.bootstrap.repeat import Progress
from deciban.values.option_checks import check_choice
from deciban.workflow.comparing.compare import compare
from deciban.workflow.intervals.ways import DRAWN
from deciban.workflow.validation.criteria import Criteria
from deciban.workflow.validation.deciding import decide
from deciban.workflow.validation.declaration import ReadTable, baseline_table, in_folder, instead_of_file
from deciban.workflow.validation.development import development_declared, development_given
from deciban.workflow.validation.evaluating import allowed, evaluation_of
from deciban.workflow.validation.handed import Handed, given_of
from deciban.workflow.validation.judged import Judged, judged
from deciban.workflow.validation.material import Material, source_columns
from deciban.workflow.validation.remarks import remarks
from deciban.workflow.validation.statements import cap_of, statements

USUAL: Final[Mapping[str, Any]] = {"interval": "auto", "replicates": 1000, "seed": 0, "thresholds": ()}
"""Options that neither the caller nor the criteria file gives."""


def make(criteria: Criteria, handed: Handed, progress: Progress | None = None) -> Validation:
    """Evaluate the data, decide every criterion, and write down what it takes to do so again."""
    options, told = _options(handed.options, criteria)
    ours = judged(handed.data, handed.declared, criteria)
    evaluation = evaluation_of(ours, criteria, options, progress)
    beside = _baseline(ours, handed.baseline, criteria)
    comparison = _comparison(ours, beside, criteria, options, progress)
    known = _development(ours, handed.development, criteria)
    sources = source_columns(ours.trials, ours.source_names)
    material = Material(
        what=ours.what,
        evaluation=evaluation,
        counts=ours.counts,
        baseline=None if beside is None else _called(beside),
        comparison=comparison,
        sources=sources,
        development=known,
    )
    rows = decide(criteria.used, material)
    return Validation(
        laboratory=criteria.laboratory,
        config=criteria.config,
        rule=criteria.decision.rule,
        level=criteria.decision.level,
        rows=rows,
        switched_off=criteria.switched_off,
        evaluation=evaluation,
        comparison=comparison,
        sources=sources,
        development=known,
        cap=cap_of(rows, material),
        verbal=criteria.verbal,
        statements=tuple(statements(criteria.laboratory, criteria.used, evaluation, sources)),
        findings=(*remarks(criteria.laboratory, criteria.used, sources), *told, *ours.told),
        given=given_of(handed, criteria, ours, beside, known),
    )


def _options(given: Mapping[str, Any], criteria: Criteria) -> tuple[dict[str, Any], list[Finding]]:
    """Options of the evaluation; what the caller gives wins over the criteria file, and is told."""
    in_file = criteria.decision.in_file
    told = [
        instead_of_file(f"[decision] {key}", in_file[key], value)
        for key, value in given.items()
        if key in in_file and in_file[key] != value
    ]
    options = {**USUAL, **in_file, **given, "level": criteria.decision.level}
    check_choice("interval", options["interval"], DRAWN)
    return options, told


def _metrics(criteria: Criteria) -> Sequence[str]:
    """The figures by which criteria compare with a baseline."""
    return [one.settings["metric"] for one in criteria.used if one.kind == "baseline"]


def _baseline(
    ours: Judged, given: Trials | Counts | Table | None, criteria: Criteria
) -> ReadTable | Trials | Counts | None:
    """The baseline, where there is one and a criterion asks for it."""
    if not _metrics(criteria) or (given is None and not criteria.baseline):
        return None
    declared = in_folder(criteria.baseline, criteria.folder)
    table = given if given is not None else baseline_table(declared, ours.declared, criteria.places)
    return ReadTable(table) if isinstance(table, Table) else table


def _called(baseline: ReadTable | Trials | Counts) -> str:
    return f"column {baseline.columns.score!r} of {baseline.what}" if isinstance(baseline, Table) else "in memory"


def _comparison(
    ours: Judged,
    baseline: ReadTable | Trials | Counts | None,
    criteria: Criteria,
    options: Mapping[str, Any],
    progress: Progress | None,
) -> Comparison | None:
    """Baseline and system by the figures that criteria name; None where a scale does not carry one."""
    if baseline is None:
        return None
    metrics = _metrics(criteria)
    theirs = baseline.trials() if isinstance(baseline, Table) else baseline
    if not all(allowed(text, data) for text in metrics for data in (ours.counts, theirs)):
        return None
    drawn = {key: options[key] for key in ("interval", "level", "replicates", "seed")}
    systems: Mapping[str, Trials | Counts | Table] = {"baseline": baseline, "system": ours.data}
    return compare(systems, metrics=metrics, progress=progress, **drawn)


def _development(ours: Judged, given: Trials | Calibration | None, criteria: Criteria) -> Development | None:
    """What the method was developed on, where that is known."""
    data = ours.counts if ours.trials is None else ours.trials
    if given is not None:
        return development_given(given, data)
    if not criteria.development:
        return None
    declared = in_folder(criteria.development, criteria.folder)
    return development_declared(declared, ours.source_names, data, ours.inputs, criteria.places)

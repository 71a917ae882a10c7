"""``deciban.validate``: the criteria of a laboratory, decided on its data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from deciban.calibration.calibration import Calibration
from deciban.counts import Counts
from deciban.option_checks import check_choice
from deciban.records.comparison import Comparison
from deciban.records.finding import Finding
from deciban.records.threshold import ChosenThreshold
from deciban.records.validation import Validation
from deciban.records.validation_rows import Development
from deciban.scanning import Table
from deciban.trials import Trials
from deciban.uncertainty.repeat import Progress
from deciban.workflow.asked import threshold_list
from deciban.workflow.compare import compare
from deciban.workflow.validation.criteria import Criteria, read_criteria
from deciban.workflow.validation.deciding import decide
from deciban.workflow.validation.declaration import baseline_table, in_folder, instead_of_file
from deciban.workflow.validation.development import development_declared, development_given
from deciban.workflow.validation.evaluating import allowed, evaluation_of
from deciban.workflow.validation.judged import Judged, Paths, judged
from deciban.workflow.validation.material import Material, source_columns
from deciban.workflow.validation.remarks import remarks
from deciban.workflow.validation.statements import cap_of, statements
from deciban.workflow.ways import DRAWN

USUAL: Mapping[str, Any] = {"interval": "auto", "replicates": 1000, "seed": 0, "thresholds": ()}
"""Options that neither the caller nor the criteria file gives."""


def validate(
    data: Trials | Counts | Table | Paths | None = None,
    *,
    criteria: str | Path,
    declared: Mapping[str, object] | None = None,
    baseline: Trials | Counts | Table | None = None,
    development: Trials | Calibration | None = None,
    thresholds: float | ChosenThreshold | Iterable[float | ChosenThreshold] | None = None,
    interval: str | None = None,
    level: float | None = None,
    replicates: int | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
) -> Validation:
    r"""Decide the criteria of a laboratory on its validation data: the validation matrix of an LR method.

    Parameters
    ----------
    data
        Trials, Counts, a Table from ``scan``, or the path or paths of one table; None: the file that ``[data]`` of the
        criteria file names. What is given wins over the criteria file, and a finding says so.
    criteria
        The criteria file (TOML). ``deciban validate --init criteria.toml`` writes one that explains every field.
    declared
        Which column of the files is what, with the names of the options of ``scan``: ``{"score": "llr"}``.
    baseline
        The method that is compared with on the same trials; None: that of ``[baseline]``.
    development
        The trials that the method was developed on, or its calibration, whose sources must not be among those of the
        data; None: those of ``[development]``.
    thresholds, interval, level, replicates, seed
        As in :func:`evaluate`; None: as ``[decision]`` of the criteria file says. ``interval`` is ``"auto"``,
        ``"bootstrap"`` or ``"none"``; null bands are simulated for up to 100 000 trials with either of the former.
    progress
        Called with how many of how many replicates are done.

    Returns
    -------
    Validation
        The record: ``verdict``, ``row("A1").decision`` and ``.why``. A criterion is ``not assessable`` where the data
        or the laboratory do not say what it takes to decide it; the reason is given in words.

    Raises
    ------
    InputError
        When a file cannot be read or its values cannot be used, or baseline and data disagree about the trials.
    OptionError
        When the criteria file holds what it should not, or an option is not legal.
    SingleClassError
        When the data hold one class only: there is nothing to validate by.

    Notes
    -----
    A criterion with the rule ``bound`` is met where the end of the two-sided interval at ``level`` meets the limit; a
    value that misses the limit fails without an interval too. With ``point`` the value decides, and a rate of errors
    that rests on fewer than 30 of them is not assessable.

    References
    ----------
    Meuwly, Ramos and Haraksim (2017), A guideline for the validation of likelihood ratio methods used for forensic
    evidence evaluation, Forensic Science International 276.

    Examples
    --------
    >>> import deciban as db, tempfile, pathlib
    >>> trials = db.Trials.from_classes([2, 3, -1, 1] * 10, [-2, 0.5, -3, -1.5] * 10, scale="ln_lr")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "criteria.toml")
    ...     written = path.write_text("[decision]\nfixed_on = 2026-03-01")
    ...     result = db.validate(trials, criteria=path, replicates=200)
    >>> result.row("A1").decision, result.row("N2").decision
    ('pass', 'not assessable')
    """
    read = read_criteria(criteria, level=level)
    given = {"interval": interval, "level": level, "replicates": replicates, "seed": seed}
    options, told = _options({**given, "thresholds": tuple(threshold_list(thresholds)) or None}, read)
    ours = judged(data, declared or {}, read)
    evaluation = evaluation_of(ours, read, options, progress)
    called, comparison = _comparison(ours, baseline, read, options, progress)
    known = _development(ours, development, read)
    sources = source_columns(ours.trials, ours.source_names)
    material = Material(
        what=ours.what,
        evaluation=evaluation,
        counts=ours.counts,
        baseline=called,
        comparison=comparison,
        sources=sources,
        development=known,
    )
    rows = decide(read.used, material)
    return Validation(
        laboratory=read.laboratory,
        config=read.config,
        rule=read.decision.rule,
        level=read.decision.level,
        rows=rows,
        switched_off=read.switched_off,
        evaluation=evaluation,
        comparison=comparison,
        sources=sources,
        development=known,
        cap=cap_of(rows, material),
        verbal=read.verbal,
        statements=tuple(statements(read.laboratory, read.used, evaluation, sources)),
        findings=(*remarks(read.laboratory, read.used, sources), *told, *ours.told),
    )


def _options(given: Mapping[str, Any], criteria: Criteria) -> tuple[dict[str, Any], list[Finding]]:
    """Options of the evaluation; what the caller gives wins over the criteria file, and is told."""
    in_file = criteria.decision.in_file
    known = {key: value for key, value in given.items() if value is not None}
    told = [
        instead_of_file(f"[decision] {key}", in_file[key], value)
        for key, value in known.items()
        if key in in_file and in_file[key] != value
    ]
    options = {**USUAL, **in_file, **known, "level": criteria.decision.level}
    check_choice("interval", options["interval"], DRAWN)
    return options, told


def _comparison(
    ours: Judged,
    given: Trials | Counts | Table | None,
    criteria: Criteria,
    options: Mapping[str, Any],
    progress: Progress | None,
) -> tuple[str | None, Comparison | None]:
    """What the baseline is called, and its comparison with the system by the figures that criteria name."""
    metrics: Sequence[str] = [one.settings["metric"] for one in criteria.used if one.kind == "baseline"]
    if not metrics or (given is None and not criteria.baseline):
        return None, None
    declared = in_folder(criteria.baseline, criteria.folder)
    table = given if given is not None else baseline_table(declared, ours.declared)
    called = f"column {table.columns.score!r} of {table.what}" if isinstance(table, Table) else "in memory"
    theirs = table.trials() if isinstance(table, Table) else table
    if not all(allowed(text, data) for text in metrics for data in (ours.counts, theirs)):
        return called, None
    drawn = {key: options[key] for key in ("interval", "level", "replicates", "seed")}
    systems: Mapping[str, Trials | Counts | Table] = {"baseline": table, "system": ours.data}
    return called, compare(systems, metrics=metrics, progress=progress, **drawn)


def _development(ours: Judged, given: Trials | Calibration | None, criteria: Criteria) -> Development | None:
    """What the method was developed on, where that is known."""
    data = ours.counts if ours.trials is None else ours.trials
    if given is not None:
        return development_given(given, data)
    if not criteria.development:
        return None
    declared = in_folder(criteria.development, criteria.folder)
    return development_declared(declared, ours.source_names, data, ours.inputs)

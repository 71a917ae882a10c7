"""Tables that are calibrated: log LRs to be added to every column and row of theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from deciban.arrays import AnyArray, Bools, Floats, undefined_where
from deciban.calibration.calibration import Calibration
from deciban.calibration.crossfit import CrossFitted
from deciban.calibration.training import digests_of
from deciban.columns import IMPLIED_SCALE, USUAL_SCORE
from deciban.direction import reversed_scores
from deciban.errors import InputError, OptionError, Problems, did_you_mean
from deciban.files.duck import Fetched, Role, interruptible
from deciban.files.source import FileSource
from deciban.log_domain import LN10
from deciban.option_checks import check_choice
from deciban.records.finding import Finding
from deciban.scanning import Table
from deciban.trial_checks import check_scores
from deciban.workflow.findings.calibrating import extrapolation, undefined

ADDED: Final = ("ln_lr", "log10_lr", "supported")
MISSING: Final = ("refuse", "drop")


@dataclass(frozen=True, slots=True)
class Cases:
    """A calibrated table.

    Attributes
    ----------
    source
        The table.
    added
        For each row the log LRs in natural and in base-10 logarithms, and whether the trials fitted support it. Rows
        without a score have none of the three; a score without an LR is not supported.
    findings
        What a reader must know of them.
    said
        What was settled without being given, or allowed, one sentence each.
    without
        How many rows have no score.
    unsupported
        How many have an LR that is not supported.
    """

    source: FileSource
    added: Mapping[str, AnyArray]
    findings: tuple[Finding, ...]
    said: tuple[str, ...]
    without: int
    unsupported: int


def calibrate_files(
    calibration: Calibration,
    files: Sequence[str],
    *,
    score: str | None = None,
    sources: Sequence[str] = (),
    missing: str = "refuse",
    allow_leak: bool = False,
    suffix: str = "",
) -> Cases:
    """Apply a calibration to the scores of a table, which needs no labels.

    Parameters
    ----------
    calibration
        The calibration; it says how scores are to be read (unit, prior, direction).
    files
        Paths of one table.
    score, sources
        Its columns; None and () are those that were fitted, where the table has them.
    missing
        ``"refuse"`` missing scores, or ``"drop"`` them: their rows are kept, without an LR.
    allow_leak
        Whether sources may be shared with the trials fitted, or the file be one that was fitted.
    suffix
        What the names of the three columns end with.

    Raises
    ------
    InputError
        When a column is not there, a score is no number of the unit, or there is a leak.
    OptionError
        When an option is not legal.
    """
    check_choice("missing", missing, MISSING)
    with interruptible():
        source = FileSource(list(files), tuple(name for name in (score, *sources) if name))
        said: list[str] = []
        score = _score_column(calibration, source, score, said)
        sources = _source_columns(calibration, source, sources, said)
        names = added_names(source.names, suffix)
        wanted: list[tuple[str, Role]] = [(score, "number"), *((name, "name") for name in sources)]
        found = source.fetch(wanted)
    scores = np.ma.filled(found[score, "number"].astype(np.float64), np.nan)
    _refuse_unreadable(calibration, source, score, scores, found, missing)
    known = np.ones(scores.size, dtype=bool) if missing == "refuse" else ~np.isnan(scores)
    leak = _leak(calibration, source, [found[name, "name"] for name in sources])
    if leak and not allow_leak:
        raise InputError(
            f"{source.what}: LEAK: {leak}, so that figures of them are optimistic; calibrate other trials, cross-fit "
            "instead (deciban calibrate crossfit), or say allow_leak=True (--allow-leak)"
        )
    said += [f"LEAK: {leak}: figures of these LRs are optimistic"] if leak else []
    said += [] if calibration.bounds is None else [calibration.bounds.said()]
    turned = _turned(scores[known], calibration)
    ln_lr, supported = calibration.transform(turned), calibration.supported(turned)
    return Cases(
        source=source,
        added=added_columns(names, known, ln_lr, supported),
        findings=(
            *extrapolation(calibration, turned, None),
            *undefined(ln_lr, scores[known], np.flatnonzero(known)),
        ),
        said=tuple(said),
        without=int(np.count_nonzero(~known)),
        unsupported=int(np.count_nonzero(~supported)),
    )


def cross_fitted_columns(table: Table, found: CrossFitted, suffix: str) -> Mapping[str, AnyArray]:
    """The columns to add to a table whose trials were cross-fitted; rows that are no trial have none."""
    known = np.zeros(sum(file.rows for file in table.inputs), dtype=bool)
    known[np.arange(known.size) if found.trials.row is None else found.trials.row] = True
    return added_columns(added_names(table.names, suffix), known, found.trials.score, found.supported)


def added_names(columns: Sequence[str], suffix: str) -> tuple[str, ...]:
    """The names of the three columns, none of which the table may have."""
    names = tuple(name + suffix for name in ADDED)
    there = {column.casefold() for column in columns}
    taken = [name for name in names if name.casefold() in there]
    if taken:
        raise OptionError(
            f"suffix: the table has a column {taken[0]!r} already; say suffix='_cal' (--suffix _cal), or rename it"
        )
    return names


def added_columns(names: Sequence[str], known: Bools, ln_lr: Floats, supported: Bools) -> dict[str, AnyArray]:
    """The three columns, whose values are those given where ``known`` says so, in order; NaN is no LR."""
    whole = np.full(known.size, np.nan)
    whole[known] = ln_lr
    is_supported = np.zeros(known.size, dtype=bool)
    is_supported[known] = supported
    columns = (
        undefined_where(np.isnan(whole), whole),
        undefined_where(np.isnan(whole), whole / LN10),
        np.ma.MaskedArray(is_supported, ~known),
    )
    return dict(zip(names, columns, strict=True))


def _score_column(calibration: Calibration, source: FileSource, given: str | None, said: list[str]) -> str:
    """The score column: given, else that of the fit, else the one with a usual name."""
    if given is not None:
        _refuse_absent(given, "score column", source)
        name = given
    else:
        fitted = calibration.columns.get("score")
        usual = [name for name in source.names if name.strip().casefold() in USUAL_SCORE]
        if fitted in source.names:
            name, why = str(fitted), "as in the fit"
        elif len(usual) == 1:
            name, why = usual[0], "usual name"
        else:
            raise InputError(
                f"{source.what}: which is the score column? Say score= (--score); its columns are "
                f"{', '.join(map(repr, source.names[:30]))}"
            )
        said.append(f"score column {name!r} ({why}), scale {calibration.training.scale}")
    implied = IMPLIED_SCALE.get(name.strip().casefold())
    if implied is not None and implied != calibration.training.scale:
        raise InputError(
            f"{source.what}: the calibration was fitted to scores of scale {calibration.training.scale}, and column "
            f"{name!r} holds {implied} by its name; name the column of those scores with score= (--score)"
        )
    return name


def _source_columns(
    calibration: Calibration, source: FileSource, given: Sequence[str], said: list[str]
) -> tuple[str, ...]:
    """The source columns: given, else those of the fit that the table has."""
    if given:
        for name in given:
            _refuse_absent(name, "source column", source)
        return tuple(given)
    fitted: Sequence[Any] = calibration.columns.get("sources") or ()
    found = tuple(str(name) for name in fitted if name in source.names)
    if found:
        said.append(f"source column {' and '.join(map(repr, found))} (as in the fit)")
    elif calibration.training.sources:
        said.append("no source column: whether sources were seen in the fit is not known (--source)")
    return found


def _refuse_absent(name: str, role: str, source: FileSource) -> None:
    if name not in source.names:
        raise InputError(f"{source.what}: no {role} {name!r}; {did_you_mean(name, source.names)}")


def _refuse_unreadable(
    calibration: Calibration, source: FileSource, score: str, scores: Floats, found: Fetched, missing: str
) -> None:
    """Raise for scores that are no numbers of the unit, or are missing and must not be, with their rows."""
    problems = Problems(f"{source.what} (score column {score!r})")
    problems.found += map(str, found.faults)
    check_scores(scores, calibration.training.scale, missing, problems, fitted=True)
    try:
        problems.raise_if_any()
    except InputError as error:
        raise InputError(f"{error}{source.where_rows_are(str(error))}", error.problems) from None


def _leak(calibration: Calibration, source: FileSource, columns: Sequence[AnyArray]) -> str | None:
    """What the table has in common with the trials fitted."""
    fitted = {file.sha256: file.path for file in calibration.inputs}
    same = [file.path for file in source.inputs if file.sha256 in fitted]
    if same:
        return f"it was fitted to this very file ({same[0]})"
    common = set(calibration.training.sources) & set(digests_of(columns))
    return f"{len(common)} of its sources are among those that were fitted" if common else None


def _turned(scores: Floats, calibration: Calibration) -> Floats:
    """Scores reversed where those fitted were; missing ones stay, to be refused with their rows."""
    return reversed_scores(scores, calibration.training.scale, None) if calibration.training.reversed else scores

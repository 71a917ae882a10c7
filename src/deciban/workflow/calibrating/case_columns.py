"""The columns of a table that is to be calibrated: found as in the fit, checked by it, searched for leaks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from deciban.calibration.training import Training, digests_of
from deciban.errors import InputError, Problems, did_you_mean
from deciban.tables.column_names import USUAL_SCORE, implied_scale
from deciban.tables.files.duck import Fetched
from deciban.tables.files.inputs import Input
from deciban.tables.files.source import FileSource
from deciban.trials.checks import check_scores
from deciban.trials.direction import reversed_scores
from deciban.values.arrays import AnyArray, Floats, as_floats


@dataclass(frozen=True, slots=True)
class Fitted:
    """The trials that were fitted, of a calibration or of one system of a fusion, and which columns they were."""

    training: Training
    columns: Mapping[str, Any] = field(default_factory=dict)


def score_column(fitted: Fitted, source: FileSource, given: str | None, said: list[str]) -> str:
    """The score column: given, else that of the fit, else the one with a usual name."""
    if given is not None:
        refuse_absent(given, "score column", source)
        name = given
    else:
        as_then = fitted.columns.get("score")
        usual = [name for name in source.names if name.strip().casefold() in USUAL_SCORE]
        if as_then in source.names:
            name, why = str(as_then), "as in the fit"
        elif len(usual) == 1:
            name, why = usual[0], "usual name"
        else:
            raise InputError(
                f"{source.what}: which is the score column? Say score= (--score); its columns are "
                f"{', '.join(map(repr, source.names[:30]))}"
            )
        said.append(f"score column {name!r} ({why}), scale {fitted.training.scale}")
    implied = implied_scale(name, source.names)
    if implied is not None and implied != fitted.training.scale:
        raise InputError(
            f"{source.what}: the calibration was fitted to scores of scale {fitted.training.scale}, and column "
            f"{name!r} holds {implied} by its name; name the column of those scores with score= (--score)"
        )
    return name


def source_columns(fitted: Fitted, source: FileSource, given: Sequence[str], said: list[str]) -> tuple[str, ...]:
    """The source columns: given, else those of the fit that the table has."""
    if given:
        for name in given:
            refuse_absent(name, "source column", source)
        return tuple(given)
    as_then: Sequence[Any] = fitted.columns.get("sources") or ()
    found = tuple(str(name) for name in as_then if name in source.names)
    if found:
        said.append(f"source column {' and '.join(map(repr, found))} (as in the fit)")
    elif fitted.training.sources:
        said.append("no source column: whether sources were seen in the fit is not known (--source)")
    return found


def refuse_absent(name: str, role: str, source: FileSource) -> None:
    """Raise :class:`InputError` unless the table has a column."""
    if name not in source.names:
        raise InputError(f"{source.what}: no {role} {name!r}; {did_you_mean(name, source.names)}")


def case_scores(fitted: Fitted, source: FileSource, score: str, found: Fetched, missing: str) -> Floats:
    """Scores in the direction that was fitted, NaN where one is missing.

    Raises
    ------
    InputError
        When some are no numbers of the unit, or are missing and must not be, with their rows.
    """
    problems = Problems(f"{source.what} (score column {score!r})")
    problems.found += map(str, found.faults)
    scores = as_floats(found[score, "number"], "scores", problems)
    training = fitted.training
    check_scores(scores, training.scale, missing, problems, fitted=True)
    try:
        problems.raise_if_any()
    except InputError as error:
        raise InputError(f"{error}{source.where_rows_are(str(error))}", error.problems) from None
    return reversed_scores(scores, training.scale, None) if training.reversed else scores


def leak(
    trainings: Sequence[Training],
    inputs: Iterable[Input],
    source: FileSource,
    columns: Sequence[AnyArray],
    scores: Sequence[Floats],
) -> str | None:
    """What a table has in common with the trials fitted, and the files they came from.

    ``scores`` are those of each training, in the direction fitted, NaN where one is missing. A file that was written
    anew is known by them: the labels, which a table need not have, are not asked.
    """
    fitted = {file.sha256 for file in inputs}
    same = [file.path for file in source.inputs if file.sha256 in fitted]
    if same:
        return f"it was fitted to this very file ({same[0]})"
    common = {digest for training in trainings for digest in training.sources} & set(digests_of(columns))
    if common:
        return f"{len(common)} of its sources are among those that were fitted"
    given = [one[~np.isnan(one)] for one in scores]
    seen = bool(given) and all(training.same_scores(one) for training, one in zip(trainings, given, strict=True))
    return "its scores are the very ones it was fitted to, each as often" if seen else None


def refuse_leak(found: str | None, what: str, *, allow_leak: bool) -> list[str]:
    """Raise for a leak unless it is allowed; what is to be said of it."""
    if found and not allow_leak:
        raise InputError(
            f"{what}: LEAK: {found}, so that figures of them are optimistic; calibrate other trials, cross-fit "
            "instead (deciban calibrate crossfit), or say allow_leak=True (--allow-leak)"
        )
    return [f"LEAK: {found}: figures of these LRs are optimistic"] if found else []

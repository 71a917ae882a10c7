"""Tables that are fused: the scores of several systems, in one table or joined by id, and their log LRs to be added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from deciban.errors import InputError, OptionError, counted, rows
from deciban.records.finding import Finding
from deciban.tables.files.duck import Fetched, Role, interruptible
from deciban.tables.files.source import FileSource
from deciban.trials.source_keys import one_kind
from deciban.values.arrays import AnyArray, Floats, absent
from deciban.values.coded import whole
from deciban.values.option_checks import check_choice
from deciban.workflow.calibrating.case_columns import (
    Fitted,
    case_scores,
    leak,
    refuse_absent,
    refuse_leak,
    score_column,
    source_columns,
)
from deciban.workflow.calibrating.cases import MISSING
from deciban.workflow.calibrating.fusion import Fusion
from deciban.workflow.calibrating.lr_columns import Cases, added_columns, added_names
from deciban.workflow.findings.calibrating import extrapolation, torn


@dataclass(frozen=True, slots=True)
class _System:
    """The scores of one system: its table, and the columns of scores, ids and sources."""

    fitted: Fitted
    source: FileSource
    score: str
    ids: tuple[str, ...]
    sources: tuple[str, ...]


def fuse_files(
    fusion: Fusion,
    files: Sequence[str] | Mapping[str, str],
    *,
    scores: Sequence[str] = (),
    ids: Sequence[str] = (),
    sources: Sequence[str] = (),
    missing: str = "refuse",
    allow_leak: bool = False,
    suffix: str = "",
) -> Cases:
    """Apply a fusion to the scores of its systems, which need no labels.

    Parameters
    ----------
    fusion
        The fusion; it says which systems there are, and how their scores are to be read.
    files
        Paths of one table with a score column for each system; or a path for each system, whose rows are joined by
        their ids to those of the first, which is the table that gets the log LRs.
    scores, ids, sources
        Columns. Of one table the score columns are named like the systems; of several all have the one given. Empty:
        those that were fitted.
    missing
        ``"refuse"`` missing scores, and rows that another system lacks; ``"drop"``: the rows are kept, without an LR.
    allow_leak, suffix
        As in ``calibrate_files``.

    Raises
    ------
    InputError
        When a system or column is not there, an id is missing or occurs twice, a score is no number of the unit, or
        there is a leak.
    OptionError
        When an option is not legal.
    """
    check_choice("missing", missing, MISSING)
    said: list[str] = []
    with interruptible():
        if isinstance(files, Mapping):
            systems = _of_files(fusion, files, scores, ids, sources, said)
        else:
            systems = _of_one_table(fusion, files, scores, sources, said)
        first = next(iter(systems.values())).source
        names = added_names(first.names, suffix)
        found = _fetched(systems)
    given = {
        name: case_scores(one.fitted, one.source, one.score, found[name], missing) for name, one in systems.items()
    }
    said += _leaks(fusion, systems, found, given, allow_leak=allow_leak)
    said += [] if fusion.bounds is None else [fusion.bounds.said()]
    if isinstance(files, Mapping):
        given = _joined(systems, found, given, missing, said)
    known = np.logical_and.reduce([~np.isnan(column) for column in given.values()])
    columns = {name: column[known] for name, column in given.items()}
    ln_lr, supported = fusion.transform(columns), fusion.supported(columns)
    return Cases(
        source=first,
        added=added_columns(names, known, ln_lr, supported),
        findings=(*_beyond(fusion, columns), *torn(ln_lr, np.flatnonzero(known))),
        said=tuple(dict.fromkeys(said)),
        without=int(np.count_nonzero(~known)),
        unsupported=int(np.count_nonzero(~supported)),
    )


def _fitted(fusion: Fusion) -> dict[str, Fitted]:
    return {name: Fitted(training, fusion.columns.get(name, {})) for name, training in fusion.training.items()}


def _of_one_table(
    fusion: Fusion, files: Sequence[str], scores: Sequence[str], sources: Sequence[str], said: list[str]
) -> dict[str, _System]:
    """Every system is a column of one table: named like it, else the one that was fitted."""
    source = FileSource(list(files), (*scores, *sources))
    fitted = _fitted(fusion)
    if scores:
        fusion.refuse_others(scores)
        columns = {name: score_column(fitted[name], source, name, said) for name in scores}
    else:
        columns = {name: str(one.columns.get("score", name)) for name, one in fitted.items()}
        if len(set(columns.values())) < len(columns):
            raise InputError(
                f"{source.what}: the systems {', '.join(columns)} were fitted to columns of one name: name a table for "
                "each (--system NAME=FILE), or a column that is called like it (--score)"
            )
        for name, column in columns.items():
            refuse_absent(column, f"score column (of the system {name!r})", source)
        said.append(f"score columns {', '.join(map(repr, columns.values()))} (as in the fit)")
    of_trials = source_columns(next(iter(fitted.values())), source, sources, said)
    return {name: _System(fitted[name], source, column, (), of_trials) for name, column in columns.items()}


def _of_files(
    fusion: Fusion,
    files: Mapping[str, str],
    scores: Sequence[str],
    ids: Sequence[str],
    sources: Sequence[str],
    said: list[str],
) -> dict[str, _System]:
    """Every system has a table of its own."""
    fusion.refuse_others(files)
    if len(scores) > 1:
        raise OptionError("score: expected one column, which all systems have, found several; use one or the other")
    fitted, found = _fitted(fusion), {}
    for name, file in files.items():
        as_then = fitted[name].columns
        keys = tuple(ids) or tuple(as_then.get("ids") or ())
        if not keys:
            raise InputError(f"{file}: rows of several tables are joined by their ids: name them with ids= (--id)")
        source = FileSource([file], (*scores, *keys, *sources))
        for key in keys:
            refuse_absent(key, "id column", source)
        column = score_column(fitted[name], source, scores[0] if scores else None, said)
        found[name] = _System(fitted[name], source, column, keys, source_columns(fitted[name], source, sources, said))
    return found


def _fetched(systems: Mapping[str, _System]) -> dict[str, Fetched]:
    """The columns of each system; a table that several share is read once, and each has the faults of its own."""
    read: dict[int, Fetched] = {}
    found = {}
    for name, system in systems.items():
        if id(system.source) not in read:
            alike = [one for one in systems.values() if one.source is system.source]
            wanted: dict[tuple[str, Role], None] = {(one.score, "number"): None for one in alike}
            wanted |= {(key, "name"): None for key in (*system.ids, *system.sources)}
            read[id(system.source)] = system.source.fetch(list(wanted))
        whole = read[id(system.source)]
        found[name] = Fetched(whole)
        found[name].faults = [fault for fault in whole.faults if fault.column == system.score]
    return found


def _leaks(
    fusion: Fusion,
    systems: Mapping[str, _System],
    found: Mapping[str, Fetched],
    given: Mapping[str, Floats],
    *,
    allow_leak: bool,
) -> list[str]:
    trainings, scores = list(fusion.training.values()), [given[name] for name in fusion.training]
    said = []
    for name, one in systems.items():
        columns = [whole(found[name][column, "name"]) for column in one.sources]
        shared = leak(trainings, fusion.inputs, one.source, columns, scores)
        said += refuse_leak(shared, one.source.what, allow_leak=allow_leak)
    return said


def _joined(
    systems: Mapping[str, _System],
    found: Mapping[str, Fetched],
    given: Mapping[str, Floats],
    missing: str,
    said: list[str],
) -> dict[str, Floats]:
    """The scores of every system in the rows of the first; NaN where another lacks the row."""
    (name, first), *others = systems.items()
    keys = _ids(first, found[name])
    aligned = {name: given[name]}
    for other_name, other in others:
        place = _places(keys, _ids(other, found[other_name]), first.source.what, other.source.what)
        lacking = np.flatnonzero(place < 0)
        if lacking.size and missing == "refuse":
            raise InputError(
                f"{first.source.what}: not in {other.source.what} by their ids: {rows(lacking.tolist())}; are ids "
                "written alike? Leave such rows out, or with missing='drop' (--missing drop) keep them without an LR"
            )
        more = given[other_name].size - (place.size - lacking.size)
        if more:
            said.append(f"{counted(more, 'row')} of {other.source.what} not in {first.source.what}, and left out")
        aligned[other_name] = np.where(place < 0, np.nan, given[other_name][place])
    return aligned


def _ids(system: _System, found: Fetched) -> list[AnyArray]:
    columns = [whole(found[key, "name"]) for key in system.ids]
    for key, column in zip(system.ids, columns, strict=True):
        where = np.flatnonzero(absent(column))
        if where.size:
            raise InputError(f"{system.source.what}: no id in column {key!r} at {rows(where.tolist())}")
    return columns


def _places(first: Sequence[AnyArray], other: Sequence[AnyArray], what: str, of_other: str) -> NDArray[np.intp]:
    """The row of the other table for each row of the first, by ids; -1 for none."""
    if len(first) != len(other):
        raise InputError(f"{of_other}: expected as many id columns as {what} has, {len(first)}, found {len(other)}")
    n = len(first[0])
    codes = np.zeros(n + len(other[0]), dtype=np.intp)
    for pair in zip(first, other, strict=True):
        of_column = np.unique(np.concatenate(one_kind(pair)), return_inverse=True)[1]
        # Numbered again after each column, so that the pair of numbers never outgrows an integer.
        codes = np.unique(codes * (of_column.max(initial=0) + 1) + of_column, return_inverse=True)[1]
    place = np.full(codes.max(initial=0) + 1, -1, dtype=np.intp)
    for part, name in ((codes[:n], what), (codes[n:], of_other)):
        twice = np.flatnonzero((np.bincount(part, minlength=place.size) > 1)[part])
        if twice.size:
            raise InputError(f"{name}: ids occur more than once, at {rows(twice.tolist())}: which row is meant?")
    place[codes[n:]] = np.arange(len(other[0]))
    return place[codes[:n]]


def _beyond(fusion: Fusion, columns: Mapping[str, Floats]) -> list[Finding]:
    return [
        replace(finding, group=f"system {name}")
        for name, training in fusion.training.items()
        for finding in extrapolation(training, columns[name], None)
    ]

"""What is judged: trials read once, what they are called, and what of the criteria file they were given instead of."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deciban.counts.counts import Counts
from deciban.counts.of_trials import count_trials
from deciban.errors import InputError, OptionError
from deciban.records.finding import Finding
from deciban.tables.files.inputs import Input
from deciban.tables.table import Table
from deciban.trials.trials import Trials
from deciban.workflow.validation.criteria import Criteria
from deciban.workflow.validation.declaration import ReadTable, in_folder, instead_of_file, merged, scanned, words

Paths = str | Path | Sequence[str | Path]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The validation data.

    Attributes
    ----------
    what
        What they are called.
    data
        What an evaluation takes: a table whose trials are read, trials or counts.
    trials, counts
        The trials, where they are known, and their counts.
    by
        Groupings by condition.
    declared
        How files were declared, which a baseline takes over; empty for data in memory.
    told
        What was given instead of what the criteria file says.
    """

    what: str
    data: ReadTable | Trials | Counts
    trials: Trials | None
    counts: Counts
    by: tuple[str, ...]
    declared: Mapping[str, Any] = field(default_factory=dict)
    told: tuple[Finding, ...] = ()

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The files they were read from."""
        return self.data.inputs if isinstance(self.data, Table) else ()

    @property
    def source_names(self) -> tuple[str, ...]:
        """Names of the source columns, where they have any."""
        return self.data.columns.sources if isinstance(self.data, Table) else ()


def judged(data: object, declared: Mapping[str, Any], criteria: Criteria) -> Judged:
    """Read the data: those given, else those that the criteria file names."""
    of_file = in_folder(criteria.data, criteria.folder)
    paths = paths_of(data)
    if data is not None and paths is None:
        return _in_memory(data, declared, of_file)
    given = {"file": tuple(paths) if paths else (), **declared}
    declaration, told = merged(of_file, given)
    table = ReadTable(scanned(declaration, "data", criteria.places))
    return Judged(
        what=table.what,
        data=table,
        trials=table.trials(),
        counts=count_trials(table.trials()),
        by=tuple(words(declaration.get("conditions", ()))),
        declared=declaration,
        told=tuple(told),
    )


def paths_of(data: object) -> list[str] | None:
    """Paths of files, where the data are that."""
    if isinstance(data, (str, os.PathLike)):
        return [os.fspath(data)]
    if isinstance(data, (list, tuple)) and all(isinstance(item, (str, os.PathLike)) for item in data):
        return [os.fspath(item) for item in data]
    return None


def _in_memory(data: object, declared: Mapping[str, Any], of_file: Mapping[str, Any]) -> Judged:
    """Trials, counts or a table whose columns are declared already."""
    if not isinstance(data, (Trials, Counts, Table)):
        raise InputError(
            f"data: expected paths, Trials, Counts or a Table from scan, found {type(data).__name__}; for arrays use "
            "Trials.from_arrays(scores, labels), for a dataframe use scan(…)"
        )
    if declared:
        raise OptionError("declared: expected nothing beside data in memory, whose columns are declared already")
    read = ReadTable(data) if isinstance(data, Table) else data
    trials = read.trials() if isinstance(read, Table) else read if isinstance(read, Trials) else None
    told = [instead_of_file("[data] file", of_file["file"], type(data).__name__)] if "file" in of_file else []
    return Judged(
        what=data.what if isinstance(data, Table) else "data in memory",
        data=read,
        trials=trials,
        counts=read if isinstance(read, Counts) else count_trials(read.trials() if isinstance(read, Table) else read),
        by=() if trials is None else tuple(trials.conditions),
        told=tuple(told),
    )

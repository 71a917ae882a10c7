"""The systems that are given to be compared: their names, data, thresholds, and where they come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from deciban.counts.argument import unbucketed
from deciban.counts.counts import Counts
from deciban.errors import InputError, OptionError, did_you_mean
from deciban.records.provenance import Provenance
from deciban.records.threshold import ChosenThreshold
from deciban.tables.table import Table
from deciban.trials.trials import Trials
from deciban.values.record import to_plain
from deciban.version import versions
from deciban.workflow.asked import threshold_list, written_threshold
from deciban.workflow.evaluating.repeated_ids import refuse_conflicts

Threshold = float | ChosenThreshold
Thresholds = Threshold | Iterable[Threshold] | None


def check_names(systems: object) -> None:
    """Raise :class:`InputError` unless there are two systems or more, each with a name of its own."""
    if not isinstance(systems, Mapping):
        raise InputError(
            f"systems: expected {{name: Trials}} of two or more systems, found {type(systems).__name__}; name them, as "
            "in {'a': trials, 'b': others}"
        )
    for name in systems:
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"systems: expected a name for each, found {name!r}")
    if len({name.strip() for name in systems}) < len(systems):
        raise InputError(f"systems: two names differ by blanks only: {', '.join(map(repr, systems))}; rename one")
    if len(systems) < 2:
        found = f"one, {next(iter(systems))!r}" if systems else "none"
        raise InputError(f"systems: expected two or more, found {found}; a single one is for evaluate")


def read_system(name: str, system: object) -> Trials | Counts:
    """The trials of a system, those of a table read now, or its counts."""
    if isinstance(system, Counts):
        return unbucketed(system, f"system {name!r}")
    table = system if isinstance(system, Table) else None
    trials = system.trials() if isinstance(system, Table) else system
    if not isinstance(trials, Trials):
        raise InputError(
            f"system {name!r}: expected Trials, a Table from scan or Counts, found {type(system).__name__}; for arrays "
            "use Trials.from_arrays(scores, labels), for a dataframe or file use scan(…)"
        )
    refuse_conflicts(trials, table, f"system {name!r}")
    return trials


def score_column(system: Trials | Counts | Table) -> str | None:
    """The name of the column that the scores come from, where there is one."""
    return system.columns.score if isinstance(system, Table) else None


def thresholds_of_systems(given: Any, names: Sequence[str]) -> dict[str, list[Threshold]]:
    """The thresholds of each system: the same for all, or those under its name, equally many of each."""
    if not isinstance(given, Mapping):
        each = _distinct("thresholds", threshold_list(given))
        return dict.fromkeys(names, each)
    for name in given:
        if name not in names:
            raise OptionError(f"thresholds: no system {name!r}; {did_you_mean(name, names)}")
    missing = [name for name in names if name not in given]
    if missing:
        raise OptionError(f"thresholds: expected one of every system, found none of {', '.join(map(repr, missing))}")
    found = {name: _distinct(f"thresholds of {name!r}", threshold_list(given[name])) for name in names}
    if len({len(of_system) for of_system in found.values()}) > 1:
        shown = ", ".join(f"{name} {len(of_system)}" for name, of_system in found.items())
        raise OptionError(f"thresholds: expected equally many of every system, found {shown}")
    return found


def _distinct(what: str, thresholds: list[Threshold]) -> list[Threshold]:
    seen: list[Threshold] = []
    for threshold in thresholds:
        if threshold in seen:
            said = (
                f"{threshold.threshold!r} by {threshold.rule}" if isinstance(threshold, ChosenThreshold) else threshold
            )
            raise OptionError(f"{what}: {said} is given twice")
        seen.append(threshold)
    return thresholds


def written_thresholds(thresholds: Mapping[str, Sequence[Threshold]]) -> dict[str, list[object]]:
    """The thresholds of each system as the record of options holds them."""
    return {name: [written_threshold(at) for at in of_system] for name, of_system in thresholds.items()}


def provenance_of_systems(
    systems: Mapping[str, Trials | Counts | Table],
    data: Mapping[str, Trials | Counts],
    options: Mapping[str, Any],
    seed: int,
) -> Provenance:
    """Say where the numbers come from: each file once, and of each system its columns and what was assumed."""
    tables = [system for system in systems.values() if isinstance(system, Table)]
    columns = {}
    for name, system in systems.items():
        read = data[name]
        assumed = list(read.assumed) if isinstance(read, Trials) else []
        declared = to_plain(system.columns) if isinstance(system, Table) else {}
        files = [file.path for file in system.inputs] if isinstance(system, Table) else []
        columns[name] = {**declared, "inputs": files, "assumed": assumed}
    return Provenance(
        inputs=tuple(dict.fromkeys(file for table in tables for file in table.inputs)),
        columns=columns,
        options=options,
        seed=seed,
        versions=versions(),
        engine="numpy",
    )

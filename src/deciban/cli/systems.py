"""What several systems are on the command line: tables by name, several score columns, or groups of one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deciban.cli.counted import counts_of
from deciban.counts.groups import by_columns, partition
from deciban.counts.of_trials import count_trials
from deciban.counts.tally import Known, Tally
from deciban.errors import OptionError
from deciban.tables.files.standard_input import refuse_stdin_twice
from deciban.tables.scanning import scan
from deciban.tables.table import Table

if TYPE_CHECKING:
    from deciban.counts.counts import Counts
    from deciban.trials.trials import Trials


@dataclass(frozen=True, slots=True)
class Systems:
    """Counts by the name that the legend gives them (one alone has none), and what was recognised rather than given.

    ``data`` are what a band is drawn from: the trials where they have sources or weights, which counts do not keep.
    """

    systems: dict[str, Counts]
    data: dict[str, Counts | Trials]
    assumed: tuple[str, ...]


def read_systems(
    files: Sequence[str], named: Sequence[str], scores: Sequence[str], declared: Mapping[str, Any]
) -> Systems:
    """Count every system, each by the groups of the conditions declared."""
    by = declared["conditions"]
    counts: dict[str, Counts] = {}
    data: dict[str, Counts | Trials] = {}
    assumed: dict[str, None] = {}
    kept = _kept(files, named, scores, by, declared)
    if kept:
        return Systems(kept, dict(kept), ())
    for name, table in scan_systems("plot", files, named, scores, **declared).items():
        trials = table.read(by)
        assumed |= dict.fromkeys(f"{name}: {said}" if name else said for said in trials.assumed)
        for system, part in _groups(name, trials, by) if by else [(name, trials)]:
            counts[system] = count_trials(part)
            plain = not part.sources and part.weight is None
            data[system] = counts[system] if plain else part.trials() if isinstance(part, Tally) else part
    return Systems(counts, data, tuple(assumed))


def _kept(
    files: Sequence[str], named: Sequence[str], scores: Sequence[str], by: Sequence[str], declared: Mapping[str, Any]
) -> dict[str, Counts]:
    """Counts of every system, where files of counts are named: all of them or none; by their groups where asked for."""
    tables = [*((name, [file]) for name, file in map(_split, named)), *([("", list(files))] if files else [])]
    of_trials = {**declared, "conditions": (), "score": scores}
    found = {name: counts_of(sources, of_trials) for name, sources in tables}
    counts: dict[str, Counts] = {}
    for name, kept in found.items():
        if kept is None:
            continue
        if None in found.values():
            raise OptionError(f"--system: {name} has counts and others have trials: count those (deciban count)")
        if not by:
            counts[name] = kept.all_trials()
        elif list(by) != [",".join(kept.by)]:
            raise OptionError(f"--by: these counts were grouped by {','.join(kept.by) or 'nothing'}; count them again")
        for group, part in kept.groups.items() if by else ():
            said = ", ".join(f"{column}={value}" for column, value in zip(kept.by, group, strict=True))
            counts[f"{name}, {said}" if name else said] = part
    return counts


def are_several(named: Sequence[str], scores: Sequence[str]) -> bool:
    """Whether several systems are meant; raises where one of several is named alone."""
    if len(named) == 1:
        raise OptionError("--system: expected one for each of two systems or more; a single table is named as FILE")
    return len(named) > 1 or len(scores) > 1


def by_name(named: Sequence[str]) -> dict[str, str]:
    """The file of each ``--system NAME=FILE``."""
    pairs = list(map(_split, named))
    if len({name for name, _ in pairs}) < len(pairs):
        raise OptionError("--system: a name is given twice")
    return dict(pairs)


def scan_systems(
    command: str, files: Sequence[str], named: Sequence[str], scores: Sequence[str], **declared: Any
) -> dict[str, Table]:
    """The table of every system: of ``--system NAME=FILE``, else one for each score column of the files."""
    if len(set(scores)) < len(scores):
        raise OptionError("--score: the same column is given twice")
    if named:
        if files:
            raise OptionError(f"--system: expected NAME=FILE only, found also the file {files[0]!r}; name each system")
        if len(scores) > 1:
            raise OptionError(
                "--score: expected one column, which all systems have, found several; use one or the other"
            )
        tables = [(name, [file], scores[0] if scores else None) for name, file in by_name(named).items()]
    elif files:
        several = len(scores) > 1
        tables = [(score if several else "", list(files), score) for score in scores or [None]]  # type: ignore[list-item]
    else:
        raise OptionError(f"expected a file, or --system NAME=FILE; see deciban {command} --help")
    if len(tables) > 1 and not declared.get("ids"):
        # What a format says names a trial, so that systems are paired by it; other tables have nothing of the kind.
        declared["ids"] = None
    named_key = declared.get("key")
    refuse_stdin_twice((f"{name or 'the system'}", [*sources, named_key]) for name, sources, _ in tables)
    return {name: scan(sources, score=score, **declared) for name, sources, score in tables}


def _split(text: str) -> tuple[str, str]:
    name, equals, file = text.partition("=")
    if not (equals and name.strip() and file):
        raise OptionError(f"--system: expected NAME=FILE, found {text!r}")
    return name.strip(), file


def _groups(system: str, trials: Known, by: Sequence[str]) -> Iterator[tuple[str, Known]]:
    """Trials of each group, under ``column=value``."""
    for grouping in dict.fromkeys(by):
        columns = by_columns(grouping, trials.conditions)
        for group in partition(trials, grouping):
            said = ", ".join(f"{column}={value}" for column, value in zip(columns, group.values, strict=True))
            yield f"{system}, {said}" if system else said, trials.select(group.index)

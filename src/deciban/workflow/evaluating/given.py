"""What is evaluated: trials or their tally where there are any, and the counts that all figures are computed from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deciban.counts.buckets import Resolution
from deciban.counts.counts import Counts
from deciban.counts.groups import by_columns, members
from deciban.counts.of_trials import count_trials, width_of
from deciban.counts.tally import Known
from deciban.errors import InputError, NeedsTrialsError, OptionError
from deciban.tables.counting import as_known
from deciban.tables.counts_files import KeptCounts
from deciban.tables.equalising import equalised
from deciban.tables.table import Table
from deciban.trials.trials import Trials
from deciban.workflow.evaluating.plan import require_both_classes
from deciban.workflow.evaluating.repeated_ids import refuse_conflicts
from deciban.workflow.evaluating.within import Part


@dataclass(frozen=True, slots=True)
class Given:
    """Data of both classes in which no trial contradicts another.

    Attributes
    ----------
    trials
        The trials, or what an engine counted of them; None where only counts are known.
    counts
        All trials, counted.
    kept
        Groups that were given as counts, and the file that counts were read from.
    table
        The table that the trials are from.
    """

    trials: Known | None
    counts: Counts
    kept: KeptCounts
    table: Table | None

    @property
    def what(self) -> str:
        """What messages call the data."""
        if self.table is not None:
            return self.table.what
        return "data" if self.kept.input is None else self.kept.input.path

    def parts(self, groupings: Sequence[str]) -> list[Part]:
        """The groups of every grouping, or those that were given as counts."""
        if self.trials is not None:
            return [part for by in groupings for part in _groups(self.trials, by, self.counts.resolution)]
        by, shared = self.kept.by, self.kept.shared
        return [
            Part(",".join(by), dict(zip(by, group, strict=True)), shared.get(group, 0), None, counts)
            for group, counts in self.kept.groups.items()
        ]


def take(
    data: Any, groupings: Sequence[str], equalise: str | None, resolution: Resolution | None, max_blocks: int
) -> Given:
    """Count what is given; raise where it cannot be evaluated in this way, whatever the figures."""
    asked_of_engine = groupings if equalise is None else tuple(dict.fromkeys((*groupings, equalise)))
    given = _counted(data, asked_of_engine, resolution, max_blocks)
    if equalise is not None:
        given = _equalised(given, equalise, max_blocks)
    require_both_classes(given.counts, given.what)
    if isinstance(given.trials, Trials):
        refuse_conflicts(given.trials, given.table, given.what)
    if groupings and given.trials is None:
        raise NeedsTrialsError(f"by={', '.join(groupings)} needs trials with that condition column; counts have none")
    return given


def _counted(data: Any, groupings: Sequence[str], resolution: Resolution | None, max_blocks: int) -> Given:
    if isinstance(data, (Trials, Table)):
        known = as_known(data, "data", groupings, resolution, max_blocks)
        counts = count_trials(known, width_of(known, resolution), max_blocks)
        return Given(known, counts, KeptCounts(whole=None), data if isinstance(data, Table) else None)
    if resolution is not None:
        raise OptionError("resolution: expected trials or a table, found counts; count those with resolution= instead")
    kept = _kept(data)
    if kept is not None:
        return Given(None, kept.all_trials(), kept, None)
    raise InputError(
        f"data: expected Trials, Counts, a Table from scan or {{name: Counts}}, found {type(data).__name__}; "
        "for arrays use Trials.from_arrays(scores, labels), for a dataframe or file use scan(…)"
    )


def _equalised(given: Given, equalise: str, max_blocks: int) -> Given:
    """The same trials, weighed."""
    if given.trials is None:
        raise NeedsTrialsError(f"equalise={equalise} needs trials with that condition column; counts have none")
    weighed = equalised(given.trials, equalise)
    return Given(weighed, count_trials(weighed, given.counts.resolution, max_blocks), given.kept, given.table)


def _kept(data: Any) -> KeptCounts | None:
    """Data that are counts, with their groups; None for any other."""
    if isinstance(data, Counts):
        return KeptCounts(whole=data)
    if isinstance(data, KeptCounts):
        return data
    if isinstance(data, Mapping) and data and all(isinstance(part, Counts) for part in data.values()):
        return KeptCounts(whole=None, groups={(str(name),): part for name, part in data.items()}, by=("group",))
    return None


def _groups(trials: Known, by: str, resolution: float | None) -> Iterator[Part]:
    """The groups of one grouping, with their trials and counts."""
    columns = by_columns(by, trials.conditions)
    for group, selected in members(trials, by):
        values = dict(zip(columns, group.values, strict=True))
        yield Part(by, values, group.shared, selected, count_trials(selected, resolution))

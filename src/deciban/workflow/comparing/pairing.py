"""Which trials of several systems are the same: by their ids, else by their rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import starmap
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from deciban.counts.counts import Counts
from deciban.counts.of_trials import present
from deciban.errors import InputError, NeedsTrialsError, counted, listing
from deciban.records.comparison import Pairing
from deciban.trials.source_keys import comparable
from deciban.trials.trials import Trials
from deciban.values.arrays import AnyArray
from deciban.workflow.comparing.matching import (
    Codes,
    codes_of_ids,
    codes_of_rows,
    in_all,
    label_conflicts,
    places_of,
    refuse_repeats,
)

Systems = Mapping[str, Trials | Counts]
By = Literal["ids", "rows", "none"]

PAIRINGS: Final = ("auto", "ids", "rows", "none")
UNMATCHED: Final = ("refuse", "drop")

NEEDED: Final = "needed"
"""What ``unmatched`` is where all systems must have every trial, and whoever asks can do nothing else."""


@dataclass(frozen=True, slots=True)
class Paired:
    """Systems with what is known of their trials.

    Attributes
    ----------
    systems
        Each system; where trials are shared, the same ones in the same order.
    record
        What was done.
    """

    systems: Systems
    record: Pairing

    @property
    def shared(self) -> bool:
        """Whether the systems share their trials."""
        return self.record.by != "none"


def pair(systems: Systems, pairing: str, unmatched: str) -> Paired:
    """Find the trials that all systems share.

    Parameters
    ----------
    systems
        Trials of each system, or counts, whose trials are not known.
    pairing
        ``"ids"``, ``"rows"`` or ``"none"``; ``"auto"``: by ids where all systems have them and share any, else by rows
        where all have equally many and the labels agree in each, else not at all.
    unmatched
        ``"drop"``: leave out trials that a system lacks; ``"refuse"`` them.

    Raises
    ------
    InputError
        When an id occurs twice in a system, a trial is a target for one system and none for another, or a system lacks
        a trial (unless told), or the trials look like the same ones in another order.
    NeedsTrialsError
        When trials are to be paired and only counts are known.
    """
    trials = {name: present(one) for name, one in systems.items() if isinstance(one, Trials)}
    if len(trials) < len(systems):
        if pairing in ("ids", "rows"):
            of = next(name for name in systems if name not in trials)
            raise NeedsTrialsError(
                f"pairing={pairing!r} (--pairing {pairing}): system {of!r} is counts, whose trials are not known: give "
                "Trials, or pairing='none' (--pairing none)"
            )
        return _apart({**systems, **trials}, "not paired: of counts the trials are not known")
    if pairing == "none":
        return _apart(trials, "not paired, as asked")
    if pairing == "ids":
        return _by_ids(trials, unmatched)
    if pairing == "rows":
        return _by_rows(trials, unmatched, "paired by row, as asked")
    return _as_they_are(trials, unmatched)


def _as_they_are(trials: Mapping[str, Trials], unmatched: str) -> Paired:
    """Pair by what the systems have."""
    if all(one.ids for one in trials.values()):
        if in_all(codes_of_ids(trials)).size == 0:
            return _apart(trials, "not paired: the systems have no id in common")
        return _by_ids(trials, unmatched)
    sizes = {len(one) + one.dropped for one in trials.values()}
    if len(sizes) > 1:
        shown = ", ".join(f"{name} {len(one)}" for name, one in trials.items())
        return _apart(trials, f"not paired: the systems have different trials ({shown}) and no ids")
    rows = codes_of_rows(trials)
    common = in_all(rows)
    if common.size == 0:
        return _apart(trials, "not paired: the systems have no row in common and no ids")
    if not label_conflicts(trials, rows, common).size:
        ids = "only some systems have ids" if any(one.ids for one in trials.values()) else "there are no ids"
        return _by_rows(trials, unmatched, f"paired by row: {ids}, and the labels agree row by row")
    if len({int(np.count_nonzero(one.is_target)) for one in trials.values()}) > 1:
        return _apart(trials, "not paired: the systems have different numbers of targets and no ids")
    raise InputError(
        "pairing: the systems have equally many targets and nontargets, but their labels disagree row by row: the same "
        f"trials in another order? Name the trials with ids= (--id){_or_apart(unmatched)}"
    )


def _or_apart(unmatched: str) -> str:
    """The end of an advice, where systems may have trials of their own."""
    return "" if unmatched == NEEDED else ", or say pairing='none' (--pairing none) if the trials are others"


def _apart(systems: Systems, why: str) -> Paired:
    return Paired(systems, Pairing(by="none", why=why, n=None, left_out=dict.fromkeys(systems, 0)))


def _by_ids(trials: Mapping[str, Trials], unmatched: str) -> Paired:
    for name, one in trials.items():
        if not one.ids:
            raise InputError(f"pairing: system {name!r} has no ids: name their columns with ids= (--id)")
    codes = codes_of_ids(trials)
    for name, one in trials.items():
        refuse_repeats(name, one, codes[name])
    return _aligned(trials, codes, unmatched, "ids", "paired on ids")


def _by_rows(trials: Mapping[str, Trials], unmatched: str, why: str) -> Paired:
    return _aligned(trials, codes_of_rows(trials), unmatched, "rows", why)


def _aligned(trials: Mapping[str, Trials], codes: Codes, unmatched: str, by: By, why: str) -> Paired:
    """The trials that all systems have, in the same order, once it is sure that they are the same."""
    common = in_all(codes)
    left_out = {name: len(one) - common.size for name, one in trials.items()}
    if common.size == 0:
        raise InputError(f"pairing: the systems have no {'id' if by == 'ids' else 'row'} in common")
    if any(left_out.values()) and unmatched != "drop" and not _all_dropped(trials, codes):
        _refuse_unmatched(trials, codes, common, unmatched)
    conflicts = label_conflicts(trials, codes, common)
    if conflicts.size:
        first, second = _first_conflict(trials, codes, conflicts[0])
        at = [trials[first].named(int(i)) for i in places_of(codes[first], conflicts[:5])]
        raise InputError(
            f"pairing: systems {first!r} and {second!r} disagree on the labels of {counted(conflicts.size, 'trial')}: "
            f"{listing(at, conflicts.size)}; correct them{_or_apart(unmatched)}"
        )
    shared: Mapping[str, Trials] = {name: one.select(places_of(codes[name], common)) for name, one in trials.items()}
    _refuse_different("weights", shared, lambda one: [] if one.weight is None else [one.weight])
    shared = _with_sources(shared)
    order = _canonical_order(shared)
    shared = {name: one.select(order) for name, one in shared.items()}
    return Paired(shared, Pairing(by=by, why=why, n=int(common.size), left_out=left_out))


def _all_dropped(trials: Mapping[str, Trials], codes: Codes) -> bool:
    """Whether a system lacks only trials whose missing score it was told to drop: all had equally many at first."""
    at_first = {len(one) + one.dropped for one in trials.values()}
    return len(at_first) == 1 and np.unique(np.concatenate(list(codes.values()))).size <= at_first.pop()


def _refuse_unmatched(trials: Mapping[str, Trials], codes: Codes, common: NDArray[np.intp], unmatched: str) -> None:
    found = []
    for name, one in trials.items():
        lacking = np.flatnonzero(~np.isin(codes[name], common))
        if lacking.size:
            shown = listing([one.named(index) for index in lacking[:5].tolist()], lacking.size)
            found.append(f"{counted(lacking.size, 'trial')} of {name!r} ({shown})")
    drop = "compare on those with unmatched='drop' (--unmatched drop)"
    advice = "leave the others out" if unmatched == NEEDED else f"{drop}{_or_apart(unmatched)}"
    raise InputError(f"pairing: not in every system: {'; '.join(found)}; {common.size} are: {advice}")


def _first_conflict(trials: Mapping[str, Trials], codes: Codes, at: np.intp) -> tuple[str, str]:
    """Two systems that disagree on a trial."""
    labels = {name: one.is_target[np.flatnonzero(codes[name] == at)[0]] for name, one in trials.items()}
    first = next(iter(labels))
    return first, next(name for name, label in labels.items() if label != labels[first])


def _refuse_different(what: str, trials: Mapping[str, Trials], of: Callable[[Trials], Sequence[Any]]) -> None:
    """Raise where the same trials have other weights or sources in another system."""
    (first, one), *others = trials.items()
    for name, other in others:
        mine, theirs = of(one), of(other)
        if len(mine) != len(theirs) or not all(starmap(_equal, zip(mine, theirs, strict=True))):
            raise InputError(
                f"pairing: systems {first!r} and {name!r} have different {what} of the same trials; give both the same"
            )


def _equal(one: AnyArray, other: AnyArray) -> bool:
    one, other = comparable([one, other])
    return np.array_equal(one, other)


def _with_sources(trials: Mapping[str, Trials]) -> Mapping[str, Trials]:
    """The same trials with their sources, which need to be known of one system only."""
    known = {name: one for name, one in trials.items() if one.sources}
    if not known:
        return trials
    _refuse_different("sources", known, lambda one: one.sources)
    sources = next(iter(known.values())).sources
    return {name: replace(one, sources=sources) for name, one in trials.items()}


def _canonical_order(trials: Mapping[str, Trials]) -> NDArray[np.intp]:
    """An order that depends on the trials alone, so that no result depends on the order of rows or of systems."""
    scores = [trials[name].score for name in sorted(trials)]
    first = next(iter(trials.values()))
    weight = [] if first.weight is None else [first.weight]
    return np.lexsort([*weight, *scores, first.is_target])

"""Scores and a key brought together by ids that both have; what does not match is counted and refused, or dropped."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from deciban.errors import InputError, Problems, counted, listing
from deciban.tables.files.duck import Fetched, Role
from deciban.tables.files.id_hashes import alike, hashed
from deciban.tables.formats.matching import Ordered, codes, occurrences, one_to_one, recurs
from deciban.tables.formats.side import Side
from deciban.values.arrays import AnyArray, nulls
from deciban.values.coded import whole


@dataclass(frozen=True, slots=True)
class Read:
    """One side with what was read of it, the ids that name a trial among it."""

    side: Side
    columns: Fetched
    ids: Sequence[str]

    def keys(self) -> list[AnyArray]:
        """The columns of ids, by which rows are found."""
        return [whole(self.columns[name, "key"]) for name in self.ids]


@dataclass(frozen=True, slots=True)
class Rows:
    """Which rows of the scores and of the key are the same trial, in the order of the key; None is all in order."""

    of_scores: AnyArray
    of_key: AnyArray | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Numbered:
    """One side with a number for each of its ids: the numbers that occur, where each is first, and how often."""

    side: Side
    columns: Fetched
    names: Sequence[AnyArray]
    code: AnyArray
    values: AnyArray
    first: AnyArray
    counts: AnyArray

    def shown(self, rows: AnyArray) -> str:
        """The first ids at some rows, with their lines."""
        some = rows[:3].tolist()
        said = [
            f"{' '.join(str(column[row]) for column in self.names)!r} ({place})"
            for row, place in zip(some, self.side.places(some), strict=True)
        ]
        return listing(said) + (", …" if rows.size > len(some) else "")


def join_by_ids(scores: Read, key: Read, unmatched: str) -> Rows:
    """Find the rows that belong together.

    Parameters
    ----------
    scores, key
        What was read of each side.
    unmatched
        ``"refuse"`` or ``"drop"`` what only one side has.

    Raises
    ------
    InputError
        With the numbers of missing, further and repeated ids, unless there are none or they may be dropped.
    """
    of_both = zip(*map(alike, zip(scores.keys(), key.keys(), strict=True)), strict=True)
    with ThreadPoolExecutor(2) as pool:
        hashes = list(pool.map(hashed, of_both))
        found = one_to_one(*pool.map(Ordered.of, hashes))
    if found is not None:
        return Rows(found)
    left, right = _numbered([scores, key], hashes)
    if unmatched == "refuse":
        _refuse_unmatched(left, right)
    _refuse_contradictions(left)
    _refuse_contradictions(right)
    both, of_left, of_right = np.intersect1d(left.values, right.values, return_indices=True)
    if both.size == 0:
        _refuse_unmatched(left, right)
    order = np.argsort(right.first[of_right], kind="stable")
    return Rows(left.first[of_left][order], right.first[of_right][order], _dropped(left, right, both.size))


def each_once(scores: Read, unmatched: str) -> Rows | None:
    """Find the rows of a table without a key that say something new; None where every id is there once.

    Raises
    ------
    InputError
        When ids recur, unless lines that say the same twice may be taken as one.
    """
    hashes = hashed(scores.keys())
    if not recurs(np.sort(hashes)):
        return None
    (found,) = _numbered([scores], [hashes])
    if found.values.size == found.code.size:
        return None
    _refuse_contradictions(found)
    if unmatched == "refuse":
        again = _again(found)
        raise InputError(
            f"{found.side.what}: {counted(again.size, 'id')} again: {found.shown(again)}; take lines that say the same "
            "twice as one with unmatched='drop' (--unmatched drop)"
        )
    repeated = found.code.size - found.values.size
    return Rows(np.sort(found.first), notes=(f"dropped: {counted(repeated, 'repeated line')}",))


def _numbered(sides: Sequence[Read], hashes: Sequence[AnyArray]) -> list[Numbered]:
    """Number the ids of all sides together by their text, without the blanks around it."""
    wanted: list[tuple[str, Role]] = [(name, "name") for name in sides[0].ids]
    texts = [[whole(table[one]) for one in wanted] for table in (of.side.fetch(wanted) for of in sides)]
    numbers = codes(np.concatenate(hashes), [np.concatenate(parts) for parts in zip(*texts, strict=True)])
    cuts = np.cumsum([one.size for one in hashes])[:-1]
    return [
        Numbered(of.side, of.columns, names, code, *occurrences(code))
        for of, names, code in zip(sides, texts, np.split(numbers, cuts), strict=True)
    ]


def _refuse_unmatched(scores: Numbered, key: Numbered) -> None:
    missing = np.sort(key.first[~np.isin(key.values, scores.values)])
    further = np.sort(scores.first[~np.isin(scores.values, key.values)])
    problems = Problems(f"{scores.side.what} and {key.side.what} do not hold the same trials")
    if missing.size == key.values.size:
        problems.add(
            f"no id is in both, so that they do not belong together: the scores begin with {scores.shown(further)}, "
            f"the key with {key.shown(missing)}"
        )
        problems.raise_if_any()
    if missing.size:
        problems.add(f"{counted(missing.size, 'id')} of the key without a score: {key.shown(missing)}")
    if further.size:
        problems.add(f"{counted(further.size, 'id')} of the scores not in the key: {scores.shown(further)}")
    for one in (scores, key):
        if (again := _again(one)).size:
            problems.add(f"{counted(again.size, 'id')} again in {one.side.what}: {one.shown(again)}")
    problems.advice = (
        "take what both have, and lines that say the same twice as one, with unmatched='drop' (--unmatched drop)"
    )
    problems.raise_if_any()


def _again(one: Numbered) -> AnyArray:
    """Rows whose id has occurred before."""
    is_first = np.zeros(one.code.size, dtype=bool)
    is_first[one.first] = True
    return np.flatnonzero(~is_first)


def _refuse_contradictions(one: Numbered) -> None:
    """Raise when the same id occurs twice and says two things: which of them holds nobody knows."""
    again = _again(one)
    before = one.first[np.searchsorted(one.values, one.code[again])]
    for (name, role), column in one.columns.items():
        if role == "key":
            continue
        now, then = whole(column)[again], whole(column)[before]
        both_missing = nulls(now) & nulls(then)
        differs = np.asarray((now != then) & ~both_missing, dtype=bool)
        if differs.any():
            at = int(np.flatnonzero(differs)[0])
            here, there = one.side.places([int(again[at]), int(before[at])])
            named = " ".join(str(ids[again[at]]) for ids in one.names)
            number = counted(int(np.count_nonzero(differs)), "repeated id")
            raise InputError(
                f"{one.side.what}: {number} with another {name}: {named!r} has {now[at]} on {here} and {then[at]} on "
                f"{there}; keep the line that is right"
            )


def _dropped(scores: Numbered, key: Numbered, both: int) -> tuple[str, ...]:
    counts = {
        "ids of the key without a score": key.values.size - both,
        "ids of the scores not in the key": scores.values.size - both,
        "repeated lines": int((scores.counts - 1).sum() + (key.counts - 1).sum()),
    }
    said = ", ".join(f"{number} {what}" for what, number in counts.items() if number)
    return (f"dropped: {said}; {both} trials are in both",) if said else ()

"""Trials written as a plain table, or as BOSARIS text: scores and their key."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from deciban.errors import SHOWN, InputError, OptionError, listing, rows
from deciban.tables.column_names import IMPLIED_SCALE, USUAL_LABEL, USUAL_SCORE, column_of_lrs
from deciban.tables.columns import Columns
from deciban.tables.files.duck import connect, identifier, literal, register
from deciban.tables.files.table_writing import FORMATS, check_table_place
from deciban.trials.same_ids import first_of_each
from deciban.trials.trials import Trials
from deciban.values.arrays import AnyArray

LABEL: Final = "label"
_BOSARIS = "FORMAT csv, HEADER false, DELIMITER ' '"


def check_bosaris_places(bosaris: bool, output: Path, key_output: Path | None) -> None:
    """Raise unless there are two places for BOSARIS text, or one for a table whose ending says its format."""
    if not bosaris:
        if key_output is not None:
            raise OptionError("--key-output: a table has its labels in it; a key is written with --to bosaris")
        check_table_place(output)
        return
    if key_output is None:
        raise OptionError("--to bosaris: expected --key-output too, the file for the key")
    if key_output.resolve() == output.resolve():
        raise OptionError("--key-output: expected another file than that of the scores")


def write_table(trials: Trials, columns: Columns, path: Path, like: Path) -> dict[str, str]:
    """Write trials as CSV or Parquet, as ``like`` ends: score, label, ids, sources, conditions and weight.

    The score column is called by the scale, where that has a usual name. A trial that failed has no score.

    Returns
    -------
    dict of str to str
        What columns are called in the table that have another name in what was read (:func:`written_names`).
    """
    score = trials.scale if IMPLIED_SCALE.get(trials.scale) == trials.scale else "score"
    held: dict[str, AnyArray] = {score: _scores(trials), LABEL: _labels(trials)}
    further = [
        *zip(columns.ids, trials.ids, strict=True),
        *zip(columns.sources, trials.sources, strict=True),
        *trials.conditions.items(),
    ]
    if trials.weight is not None:
        held["weight"] = trials.weight
    names = written_names(tuple(held), [name for name, _ in further])
    held |= {names[name]: column for name, column in further}
    _copy(held, path, like, FORMATS[like.suffix.lower()])
    return {name: written for name, written in names.items() if written != name}


def written_names(own: Sequence[str], further: Sequence[str]) -> dict[str, str]:
    """What ``further`` columns are called beside the score and others of trials, so that the score and label are known.

    A name that another column of scores or labels could have, or that differs from another in case only, gets
    ``other_`` before it.

    Examples
    --------
    >>> written_names(("score", "label"), ["speaker", "truth"])
    {'speaker': 'speaker', 'truth': 'other_truth'}
    """
    usual = {*USUAL_SCORE, *USUAL_LABEL}
    there = set(own)
    names: dict[str, str] = {}
    for name in dict.fromkeys(further):
        # The later of two names that differ in case would be called otherwise by what writes the file, and unsaid.
        names[name] = name if name.strip().casefold() not in usual | there else _other(name, {*further, *there})
        there.add(names[name].casefold())
    while (lrs := column_of_lrs([*own, *names.values()])) not in (None, own[0]):
        names |= {name: _other(name, {*further, *there}) for name, written in names.items() if written == lrs}
        there |= set(names.values())
    return names


def _other(name: str, taken: Collection[str]) -> str:
    """The name with ``other_`` before it, as often as it takes to be none of those that are taken, in any case."""
    lower = {one.casefold() for one in taken}
    written = f"other_{name}"
    while written.casefold() in lower:
        written = f"other_{written}"
    return written


def write_bosaris(trials: Trials, path: Path, key: Path) -> None:
    """Write ``model segment score`` and ``model segment target|nontarget``.

    Raises
    ------
    InputError
        When trials do not have two ids, these have blanks in them or nothing, or recur, or a score is missing.
    """
    if len(trials.ids) != 2:
        raise InputError(
            f"BOSARIS names a trial by two ids, model and segment; found {len(trials.ids)}: name two columns with "
            "ids= (--id)"
        )
    for column in trials.ids:
        bad = [value for value in column if value is None or not str(value) or len(str(value).split()) != 1]
        if bad:
            raise InputError(f"ids: expected texts without blanks, found {listing(map(repr, bad))}")
    _refuse_repeated(trials)
    if trials.failed is not None:
        missing = [trials.row_number(index) - 1 for index in np.flatnonzero(trials.failed).tolist()]
        raise InputError(
            f"BOSARIS text has no word for a missing score: {rows(missing)}; leave such trials out with missing='drop' "
            "(--missing drop), or write a table"
        )
    names = dict(zip(("model", "segment"), trials.ids, strict=True))
    _copy({**names, "score": trials.score}, path, path, _BOSARIS)
    _copy({**names, LABEL: _labels(trials)}, key, key, _BOSARIS)


def _refuse_repeated(trials: Trials) -> None:
    """Raise where two trials have the same ids: neither scores nor key would say which of them is meant."""
    first, where = first_of_each(trials)
    repeated = np.flatnonzero(first[where] != np.arange(len(trials)))
    if repeated.size:
        shown = [
            f"{trials.named(i)} (rows {trials.row_number(int(first[where[i]]))} and {trials.row_number(i)})"
            for i in repeated[:SHOWN].tolist()
        ]
        raise InputError(
            f"BOSARIS names each trial once, and ids recur: {listing(shown, repeated.size)}; leave the repeated rows "
            "out, name other columns with ids= (--id), or write a table"
        )


def _scores(trials: Trials) -> AnyArray:
    return trials.score if trials.failed is None else np.ma.MaskedArray(trials.score, trials.failed)


def _labels(trials: Trials) -> AnyArray:
    return np.where(trials.is_target, "target", "nontarget")


def _copy(held: Mapping[str, AnyArray], path: Path, like: Path, how: str) -> None:
    import duckdb

    names: Sequence[str] = list(held)
    shown = ", ".join(f"c{position} AS {identifier(name)}" for position, name in enumerate(names))
    try:
        with connect() as db:
            register(db, "trials", list(held.values()))
            db.execute(f"COPY (SELECT {shown} FROM trials) TO {literal(str(path))} ({how})")
    except duckdb.Error as error:
        raise InputError(f"{like}: cannot be written: {str(error).splitlines()[0]}") from None

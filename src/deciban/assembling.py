"""Columns that were fetched become trials, or a tally where an engine has counted rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from deciban.columns import Columns
from deciban.errors import InputError, OptionError, Problems
from deciban.files.duck import Fetched, Role
from deciban.tally import Known, Tally
from deciban.trials import Trials

Found = Mapping[tuple[str, Role], object]


def wanted_columns(declared: Columns, conditions: Iterable[str], ids: Iterable[str]) -> list[tuple[str, Role]]:
    """The columns that trials are made of, with what each is read for."""
    wanted: dict[tuple[str, Role], None] = {(declared.score, "number"): None, (declared.label, "label"): None}
    if declared.weight is not None:
        wanted[declared.weight, "number"] = None
    wanted |= dict.fromkeys((name, "group") for name in conditions)
    wanted |= dict.fromkeys((name, "name") for name in (*declared.sources, *ids))
    return list(wanted)


def assemble(found: Found, declared: Columns, what: str, assumed: tuple[str, ...]) -> Known:
    """Validate columns; what is wrong with their texts is told together with what is wrong with their values.

    Parameters
    ----------
    found
        Columns for what each was read; conditions and ids that are not among them are left out.
    declared
        What each column is.
    what, assumed
        What the table is called, and what was settled about it already.

    Returns
    -------
    Trials or Tally
        A tally where the columns say how many trials each row stands for.
    """
    faults, notes = (found.faults, found.notes) if isinstance(found, Fetched) else ([], [])
    name = f"{what} (score column {declared.score!r}, label column {declared.label!r})"
    if faults:
        further = _further_problems(found, declared, name)
        problems = Problems(name if further else what)
        problems.found = [*map(str, faults), *further]
        problems.raise_if_any()
    known = _validated(found, declared, name)
    if isinstance(known, Tally):
        return replace(known, rows=replace(known.rows, assumed=(*assumed, *notes, *known.assumed)))
    return replace(known, assumed=(*assumed, *notes, *known.assumed))


def _further_problems(found: Found, declared: Columns, name: str) -> tuple[str, ...]:
    """What else is wrong with columns in which numbers stand in for what is none."""
    try:
        _validated(found, declared, name)
    except InputError as error:
        return error.problems
    except OptionError as error:
        return (str(error),)
    return ()


def _validated(found: Found, declared: Columns, name: str) -> Known:
    scores, labels = found[declared.score, "number"], found[declared.label, "label"]
    options: dict[str, Any] = {
        "target": declared.target or None,
        "nontarget": declared.nontarget or None,
        "ignore": declared.ignore,
        "scale": declared.scale,
        "prior": declared.prior,
        "sources": tuple(unmasked(found[name, "name"]) for name in declared.sources),
        "conditions": {
            name: unmasked(found[name, "group"]) for name in declared.conditions if (name, "group") in found
        },
        "weight": None if declared.weight is None else found[declared.weight, "number"],
        "missing": declared.missing,
        "higher": declared.higher,
        "swap": declared.swap,
        "name": name,
    }
    if isinstance(found, Fetched) and found.times is not None:
        return Tally.from_columns(scores, labels, found.times, found.resolution, **options)
    ids = tuple(unmasked(found[name, "name"]) for name in declared.ids)
    return Trials.from_arrays(scores, labels, ids=ids, **options)


def unmasked(column: object) -> object:
    """A masked column as objects with None, which is what groups and sources understand."""
    if not isinstance(column, np.ma.MaskedArray):
        return column
    held = column.data.astype(object)
    held[np.ma.getmaskarray(column)] = None
    return held

"""Columns that were fetched become trials, or a tally where an engine has counted rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeVar

from deciban.counts.tally import Known, Tally
from deciban.errors import InputError, OptionError, Problems
from deciban.tables.blanks import Found, notes_of, unmasked, without_blanks
from deciban.tables.columns import Columns
from deciban.tables.files.duck import Fetched, Role
from deciban.trials.trials import Trials

Made = TypeVar("Made")


def wanted_columns(
    numbers: Iterable[str], label: str, conditions: Iterable[str], names: Iterable[str]
) -> list[tuple[str, Role]]:
    """The columns that trials are made of, with what each is read for; ``names`` are those of sources and ids."""
    roles: dict[Role, Iterable[str]] = {"number": numbers, "label": (label,), "group": conditions, "name": names}
    return list(dict.fromkeys((name, role) for role, columns in roles.items() for name in columns))


def assemble(found: Found, declared: Columns, what: str, assumed: tuple[str, ...]) -> Known:
    """Make trials of two classes of columns, or a tally where the columns say how many trials each row stands for.

    Parameters
    ----------
    found
        Columns for what each was read; conditions and ids that are not among them are left out.
    declared
        What each column is.
    what, assumed
        What the table is called, and what was settled about it already.
    """
    found = without_blanks(found, "label", "group")
    of = f"score column {declared.score!r}, label column {declared.label!r}"
    known = made_of(found, what, of, lambda name: _known(found, declared, name))
    said = (*assumed, *notes_of(found), *known.assumed)
    if isinstance(known, Tally):
        return replace(known, rows=replace(known.rows, assumed=said))
    return replace(known, assumed=said)


def made_of(found: Found, what: str, columns: str, make: Callable[[str], Made]) -> Made:
    """Make trials of columns; what is wrong with their texts is told together with what is wrong with their values.

    Parameters
    ----------
    found
        The columns; numbers stand in for texts that are none, so that the other columns can be checked all the same.
    what, columns
        What the table is called, and which of its columns are what.
    make
        Makes the trials, given what they are called in messages.

    Raises
    ------
    InputError
        With everything that is wrong.
    """
    name = f"{what} ({columns})"
    faults = found.faults if isinstance(found, Fetched) else []
    if faults:
        further = _further_problems(make, name)
        problems = Problems(name if further else what)
        problems.found = [*map(str, faults), *further]
        problems.raise_if_any()
    return make(name)


def _further_problems(make: Callable[[str], object], name: str) -> tuple[str, ...]:
    try:
        make(name)
    except InputError as error:
        return error.problems
    except OptionError as error:
        return (str(error),)
    return ()


def _known(found: Found, declared: Columns, name: str) -> Known:
    scores, labels = found[declared.score, "number"], found[declared.label, "label"]
    texts = texts_of(found, (*declared.sources, *declared.ids))
    options: dict[str, Any] = {
        "target": declared.target or None,
        "nontarget": declared.nontarget or None,
        "ignore": declared.ignore,
        "scale": declared.scale,
        "prior": declared.prior,
        "sources": tuple(texts[name] for name in declared.sources),
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
    return Trials.from_arrays(scores, labels, ids=tuple(texts[name] for name in declared.ids), **options)


def texts_of(found: Found, names: Iterable[str]) -> dict[str, object]:
    """The columns of sources and ids that were found, each as one array however often it is named."""
    return {name: unmasked(found[name, "name"]) for name in dict.fromkeys(names) if (name, "name") in found}

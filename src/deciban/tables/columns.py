"""The declaration of columns: which column of a table is what, and how its values are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Final

import numpy as np

from deciban.counts.groups import by_columns
from deciban.errors import InputError, OptionError, nearest
from deciban.tables.column_names import USUAL_LABEL, USUAL_SCORE, column_of_lrs, implied_scale
from deciban.trials.labels import several, value_text
from deciban.trials.trials import HIGHER, MISSING
from deciban.values.option_checks import check_choice, check_flag
from deciban.values.scale import Scale, check_prior, check_scale

UNMATCHED: Final = ("refuse", "drop")
"""What is done with trials that only one of scores and key has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Which column is what, and how values are read: plain values, as they are written to the record.

    Attributes
    ----------
    score, label
        Names of the score and label columns.
    target, nontarget, ignore
        Label values of the two classes and of trials to leave out; empty when not given.
    scale, prior
        Unit of the scores, and the prior under which probabilities were made.
    sources, conditions, ids
        Columns that say where a trial comes from, that make groups, and that name a trial.
    weight
        Column of weights, or None.
    missing, higher, swap
        What a missing score means, which class high scores speak for, and whether the other class is evaluated.
    reader, key, unmatched
        Name of the reader of a format, path of its key, and what is done with trials that only scores or key have.
    """

    score: str
    label: str
    target: tuple[bool | int | float | str, ...] = ()
    nontarget: tuple[bool | int | float | str, ...] = ()
    ignore: tuple[bool | int | float | str, ...] = ()
    scale: Scale = "score"
    prior: float | None = None
    sources: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    weight: str | None = None
    missing: str = "refuse"
    higher: str = "target"
    swap: bool = False
    reader: str | None = None
    key: str | None = None
    unmatched: str = "refuse"


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What the caller of ``scan`` asked for, before the names of the table are known."""

    score: str | None = None
    label: str | None = None
    target: object = None
    nontarget: object = None
    ignore: object = ()
    scale: str | None = None
    prior: float | None = None
    sources: str | Sequence[str] | None = None
    conditions: str | Sequence[str] | None = None
    ids: str | Sequence[str] | None = ()
    weight: str | None = None
    missing: str = "refuse"
    higher: str = "target"
    swap: bool = False
    reader: str | None = None
    key: str | None = None
    unmatched: str = "refuse"

    def check(self) -> None:
        """Raise :class:`OptionError` for an option no table can satisfy, before anything is read."""
        if self.scale is not None:
            check_scale(self.scale)
        check_prior(self.prior)
        check_choice("missing", self.missing, MISSING)
        check_choice("higher", self.higher, HIGHER)
        check_flag("swap", self.swap)
        check_choice("unmatched", self.unmatched, UNMATCHED)
        if len(names_of(self.sources)) > 2:
            raise OptionError(f"sources: expected one or two columns, found {len(names_of(self.sources))}")

    def given(self) -> tuple[str, ...]:
        """Every column name that was given."""
        single = [name for name in (self.score, self.label, self.weight) if name is not None]
        several_names = [*names_of(self.sources), *names_of(self.conditions), *names_of(self.ids)]
        return tuple(dict.fromkeys(single + several_names))


def resolve(declared: Declared, names: Sequence[str], what: str, naming: str = "") -> tuple[Columns, tuple[str, ...]]:
    """Settle every column against the names the table has; ``naming`` says which of them are positions.

    Returns
    -------
    Columns, tuple of str
        The settled declaration, and a sentence for each thing that was assumed.

    Raises
    ------
    InputError
        When a given name does not exist, names occur twice, or score or label is not given and not found once.
    """
    refuse_duplicates(names, what)
    assumed: list[str] = []
    conditions = condition_names(declared.conditions, names)
    others = [*names_of(declared.sources), *conditions, *names_of(declared.ids)]
    if declared.weight is not None:
        others.append(declared.weight)
    for role, name in [
        ("score column", declared.score),
        ("label column", declared.label),
        *(("source column", name) for name in names_of(declared.sources)),
        *(("condition column", name) for name in conditions),
        *(("id column", name) for name in names_of(declared.ids)),
        ("weight column", declared.weight),
    ]:
        if name is not None and name not in names:
            raise InputError(f"{what}: no {role} {name!r}; {_near(name, names, naming)}")
    taken = {*others, declared.score, declared.label}
    free = [name for name in names if name not in taken]
    uses = _uses(declared, conditions)
    there = listed(names, naming)
    label = declared.label or _usual("label", USUAL_LABEL, free, what, assumed, uses, there)
    score = declared.score or column_of_lrs(free)
    if score is not None and declared.score is None:
        assumed.append(f"score column {score!r} (LRs of deciban calibrate)")
    score = score or _usual("score", USUAL_SCORE, free, what, assumed, uses, there)
    if score == label:
        raise OptionError(f"score and label are both column {score!r}: give two different columns")
    if declared.score is None and score.casefold() == "distance" and declared.higher != "nontarget":
        raise InputError(
            f"{what}: the score column {score!r} holds distances, which are high for nontargets: pass "
            f"higher='nontarget' (--higher nontarget), or score={score!r} if high values do mean target"
        )
    scale = _scale(declared.scale, score, names, assumed)
    settled = Columns(
        score=score,
        label=label,
        target=plain_values(declared.target),
        nontarget=plain_values(declared.nontarget),
        ignore=plain_values(declared.ignore),
        scale=scale,
        prior=check_prior(declared.prior, scale=scale),
        sources=names_of(declared.sources),
        conditions=conditions,
        ids=names_of(declared.ids),
        weight=declared.weight,
        missing=declared.missing,
        higher=declared.higher,
        swap=declared.swap,
        reader=declared.reader,
        key=declared.key,
        unmatched=declared.unmatched,
    )
    return settled, tuple(assumed)


def refuse_duplicates(names: Iterable[str], what: str) -> None:
    """Raise when a column name occurs twice: which of the two is meant would be a guess."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(
            f"{what}: column name {' and '.join(map(repr, twice))} occurs more than once; rename the others"
        )


def column_name(option: str, value: object) -> str | None:
    """The name of one column, or None; a whole number is the name of a column that dataframes may call so."""
    if isinstance(value, str) and not value:
        raise OptionError(f"{option}: expected the name of a column, found ''")
    if value is None or isinstance(value, str):
        return value
    if not isinstance(value, bool) and isinstance(value, Integral):
        return str(int(value))
    found = f"{value!r}" if np.isscalar(value) else f"a {type(value).__name__}"
    raise OptionError(
        f"{option}: expected the name of a column, found {found}; columns themselves go to "
        "deciban.Trials.from_arrays(scores, labels)"
    )


def names_of(value: str | Sequence[str] | None) -> tuple[str, ...]:
    """One name or several, as a tuple; None is none."""
    return tuple(str(name) for name in several(value))


def condition_names(conditions: str | Sequence[str] | None, names: Sequence[str]) -> tuple[str, ...]:
    """Condition columns; ``"a,b"`` is the crossing of two, unless a column really has that name."""
    found: list[str] = []
    for name in names_of(conditions):
        found += [name] if name in names else by_columns(name)
    return tuple(dict.fromkeys(found))


def _uses(declared: Declared, conditions: Iterable[str]) -> dict[str, str]:
    """What each column that was named is for, in the words of the one who named it."""
    return {
        **dict.fromkeys(conditions, "conditions (--by)"),
        **dict.fromkeys(names_of(declared.sources), "sources (--source)"),
        **dict.fromkeys(names_of(declared.ids), "ids (--id)"),
        **({} if declared.weight is None else {declared.weight: "weights (--weight)"}),
        **({} if declared.score is None else {declared.score: "scores (--score)"}),
        **({} if declared.label is None else {declared.label: "labels (--label)"}),
    }


def _usual(
    role: str,
    usual: tuple[str, ...],
    free: list[str],
    what: str,
    assumed: list[str],
    uses: Mapping[str, str],
    there: str,
) -> str:
    """The one column with a usual name for its role."""
    found = [name for name in free if name.strip().casefold() in usual]
    if len(found) == 1:
        assumed.append(f"{role} column {found[0]!r} (usual name)")
        return found[0]
    advice = f"say which with {role}= (--{role})"
    if found:
        raise InputError(f"{what}: which is the {role} column? {', '.join(map(repr, found))} all could be; {advice}")
    asked = [f"{name!r} is asked for as {use}" for name, use in uses.items() if name.strip().casefold() in usual]
    if asked:
        raise InputError(f"{what}: no other column has a usual name for the {role}: {', '.join(asked)}; {advice}")
    raise InputError(f"{what}: no column has a usual name for the {role}; {advice}; {there}")


def _scale(scale: str | None, score: str, names: Sequence[str], assumed: list[str]) -> Scale:
    """The scale given, or the one that the name of the score column says."""
    if scale is not None:
        return check_scale(scale)
    implied = implied_scale(score, names)
    if implied is None:
        return "score"
    assumed.append(f"scale {implied} (from the name of column {score!r})")
    return implied


def listed(names: Sequence[str], naming: str = "") -> str:
    """A clause that lists the columns of a table; ``naming`` says which of them are positions."""
    shown = ", ".join(map(repr, names[:30]))
    more = f", … ({len(names)} in all)" if len(names) > 30 else ""
    return f"its columns are {shown}{more}" + (f" ({naming})" if naming else "")


def _near(name: str, names: Sequence[str], naming: str) -> str:
    near = nearest(name, names)
    offered = f"did you mean {' or '.join(map(repr, near))}? " if near else ""
    return offered + listed(names, naming)


def plain_values(value: object) -> tuple[bool | int | float | str, ...]:
    """Label values as plain Python values, so that they can be written to the record."""
    plain: list[bool | int | float | str] = []
    for item in several(value):
        single = item.item() if isinstance(item, np.generic) else item
        plain.append(single if isinstance(single, (bool, int, float, str)) else value_text(single))
    return tuple(plain)

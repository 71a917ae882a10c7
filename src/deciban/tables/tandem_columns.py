"""Which column is what in a table of three-class trials: what was given, or the one column with a usual name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from deciban.errors import InputError, did_you_mean
from deciban.tables.column_names import plain_name
from deciban.tables.columns import Declared, condition_names, listed, names_of

Values = tuple[bool | int | float | str, ...]

USUAL: Final = {
    "asv": ("asv_score",),
    "cm": ("cm_score",),
    "sasv": ("sasv_score",),
    "classes": ("class", "label", "key", "asv_label", "cm_label", "sasv_label"),
}
"""Usual names of columns; a hyphen counts as an underscore."""

ONLY: Final = "score"
"""What the column of scores may be called too where one kind of them is wanted."""

OPTIONS: Final = {"asv": "--asv-score", "cm": "--cm-score", "sasv": "--score", "classes": "--class"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TandemColumns:
    """Which column is what: plain values, as they are written to the record.

    Attributes
    ----------
    classes
        Name of the column of classes.
    scores
        Name of the column of each score: ``asv``, ``cm``, ``sasv``.
    target, nontarget, spoof, bonafide, ignore
        Label values of each class, empty where they are the usual words, and of trials to leave out.
    sources, conditions, ids
        Columns that say where a trial comes from, that make groups, and that name a trial.
    missing
        What a missing score means.
    reader, key, unmatched
        Name of the reader of a format, path of its key, and what is done with trials that only scores or key have.
    """

    classes: str
    scores: Mapping[str, str]
    target: Values = ()
    nontarget: Values = ()
    spoof: Values = ()
    bonafide: Values = ()
    ignore: Values = ()
    sources: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    missing: str = "refuse"
    reader: str | None = None
    key: str | None = None
    unmatched: str = "refuse"


def resolve_tandem(
    declared: Declared,
    scores: Mapping[str, str],
    values: Mapping[str, Values],
    if_any: str | Sequence[str],
    names: Sequence[str],
    what: str,
    assumed: list[str],
) -> TandemColumns:
    """Settle every column against the names that the table has.

    Parameters
    ----------
    declared
        What the caller asked for, and the format said; its ``label`` is the column of classes.
    scores, values
        The column of each score, and the label values of each class.
    if_any
        Further columns that make groups, taken where the table has them.
    names, what
        The columns of the table, and what it is called.
    assumed
        Takes a sentence for what was recognised rather than given.

    Raises
    ------
    InputError
        When a column is not there, or none or several could be that of classes.
    """
    classes = declared.label or _usual("classes", names, what, assumed)
    if classes is None:
        raise InputError(
            f"{what}: which is the class column? no column has a usual name for it; say {OPTIONS['classes']}; "
            f"{listed(names)}"
        )
    optional = [name for name in condition_names(if_any, names) if name in names]
    columns = TandemColumns(
        classes=classes,
        scores=scores,
        sources=names_of(declared.sources),
        conditions=tuple(dict.fromkeys((*condition_names(declared.conditions, names), *optional))),
        ids=names_of(declared.ids),
        missing=declared.missing,
        reader=declared.reader,
        key=declared.key,
        unmatched=declared.unmatched,
        **values,
    )
    for name in (*scores.values(), classes, *columns.sources, *columns.conditions, *columns.ids):
        if name not in names:
            raise InputError(f"{what}: no column {name!r}; {did_you_mean(name, names)}")
    return columns


def score_columns(
    given: Mapping[str, str | None], wanted: Sequence[str], names: Sequence[str], what: str, assumed: list[str]
) -> dict[str, str]:
    """The column of each score that is wanted and there; :class:`InputError` where there is none."""
    found = {key: given[key] or _usual(key, names, what, assumed) for key in wanted}
    there = {key: name for key, name in found.items() if name is not None}
    if there:
        return there
    if len(wanted) == 1 and ONLY in names:
        assumed.append(f"{wanted[0]} score column {ONLY!r} (usual name)")
        return {wanted[0]: ONLY}
    options = " or ".join(OPTIONS[key] for key in wanted)
    raise InputError(f"{what}: which column is the score? Say {options}; {listed(names)}")


def _usual(key: str, names: Sequence[str], what: str, assumed: list[str]) -> str | None:
    """The one column with a usual name, None where there is none; :class:`InputError` where several could be."""
    found = [name for name in names if plain_name(name) in USUAL[key]]
    role = "class" if key == "classes" else f"{key} score"
    if len(found) > 1:
        raise InputError(
            f"{what}: which is the {role} column? {', '.join(map(repr, found))} all could be; say {OPTIONS[key]}; "
            f"{listed(names)}"
        )
    assumed += [f"{role} column {name!r} (usual name)" for name in found]
    return found[0] if found else None

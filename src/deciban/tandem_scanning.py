"""The way in for trials of three classes: which columns of a table are scores of what, and the trials they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from deciban.assembling import unmasked
from deciban.columns import column_name, refuse_duplicates
from deciban.errors import InputError, OptionError, Problems, did_you_mean
from deciban.files.duck import Fetched, Role, interruptible
from deciban.files.inputs import Input
from deciban.files.source import FileSource
from deciban.frames import FrameSource, MappingSource
from deciban.groups import by_columns
from deciban.labels import several
from deciban.option_checks import check_choice
from deciban.scanning import open_source
from deciban.tandem_trials import SCORES, TandemTrials
from deciban.trials import MISSING

Values = tuple[bool | int | float | str, ...]

USUAL: Final = {
    "asv": ("asv_score",),
    "cm": ("cm_score",),
    "sasv": ("sasv_score",),
    "classes": ("class", "label", "key", "asv_label", "cm_label", "sasv_label"),
}
"""Usual names of columns; a hyphen counts as an underscore."""

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


class TandemTable:
    """Columns of three-class trials that are named and not yet read; built by :func:`scan_tandem`.

    Attributes
    ----------
    what
        What the table is called in messages.
    columns
        The settled declaration.
    assumed
        What was recognised rather than given, one sentence each.
    """

    def __init__(
        self,
        source: FileSource | FrameSource | MappingSource,
        what: str,
        columns: TandemColumns,
        assumed: tuple[str, ...],
    ) -> None:
        self._source, self.what, self.columns, self.assumed = source, what, columns, assumed

    def __repr__(self) -> str:
        return f"TandemTable({self.what!r}, classes={self.columns.classes!r}, scores={dict(self.columns.scores)})"

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The files read so far."""
        return self._source.inputs if isinstance(self._source, FileSource) else ()

    def trials(self) -> TandemTrials:
        """Read the declared columns and validate them; :class:`InputError` says what is wrong, and where."""
        declared = self.columns
        wanted: dict[tuple[str, Role], None] = {(name, "number"): None for name in declared.scores.values()}
        wanted[declared.classes, "label"] = None
        wanted |= dict.fromkeys((name, "group") for name in declared.conditions)
        wanted |= dict.fromkeys((name, "name") for name in (*declared.sources, *declared.ids))
        try:
            with interruptible():
                found = self._source.fetch(list(wanted))
                return self._validated(found)
        except InputError as error:
            where = self._source.where_rows_are(str(error)) if isinstance(self._source, FileSource) else ""
            raise InputError(f"{error}{where}", error.problems) from None

    def _validated(self, found: Mapping[tuple[str, Role], object]) -> TandemTrials:
        faults, notes = (found.faults, found.notes) if isinstance(found, Fetched) else ([], [])
        name = f"{self.what} (class column {self.columns.classes!r})"
        problems = Problems(name)
        problems.found = [str(fault) for fault in faults]
        try:
            trials = self._trials(found, name)
        except InputError as error:
            problems.found += error.problems or [str(error)]
            problems.raise_if_any()
            raise
        problems.raise_if_any()
        return replace(trials, assumed=(*self.assumed, *notes, *trials.assumed))

    def _trials(self, found: Mapping[tuple[str, Role], object], name: str) -> TandemTrials:
        declared = self.columns
        scores = {key: found[column, "number"] for key, column in declared.scores.items()}
        return TandemTrials.from_arrays(
            found[declared.classes, "label"],
            asv=scores.get("asv"),
            cm=scores.get("cm"),
            sasv=scores.get("sasv"),
            target=declared.target or None,
            nontarget=declared.nontarget or None,
            spoof=declared.spoof or None,
            bonafide=declared.bonafide or None,
            ignore=declared.ignore,
            sources=tuple(unmasked(found[each, "name"]) for each in declared.sources),
            conditions={each: unmasked(found[each, "group"]) for each in declared.conditions},
            ids=tuple(unmasked(found[each, "name"]) for each in declared.ids),
            missing=declared.missing,
            name=name,
        )


def scan_tandem(
    source: object,
    *,
    classes: str | int | None = None,
    asv: str | int | None = None,
    cm: str | int | None = None,
    sasv: str | int | None = None,
    scores: Sequence[str] = SCORES,
    target: object = (),
    nontarget: object = (),
    spoof: object = (),
    bonafide: object = (),
    ignore: object = (),
    sources: str | Sequence[str] = (),
    conditions: str | Sequence[str] = (),
    conditions_if_any: str | Sequence[str] = (),
    ids: str | Sequence[str] = (),
    missing: str = "refuse",
) -> TandemTable:
    """Say which columns of a table are classes and scores of three-class trials; values are read by ``.trials()``.

    Parameters
    ----------
    source
        What :func:`scan` takes: paths, a dataframe, or a mapping of columns.
    classes
        Column of the classes; found by its usual name (class, label, key, …) when not given.
    asv, cm, sasv
        Columns of the scores of the verifier, the countermeasure, and one system that does both; found by their usual
        names (``asv_score``, ``cm-score``, …) when not given.
    scores
        Which of the three scores are wanted; default those that there are.
    target, nontarget, spoof, bonafide, ignore
        Label values of each class where they are not those words, and of trials to leave out.
    sources, conditions, ids
        Columns that say where a trial comes from (one or two), that make groups, and that name a trial.
    conditions_if_any
        Further columns that make groups, taken where the table has them.
    missing
        As in :meth:`TandemTrials.from_arrays`.

    Returns
    -------
    TandemTable
        Its ``columns`` and ``assumed`` say what was settled.

    Raises
    ------
    InputError
        When the file cannot be read, or a column is not there.
    OptionError
        When an option is not legal.

    Examples
    --------
    >>> import deciban as db
    >>> table = db.scan_tandem({"class": ["target", "spoof"], "asv_score": [2.0, 1.0], "cm_score": [1.0, -1.0]})
    >>> table.trials()
    TandemTrials(target=1, spoof=1, scores=['asv', 'cm'])
    """
    check_choice("missing", missing, MISSING)
    given = {key: column_name(key, value) for key, value in (("asv", asv), ("cm", cm), ("sasv", sasv))}
    class_column = column_name("classes", classes)
    extra = {key: _names(value) for key, value in (("sources", sources), ("conditions", conditions), ("ids", ids))}
    if len(extra["sources"]) > 2:
        raise OptionError(f"sources: expected one or two columns, found {len(extra['sources'])}")
    named = [name for name in (*given.values(), class_column, *(n for of in extra.values() for n in of)) if name]
    opened, what = open_source(source, named)
    refuse_duplicates(opened.names, what)
    optional = [name for name in _crossed(_names(conditions_if_any), opened.names) if name in opened.names]
    extra["conditions"] = tuple(dict.fromkeys((*_crossed(extra["conditions"], opened.names), *optional)))
    assumed: list[str] = []
    found = {key: _found(key, given[key], opened.names, what, assumed, required=False) for key in scores}
    present = {key: name for key, name in found.items() if name is not None}
    if not present:
        wanted = " or ".join(OPTIONS[key] for key in scores)
        raise InputError(f"{what}: which column is the score? Say {wanted}; {_listed(opened.names)}")
    settled = _found("classes", class_column, opened.names, what, assumed, required=True) or ""
    for name in (*present.values(), settled, *(name for of in extra.values() for name in of)):
        if name not in opened.names:
            raise InputError(f"{what}: no column {name!r}; {did_you_mean(name, opened.names)}")
    values = {"target": target, "nontarget": nontarget, "spoof": spoof, "bonafide": bonafide, "ignore": ignore}
    columns = TandemColumns(
        classes=settled,
        scores=present,
        sources=extra["sources"],
        conditions=extra["conditions"],
        ids=extra["ids"],
        missing=missing,
        **{key: _plain(value) for key, value in values.items()},
    )
    return TandemTable(opened, what, columns, tuple(assumed))


def _found(
    key: str, given: str | None, names: Sequence[str], what: str, assumed: list[str], *, required: bool
) -> str | None:
    """The column given, or the one with a usual name; None where there is none and none is needed."""
    if given is not None:
        return given
    usual = [name for name in names if name.strip().casefold().replace("-", "_") in USUAL[key]]
    role = "class" if key == "classes" else f"{key} score"
    if len(usual) == 1:
        assumed.append(f"{role} column {usual[0]!r} (usual name)")
        return usual[0]
    if usual or required:
        either = f"{', '.join(map(repr, usual))} all could be" if usual else "no column has a usual name for it"
        raise InputError(f"{what}: which is the {role} column? {either}; say {OPTIONS[key]}; {_listed(names)}")
    return None


def _names(value: str | Sequence[str]) -> tuple[str, ...]:
    return tuple(str(name) for name in several(value))


def _crossed(conditions: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Condition columns; ``"a,b"`` is the crossing of two, unless a column really has that name."""
    return tuple(dict.fromkeys(part for name in conditions for part in ([name] if name in names else by_columns(name))))


def _listed(names: Sequence[str]) -> str:
    more = f", … ({len(names)} in all)" if len(names) > 30 else ""
    return f"its columns are {', '.join(map(repr, names[:30]))}{more}"


def _plain(value: object) -> Values:
    """Label values as plain Python values, so that they can be written to the record."""
    plain = [getattr(item, "item", lambda item=item: item)() for item in several(value)]
    return tuple(item if isinstance(item, (bool, int, float, str)) else str(item) for item in plain)

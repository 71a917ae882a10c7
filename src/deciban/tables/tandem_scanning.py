"""The way in for trials of three classes: which columns of a table are scores of what, and the trials they make."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

from deciban.tables.assembling import made_of, texts_of, wanted_columns
from deciban.tables.blanks import Found, notes_of, unmasked, without_blanks
from deciban.tables.columns import Declared, column_name, names_of, plain_values, refuse_duplicates
from deciban.tables.files.inputs import Input
from deciban.tables.formats.reader import FormatFiles
from deciban.tables.formats.source import KIND, FormatSource
from deciban.tables.label_agreement import Agreement
from deciban.tables.opening import Source, nearest_format, open_source, read_columns
from deciban.tables.tandem_columns import TandemColumns, resolve_tandem, score_columns
from deciban.trials.tandem import SCORES, TandemTrials


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

    def __init__(self, source: Source, what: str, columns: TandemColumns, assumed: tuple[str, ...]) -> None:
        self._source, self.what, self.columns, self.assumed = source, what, columns, assumed
        self._agreement = Agreement.of(source, columns.classes, usual=not columns.spoof)

    def __repr__(self) -> str:
        return f"TandemTable({self.what!r}, classes={self.columns.classes!r}, scores={dict(self.columns.scores)})"

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The files read so far."""
        return getattr(self._source, "inputs", ())

    def trials(self) -> TandemTrials:
        """Read the declared columns and validate them; :class:`InputError` says what is wrong, and where."""
        declared = self.columns
        names = (*declared.sources, *declared.ids)
        wanted = wanted_columns(declared.scores.values(), declared.classes, declared.conditions, names)
        return read_columns(self._source, [*wanted, *self._agreement.wanted], self._assembled)

    def _assembled(self, found: Found) -> TandemTrials:
        found = without_blanks(found, "label", "group")
        of = f"class column {self.columns.classes!r}"
        trials = made_of(found, self.what, of, lambda name: self._trials(found, name))
        self._agreement.refuse_contradictions(trials, found, self._source, self.what)
        return replace(trials, assumed=(*self.assumed, *notes_of(found), *trials.assumed))

    def _trials(self, found: Found, name: str) -> TandemTrials:
        declared = self.columns
        scores = {key: found[column, "number"] for key, column in declared.scores.items()}
        texts = texts_of(found, (*declared.sources, *declared.ids))
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
            sources=tuple(texts[each] for each in declared.sources),
            conditions={each: unmasked(found[each, "group"]) for each in declared.conditions},
            ids=tuple(texts[each] for each in declared.ids),
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
    sources: str | Sequence[str] | None = None,
    conditions: str | Sequence[str] | None = None,
    conditions_if_any: str | Sequence[str] = (),
    ids: str | Sequence[str] | None = (),
    missing: str = "refuse",
    query: str | None = None,
    key: str | os.PathLike[str] | None = None,
    reader: str | None = None,
    unmatched: str = "refuse",
) -> TandemTable:
    """Say which columns of a table are classes and scores of three-class trials; values are read by ``.trials()``.

    Parameters
    ----------
    source
        What :func:`scan` takes: paths, a table of a database, a dataframe, or a mapping of columns.
    classes
        Column of the classes; found by its usual name (class, label, key, …) when not given.
    asv, cm, sasv
        Columns of the scores of the verifier, the countermeasure, and one system that does both; found by their usual
        names (``asv_score``, ``cm-score``, …) when not given, or as ``score`` where one of the three is wanted.
    scores
        Which of the three scores are wanted; default those that there are, and of a format hold anything but ``-``.
    target, nontarget, spoof, bonafide, ignore
        Label values of each class where they are not those words, and of trials to leave out.
    sources, conditions, ids
        Columns that say where a trial comes from (one or two), that make groups, and that name a trial. None: those
        that a reader knows of its format, and none for other tables.
    conditions_if_any
        Further columns that make groups, taken where the table has them.
    missing
        As in :meth:`TandemTrials.from_arrays`.
    query, key, reader, unmatched
        A statement for a database; a file with the labels of the trials, the name of the format, and what is done with
        trials that only one of scores and key has: as in :func:`scan`.

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
    given = {key: column_name(key, value) for key, value in (("asv", asv), ("cm", cm), ("sasv", sasv))}
    labels = {"target": target, "nontarget": nontarget, "spoof": spoof, "bonafide": bonafide, "ignore": ignore}
    values = {key: plain_values(value) for key, value in labels.items()}
    declared = Declared(
        label=column_name("classes", classes),
        target=tuple(value for of in values.values() for value in of),
        nontarget=values["spoof"],
        sources=sources,
        conditions=conditions,
        ids=ids,
        missing=missing,
        reader=reader,
        key=None if key is None else os.fspath(key),
        unmatched=unmatched,
    )
    declared.check()
    named = [name for name in given.values() if name is not None]
    recognise = not named and declared.label is None
    opened, what = open_source(
        source,
        [*named, *declared.given()],
        recognise=recognise,
        query=query,
        key=key,
        reader=reader,
        unmatched=unmatched,
    )
    refuse_duplicates(opened.names, what)
    assumed: list[str] = []
    with nearest_format(opened, recognise=recognise and reader is None):
        there = score_columns(given, scores, _filled(opened, scores), what, assumed)
        if isinstance(opened, FormatFiles):
            declared, assumed = _completed(opened, declared, there), [*opened.said]
        columns = resolve_tandem(declared, there, values, conditions_if_any, opened.names, what, assumed)
    return TandemTable(opened, what, columns, tuple(assumed))


def _filled(opened: Source, wanted: Sequence[str]) -> tuple[str, ...]:
    """The columns, where several scores are wanted without those of a format that hold none: other tasks had them."""
    if not isinstance(opened, FormatSource) or len(wanted) == 1:
        return opened.names
    columns = [name for name in opened.scores.layout.scores if name in opened.scores.names]
    empty = set(columns) - set(opened.scores.holding_values(columns))
    return tuple(name for name in opened.names if name not in empty)


def _completed(opened: FormatFiles, declared: Declared, scores: Mapping[str, str]) -> Declared:
    """The declaration with what the format says where the caller says nothing."""
    # The label of the verifier's scores has all classes; that of the countermeasure's may have two.
    decisive = next(scores[name] for name in ("asv", "sasv", "cm") if name in scores)
    found = opened.completed(replace(declared, score=decisive))
    if declared.conditions is None:
        # What tells the kinds of nontargets apart is here the class itself.
        return replace(found, conditions=[name for name in names_of(found.conditions) if name != KIND])
    return found

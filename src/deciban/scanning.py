"""The way in: a file or dataframe, the declaration of its columns, and the trials they make."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from deciban.columns import Columns, Declared, column_name, resolve
from deciban.errors import InputError, OptionError, Problems
from deciban.files.duck import Fetched, Role, interruptible
from deciban.files.inputs import Input, input_files
from deciban.files.source import FileSource
from deciban.formats.catalogue import open_format
from deciban.formats.reader import Source as FormatSource
from deciban.frames import FrameSource, MappingSource, frame_source
from deciban.trials import Trials


class Table:
    """Columns that are named and not yet read; built by :func:`scan`.

    Attributes
    ----------
    what
        What the table is called in messages: its path, ``2 files (…)``, or ``table``.
    columns
        The settled declaration.
    assumed
        What was recognised rather than given, one sentence each.
    inputs
        The files read, with SHA-256, size and rows; empty before :meth:`trials` and for dataframes.
    """

    def __init__(
        self, source: FileSource | FormatSource | FrameSource | MappingSource, declared: Declared, what: str
    ) -> None:
        self._source, self.what = source, what
        self.columns: Columns
        self.assumed: tuple[str, ...]
        self.columns, assumed = resolve(declared, source.names, what, source.naming)
        self.assumed = (*getattr(source, "said", ()), *assumed)

    def __repr__(self) -> str:
        return f"Table({self.what!r}, score={self.columns.score!r}, label={self.columns.label!r})"

    @property
    def names(self) -> tuple[str, ...]:
        """Every column name of the table."""
        return self._source.names

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The files read so far."""
        return getattr(self._source, "inputs", ())

    def trials(self) -> Trials:
        """Read the declared columns and validate them.

        Raises
        ------
        InputError
            With what is wrong with the file or its values, where, and what to do.
        """
        try:
            with interruptible():
                return self._validated()
        except InputError as error:
            raise InputError(f"{error}{self.where_rows_are(str(error))}", error.problems) from None

    def files(self) -> FileSource:
        """The files that the table consists of; raises :class:`InputError` for dataframes."""
        if not isinstance(self._source, FileSource):
            raise InputError(
                f"{self.what}: expected a table of files; of files in another format deciban convert makes one"
            )
        return self._source

    def where_rows_are(self, message: str) -> str:
        """A clause for a message that names rows: where row 1 is, or which rows each of several files has."""
        return "" if isinstance(self._source, (FrameSource, MappingSource)) else self._source.where_rows_are(message)

    def _validated(self) -> Trials:
        declared = self.columns
        wanted: dict[tuple[str, Role], None] = {(declared.score, "number"): None, (declared.label, "label"): None}
        if declared.weight is not None:
            wanted[declared.weight, "number"] = None
        wanted |= dict.fromkeys((name, "group") for name in declared.conditions)
        wanted |= dict.fromkeys((name, "name") for name in (*declared.sources, *declared.ids))
        found = self._source.fetch(list(wanted))
        faults, notes = (found.faults, found.notes) if isinstance(found, Fetched) else ([], [])
        name = f"{self.what} (score column {declared.score!r}, label column {declared.label!r})"
        if faults:
            further = self._further_problems(found, name)
            problems = Problems(name if further else self.what)
            problems.found = [*map(str, faults), *further]
            problems.raise_if_any()
        trials = self._trials(found, name)
        return replace(trials, assumed=(*self.assumed, *notes, *trials.assumed))

    def _further_problems(self, found: Mapping[tuple[str, Role], object], name: str) -> tuple[str, ...]:
        """What else is wrong with columns in which numbers stand in for what is none."""
        try:
            self._trials(found, name)
        except InputError as error:
            return error.problems
        except OptionError as error:
            return (str(error),)
        return ()

    def _trials(self, found: Mapping[tuple[str, Role], object], name: str) -> Trials:
        declared = self.columns
        return Trials.from_arrays(
            found[declared.score, "number"],
            found[declared.label, "label"],
            target=declared.target or None,
            nontarget=declared.nontarget or None,
            ignore=declared.ignore,
            scale=declared.scale,
            prior=declared.prior,
            sources=tuple(_unmasked(found[name, "name"]) for name in declared.sources),
            conditions={name: _unmasked(found[name, "group"]) for name in declared.conditions},
            ids=tuple(_unmasked(found[name, "name"]) for name in declared.ids),
            weight=None if declared.weight is None else found[declared.weight, "number"],
            missing=declared.missing,
            higher=declared.higher,
            swap=declared.swap,
            name=name,
        )


def _unmasked(column: object) -> object:
    """A masked column as objects with None, which is what groups and sources understand."""
    if not isinstance(column, np.ma.MaskedArray):
        return column
    held = column.data.astype(object)
    held[np.ma.getmaskarray(column)] = None
    return held


def scan(
    source: object,
    *,
    score: str | int | None = None,
    label: str | int | None = None,
    target: object = None,
    nontarget: object = None,
    ignore: object = (),
    scale: str | None = None,
    prior: float | None = None,
    sources: str | Sequence[str] | None = None,
    conditions: str | Sequence[str] | None = None,
    ids: str | Sequence[str] | None = (),
    weight: str | int | None = None,
    missing: str = "refuse",
    higher: str = "target",
    swap: bool = False,
    key: str | os.PathLike[str] | None = None,
    reader: str | None = None,
    unmatched: str = "refuse",
) -> Table:
    """Say which columns of a table are scores, labels and more; values are read by :meth:`Table.trials`.

    Parameters
    ----------
    source
        A path, a glob, ``"-"`` (standard input) or a list of paths: CSV, TSV and other delimited text, JSON lines,
        Parquet, Arrow IPC, .npy, .npz; text may be packed with gz or zst. Several files are one table with a column
        ``file``. Or a dataframe (pandas, Polars, PyArrow, …), or a mapping of columns.
    score, label
        Column names; found by their usual names when not given. A file without header has column0, column1, …, and
        a column whose name is empty in the header is called by its position too; a whole
        number names a column of a dataframe that is called so.
    target, nontarget, ignore
        Label values (one or several) of the two classes and of trials to leave out.
    scale, prior
        Unit of the scores (from a name such as ``ln_lr`` when not given), and the prior of probabilities.
    sources, conditions, ids
        Columns that say where a trial comes from (one or two), that make groups, and that name a trial. None: those
        that a reader knows of its format, and none for other tables. Ids of a million trials take longer to make than
        all the rest, so those of a reader come when they are named, or for ``ids=None``.
    weight
        Column of weights, >= 0.
    missing, higher, swap
        As in :meth:`deciban.trials.Trials.from_arrays`.
    key
        A file with the labels of the trials that ``source`` has scores of: a key, trial list or truth. The two are
        joined by the values of ids, in the order of the key.
    reader
        Name of the format of the files: two-class, kaldi, voxceleb, nist, bosaris, bosaris-hdf5, asvspoof2019,
        asvspoof2021, asvspoof5, sasv, pan, bob; docs/formats.md shows their lines. None: the one that the first lines
        fit, when a key or nothing else is given, and ``assumed`` says so; ``"table"``: a table with named columns.
    unmatched
        Trials that only one of scores and key has: ``"refuse"``, or ``"drop"`` them and say how many.

    Returns
    -------
    Table
        Its ``columns`` and ``assumed`` say what was settled.

    Raises
    ------
    InputError
        When the file cannot be read, or a column is not there.
    OptionError
        When an option is not legal.

    Notes
    -----
    Missing scores in text are written as nothing, ``-``, ``.``, ``?``, ``NA``, ``N/A``, ``#N/A``, ``<NA>``, ``NaN``,
    ``null`` or ``None``, in any case; infinities as ``inf`` or ``Infinity``; ``1_000`` is no number. In other columns
    those words are values like any other: a trial without a condition has nothing there, or ``-``. Blanks around a
    text value are not part of it, and ``assumed`` says so when labels or conditions had any. Sources and ids keep
    their text (``007``).

    Messages count rows of data from 1, through all files, and not the header; where row 1 is on another line of its
    file they say on which.

    Examples
    --------
    >>> table = scan({"llr": [2.1, -0.3, -1.7], "label": ["target", "target", "nontarget"]})
    >>> table.assumed
    ("label column 'label' (usual name)", "score column 'llr' (usual name)")
    >>> table.trials()
    Trials(n=3, n_target=2, n_nontarget=1, scale='score')
    """
    declared = Declared(
        score=column_name("score", score),
        label=column_name("label", label),
        target=target,
        nontarget=nontarget,
        ignore=ignore,
        scale=scale,
        prior=prior,
        sources=sources,
        conditions=conditions,
        ids=ids,
        weight=column_name("weight", weight),
        missing=missing,
        higher=higher,
        swap=swap,
        reader=reader,
        key=None if key is None else os.fspath(key),
        unmatched=unmatched,
    )
    declared.check()
    if _names_files(source):
        with interruptible():
            found = input_files(source)
            if key is not None or reader is not None or not declared.given():
                opened = open_format(found, key, reader, unmatched)
                if opened is not None:
                    return Table(opened, opened.completed(declared), opened.what)
            files = FileSource(found, declared.given())
        return Table(files, declared, files.what)
    if key is not None or reader is not None:
        raise OptionError("key, reader: expected files beside them, since a format is read from files")
    frame = frame_source(source)
    return Table(frame, declared, "table")


def _names_files(source: object) -> bool:
    if isinstance(source, (str, os.PathLike)):
        return True
    return isinstance(source, (list, tuple)) and all(isinstance(item, (str, os.PathLike)) for item in source)


def read_trials(
    source: object,
    *,
    score: str | int | None = None,
    label: str | int | None = None,
    target: object = None,
    nontarget: object = None,
    ignore: object = (),
    scale: str | None = None,
    prior: float | None = None,
    sources: str | Sequence[str] | None = None,
    conditions: str | Sequence[str] | None = None,
    ids: str | Sequence[str] | None = (),
    weight: str | int | None = None,
    missing: str = "refuse",
    higher: str = "target",
    swap: bool = False,
    key: str | os.PathLike[str] | None = None,
    reader: str | None = None,
    unmatched: str = "refuse",
) -> Trials:
    """Read trials from a file or dataframe: ``scan(…).trials()``, with the options of :func:`scan`.

    Examples
    --------
    >>> read_trials({"score": [0.9, 0.4, 0.1], "defective": [1, 1, 0]}, label="defective", target=1)
    Trials(n=3, n_target=2, n_nontarget=1, scale='score')
    """
    return scan(
        source,
        score=score,
        label=label,
        target=target,
        nontarget=nontarget,
        ignore=ignore,
        scale=scale,
        prior=prior,
        sources=sources,
        conditions=conditions,
        ids=ids,
        weight=weight,
        missing=missing,
        higher=higher,
        swap=swap,
        key=key,
        reader=reader,
        unmatched=unmatched,
    ).trials()

"""The way in: a file or dataframe, the declaration of its columns, and the trials they make."""

from __future__ import annotations

import os
from collections.abc import Sequence

from deciban.assembling import Found, assemble, wanted_columns
from deciban.bucket_keys import Key, coarse_resolution
from deciban.buckets import MAX_BLOCKS, Resolution
from deciban.columns import Columns, Declared, column_name, resolve
from deciban.errors import InputError
from deciban.files.duck import Grouping, Role, TooManyRowsError, interruptible
from deciban.files.inputs import Input
from deciban.files.source import FileSource
from deciban.formats.reader import FormatFiles
from deciban.groups import by_columns
from deciban.opening import Source, open_source, read_columns, where_rows_are
from deciban.tally import MOST_FETCHED, Known, Tally
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
        The files read, with SHA-256, size and rows, or the tables of a database; empty before values are read, and for
        dataframes.
    engine
        What counted the trials that were read last: ``numpy``, or the engine that holds the table.
    """

    def __init__(self, source: Source, declared: Declared, what: str) -> None:
        self._source, self.what = source, what
        self.engine = "numpy"
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

    def read(self, by: Sequence[str] = (), resolution: Resolution | None = None, max_blocks: int = MAX_BLOCKS) -> Known:
        """Read what figures are computed from: trials, or their tally where the table is better counted where it is.

        That is so for every table of an engine (a database, a lazy dataframe, Spark), and for files and dataframes of
        more than five million rows whose scores repeat, unless trials have ids.

        Parameters
        ----------
        by
            Groupings that will be asked for: condition columns, ``"a,b"`` for two crossed.
        resolution, max_blocks
            Width of buckets that an engine counts in, or ``"auto"``, and how many distinct scores there may be.

        Raises
        ------
        InputError
            With what is wrong with the table or its values, and what to do.
        """
        if self.columns.ids or not self._source.counts(self.columns.score):
            return self.trials()
        try:
            return self.tally(by, resolution, max_blocks)
        except TooManyRowsError as error:
            if not self._source.fits:
                raise InputError(f"{self.what}: {self._too_many(error, by)}") from None
            return self.trials()

    def tally(
        self, by: Sequence[str] = (), resolution: Resolution | None = None, max_blocks: int = MAX_BLOCKS
    ) -> Known:
        """Let the engine of the table count the trials that are alike in score, label, groups, sources and weight.

        With ``"auto"`` the scores themselves are counted where they are not too many, and their quartiles say the
        width; else those of a coarser count do.
        """
        wanted = self._wanted(self._conditions_of(by))
        most = max(max_blocks, MOST_FETCHED)
        with interruptible():
            if resolution == "auto":
                try:
                    known = self._counted(wanted, most, None)
                except TooManyRowsError:
                    plain = self._wanted(())
                    width = coarse_resolution(lambda width: self._counted(plain, MOST_FETCHED, width))
                    known = self._counted(wanted, most, width)
            else:
                known = self._counted(wanted, most, resolution)
        self.engine = self._source.engine
        return known

    def _counted(self, wanted: Sequence[tuple[str, Role]], most: int, resolution: float | None) -> Known:
        key = None if resolution is None else Key.of(self.columns, resolution)
        return self._assembled(self._source.tally(wanted, Grouping(most, key)))

    def trials(self) -> Trials:
        """Read the declared columns and validate them.

        Raises
        ------
        InputError
            With what is wrong with the file or its values, where, and what to do.
        """
        wanted = self._wanted(self.columns.conditions, self.columns.ids)
        known = read_columns(self._source, wanted, self._assembled)
        self.engine = "numpy"
        return known.trials() if isinstance(known, Tally) else known

    def files(self) -> FileSource:
        """The files that the table consists of; raises :class:`InputError` for dataframes."""
        if not isinstance(self._source, FileSource):
            raise InputError(
                f"{self.what}: expected a table of files; of files in another format deciban convert makes one"
            )
        return self._source

    def where_rows_are(self, message: str) -> str:
        """A clause for a message that names rows: where row 1 is, or which rows each of several files has."""
        return where_rows_are(self._source, message)

    def _wanted(self, conditions: Sequence[str], ids: Sequence[str] = ()) -> list[tuple[str, Role]]:
        declared = self.columns
        numbers = (declared.score,) if declared.weight is None else (declared.score, declared.weight)
        return wanted_columns(numbers, declared.label, conditions, (*declared.sources, *ids))

    def _conditions_of(self, by: Sequence[str]) -> Sequence[str]:
        """The condition columns of some groupings; all of them where one is not known, which is told later."""
        known = self.columns.conditions
        asked = [column for grouping in by for column in by_columns(grouping, known)]
        return [name for name in known if name in asked] if set(asked) <= set(known) else known

    def _assembled(self, found: Found) -> Known:
        return assemble(found, self.columns, self.what, self.assumed)

    def _too_many(self, error: TooManyRowsError, by: Sequence[str]) -> str:
        """Why an engine that counts hands over too much, and what can be done."""
        declared = self.columns
        others = [*self._conditions_of(by), *declared.sources, *([] if declared.weight is None else [declared.weight])]
        found = f"{error.found}" if error.found else f"more than {error.most}"
        advice = "count in buckets with resolution='auto' (--resolution auto)"
        advice += f", or leave out {' and '.join(map(repr, others))}" if others else ""
        of = ", ".join(map(repr, (declared.score, declared.label, *others)))
        return f"{found} different combinations of {of}, and at most {error.most} are fetched; {advice}"


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
    query: str | None = None,
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
        ``file``. Or a table of a database: ``duckdb:///FILE?table=NAME`` (four slashes before an absolute path),
        ``postgresql://USER@HOST/DATABASE?table=NAME`` (the password from ``PGPASSWORD`` or ``~/.pgpass``, as other
        programs take it). Or a dataframe (pandas, Polars, PyArrow, Dask, Spark, a DuckDB relation, an Ibis table, …),
        or a mapping of columns.
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
    query
        A SELECT statement instead of a table of a database.
    key
        A file with the labels of the trials that ``source`` has scores of: a key, trial list or truth. The two are
        joined by the values of ids, in the order of the key.
    reader
        Name of the format of the files: two-class, kaldi, voxceleb, nist, bosaris, bosaris-hdf5, asvspoof2019,
        asvspoof2021, asvspoof5, sasv, pan, bob; docs/formats.md shows their lines. None: the one that the first lines
        fit, when a key is given or neither score nor label is, and ``assumed`` says so; ``"table"``: a table with named
        columns.
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
    opened, what = open_source(
        source,
        declared.given(),
        recognise=score is None and label is None,
        query=query,
        key=key,
        reader=reader,
        unmatched=unmatched,
    )
    return Table(opened, opened.completed(declared) if isinstance(opened, FormatFiles) else declared, what)


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
    query: str | None = None,
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
        query=query,
        key=key,
        reader=reader,
        unmatched=unmatched,
    ).trials()

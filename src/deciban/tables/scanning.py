"""The way in: a file or dataframe, the declaration of its columns, and the trials they make."""

from __future__ import annotations

import os
from collections.abc import Sequence

from deciban.tables.columns import Declared, column_name
from deciban.tables.formats.reader import FormatFiles
from deciban.tables.opening import open_source
from deciban.tables.table import Table
from deciban.trials.trials import Trials


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
        As in :meth:`deciban.trials.trials.Trials.from_arrays`.
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
        Trials that only one of scores and key has, and lines of a format that say the same twice: ``"refuse"``, or
        ``"drop"`` them and say how many.

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
    ``null`` or ``None``, in any case; infinities as ``inf`` or ``Infinity``; ``1_000`` is no number. Of more digits
    than a double has the nearest double is taken, so that texts which differ from the 17th digit on may be one score;
    whole numbers that no double is are refused, and columns of decimals of which two would become equal. In other
    columns those words are values like any other: a trial without a condition has nothing there, or ``-``. Blanks
    around a text value are not part of it, in files, dataframes and arrays alike, and ``assumed`` says so when a column
    had any. Bytes are their text. Sources and ids keep their text (``007``); conditions are numbers or truth values
    where all of a column are written so by programs, so that groups have the same names from every kind of table.

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

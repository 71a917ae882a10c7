"""Files of counts, read with every check that they are what was written; and several of them merged."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from deciban.counts.counts import Counts
from deciban.counts.merging import merge
from deciban.errors import InputError
from deciban.tables.counts_files import COLUMNS, KEY, SCHEMA, Description, KeptCounts, first_line, refuse_mixture
from deciban.tables.files.duck import connect, exact_path, interruptible
from deciban.tables.files.inputs import Input, InputFile, input_files
from deciban.values.arrays import AnyArray, locked
from deciban.values.kept import from_kept

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def load_counts(path: str | Path) -> Counts | dict[str, Counts]:
    """Read counts from a file that :func:`save_counts` or ``deciban count`` wrote.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    Counts or dict of str to Counts
        Groups by name where the file has some, else the counts.

    Raises
    ------
    InputError
        When it is no file of counts, damaged, cut short, or changed after it was written.

    Examples
    --------
    >>> import deciban as db, tempfile, pathlib
    >>> groups = {"a": db.Counts.from_classes([3], [1]), "b": db.Counts.from_classes([4], [2])}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     db.save_counts(groups, pathlib.Path(folder, "groups.parquet"))
    ...     db.load_counts(pathlib.Path(folder, "groups.parquet")) == groups
    True
    """
    kept = read_counts(path)
    if kept.groups:
        return {",".join(group): counts for group, counts in kept.groups.items()}
    return kept.all_trials()


def read_counts(path: str | Path) -> KeptCounts:
    """Read a file of counts, with its groups and its fingerprint."""
    files = input_files(path)
    if len(files) > 1:
        raise InputError(f"{path}: {len(files)} files match, and counts are read from one: merge them (deciban merge)")
    return _read(files[0])


def merge_files(paths: Sequence[str]) -> KeptCounts:
    """Merge files of counts: all trials of all of them, group by group; exact in integers, in any order."""
    files = input_files(paths)
    kept = {file.name: _read(file) for file in files}
    refuse_mixture({name: next(iter(each.parts()))[1] for name, each in kept.items()})
    (first, one), *others = kept.items()
    for name, other in others:
        if one.by != other.by:
            mine, theirs = (",".join(by) or "nothing" for by in (one.by, other.by))
            raise InputError(
                f"{first} is grouped by {mine} and {name} by {theirs}: only files with the same groups can be merged; "
                "count both with the same by= (--by)"
            )
    groups: dict[tuple[str, ...], list[Counts]] = {}
    shared: dict[tuple[str, ...], int] = {}
    for each in kept.values():
        for group, counts in each.groups.items():
            groups.setdefault(group, []).append(counts)
            shared[group] = shared.get(group, 0) + each.shared.get(group, 0)
    known = any(each.whole is not None for each in kept.values())
    return KeptCounts(
        whole=merge(*(each.all_trials() for each in kept.values())) if known else None,
        groups={group: merge(*groups[group]) for group in sorted(groups)},
        by=one.by,
        shared=shared,
        dropped=sum(each.dropped for each in kept.values()),
        failed=tuple(sum(column) for column in zip(*(each.failed for each in kept.values()), strict=True)),
    )


def holds_counts(path: str) -> bool:
    """Whether a path is a file of counts, as far as its description says; False for anything that is none."""
    # A stream is not looked at: what is read of it is gone.
    try:
        if not os.path.isfile(path):
            return False
        with open(path, "rb") as file:
            if file.read(4) != b"PAR1":
                return False
    except (OSError, ValueError):
        return False
    import duckdb

    try:
        with connect() as db:
            return _description(db, path) is not None
    except duckdb.Error:
        return False


def _read(file: InputFile) -> KeptCounts:
    import duckdb

    if file.kind != "parquet":
        raise InputError(
            f"{file.name}: expected a file of counts (Parquet), found {file.kind}; deciban count makes one"
        )
    try:
        with connect() as db, interruptible():
            text = _description(db, file.path)
            if text is None:
                raise InputError(f"{file.name}: this Parquet file holds no counts; deciban count makes some of trials")
            about = _described(text, file.name)
            selected = ", ".join(f"CAST({name} AS {_stored(name, about)}) AS {name}" for name in COLUMNS)
            columns = db.execute(
                f"SELECT {selected} FROM read_parquet(?, hive_partitioning=false)", [exact_path(file.path)]
            ).fetchnumpy()
    except duckdb.Error as error:
        raise InputError(
            f"{file.name}: the file is damaged or cut short: {first_line(error)}; take another copy"
        ) from None
    return _kept(about, columns, file)


def _stored(name: str, about: Description) -> str:
    if name == "part":
        return "INTEGER"
    return "DOUBLE" if name == "score" or about.weighted else "BIGINT"


def _description(db: DuckDBPyConnection, path: str) -> str | None:
    """The sealed text among the metadata; None where there is none."""
    found = db.execute(
        "SELECT value FROM parquet_kv_metadata(?) WHERE decode(key) = ?", [exact_path(path), KEY]
    ).fetchall()
    return bytes(found[0][0]).decode("utf-8", "replace") if found else None


def _described(text: str, name: str) -> Description:
    try:
        return from_kept(Description, text, SCHEMA, "description of the counts", "count again")
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def _kept(about: Description, columns: Mapping[str, AnyArray], file: InputFile) -> KeptCounts:
    """The counts of every part, each compared with its hash."""
    rows = int(columns["score"].size)
    ends = np.cumsum([0, *(part.rows for part in about.parts)]).tolist()
    changed = InputError(f"{file.name}: the counts were changed after they were written: take an unchanged copy")
    if ends[-1] != rows or any(
        isinstance(column, np.ma.MaskedArray) and column.mask.any() for column in columns.values()
    ):
        raise changed
    found: dict[tuple[str, ...], Counts] = {}
    for index, part in enumerate(about.parts):
        place = slice(ends[index], ends[index + 1])
        try:
            counts = _part(about, {name: np.asarray(columns[name][place]) for name in COLUMNS[1:]})
        except InputError:
            raise changed from None
        if counts.sha256() != part.sha256 or not (columns["part"][place] == index).all():
            raise changed
        found[part.group] = counts
    whole = found.pop((), None)
    return KeptCounts(
        whole=whole,
        groups=found,
        by=about.by,
        shared={part.group: part.shared for part in about.parts if part.shared},
        dropped=about.dropped,
        failed=about.failed,
        input=Input(file.name, file.fingerprint(), file.size, rows),
    )


def _part(about: Description, columns: Mapping[str, AnyArray]) -> Counts:
    score, n_target, n_nontarget = (locked(np.array(column)) for column in columns.values())
    return Counts(
        score,
        n_target,
        n_nontarget,
        about.scale,
        about.prior,
        about.resolution,
        about.weighted,
        about.reversed,
    )

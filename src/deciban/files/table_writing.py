"""Columns to a file: CSV or Parquet, by the ending of its name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np

from deciban.arrays import AnyArray
from deciban.errors import InputError
from deciban.files.duck import connect, identifier, literal

FORMATS: Final = {".csv": "FORMAT csv, HEADER", ".parquet": "FORMAT parquet"}


def check_table_place(path: str | Path) -> None:
    """Raise :class:`InputError` unless the ending of a file's name says in which format it is to be written."""
    ending = Path(path).suffix.lower()
    if ending not in FORMATS:
        raise InputError(
            f"{path}: expected a name that ends in {' or '.join(FORMATS)}, found {ending or 'no ending'!r}"
        )


def write_table(columns: Mapping[str, AnyArray], path: str | Path, like: str | Path) -> None:
    """Write columns of one length.

    Parameters
    ----------
    columns
        Numbers, truth values, or objects of which None is a missing value; masked entries are missing, too.
    path
        Where to write.
    like
        The name whose ending says the format, as ``path`` may be a temporary name.

    Raises
    ------
    InputError
        When the file cannot be written.
    """
    import duckdb

    check_table_place(like)
    format_ = FORMATS[Path(like).suffix.lower()]
    # Names as they are, whatever DuckDB makes of two that differ in case only.
    numbered: dict[str, AnyArray] = {}
    shown = []
    for position, (name, column) in enumerate(columns.items()):
        numbered[f"c{position}"] = _plain(np.ma.getdata(column))
        value = f"c{position}"
        if np.ma.is_masked(column):
            # As a column of its own: older versions of DuckDB do not look at a mask.
            numbered[f"m{position}"] = np.ma.getmaskarray(column)
            value = f"CASE WHEN m{position} THEN NULL ELSE c{position} END"
        shown.append(f"{value} AS {identifier(name)}")
    try:
        with connect() as db:
            db.register("given", numbered)
            db.execute(f"COPY (SELECT {', '.join(shown)} FROM given) TO {literal(str(path))} ({format_})")
    except duckdb.Error as error:
        raise InputError(f"{like}: cannot be written: {str(error).splitlines()[0]}") from None


def _plain(column: AnyArray) -> AnyArray:
    """Text as objects: DuckDB would take an array of text for an enumeration."""
    return column.astype(object) if column.dtype.kind == "U" else column

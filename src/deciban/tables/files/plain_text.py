"""Plain delimited text through PyArrow, where it is installed: what DuckDB reads in the same file, in less time.

Only what two readers cannot take differently is read here. A file with anything out of the ordinary, and with it every
file that is wrong, is left to DuckDB.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from deciban.tables.files.coding import FIRST, LONGEST, of_texts, repeats
from deciban.tables.files.dialect import Dialect
from deciban.tables.files.duck import EXACT, Fetched, Role, connect, hash_of
from deciban.tables.files.inputs import InputFile
from deciban.values.arrays import AnyArray, Bools, locked
from deciban.values.coded import Column

if TYPE_CHECKING:
    import pyarrow as pa

SIZES: Final = range(1 << 22, 1 << 29)
"""Bytes of files that are read here: fewer are not worth the import, and more had better not be in memory as text."""

LEAST: Final = 1 << 16
"""Bytes that are enough where PyArrow has been imported."""

_LONGEST_ID: Final = 64
"""Letters up to which ids are better hashed as they stand: DuckDB looks at no more letters than each has."""

_MOST_LETTERS: Final = 1 << 28
"""Letters up to which texts are padded to the longest of them: one long one among many short ones may double that."""

_BLOCK: Final = 1 << 19
"""Bytes that are parsed at once; a line of two blocks or more is refused, long before DuckDB refuses it."""


@dataclass(frozen=True, slots=True)
class Cells:
    """Text of columns, null where there is nothing, and whether there may be blanks around some."""

    table: pa.Table
    blanks: bool


def fetch_plain(file: InputFile, dialect: Dialect, wanted: Sequence[tuple[str, Role]]) -> Fetched | None:
    """The wanted columns as DuckDB reads them; None where the file, or a value in it, is not plain enough to say."""
    if not (LEAST if "pyarrow" in sys.modules else SIZES.start) <= file.size < SIZES.stop:
        return None
    if file.compression != "none" or find_spec("pyarrow") is None:
        return None
    if dialect.delimiter is None or dialect.blank_lines:
        return None
    cells = _cells(file, dialect, list(dict.fromkeys(name for name, _ in wanted)))
    if cells is None:
        return None
    with ThreadPoolExecutor(2) as pool:
        keying = pool.submit(_keys, cells, [name for name, role in wanted if role == "key"])
        reading = {(name, role): pool.submit(_column, cells, name, role) for name, role in wanted if role != "key"}
        columns = {one: column.result() for one, column in reading.items()}
        keys = keying.result()
    sound = {one: column for one, column in columns.items() if column is not None}
    if len(sound) < len(columns):
        return None
    return Fetched({(name, role): keys[name] if role == "key" else sound[name, role] for name, role in wanted})


def _cells(file: InputFile, dialect: Dialect, names: Sequence[str]) -> Cells | None:
    """The cells of the named columns; None unless every line has all columns and no quotes."""
    import pyarrow as pa
    from pyarrow import csv

    with file.open() as stream:
        text = stream.read()
    if not text.isascii() or any(mark in text for mark in b'"\r\0'):
        return None
    reading = csv.ReadOptions(column_names=dialect.names, skip_rows=int(dialect.header), block_size=_BLOCK)
    parsing = csv.ParseOptions(
        delimiter=dialect.delimiter, quote_char=False, double_quote=False, newlines_in_values=False,
        ignore_empty_lines=len(dialect.names) > 1,
    )  # fmt: skip
    converting = csv.ConvertOptions(
        include_columns=names, column_types=dict.fromkeys(names, pa.string()), null_values=[""],
        strings_can_be_null=True, check_utf8=False,
    )  # fmt: skip
    try:
        table = csv.read_csv(pa.BufferReader(text), reading, parsing, converting)
    except pa.ArrowInvalid:
        return None
    # Cells that a blank would end have none around them, and most files have none anywhere.
    return Cells(table, dialect.delimiter != " " and b" " in text) if table.num_rows else None


def _column(cells: Cells, name: str, role: Literal["number", "label", "group", "name"]) -> Column | None:
    """The values of a column that is no key; None where blanks are around some, or a number needs a second look."""
    texts = cells.table[name]
    if role == "number":
        return _numbers(texts)
    if role == "name":
        if cells.blanks and _blank(texts):
            return None
        if (block := _block(texts)) is not None:
            return block
        first = texts.slice(0, FIRST)
        if not repeats(len(first.drop_null().unique()), len(first)):
            return locked(texts.to_numpy())
    encoded = texts.dictionary_encode().unify_dictionaries().combine_chunks()
    few = encoded.dictionary.to_pylist()
    codes = _array(encoded.indices, np.int32).astype(np.min_scalar_type(len(few)))
    if encoded.null_count:
        # What stands under a null is anything, and dictionaries that hold one cannot be unified.
        codes = np.where(_nulls(encoded.indices), codes.dtype.type(len(few)), codes)
        few.append("")
    column, trimmed = of_texts(few, codes, role)
    return None if trimmed else column


def _numbers(cells: pa.ChunkedArray) -> AnyArray | None:
    """Numbers that are finite and that float64 holds whatever their digits, zeros among them; others are none."""
    import pyarrow as pa
    from pyarrow import compute

    try:
        numbers = cells.cast(pa.float64())
    except pa.ArrowInvalid:
        return None
    missing = _nulls(numbers)
    values = _array(numbers, np.float64)
    zeros = cells.take(_positions(np.flatnonzero(values == 0)))
    zero = compute.all(compute.match_substring_regex(zeros, "^-?[0.]+$"), min_count=0).as_py()
    if not (zero and np.all(missing | (np.abs(values) <= EXACT))):
        return None
    return np.ma.MaskedArray(values, missing) if missing.any() else values


def _nulls(column: pa.Array | pa.ChunkedArray) -> Bools:
    """Which entries are null."""
    import pyarrow as pa

    if not column.null_count:
        return np.zeros(len(column), dtype=bool)
    return _array(column.is_null().cast(pa.uint8()), np.uint8).astype(bool)


def _blank(cells: pa.ChunkedArray) -> bool:
    """Whether there is a blank around the text of some cell."""
    from pyarrow import compute

    blank = compute.or_(compute.starts_with(cells, " "), compute.ends_with(cells, " "))
    return bool(compute.any(blank).as_py())


def _keys(cells: Cells, names: Sequence[str]) -> Mapping[str, AnyArray]:
    """Ids as text where it is short, else as their hashes by DuckDB."""
    found: dict[str, AnyArray] = {}
    for name in names:
        column = cells.table[name]
        letters = None if cells.blanks and _blank(column) else _letters(column, _LONGEST_ID)
        if letters is not None:
            found[name] = letters.view(f"S{letters.shape[1]}")[:, 0]
    others = [name for name in names if name not in found]
    return {**found, **(_hashes(cells, others) if others else {})}


def _hashes(cells: Cells, names: Sequence[str]) -> Mapping[str, AnyArray]:
    places = [f"c{place}" for place in range(len(names))]
    # Trimming takes as long as hashing, and changes nothing where there are no blanks.
    hashed = [hash_of(f"trim({place})" if cells.blanks else place) for place in places]
    shown = ", ".join(f"{hash_} AS {place}" for hash_, place in zip(hashed, places, strict=True))
    with connect() as db:
        db.register("keys", cells.table.select(names).rename_columns(places))
        # As a table of PyArrow, too: DuckDB takes twice as long to make arrays.
        hashes = db.sql(f"SELECT {shown} FROM keys").to_arrow_table()
    return {name: _array(column, np.uint64) for name, column in zip(names, hashes.columns, strict=True)}


def _letters(cells: pa.ChunkedArray, longest: int) -> AnyArray | None:
    """The letters of each text, a row each that ends with zeros; None where there is no text or one of more letters."""
    from pyarrow import compute

    if cells.null_count:
        return None
    lengths = compute.min_max(compute.binary_length(cells)).as_py()
    if lengths["max"] > longest or lengths["max"] * len(cells) > _MOST_LETTERS:
        return None
    # Text of one length stands in the file as it is wanted.
    padded = cells if lengths["min"] == lengths["max"] else compute.ascii_rpad(cells, lengths["max"], padding="\0")
    whole = padded.combine_chunks()
    _, _, letters = whole.buffers()
    width = lengths["max"]
    first = whole.offset * width
    return np.frombuffer(letters, np.uint8)[first : first + len(whole) * width].reshape(-1, width)


def _block(cells: pa.ChunkedArray) -> AnyArray | None:
    """Text of each row in one block, without an object for each; None where there is no text or a long one."""
    letters = _letters(cells, LONGEST)
    return None if letters is None else locked(letters.astype(np.uint32)).view(f"U{letters.shape[1]}")[:, 0]


def _positions(rows: AnyArray) -> pa.Array:
    """Rows as PyArrow takes them, without pandas."""
    import pyarrow as pa

    return pa.Array.from_buffers(pa.int64(), rows.size, [None, pa.py_buffer(rows.astype(np.int64))])


def _array(numbers: pa.Array | pa.ChunkedArray, kind: type[np.generic]) -> AnyArray:
    """The memory of a column of numbers, where nulls are anything: ``to_numpy`` would import pandas."""
    import pyarrow as pa

    whole = numbers.combine_chunks() if isinstance(numbers, pa.ChunkedArray) else numbers
    return np.frombuffer(whole.buffers()[1], kind, len(whole), whole.offset * np.dtype(kind).itemsize)

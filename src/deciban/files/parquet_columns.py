"""Columns added to a Parquet file whose own columns are copied byte for byte.

No other way keeps every type: what is read into one program's types and written again loses what that program has no
word for. The new file is the old one up to its footer, then the new columns, then the footer with these in it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Final

import numpy as np

from deciban.arrays import AnyArray, Bools
from deciban.errors import InputError
from deciban.files.arrow_schema import ArrowSchemaError, ArrowType, with_fields
from deciban.files.inputs import InputFile
from deciban.files.scratch import BLOCK
from deciban.files.thrift import BINARY, I32, I64, LIST, STRUCT, Items, Struct, ThriftError, decode, encode, varint

_MAGIC: Final = b"PAR1"
_ARROW: Final = b"ARROW:schema"
_PAGE: Final = 1 << 20
"""Rows of a page."""

_OPTIONAL, _PLAIN, _RLE = 1, 0, 3
_PHYSICAL: Final[Mapping[ArrowType, int]] = {"bool": 0, "float64": 5}

# Numbers of the fields of a footer that are read or changed; parquet.thrift of the format has all of them.
_SCHEMA, _ROWS, _GROUPS, _PAIRS, _ORDERS = 2, 3, 4, 5, 7
_NAME, _CHILDREN = 4, 5
_CHUNKS, _BYTES, _GROUP_ROWS, _COMPRESSED = 1, 2, 3, 6


def append_columns(file: InputFile, added: Mapping[str, AnyArray], path: Path) -> None:
    """Write a Parquet file with more columns at its end.

    Parameters
    ----------
    file
        The file that is copied.
    added
        Float64 or Boolean columns, as long as the file; masked entries are missing.
    path
        Where to write.

    Raises
    ------
    InputError
        When the footer cannot be read, or the file has another number of rows.
    OSError
        When the new file cannot be written.
    """
    with file.open() as old, path.open("wb") as new:
        footer, end = _footer(old, file.name)
        n = len(next(iter(added.values())))
        if footer.get(_ROWS) != n:
            raise InputError(f"{file.name}: it changed while it was read: {n} rows, then {footer.get(_ROWS)}")
        old.seek(0)
        for start in range(0, end, BLOCK):
            new.write(old.read(min(BLOCK, end - start)))
        kinds = {name: _kind(column) for name, column in added.items()}
        row = 0
        for group in footer.get(_GROUPS).values:
            rows = slice(row, row := row + group.get(_GROUP_ROWS))
            chunks = [_chunk(new, name, column[rows]) for name, column in added.items()]
            _extend(group, _CHUNKS, STRUCT, chunks)
            size = sum(chunk.get(3).get(7) for chunk in chunks)
            for field in (_BYTES, _COMPRESSED):
                if group.get(field) is not None:
                    group.set(field, I64, group.get(field) + size)
        _describe(footer, kinds, file.name)
        written = encode(footer)
        new.write(written + struct.pack("<I", len(written)) + _MAGIC)


def _footer(stream: IO[bytes], name: str) -> tuple[Struct, int]:
    """The footer, and where it starts."""
    end = stream.seek(0, 2)
    stream.seek(max(end - 8, 0))
    size, magic = struct.unpack("<I4s", stream.read(8).rjust(8, b"\0"))
    start = end - 8 - size
    try:
        if magic != _MAGIC or start < 4:
            raise ThriftError("no footer")
        stream.seek(start)
        return decode(stream.read(size)), start
    except ThriftError as error:
        raise InputError(f"{name}: not a readable Parquet file, or damaged ({error})") from None


def _kind(column: AnyArray) -> ArrowType:
    return "bool" if column.dtype.kind == "b" else "float64"


def _extend(holder: Struct, field: int, kind: int, items: list[Struct]) -> None:
    holder.set(field, LIST, Items(kind, [*holder.get(field).values, *items]))


def _describe(footer: Struct, kinds: Mapping[str, ArrowType], name: str) -> None:
    """Say in the footer what the new columns are."""
    root = footer.get(_SCHEMA).values[0]
    root.set(_CHILDREN, I32, root.get(_CHILDREN) + len(kinds))
    columns = [
        Struct().set(1, I32, _PHYSICAL[kind]).set(3, I32, _OPTIONAL).set(_NAME, BINARY, column.encode())
        for column, kind in kinds.items()
    ]
    _extend(footer, _SCHEMA, STRUCT, columns)
    if footer.get(_ORDERS) is not None:
        _extend(footer, _ORDERS, STRUCT, [Struct().set(1, STRUCT, Struct()) for _ in kinds])
    for pair in footer.get(_PAIRS).values if footer.get(_PAIRS) is not None else []:
        if pair.get(1) == _ARROW and pair.get(2):
            try:
                pair.set(2, BINARY, with_fields(pair.get(2), kinds))
            except ArrowSchemaError as error:
                raise InputError(
                    f"{name}: the Arrow schema in it cannot be read ({error}), and without it types would change; "
                    "write it again with another program, or to a name that ends in .csv"
                ) from None


def _chunk(out: IO[bytes], name: str, column: AnyArray) -> Struct:
    """Write the values of one column in one group of rows, and say where they are."""
    start, size = out.tell(), 0
    for first in range(0, max(len(column), 1), _PAGE):
        size += out.write(_page(column[first : first + _PAGE]))
    meta = (
        Struct()
        .set(1, I32, _PHYSICAL[_kind(column)])
        .set(2, LIST, Items(I32, [_PLAIN, _RLE]))
        .set(3, LIST, Items(BINARY, [name.encode()]))
        .set(4, I32, 0)
        .set(5, I64, len(column))
        .set(6, I64, size)
        .set(7, I64, size)
        .set(9, I64, start)
    )
    return Struct().set(2, I64, start).set(3, STRUCT, meta)


def _page(column: AnyArray) -> bytes:
    """A page of plain, uncompressed values, of which missing ones are left out, with its header."""
    known = ~np.ma.getmaskarray(column)
    values = np.ma.getdata(column)[known]
    plain = np.packbits(values, bitorder="little") if values.dtype.kind == "b" else values.astype("<f8")
    body = b"".join(_levels(known)) + plain.tobytes()
    data = Struct().set(1, I32, len(column)).set(2, I32, _PLAIN).set(3, I32, _RLE).set(4, I32, _RLE)
    header = Struct().set(1, I32, 0).set(2, I32, len(body)).set(3, I32, len(body)).set(5, STRUCT, data)
    return encode(header) + body


def _levels(known: Bools) -> Iterator[bytes]:
    """Which values are there: one run where all are, else a bit each."""
    if known.all():
        levels = varint(known.size << 1) + b"\1"
    else:
        levels = varint((known.size + 7) // 8 << 1 | 1) + np.packbits(known, bitorder="little").tobytes()
    yield struct.pack("<I", len(levels))
    yield levels

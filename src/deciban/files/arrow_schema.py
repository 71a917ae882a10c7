"""The Arrow schema that a Parquet file may carry, with further fields.

PyArrow, Polars and pandas write it beside the Parquet schema, and read from it what Parquet has no word for: time
zones, durations, categories, arrays of fixed size. With a field too few it would fit no longer.

It is a flatbuffer, in which offsets lead forward only. So a new beginning, with a longer list of fields, is put before
the old bytes, which stay as they are.
"""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Mapping
from typing import Final, Literal

ArrowType = Literal["float64", "bool"]

_CONTINUES: Final = b"\xff\xff\xff\xff"
_SCHEMA: Final = 1
"""The kind of message that a schema is."""

_TYPE: Final[Mapping[ArrowType, int]] = {"float64": 3, "bool": 6}
_DOUBLE: Final = 2


class ArrowSchemaError(Exception):
    """Bytes that are no Arrow schema, or one that is not read here."""


def with_fields(text: bytes, added: Mapping[str, ArrowType]) -> bytes:
    """The schema as a Parquet file holds it, with more fields at its end.

    Raises
    ------
    ArrowSchemaError
        When it is no Arrow schema.
    """
    try:
        message = base64.b64decode(text, validate=True)
        start = 8 if message[:4] == _CONTINUES else 4
        (size,) = struct.unpack_from("<i", message, start - 4)
        if not 0 < size <= len(message) - start:
            raise ArrowSchemaError(f"a size of {size} in {len(message)} bytes")
        longer = _longer(message[start : start + size], added)
    except (binascii.Error, struct.error, IndexError) as error:
        raise ArrowSchemaError(str(error)) from None
    longer += bytes(-(len(longer) + start) % 8)
    return base64.b64encode(message[: start - 4] + struct.pack("<i", len(longer)) + longer)


def _longer(old: bytes, added: Mapping[str, ArrowType]) -> bytes:
    """The flatbuffer of a message whose schema has more fields."""
    message = _target(old, 0)
    version, kind, header = (_field(old, message, number) for number in range(3))
    if kind is None or old[kind] != _SCHEMA or header is None:
        raise ArrowSchemaError("not a schema")
    schema = _target(old, header)
    endianness, fields, metadata, features = (_field(old, schema, number) for number in range(4))
    if fields is None or (endianness is not None and struct.unpack_from("<h", old, endianness)[0] != 0):
        raise ArrowSchemaError("no fields, or numbers that start with their highest byte")
    vector = _target(old, fields)
    (n,) = struct.unpack_from("<I", old, vector)
    before = [_target(old, vector + 4 + 4 * index) for index in range(n)]

    front = _Front()
    place = front.table(0, {0: 2, 1: 1, 2: 4})
    front.put(place[0], "<h", 0 if version is None else struct.unpack_from("<h", old, version)[0])
    front.put(place[1], "<B", _SCHEMA)
    kept = {number: found for number, found in ((2, metadata), (3, features)) if found is not None}
    place = front.table(place[2], dict.fromkeys((1, *kept), 4))
    entries = front.vector(place[1], n + len(added))
    for entry, (name, type_) in zip(entries[n:], added.items(), strict=True):
        front.field(entry, name, type_)
    end = front.room(0, align=8)
    for entry, target in zip(entries[:n], before, strict=True):
        front.lead(entry, end + target)
    for number, found in kept.items():
        front.lead(place[number], end + _target(old, found))
    return bytes(front.data) + old


class _Front:
    """The bytes that come first, of which the first four lead to the root."""

    def __init__(self) -> None:
        self.data = bytearray(4)

    def room(self, size: int, align: int = 4) -> int:
        """A place for so many bytes."""
        self.data += bytes(-len(self.data) % align)
        self.data += bytes(size)
        return len(self.data) - size

    def put(self, at: int, how: str, value: int) -> None:
        """A number at a place."""
        struct.pack_into(how, self.data, at, value)

    def lead(self, at: int, target: int) -> None:
        """An offset at a place, which leads to another."""
        self.put(at, "<I", target - at)

    def table(self, at: int, sizes: Mapping[int, int]) -> dict[int, int]:
        """A table that ``at`` leads to; where each of its fields is, of so many bytes each."""
        listed = self.room(4 + 2 * (max(sizes, default=-1) + 1))
        table = self.room(4)
        places: dict[int, int] = {}
        for number in sorted(sizes, key=lambda number: -sizes[number]):  # so that each is aligned
            places[number] = self.room(sizes[number], align=1)
            self.put(listed + 4 + 2 * number, "<H", places[number] - table)
        self.put(listed, "<H", 4 + 2 * (max(sizes, default=-1) + 1))
        self.put(listed + 2, "<H", len(self.data) - table)
        self.put(table, "<i", table - listed)
        self.lead(at, table)
        return places

    def vector(self, at: int, size: int) -> list[int]:
        """A list that ``at`` leads to; where each of its offsets is."""
        place = self.room(4 + 4 * size)
        self.put(place, "<I", size)
        self.lead(at, place)
        return list(range(place + 4, place + 4 + 4 * size, 4))

    def field(self, at: int, name: str, type_: ArrowType) -> None:
        """A column that may have missing values."""
        place = self.table(at, {0: 4, 1: 1, 2: 1, 3: 4, 5: 4})
        self.put(place[1], "<B", 1)
        self.put(place[2], "<B", _TYPE[type_])
        encoded = name.encode()
        text = self.room(4 + len(encoded) + 1)
        self.put(text, "<I", len(encoded))
        self.data[text + 4 : text + 4 + len(encoded)] = encoded
        self.lead(place[0], text)
        of_type = self.table(place[3], {0: 2} if type_ == "float64" else {})
        if type_ == "float64":
            self.put(of_type[0], "<h", _DOUBLE)
        self.vector(place[5], 0)


def _target(data: bytes, at: int) -> int:
    """Where the offset at a place leads."""
    return at + int(struct.unpack_from("<I", data, at)[0])


def _field(data: bytes, table: int, number: int) -> int | None:
    """Where a field of a table is; None where it has its default."""
    listed = table - int(struct.unpack_from("<i", data, table)[0])
    (size,) = struct.unpack_from("<H", data, listed)
    if 4 + 2 * number >= size:
        return None
    (offset,) = struct.unpack_from("<H", data, listed + 4 + 2 * number)
    return table + offset if offset else None

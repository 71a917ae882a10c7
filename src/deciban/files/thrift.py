"""Thrift's compact protocol, in which a Parquet file describes itself: read as plain values and written again.

Nothing is known here of what the fields mean. What is read and written unchanged keeps every field, those included that
a later version of the format has added.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any, Final

TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)
"""Types on the wire; a truth value in a structure is its type."""

_INTEGERS: Final = (I16, I32, I64)


class ThriftError(Exception):
    """Bytes that are no structure of the compact protocol."""


@dataclass(slots=True)
class Struct:
    """A structure: for each field its type and its value, by the field's number."""

    fields: dict[int, tuple[int, Any]] = field(default_factory=dict)

    def get(self, number: int) -> Any:
        """The value of a field; None where there is none."""
        return self.fields.get(number, (0, None))[1]

    def set(self, number: int, kind: int, value: Any) -> Struct:
        """The same with a field set."""
        self.fields[number] = kind, value
        return self


@dataclass(slots=True)
class Items:
    """A list: the type of its items, and the items."""

    kind: int
    values: list[Any]


def decode(data: bytes) -> Struct:
    """Read one structure; raises :class:`ThriftError` where there is none."""
    try:
        return _Reader(data).structure()
    except (IndexError, struct.error, RecursionError) as error:
        raise ThriftError(str(error)) from None


def encode(value: Struct) -> bytes:
    """Write one structure."""
    out = bytearray()
    _write(out, STRUCT, value)
    return bytes(out)


def varint(number: int) -> bytes:
    """A number >= 0, seven bits a byte, the lowest first."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def structure(self) -> Struct:
        found, number = Struct(), 0
        while head := self._byte():
            step, kind = head >> 4, head & 0x0F
            number = number + step if step else self._signed()
            found.fields[number] = kind, kind == TRUE if kind in (TRUE, FALSE) else self._value(kind)
        return found

    def _value(self, kind: int) -> Any:
        if kind in _INTEGERS:
            return self._signed()
        if kind == BINARY:
            return self._bytes(self._unsigned())
        if kind == STRUCT:
            return self.structure()
        if kind in (LIST, SET):
            return self._items()
        if kind in (TRUE, FALSE, BYTE):  # the first two only as items of a list, where they are a byte each
            return self._byte()
        if kind == DOUBLE:
            return self._bytes(8)
        raise ThriftError(f"type {kind} is not read")  # maps, which Parquet does not use

    def _items(self) -> Items:
        head = self._byte()
        size, kind = head >> 4, head & 0x0F
        size = self._unsigned() if size == 15 else size
        return Items(kind, [self._value(kind) for _ in range(size)])

    def _byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def _bytes(self, size: int) -> bytes:
        self.at += size
        if self.at > len(self.data):
            raise ThriftError("it ends early")
        return self.data[self.at - size : self.at]

    def _unsigned(self) -> int:
        number = shift = 0
        while (byte := self._byte()) & 0x80:
            number |= (byte & 0x7F) << shift
            shift += 7
        return number | byte << shift

    def _signed(self) -> int:
        number = self._unsigned()
        return number >> 1 ^ -(number & 1)


def _write(out: bytearray, kind: int, value: Any) -> None:
    if kind in _INTEGERS:
        out += varint(value << 1 if value >= 0 else (-value << 1) - 1)
    elif kind == BINARY:
        out += varint(len(value)) + value
    elif kind == STRUCT:
        last = 0
        for number, (of, held) in sorted(value.fields.items()):
            kind_ = (TRUE if held else FALSE) if of in (TRUE, FALSE) else of
            step = number - last
            out.append(step << 4 | kind_ if 0 < step < 16 else kind_)
            if not 0 < step < 16:
                _write(out, I16, number)
            if of not in (TRUE, FALSE):
                _write(out, of, held)
            last = number
        out.append(0)
    elif kind in (LIST, SET):
        size = len(value.values)
        out.append(min(size, 15) << 4 | value.kind)
        out += varint(size) if size >= 15 else b""
        for item in value.values:
            _write(out, value.kind, item)
    elif kind == DOUBLE:
        out += value
    else:
        out.append(value)

"""Whether a Zstandard file is whole: its frames are walked block by block, without decompressing.

DuckDB reads a file that was cut between two blocks as if it ended there; half of the trials would be lost in silence.
The layout is that of RFC 8878, section 3.1.
"""

from __future__ import annotations

import os
from typing import IO, Final

from deciban.errors import InputError

_FRAME: Final = 0xFD2FB528
_SKIPPABLE: Final = 0x184D2A50
_BLOCK_RLE, _BLOCK_RESERVED = 1, 3


def check_zstd(file: IO[bytes], name: str) -> None:
    """Raise :class:`InputError` unless the file is a sequence of whole frames."""
    size = os.fstat(file.fileno()).st_size
    while file.tell() < size:
        magic = _number(file, 4, name)
        if magic & 0xFFFFFFF0 == _SKIPPABLE:
            _skip(file, _number(file, 4, name), size, name)
        elif magic == _FRAME:
            _walk_frame(file, size, name)
        else:
            raise InputError(f"{name}: the zst file is damaged at byte {file.tell() - 4}; fetch or pack it again")


def _walk_frame(file: IO[bytes], size: int, name: str) -> None:
    descriptor = _number(file, 1, name)
    single_segment = bool(descriptor & 0x20)
    content_size = (1 if single_segment else 0, 2, 4, 8)[descriptor >> 6]
    dictionary = (0, 1, 2, 4)[descriptor & 3]
    _skip(file, (0 if single_segment else 1) + dictionary + content_size, size, name)
    last = False
    while not last:
        header = _number(file, 3, name)
        last, kind, length = bool(header & 1), (header >> 1) & 3, header >> 3
        if kind == _BLOCK_RESERVED:
            raise InputError(f"{name}: the zst file is damaged at byte {file.tell() - 3}; fetch or pack it again")
        _skip(file, 1 if kind == _BLOCK_RLE else length, size, name)
    if descriptor & 0x04:
        _skip(file, 4, size, name)


def _number(file: IO[bytes], width: int, name: str) -> int:
    data = file.read(width)
    if len(data) < width:
        raise InputError(_cut(name))
    return int.from_bytes(data, "little")


def _skip(file: IO[bytes], count: int, size: int, name: str) -> None:
    if file.tell() + count > size:
        raise InputError(_cut(name))
    file.seek(count, os.SEEK_CUR)


def _cut(name: str) -> str:
    return f"{name}: the zst file is damaged or cut short (it ends inside a block); fetch or pack it again"

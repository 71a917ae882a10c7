"""The text of a file: its first lines, to find out how it is written, and all of its lines, to find out what is wrong.

Compressed text is read the same way. The fast readers are elsewhere; this one is for samples and for faults.
"""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import IO, TYPE_CHECKING, Final, cast

from deciban.errors import InputError
from deciban.tables.files.inputs import InputFile, broken_archive
from deciban.tables.files.scratch import BLOCK
from deciban.tables.files.zstd_frames import check_zstd

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

PACKED: Final = 4
"""How many times as long packed text about is when unpacked."""

SAMPLE = 1 << 16
"""Bytes of whole lines from which it is settled how a file is written."""

LONGEST_LINE = 1 << 21
"""Bytes a line may have; DuckDB's own limit."""


def sample(file: InputFile) -> tuple[str, bool]:
    """The first whole lines of a text file, and whether they are all of it."""
    data = bytearray(_start(file))
    complete = len(data) < SAMPLE
    if not complete:
        end = max(data.rfind(b"\n"), data.rfind(b"\r"))
        if end < 0:
            raise InputError(
                f"{file.name}: no line ends in the first {LONGEST_LINE} bytes: this is not a table of trials"
            )
        # A lone \r at the very end may be half of \r\n, which the next byte would tell.
        del data[end + 1 :]
    if b"\0" in data:
        raise InputError(f"{file.name}: this is a binary file, not text; name a Parquet or NumPy file by its ending")
    return _decoded(bytes(data), 1, file.name).removeprefix("\ufeff"), complete


def estimated_rows(file: InputFile) -> int:
    """About how many lines a text file has, from the length of its first ones."""
    text, complete = sample(file)
    lines = max(text.count("\n"), text.count("\r"), 1)
    if complete:
        return lines
    size = file.size if file.compression == "none" else PACKED * file.size
    return size * lines // len(text.encode())


def start_of(file: InputFile) -> str:
    """The first 256 bytes of text that are not blank lines, or fewer; what is no text there is replaced."""
    start = b""
    for line in islice(_raw_lines(file, limit=256), 64):
        start = (start + line).removeprefix(codecs.BOM_UTF8).lstrip()
        if len(start) >= 256:
            break
    return start[:256].decode(errors="replace")


def whole_text(file: InputFile) -> str:
    """All of the text, however long its lines are."""
    return _decoded(b"".join(_raw_lines(file, limit=BLOCK)), 1, file.name).removeprefix("\ufeff")


def text_lines(file: InputFile) -> Iterator[str]:
    """Every line with its end, decoded; a line that is not UTF-8 or too long raises with its number."""
    for number, line in enumerate(_raw_lines(file, limit=LONGEST_LINE), 1):
        if len(line) >= LONGEST_LINE:
            raise InputError(f"{file.name}: line {number} is longer than {LONGEST_LINE} bytes: is a line end missing?")
        text = _decoded(line, number, file.name)
        text = text.removeprefix("\ufeff") if number == 1 else text
        # Lone carriage returns end lines too, as the csv module wants to see them.
        yield from io.StringIO(text, newline="") if "\r" in text else (text,)


def _start(file: InputFile) -> bytes:
    """The first bytes of a text, at least as many as a sample has, and the rest of the line that they end in."""
    if file.compression == "zstd":
        start = bytearray()
        for line in _zstd_lines(file):
            start += line
            if len(start) >= SAMPLE:
                break
        return bytes(start)
    with _unpacked(file) as stream:
        return stream.read(SAMPLE) + stream.readline(LONGEST_LINE)


def _decoded(data: bytes, line: int, name: str) -> str:
    try:
        return codecs.decode(data, "utf-8")
    except UnicodeDecodeError as error:
        at = line + data[: error.start].count(b"\n")
        raise InputError(
            f"{name}: line {at}: not UTF-8 (byte 0x{data[error.start]:02x}); convert the file, for example with "
            "iconv -f latin1 -t utf-8"
        ) from None


def _raw_lines(file: InputFile, limit: int) -> Iterator[bytes]:
    """Lines with their ends (only line feeds split), in pieces of at most ``limit`` bytes."""
    if file.compression == "zstd":
        yield from _zstd_lines(file)
        return
    with _unpacked(file) as stream:
        while line := stream.readline(limit):
            yield line


@contextmanager
def _unpacked(file: InputFile) -> Iterator[IO[bytes]]:
    """The bytes of a text that is packed with gz or not at all; damage is told where it is met."""
    try:
        with file.open() as raw:
            yield cast("IO[bytes]", gzip.GzipFile(fileobj=raw)) if file.compression == "gzip" else raw
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(broken_archive(file.name, "gz", error)) from None


def _zstd_lines(file: InputFile) -> Iterator[bytes]:
    # Python before 3.14 cannot unpack zst, DuckDB can: each line is one text column, its end is lost.
    import duckdb

    from deciban.tables.files.duck import connect, exact_path

    options = "auto_detect=false, header=false, columns={'line': 'VARCHAR'}, delim='', quote='', escape=''"
    with file.open() as raw:
        check_zstd(raw, file.name)
    db: DuckDBPyConnection = connect()
    try:
        db.execute(
            f"SELECT line FROM read_csv(?, {options}, strict_mode=false, compression='zstd', hive_partitioning=false)",
            [exact_path(file.path)],
        )
        while rows := db.fetchmany(10_000):
            yield from (((row[0] or "") + "\n").encode() for row in rows)
    except duckdb.Error as error:
        raise InputError(broken_archive(file.name, "zst", str(error).splitlines()[0])) from None
    finally:
        db.close()

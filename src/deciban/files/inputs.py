"""Files before they are read: which ones a path means, what kind each is, and its fingerprint for the record."""

from __future__ import annotations

import glob
import gzip
import hashlib
import os
import shutil
import sys
import tempfile
import weakref
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import IO, Final, Literal

from deciban.errors import InputError, listing

Kind = Literal["csv", "json", "parquet", "arrow", "npy", "npz"]
Compression = Literal["none", "gzip", "zstd"]

BLOCK: Final = 1 << 20
"""Bytes that are read at once."""

_MAGIC: Final[dict[bytes, Kind]] = {
    b"PAR1": "parquet", b"ARROW1": "arrow", b"\x93NUMPY": "npy", b"\xff\xff\xff\xff": "arrow",
}  # fmt: skip
_REFUSED: Final = {
    b"\x89HDF": "an HDF5 file: export its scores as CSV or Parquet",
    b"SQLite format 3": "an SQLite database: export the table as CSV or Parquet",
    b"BZh": "compressed with bzip2: use gz or zst, or unpack it",
    b"\xfd7zXZ": "compressed with xz: use gz or zst, or unpack it",
    b"%PDF": "a PDF document",
    b"\xff\xfe": "text in UTF-16: save it as UTF-8",
    b"\xfe\xff": "text in UTF-16: save it as UTF-8",
}
_BY_NAME: Final[dict[str, Kind]] = {
    ".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow",
    ".npy": "npy", ".npz": "npz", ".json": "json", ".jsonl": "json", ".ndjson": "json",
}  # fmt: skip
_SAID: Final = {"parquet": "a Parquet file", "arrow": "an Arrow IPC file", "npy": "a NumPy file", "npz": "a .npz file"}


@dataclass(frozen=True, slots=True)
class Input:
    """One file that was read, as the record names it."""

    path: str
    sha256: str
    bytes: int
    rows: int


class InputFile:
    """One file on disk: the name the user gave, where it lies, its kind and compression."""

    def __init__(self, path: str, name: str) -> None:
        self.path, self.name = path, name
        self.compression: Compression = "none"
        with self.open() as file:
            start = file.read(16)
        if start[:4] == b"\x28\xb5\x2f\xfd":
            self.compression = "zstd"
        elif start[:2] == b"\x1f\x8b":
            self.compression = "gzip"
        self.size = os.path.getsize(path)
        if self.size == 0:
            raise InputError(f"{name}: the file is empty")
        self.kind: Kind = self._kind_of(start)

    def open(self) -> IO[bytes]:
        """The raw bytes of the file."""
        try:
            return open(self.path, "rb")
        except OSError as error:
            raise InputError(f"{self.name}: cannot be opened: {error.strerror}") from None

    def _kind_of(self, start: bytes) -> Kind:
        stem = Path(self.name)
        packed = self.compression != "none"
        named = _BY_NAME.get((Path(stem.stem) if packed else stem).suffix.lower())
        found = next((kind for magic, kind in _MAGIC.items() if start.startswith(magic)), None)
        for magic, said in _REFUSED.items():
            if start.startswith(magic):
                raise InputError(f"{self.name}: this is {said}")
        if start.startswith(b"PK\x03\x04"):
            if named != "npz":
                raise InputError(
                    f"{self.name}: this is a zip archive or a spreadsheet: unpack it, or save the sheet as CSV"
                )
            return "npz"
        if found is not None:
            return found
        if named in _SAID:
            problem = "only text files may be compressed" if packed else "its first bytes are not of that kind"
            raise InputError(f"{self.name}: expected {_SAID[named]}; {problem}")
        return "json" if named == "json" else "csv"

    def fingerprint(self) -> str:
        """SHA-256 of the bytes; the checksums inside a gz file are compared too, which DuckDB does not do."""
        digest = hashlib.sha256()
        with self.open() as file:
            while block := file.read(BLOCK):
                digest.update(block)
        if self.compression == "gzip":
            try:
                with gzip.open(self.path) as unpacked:
                    while unpacked.read(BLOCK):
                        pass
            except (EOFError, OSError, zlib.error) as error:
                raise InputError(broken_archive(self.name, "gz", error)) from None
        return digest.hexdigest()


def broken_archive(name: str, kind: str, error: object) -> str:
    """The message about a compressed file that ends early or does not decode."""
    return f"{name}: the {kind} file is damaged or cut short ({error}); fetch or pack it again"


def spool(stream: IO[bytes]) -> str:
    """Copy a stream to a temporary file, which goes away with the process at the latest."""
    handle, path = tempfile.mkstemp(prefix="deciban-")
    with os.fdopen(handle, "wb") as file:
        shutil.copyfileobj(stream, file, BLOCK)
    return path


def remove_with(owner: object, path: str) -> None:
    """Delete a temporary file when its owner is gone."""
    weakref.finalize(owner, Path(path).unlink, missing_ok=True)


def input_files(source: object) -> list[InputFile]:
    """The files a path, a glob, ``-`` or several of these mean, in the order given; a glob sorts by name."""
    many = [source] if isinstance(source, (str, os.PathLike)) else source
    if not isinstance(many, Iterable):
        raise InputError(f"expected a path or a list of paths, found {type(source).__name__}")
    files: list[InputFile] = []
    for item in many:
        name = os.fspath(item)
        if name == "-":
            files.append(_spooled(sys.stdin.buffer, "standard input"))
        elif Path(name).is_fifo():
            with open(name, "rb") as pipe:
                files.append(_spooled(pipe, name))
        else:
            files += [InputFile(os.path.abspath(found), found) for found in _matching(name)]
    if not files:
        raise InputError("expected at least one file, found an empty list")
    names = [file.path for file in files]
    twice = sorted({file.name for file in files if names.count(file.path) > 1})
    if twice:
        raise InputError(f"{listing(twice)}: the same file is named twice, which would count its trials twice")
    return files


def _spooled(stream: IO[bytes], name: str) -> InputFile:
    """A stream as a file, since it can be read once only and its start is read to find out what it is."""
    path = spool(stream)
    try:
        file = InputFile(path, name)
    except InputError:
        Path(path).unlink()
        raise
    remove_with(file, path)
    return file


def _matching(name: str) -> list[str]:
    path = Path(name)
    if "://" in name:
        raise InputError(f"{name}: only local files are read; fetch the file first")
    try:
        if path.is_file():
            return [name]
        if path.is_dir():
            raise InputError(f"{name}: is a folder; name the files in it, e.g. {path / '*.csv'}")
        if path.exists():
            raise InputError(f"{name}: is not a regular file; pass its content on standard input with '-'")
    except OSError as error:
        raise InputError(f"{name}: cannot be opened: {error.strerror}") from None
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{name}: cannot be opened: {error}") from None
    if glob.has_magic(name):
        found = sorted(match for match in glob.glob(name, recursive=True) if Path(match).is_file())
        if not found:
            raise InputError(f"{name}: no file matches")
        return found
    raise InputError(f"{name}: no such file{_nearby(path)}")


def _nearby(path: Path) -> str:
    folder = path.parent
    if not folder.is_dir():
        return f"; there is no folder {folder}"
    try:
        names = [entry.name for entry in os.scandir(folder) if entry.is_file()]
    except OSError:
        return ""
    near = get_close_matches(path.name, names, n=3, cutoff=0.5)
    return "; did you mean " + " or ".join(repr(str(folder / name)) for name in near) + "?" if near else ""

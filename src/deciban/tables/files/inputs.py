"""Files before they are read: which ones a path means, what kind each is, and its fingerprint for the record."""

from __future__ import annotations

import glob
import gzip
import hashlib
import os
import stat
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, Literal

from deciban.errors import InputError, listing, nearest
from deciban.tables.files.scratch import BLOCK, Scratch, spool
from deciban.tables.files.standard_input import STDIN, identity_of_stdin, refuse_stdin_twice, standard_input

Kind = Literal["csv", "json", "parquet", "arrow", "npy", "npz", "hdf5"]
Compression = Literal["none", "gzip", "zstd"]
_MAGIC: Final[dict[bytes, Kind]] = {
    b"PAR1": "parquet", b"ARROW1": "arrow", b"\x93NUMPY": "npy", b"\xff\xff\xff\xff": "arrow",
    b"\x89HDF": "hdf5",
}  # fmt: skip
PICKLE: Final = (
    "a Python pickle, which is never loaded (loading one can run any code): save the table as CSV or Parquet, e.g. "
    "frame.to_parquet(…)"
)
_REFUSED: Final = {
    b"SQLite format 3": "an SQLite database: export the table as CSV or Parquet",
    b"BZh": "compressed with bzip2: use gz or zst, or unpack it",
    b"\xfd7zXZ": "compressed with xz: use gz or zst, or unpack it",
    b"%PDF": "a PDF document",
    **dict.fromkeys([bytes([0x80, protocol]) for protocol in range(2, 6)], PICKLE),
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
    """One file that was read, as the record names it, or one table of a database, which has no bytes of its own."""

    path: str
    sha256: str | None
    bytes: int | None
    rows: int


@dataclass(frozen=True, slots=True)
class Moved(os.PathLike[str]):
    """A file that lies elsewhere than a record says, and keeps the name that it has there."""

    name: str
    place: str

    def __fspath__(self) -> str:
        return self.place


class InputFile:
    """One file on disk: the name the user gave, where it lies, its kind and compression.

    ``scratch`` is the temporary file that holds it, where it was a stream. ``identity`` is the same for every name of
    one file.
    """

    def __init__(self, path: str, name: str, scratch: Scratch | None = None) -> None:
        self.path, self.name, self.scratch = path, name, scratch
        self.compression: Compression = "none"
        with self.open() as file:
            start = self._start(file)
            status = os.fstat(file.fileno())
            if status.st_size == 0 and start and scratch is None:
                # Files of /proc have content and no size.
                file.seek(0)
                self.scratch = spool(file, name)
                self.path = self.scratch.path
                status = os.stat(self.path)
        self.size = status.st_size
        self.identity = status.st_dev, status.st_ino
        if start[:4] == b"\x28\xb5\x2f\xfd":
            self.compression = "zstd"
        elif start[:2] == b"\x1f\x8b":
            self.compression = "gzip"
        if self.size == 0:
            streamed = "nothing came in, or it was read before: a stream can be read once only"
            raise InputError(f"{name}: {'the file is empty' if scratch is None else streamed}")
        self.kind: Kind = self._kind_of(start)

    def open(self) -> IO[bytes]:
        """The raw bytes of the file."""
        try:
            return open(self.path, "rb")
        except OSError as error:
            raise InputError(f"{self.name}: cannot be opened: {error.strerror}") from None

    def _start(self, file: IO[bytes]) -> bytes:
        try:
            return file.read(16)
        except OSError as error:
            raise InputError(f"{self.name}: cannot be read: {error.strerror}") from None

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


def recorded_name(file: InputFile) -> str:
    """What a file is called in a record."""
    return "-" if file.name == STDIN else file.name


def broken_archive(name: str, kind: str, error: object) -> str:
    """The message about a compressed file that ends early or does not decode."""
    return f"{name}: the {kind} file is damaged or cut short ({error}); fetch or pack it again"


def input_files(source: object) -> list[InputFile]:
    """The files a path, a glob, ``-`` or several of these mean, in the order given; a glob sorts by name.

    A list of files that have been found already is returned as it is.
    """
    many = [source] if isinstance(source, (str, os.PathLike)) else source
    if isinstance(many, list) and many and all(isinstance(item, InputFile) for item in many):
        return many
    if not isinstance(many, Iterable):
        raise InputError(f"expected a path or a list of paths, found {type(source).__name__}")
    items = list(many)
    names = [os.fspath(item) for item in items]
    refuse_stdin_twice([("the table", items)])
    files: list[InputFile] = []
    for item, name in zip(items, names, strict=True):
        if isinstance(item, Moved):
            files.append(InputFile(os.path.abspath(name), STDIN if item.name == "-" else item.name))
        elif name == "-":
            files.append(_spooled(standard_input(), STDIN))
            # A file that was redirected there is known by its own name too.
            files[-1].identity = identity_of_stdin() or files[-1].identity
        elif (status := _status(name)) is not None and stat.S_ISFIFO(status.st_mode):
            with _opened(name) as pipe:
                files.append(_spooled(pipe, name))
        else:
            files += [InputFile(os.path.abspath(found), found) for found in _matching(name, status)]
    if not files:
        raise InputError("expected at least one file, found an empty list")
    _refuse_the_same(files)
    return files


def _refuse_the_same(files: Sequence[InputFile]) -> None:
    """Raise when one file has come in twice, by the same path or by a link to it."""
    names: dict[tuple[int, int], list[str]] = {}
    for file in files:
        names.setdefault(file.identity, []).append(file.name)
    twice = [" and ".join(dict.fromkeys(alike)) for alike in names.values() if len(alike) > 1]
    if twice:
        raise InputError(f"{listing(twice)}: the same file is named twice, which would count its trials twice")


def _spooled(stream: IO[bytes], name: str) -> InputFile:
    """A stream as a file, since it can be read once only and its start is read to find out what it is."""
    scratch = spool(stream, name)
    return InputFile(scratch.path, name, scratch)


def _opened(name: str) -> IO[bytes]:
    try:
        return open(name, "rb")
    except OSError as error:
        raise InputError(f"{name}: cannot be opened: {error.strerror}") from None


def _status(name: str) -> os.stat_result | None:
    """What lies at a path; None when nothing does."""
    try:
        return os.stat(name)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    except OSError as error:
        raise InputError(f"{name}: cannot be opened: {error.strerror}") from None


def _matching(name: str, status: os.stat_result | None) -> list[str]:
    """The regular files that a path or a glob means."""
    if "://" in name:
        raise InputError(f"{name}: only local files are read; fetch the file first")
    if status is not None:
        if stat.S_ISREG(status.st_mode):
            return [name]
        if stat.S_ISDIR(status.st_mode):
            raise InputError(f"{name}: is a folder; name the files in it, e.g. {Path(name) / '*.csv'}")
        raise InputError(f"{name}: is not a regular file; pass its content on standard input with '-'")
    if glob.has_magic(name):
        _refuse_closed_folders(name)
        statuses = [(match, _status(match)) for match in sorted(glob.glob(name, recursive=True))]
        found = [match for match, at in statuses if at is not None and stat.S_ISREG(at.st_mode)]
        if not found:
            raise InputError(f"{name}: no file matches")
        return found
    raise InputError(f"{name}: no such file{_nearby(Path(name))}")


def _refuse_closed_folders(pattern: str) -> None:
    """Raise when a glob covers a folder that may not be listed: its files would be left out in silence."""
    folder = os.path.dirname(pattern) or "."
    folders = glob.glob(folder, recursive=True) if glob.has_magic(folder) else [folder]
    closed = [place for place in folders if os.path.isdir(place) and not os.access(place, os.R_OK | os.X_OK)]
    if closed:
        raise InputError(f"{pattern}: the folder {listing(closed)} cannot be read: Permission denied")


def _nearby(path: Path) -> str:
    folder = path.parent
    if not os.path.isdir(folder):
        return f"; there is no folder {folder}"
    try:
        names = [entry.name for entry in os.scandir(folder) if entry.is_file()]
    except OSError:
        return ""
    near = nearest(path.name, names, cutoff=0.5)
    return "; did you mean " + " or ".join(repr(str(folder / name)) for name in near) + "?" if near else ""

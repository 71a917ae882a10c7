"""Temporary files that do not outlive the process, however it ends, and streams copied to them."""

from __future__ import annotations

import os
import tempfile
import weakref
from pathlib import Path
from typing import IO

from deciban.errors import InputError

BLOCK = 1 << 20
"""Bytes that are read at once."""

_OPEN_FILES = Path("/proc/self/fd")


class Scratch:
    """A temporary file.

    Where the system lists open files by number, its name is taken away at once, so that no signal and no crash leaves
    it behind; ``path`` leads to it as long as this object lives. Elsewhere it is deleted with this object.
    """

    def __init__(self, what: str) -> None:
        self.what = what
        try:
            handle, name = tempfile.mkstemp(prefix="deciban-")
        except OSError as error:
            raise _no_room(what, error) from None
        self.file: IO[bytes] = os.fdopen(handle, "w+b")
        weakref.finalize(self, self.file.close)
        self.path = name
        if (_OPEN_FILES / str(handle)).exists():
            Path(name).unlink()
            self.path = str(_OPEN_FILES / str(handle))
        else:
            weakref.finalize(self, Path(name).unlink, missing_ok=True)

    def unwritable(self, error: OSError) -> InputError:
        """The error when there is no room for the file; what is still buffered goes nowhere, without a complaint."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.file.fileno())
        os.close(nowhere)
        return _no_room(self.what, error)


def _no_room(what: str, error: OSError) -> InputError:
    # tempfile lists every folder that it tried; the reason alone is enough.
    reason = (error.strerror or str(error)).partition(" in [")[0]
    return InputError(
        f"{what}: a copy is needed and cannot be written to the folder for temporary files: {reason}; name a folder "
        "with room in the environment variable TMPDIR"
    )


def spool(stream: IO[bytes], what: str) -> Scratch:
    """Copy a stream to a temporary file, since it can be read once only and is read more often than that."""
    scratch = Scratch(what)
    while block := _block(stream, what):
        try:
            scratch.file.write(block)
        except OSError as error:
            raise scratch.unwritable(error) from None
    try:
        scratch.file.flush()
    except OSError as error:
        raise scratch.unwritable(error) from None
    return scratch


def _block(stream: IO[bytes], what: str) -> bytes:
    try:
        return stream.read(BLOCK)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{what}: cannot be read: {reason}") from None

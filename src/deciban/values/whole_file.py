"""Files that are written whole or not at all: under another name first, which is then changed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deciban.errors import DecibanError


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a temporary path beside ``path``, renamed to it at the end, so that no half-written file ever has the name.

    Raises :class:`DecibanError` when the place cannot be written.
    """
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
        os.close(handle)
    except OSError as error:
        raise DecibanError(f"{path}: cannot be written: {error.strerror}") from None
    temporary = Path(name)
    try:
        yield temporary
        # A temporary file is private; what the user asked for is as readable as any other file.
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)
        temporary.replace(path)
    except OSError as error:
        raise DecibanError(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        temporary.unlink(missing_ok=True)


def write_file(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")

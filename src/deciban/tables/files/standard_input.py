"""Standard input: its bytes, and the ways to name it, of which one command takes one."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable
from typing import IO, Final

from deciban.errors import InputError

STDIN: Final = "standard input"
"""What the input ``-`` is called in messages."""


def standard_input() -> IO[bytes]:
    """The bytes of standard input."""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise InputError(f"{STDIN} is closed, or is no stream of bytes; pipe the table to it, or name a file")
    binary: IO[bytes] = stream
    return binary


def refuse_stdin_twice(named: Iterable[tuple[str, object]]) -> None:
    """Raise where standard input would be read more than once, which it cannot be.

    Parameters
    ----------
    named
        What each path or list of paths is for, in words for the message, and the paths.
    """
    stdin = identity_of_stdin()
    found: list[tuple[str, str]] = []
    for what_for, source in named:
        many = source if isinstance(source, (list, tuple)) else [source]
        paths = [os.fspath(item) for item in many if isinstance(item, (str, os.PathLike))]
        found += [(what_for, path) for path in paths if path == "-" or _is_stream(path, stdin)]
    if len(found) < 2:
        return
    uses = list(dict.fromkeys(what_for for what_for, _ in found))
    how = "twice" if len(uses) == 1 else f"for {' and for '.join(uses)}"
    names = " and ".join(dict.fromkeys(path for _, path in found))
    raise InputError(
        f"standard input ({names}) is named {how}, and it can be read once only: write it to a file, and name that"
    )


def identity_of_stdin() -> tuple[int, int] | None:
    """What is the same for every name of standard input; None where it is closed, or no file of the system."""
    try:
        status = os.fstat(sys.stdin.fileno())
    except (AttributeError, OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def _is_stream(path: str, identity: tuple[int, int] | None) -> bool:
    """Whether a path leads to a stream that has this identity; a file that is read from its start does not."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return False
    return (status.st_dev, status.st_ino) == identity and not stat.S_ISREG(status.st_mode)

"""How commands end: data on stdout, words on stderr, and the exit status."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from deciban.errors import DecibanError

DONE, NOT_MET, WRONG = 0, 1, 2
"""Exit status: done; a limit that the user set was not met; wrong use or bad input."""


def say(*lines: str) -> None:
    """Write lines for people to stderr."""
    for line in lines:
        sys.stderr.write(line + "\n")


def write(text: str) -> None:
    """Write data to stdout; a reader that went away (``| head``) is no error."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_file(path: Path, text: str) -> None:
    """Write a file whole or not at all: under another name first, then renamed."""
    try:
        handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(scratch, path)
    except OSError as error:
        fail(f"{path}: cannot be written: {error.strerror}")


def fail(message: str) -> NoReturn:
    """Say what is wrong and exit 2."""
    say(f"deciban: error: {message}")
    sys.exit(WRONG)


@contextmanager
def errors_end_here() -> Iterator[None]:
    """Turn an error of deciban into one message and exit status 2, and Ctrl-C into a quiet 130."""
    try:
        yield
    except DecibanError as error:
        fail(str(error))
    except MemoryError:
        fail("not enough memory for these data: read fewer columns, or count shards apart and merge them")
    except KeyboardInterrupt:
        say("deciban: stopped")
        sys.exit(130)


@contextmanager
def busy(doing: str) -> Iterator[None]:
    """Show on a terminal that something is being done; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(doing):
        yield


def assumed(sentences: Iterable[str]) -> None:
    """Say what was recognised rather than given."""
    say(*(f"deciban: assumed: {sentence}" for sentence in sentences))

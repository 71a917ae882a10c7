"""How commands end: data on stdout, words on stderr, and the exit status."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from deciban.cli.wording import on_the_command_line
from deciban.errors import DecibanError
from deciban.records.display import printable

if TYPE_CHECKING:
    from deciban.uncertainty.bootstrap.repeat import Progress

DONE, NOT_MET, WRONG, STOPPED, TERMINATED = 0, 1, 2, 130, 143
"""Exit status: done; a limit that the user set was not met; wrong use or bad input; stopped by Ctrl-C; by SIGTERM."""


def say(*lines: str) -> None:
    """Write lines for people to stderr, where there is one."""
    # Where there is no stderr, or nobody reads it any more, the exit status still says how it went.
    with suppress(AttributeError, OSError):
        for line in lines:
            sys.stderr.write(printable(line, keep="\n") + "\n")
        sys.stderr.flush()


def write(text: str) -> None:
    """Write data to stdout; a reader that went away (``| head``) is no error."""
    if sys.stdout is None:
        fail("standard output is closed, so the result has nowhere to go")
    with stdout_may_fail():
        sys.stdout.write(text)


@contextmanager
def stdout_may_fail() -> Iterator[None]:
    """Write all of stdout at the end; a full disk is an error, a reader that went away is none."""
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _forget_stdout()
    except OSError as error:
        _forget_stdout()
        fail(f"standard output: cannot be written: {error.strerror}")


def _forget_stdout() -> None:
    """Let what is still buffered go nowhere: Python would complain again when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def read_text(path: Path) -> str:
    """Read a small text file that an option names."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise DecibanError(f"{path}: cannot be read: {reason}") from None


def refuse_input(output: Path | None, files: Sequence[str]) -> None:
    """Raise :class:`DecibanError` when the file to be written is one of those that are read: it would be lost."""
    if output is None or not output.exists():
        return
    read = [name for pattern in files for name in (glob(pattern) or [pattern])]
    if any(Path(name).exists() and output.samefile(name) for name in read):
        raise DecibanError(f"{output}: it is read from, and writing there would destroy it; write to another file")


def make_folder(path: Path) -> None:
    """Make a folder to write to, unless it is there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DecibanError(f"{path}: no folder can be made there: {error.strerror}") from None


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
        fail(on_the_command_line(str(error)))
    except MemoryError:
        fail("not enough memory for these data: read fewer columns, or count shards apart and merge them")
    except KeyboardInterrupt:
        say("deciban: stopped")
        sys.exit(STOPPED)


@contextmanager
def cleaning_up() -> Iterator[None]:
    """Let a request to terminate unwind like an exit, so that temporary files go away."""

    def end(*_: object) -> NoReturn:
        sys.exit(TERMINATED)

    before = signal.getsignal(signal.SIGTERM)
    if before is not signal.SIG_DFL or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def busy(doing: str, unit: str = "replicates") -> Iterator[Progress | None]:
    """Show on a terminal that something is being done, and how much of it; elsewhere nothing."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status(doing) as status:
        yield lambda done, whole: status.update(f"{doing}: {done:,} of {whole:,} {unit}")


def assumed(sentences: Iterable[str]) -> None:
    """Say what was recognised rather than given."""
    say(*(f"deciban: assumed: {sentence}" for sentence in sentences))


def once(assumed: Mapping[str, Sequence[str]]) -> list[str]:
    """What was assumed of each system, under its name where the others differ."""
    first = next(iter(assumed.values()))
    common = [one for one in first if all(one in others for others in assumed.values())]
    return common + [f"{name}: {one}" for name, said in assumed.items() for one in said if one not in common]

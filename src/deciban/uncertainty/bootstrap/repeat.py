"""The same work many times over, by any number of workers, each time with a seed of its own."""

from __future__ import annotations

import pickle
import signal
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from multiprocessing import get_context

import numpy as np

from deciban.errors import OptionError
from deciban.values.arrays import Floats
from deciban.values.option_checks import check_level, check_whole

Progress = Callable[[int, int], None]
"""Told how many of how many rounds are done; called from the thread that asked for them."""

SHARES = 64
"""Parts that the rounds are cut into: often enough for a progress bar, seldom enough to cost nothing."""


def child(seed: int, number: int) -> np.random.Generator:
    """Return the generator of one round: the child of that number which ``SeedSequence(seed).spawn`` gives."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))


def part_of(progress: Progress | None, before: int, whole: int) -> Progress | None:
    """Let the rounds of one part be told as some of a whole, of which others were done before."""
    return None if progress is None else lambda done, _: progress(before + done, whole)


def check_draws(name: str, draws: int, level: float, seed: int, workers: int) -> None:
    """Raise :class:`OptionError` for an option of repeated draws that is not legal."""
    check_whole(name, draws, 1, "at least 1")
    check_level(level)
    check_whole("seed", seed, 0)
    check_whole("workers", workers, 1, "at least 1")


def repeat(
    work: Callable[[int], Sequence[float]],
    rounds: int,
    width: int,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> Floats:
    """Do the work of rounds 0, 1, … and collect what each gives.

    Parameters
    ----------
    work
        What is done in a round, given its number; must depend on nothing else.
    rounds, width
        How many rounds, and how many numbers each gives.
    workers
        Processes that share the rounds; the result is the same for any number. (Threads would wait for the
        interpreter's lock: single steps are short.) They start anew, so that ``work`` must be something that pickle can
        send, and a script that asks for them must do so under ``if __name__ == "__main__":``.
    progress
        Called after some of the rounds.

    Returns
    -------
    array of float
        Shape (rounds, width), in order of the rounds.

    Raises
    ------
    OptionError
        When the work cannot be sent to other processes, or one of them dies.
    Exception
        Whatever a round raises; rounds not yet begun are then left undone, as on Ctrl-C.
    """
    result = np.empty((rounds, width))
    done = 0
    with closing(_here(work, rounds) if workers == 1 else _elsewhere(work, rounds, workers)) as parts:
        for share, values in parts:
            result[share.start : share.stop] = np.reshape(values, (len(share), width))
            done += len(share)
            if progress is not None:
                progress(done, rounds)
    return result


Part = tuple[range, list[Sequence[float]]]


def _cut(rounds: int) -> list[range]:
    size = -(-rounds // SHARES)
    return [range(start, min(start + size, rounds)) for start in range(0, rounds, size)]


def _here(work: Callable[[int], Sequence[float]], rounds: int) -> Generator[Part]:
    for share in _cut(rounds):
        yield share, [work(number) for number in share]


def _elsewhere(work: Callable[[int], Sequence[float]], rounds: int, workers: int) -> Generator[Part]:
    """Do the shares in other processes; what ends the iteration early also ends those."""
    try:
        sent = pickle.dumps(work)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise OptionError(f"workers: this work cannot be sent to other processes ({error}); use workers=1") from None
    shares = _cut(rounds)
    # Not forked: a fork of a process with threads (DuckDB, BLAS) may hang.
    pool = ProcessPoolExecutor(min(workers, len(shares)), get_context("spawn"), _receive, (sent,))
    try:
        for future in as_completed([pool.submit(_do, share) for share in shares]):
            yield future.result()
    except BrokenProcessPool:
        raise OptionError(
            'workers: a process died; a script must ask for workers under if __name__ == "__main__":, and memory must '
            "hold the data once for each; or use workers=1"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


_received: list[Callable[[int], Sequence[float]]] = []
"""The work of this process, when it is a worker: received once rather than with every share."""


def _receive(sent: bytes) -> None:
    # Ctrl-C reaches all processes of a terminal; the one that asked ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _received.append(pickle.loads(sent))


def _do(share: range) -> Part:
    return share, [_received[0](number) for number in share]

"""The same work many times over, by any number of workers, each time with a seed of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from threading import Event

import numpy as np

from deciban.arrays import Floats
from deciban.errors import OptionError

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
    if draws < 1:
        raise OptionError(f"{name}: expected at least 1, found {draws!r}")
    if not 0.0 < level < 1.0:
        raise OptionError(f"level: expected a confidence level strictly between 0 and 1, found {level!r}")
    if seed < 0:
        raise OptionError(f"seed: expected a whole number >= 0, found {seed!r}")
    if workers < 1:
        raise OptionError(f"workers: expected at least 1, found {workers!r}")


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
        Threads that share the rounds. NumPy works outside the interpreter's lock most of the time where data are
        large; the result is the same for any number.
    progress
        Called after some of the rounds.

    Returns
    -------
    array of float
        Shape (rounds, width), in order of the rounds.

    Raises
    ------
    Exception
        Whatever a round raises; rounds not yet begun are then left undone, as on Ctrl-C.
    """
    result = np.empty((rounds, width))
    stop = Event()

    def do(share: range) -> int:
        for number in share:
            if stop.is_set():
                break
            result[number] = work(number)
        return len(share)

    done = 0
    pool = ThreadPoolExecutor(workers, thread_name_prefix="deciban") if workers > 1 else None
    try:
        for size in map(do, _cut(rounds)) if pool is None else _as_completed(pool, do, _cut(rounds)):
            done += size
            if progress is not None:
                progress(done, rounds)
    finally:
        if pool is not None:
            stop.set()
            pool.shutdown(cancel_futures=True)
    return result


def _as_completed(pool: Executor, do: Callable[[range], int], shares: list[range]) -> Iterator[int]:
    for future in as_completed([pool.submit(do, share) for share in shares]):
        yield future.result()


def _cut(rounds: int) -> list[range]:
    size = -(-rounds // SHARES)
    return [range(start, min(start + size, rounds)) for start in range(0, rounds, size)]

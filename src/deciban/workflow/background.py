"""One piece of work beside the rest: hashing takes as long as two sorts, and a second core has nothing else to do."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread


def in_background(work: Callable[[], str]) -> Callable[[], str]:
    """Start ``work`` in a thread; what is returned waits for it and gives its result, or does it over if it failed."""
    done: list[str] = []
    thread = Thread(target=lambda: done.append(work()))
    thread.start()

    def result() -> str:
        thread.join()
        return done[0] if done else work()

    return result

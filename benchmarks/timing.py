"""Interleaved timing in one process: noise that comes and goes meets every competitor alike."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping


def interleaved(work: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Median seconds of each piece of work, run A B A B …; a first round, whose times are dropped, warms up."""
    seconds: dict[str, list[float]] = {name: [] for name in work}
    for number in range(repeats + 1):
        for name, run in work.items():
            start = time.perf_counter()
            run()
            elapsed = time.perf_counter() - start
            if number > 0:
                seconds[name].append(elapsed)
    return {name: statistics.median(times) for name, times in seconds.items()}


def new_interpreter(code: str) -> Callable[[], object]:
    """Run code in a fresh interpreter, start-up included."""
    return lambda: subprocess.run([sys.executable, "-c", code], check=True)

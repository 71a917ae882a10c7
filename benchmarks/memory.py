"""Peak memory of one evaluation in a fresh process, above that of Python with NumPy loaded.

Only the peak of a process that imports NumPy and stops is subtracted: the input arrays themselves and all of deciban
count. The arrays are read from files, so that making them leaves no higher peak behind than they are themselves.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from data import Arrays

KIB = 1024


def peak_of_evaluate(arrays: Arrays) -> int:
    """Peak resident bytes, input arrays included, above those of Python with NumPy."""
    with tempfile.TemporaryDirectory() as folder:
        scores, labels = Path(folder, "scores.npy"), Path(folder, "labels.npy")
        np.save(scores, arrays.scores)
        np.save(labels, arrays.labels)
        prior = "" if arrays.prior is None else str(arrays.prior)
        return _peak(str(scores), str(labels), arrays.scale, prior) - _peak()


def _peak(*arguments: str) -> int:
    done = subprocess.run([sys.executable, __file__, *arguments], check=True, stdout=subprocess.PIPE, text=True)
    return int(done.stdout)


def child(scores: str, labels: str, scale: str, prior: str) -> None:
    """Read the arrays and evaluate them."""
    from work import evaluate

    evaluate(Arrays(np.load(scores), np.load(labels), scale, float(prior) if prior else None))


def high_water() -> int:
    """Peak resident bytes of this process; Linux only.

    Not ``ru_maxrss``: that starts from the peak of the process which started this one.
    """
    status = Path("/proc/self/status").read_text(encoding="ascii")
    found = re.search(r"^VmHWM:\s*(\d+) kB", status, flags=re.MULTILINE)
    if found is None:
        raise RuntimeError("/proc/self/status has no VmHWM")
    return int(found.group(1)) * KIB


if __name__ == "__main__":
    if sys.argv[1:]:
        child(*sys.argv[1:])
    print(high_water())

"""Read a large file of every text format as trials, scores joined to their key, beside merely parsing the files.

python benchmarks/formats.py [--rows N] [--repeats N]
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import deciban as db
from format_files import bare_parsers, write_all
from timing import interleaved

BAR = 3.0
"""How many times the slower of the bare parsers is meant to be enough."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    print(f"{'format':20}{'ours':>10}{'with ids':>10}{'Polars':>10}{'PyArrow':>10}{'ratio':>8}{'ids':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name, files in write_all(options.rows, Path(folder)).items():
            reader, scores, key = name.partition(",")[0], list(files.scores), files.key
            seconds = interleaved(
                {
                    "ours": lambda: db.scan(scores, key=key, reader=reader).trials(),  # noqa: B023
                    "ids": lambda: db.scan(scores, key=key, reader=reader, ids=None).trials(),  # noqa: B023
                    **bare_parsers(files),
                },
                options.repeats,
            )
            bare = max(seconds["Polars"], seconds["PyArrow"])
            times = "".join(f"{seconds[who] * 1e3:7.0f} ms" for who in ("ours", "ids", "Polars", "PyArrow"))
            print(f"{name:20}{times}{seconds['ours'] / bare:8.2f}{seconds['ids'] / bare:8.2f}", flush=True)


if __name__ == "__main__":
    main()

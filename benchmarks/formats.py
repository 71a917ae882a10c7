"""The rows of the table that read files of field formats, alone.

python benchmarks/formats.py [--rows N] [--repeats N]
"""

from __future__ import annotations

import argparse

from rows import Sizes, formats
from run import line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    for row in formats(Sizes(small=options.rows, repeats_large=options.repeats)):
        print(line(row), flush=True)


if __name__ == "__main__":
    main()

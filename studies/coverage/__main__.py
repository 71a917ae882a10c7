"""Measure how often intervals hold the truth; write a table and a picture for the documentation.

    python -m studies.coverage [--times FACTOR] [--seed N] [--results FILE] [--only TEXT] [--folder FOLDER]

The long form takes about half an hour of one processor. Results are kept cell by cell: a run that was stopped goes on
where it was, and ``--times 4`` makes the Monte Carlo errors half as large.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import deciban as db
from studies.coverage.cells import CELLS, times
from studies.coverage.picture import draw
from studies.coverage.run import read, run
from studies.coverage.table import page

HERE = Path(__file__).parent


def main() -> None:
    """Run what is not done yet, then write the documents."""
    parser = argparse.ArgumentParser(description="Measure how often intervals hold the truth.")
    parser.add_argument("--times", type=float, default=1.0, metavar="FACTOR", help="so many times the data sets")
    parser.add_argument("--seed", type=int, default=20261130, help="of all data sets and replicates")
    parser.add_argument("--results", type=Path, default=HERE / "results.jsonl", help="where results are kept")
    parser.add_argument("--only", default="", metavar="TEXT", help="cells whose name holds this")
    parser.add_argument("--folder", type=Path, default=HERE.parents[1] / "docs", help="where table and picture go")
    options = parser.parse_args()
    cells = [times(cell, options.times) for cell in CELLS if options.only in cell.name]
    for cell, seconds in run(cells, options.seed, options.results):
        print(f"{cell.name:45}{cell.data_sets:6} data sets{seconds:8.1f} s", flush=True)
    results = read(options.results)
    (options.folder / "coverage.md").write_text(page(results), encoding="utf-8")
    db.plots.save(draw(results), options.folder / "coverage.svg")
    print(options.folder / "coverage.md")


if __name__ == "__main__":
    main()

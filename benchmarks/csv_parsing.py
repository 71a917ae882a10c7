"""A CSV file of trials, what it takes the fastest libraries merely to parse it, and our whole command on it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import polars as pl
from pyarrow import csv as arrow_csv

from data import Arrays


def write(arrays: Arrays, path: Path) -> None:
    """Two columns: scores with all their digits, labels 0 and 1."""
    pl.DataFrame({arrays.scale: arrays.scores, "label": arrays.labels.astype("int8")}).write_csv(path)


def bare_parsers(path: Path) -> dict[str, Callable[[], object]]:
    """All columns into memory, in this process, with every core."""
    return {
        "Polars": lambda: pl.read_csv(path),
        "PyArrow": lambda: arrow_csv.read_csv(path),
        "DuckDB": lambda: duckdb.read_csv(str(path)).fetchnumpy(),
    }


def command(path: Path) -> Callable[[], object]:
    """Every figure shown unasked, in a fresh interpreter: start, parsing, counting and writing included."""
    arguments = [sys.executable, "-m", "deciban", "evaluate", str(path), "--interval", "none", "--format", "json"]
    return lambda: subprocess.run(arguments, check=True, capture_output=True)

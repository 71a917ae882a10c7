"""Measure how time and memory of ``evaluate`` grow with the number of trials, and write docs/benchmarks.md.

    python benchmarks/scaling.py [--largest 8] [--spark 7] [--continuous 8] [--output FILE]

Trials are made inside DuckDB and written as Parquet: log LRs of 3 decimals, one target in ten. Each measurement is a
fresh process. ``--largest 9`` makes 10⁹ trials, which takes about 4 GB of disk; ``--spark 0`` leaves Spark out.
``--continuous`` says of how many trials with doubles as scores the brackets are held against exact values; 10⁸ take
about 8 GB of memory, since those are computed by sorting all at once.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from continuous import brackets, exact, outside, section
from measured import GIB, Measured, spent_since

OUTPUT = Path(__file__).parent.parent / "docs" / "benchmarks.md"
SMALLEST = 5
PEAK = 2 * GIB
"""What 10⁸ trials are to stay under, in bytes."""


def make(path: Path, power: int, decimals: int | None = 3) -> None:
    """Write trials as Parquet, with scores of a few decimals or as they come."""
    import duckdb

    normal = "sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())"
    score = f"{normal} * 2 + if(target, 2, -2)"
    with duckdb.connect() as db:
        db.execute("SELECT setseed(0.5)")
        db.execute(
            f"COPY (SELECT {score if decimals is None else f'round({score}, {decimals})'} AS ln_lr, "
            "if(target, 'target', 'nontarget') AS label "
            f"FROM (SELECT random() < 0.1 AS target FROM range({10**power}))) TO '{path}' (FORMAT parquet)"
        )


def evaluated(path: str) -> dict[str, object]:
    """Every figure of a file, closed intervals included."""
    import deciban as db

    started = time.perf_counter()
    result = db.evaluate(db.scan(path), interval="closed")
    return _said(started, result.provenance.engine, result.trials.n_distinct)


def grouped(path: str) -> dict[str, object]:
    """The bare query."""
    import duckdb

    started = time.perf_counter()
    with duckdb.connect() as db:
        found = db.execute(f"SELECT ln_lr, label, count(*) FROM '{path}' GROUP BY ALL").fetchnumpy()
    return _said(started, "duckdb", len(set(found["ln_lr"].tolist())))


def in_spark(path: str) -> dict[str, object]:
    """Every figure of the same file in Spark, which has started already."""
    from pyspark.sql import SparkSession

    import deciban as db

    builder = SparkSession.builder.master("local[*]").config("spark.ui.enabled", "false")
    session = (
        builder.config("spark.ui.showConsoleProgress", "false").config("spark.sql.shuffle.partitions", 8).getOrCreate()
    )
    session.range(10).count()
    started = time.perf_counter()
    result = db.evaluate(db.scan(session.read.parquet(path)), interval="closed")
    said = _said(started, result.provenance.engine, result.trials.n_distinct)
    session.stop()
    return said


WAYS = {
    "evaluate": evaluated,
    "bare query": grouped,
    "evaluate in Spark": in_spark,
    "evaluate in buckets": brackets,
    "sorted at once": exact,
}


def _said(started: float, engine: str, n_distinct: int) -> dict[str, object]:
    return {**spent_since(started), "engine": engine, "n_distinct": n_distinct}


def measure(way: str, path: Path, power: int) -> Measured:
    """Run one way in a process of its own."""
    command = [sys.executable, __file__, "--child", way, str(path)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found = json.loads(done.stdout.splitlines()[-1])
    measured = Measured(way, power, **found)
    print(f"10^{power} {way}: {measured.seconds:.2f} s, {measured.peak / 2**20:.0f} MiB, {measured.engine}", flush=True)
    return measured


def written(found: list[Measured], command: str) -> str:
    """The page."""
    from run import machine

    of = {(one.way, one.power): one for one in found}
    powers = sorted(power for way, power in of if way == "evaluate")
    described = ", ".join(f"{name} {value}" for name, value in machine().items())
    lines = [
        "# How deciban grows",
        "",
        f"Made by `{command}` on {described}.",
        "",
        *_growth([of["evaluate", power] for power in powers], of["bare query", powers[-1]]),
        "",
        "Log LRs of 3 decimals, one target in ten, as Parquet; every figure of the record with closed intervals; each",
        "measurement a fresh process, whose peak includes Python and all libraries. Times are those of one machine,",
        "which did other things beside.",
        "",
        "| trials | distinct scores | counted by | × bare query | × a tenth of the trials | seconds | peak MiB |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for way in ("evaluate", "evaluate in Spark"):
        for power in powers:
            one, query, tenth = (of.get(key) for key in ((way, power), ("bare query", power), (way, power - 1)))
            if one is None or query is None:
                continue
            growth = f"{one.seconds / tenth.seconds:.1f}" if tenth else ""
            lines.append(
                f"| 10^{power} | {one.n_distinct} | {one.engine} | {one.seconds / query.seconds:.1f} | {growth} | "
                f"{one.seconds:.2f} | {one.peak / 2**20:.0f} |"
            )
    lines += [
        "",
        "Up to five million rows NumPy counts; beyond, DuckDB does where the file lies, so that memory no longer",
        "grows with the number of trials but with that of distinct scores. A file is also hashed for the record, which",
        "is part of the time. Spark runs in one local process: its time is without its start, its memory without",
        "that of Java.",
        "",
    ]
    compared = [one for one in found if one.figures]
    return "\n".join([*lines, *(section(*compared) if compared else [])])


def _growth(evaluated: list[Measured], bare: Measured) -> list[str]:
    """How time and memory grow, in words."""
    first, last = evaluated[0], evaluated[-1]
    lines = [
        f"* 10^{last.power} trials take {last.seconds / bare.seconds:.1f} times as long as the bare grouped query",
        f"  in DuckDB, and {last.peak / first.peak:.1f} times the memory of 10^{first.power} trials.",
        f"* Peak memory at 10^{last.power}: {last.peak / GIB:.2f} GiB.",
    ]
    counted = [one for one in evaluated if one.engine != "numpy"]
    if len(counted) > 1:
        start = counted[0]
        decades = last.power - start.power
        time_, memory = (
            math.log10(getattr(last, name) / getattr(start, name)) / decades for name in ("seconds", "peak")
        )
        lines += [
            f"* From 10^{start.power} to 10^{last.power} trials, which DuckDB counts, time grows as the number to the",
            f"  power of {time_:.2f} (1 would be in proportion), and peak memory to the power of {memory:.2f}.",
        ]
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how deciban grows.")
    parser.add_argument("--largest", type=int, default=8, metavar="P", help="up to 10^P trials (default 8)")
    parser.add_argument("--spark", type=int, default=7, metavar="P", help="Spark up to 10^P (default 7; 0: not at all)")
    parser.add_argument(
        "--continuous", type=int, default=8, metavar="P", help="brackets of 10^P doubles (default 8; 0: not at all)"
    )
    parser.add_argument("--output", type=Path, default=OUTPUT, help="the page to write")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        way, path = options.child
        print(json.dumps(WAYS[way](path)))
        return
    found: list[Measured] = []
    with tempfile.TemporaryDirectory() as folder:
        for power in range(SMALLEST, options.largest + 1):
            ways = ["evaluate", "bare query", *(["evaluate in Spark"] if 6 <= power <= options.spark else [])]
            found += measured(ways, Path(folder), power, decimals=3)
        if options.continuous:
            found += measured(
                ["evaluate in buckets", "sorted at once"], Path(folder), options.continuous, decimals=None
            )
    command = f"python benchmarks/scaling.py --largest {options.largest}"
    options.output.write_text(written(found, command), encoding="utf-8")
    if wrong := failed(found):
        sys.exit("; ".join(wrong))


def measured(ways: list[str], folder: Path, power: int, decimals: int | None) -> list[Measured]:
    """Make trials, and measure several ways to count them."""
    path = folder / f"{power}.parquet"
    make(path, power, decimals)
    found = [measure(way, path, power) for way in ways]
    path.unlink()
    return found


def failed(found: list[Measured]) -> list[str]:
    """What does not hold that should."""
    high = [one for one in found if one.way == "evaluate" and one.power <= 8 and one.peak > PEAK]
    wrong = [f"10^{one.power} trials are to stay under 2 GiB" for one in high]
    compared = [one.figures for one in found if one.figures]
    if compared:
        wrong += [f"not in its bracket: {name}" for name in outside(*compared)]
    return wrong


if __name__ == "__main__":
    main()

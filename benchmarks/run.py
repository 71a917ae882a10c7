"""Measure speed and memory, print a table with ratios and write ``benchmarks/results.json``.

    python benchmarks/run.py [--quick] [--csv-rows N]

Nothing here fails because something is slow: the table says whether each bar is met. ``--quick`` takes small sizes, to
see that everything runs; its figures mean nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path

from rows import QUICK, Row, Sizes, all_rows

RESULTS = Path(__file__).with_name("results.json")


def machine() -> dict[str, object]:
    """What the figures were measured on and with."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        model = names[0] if names else model
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        **{package: version(package) for package in ("numpy", "scikit-learn", "deciban")},
    }


def line(row: Row) -> str:
    """One row as text: milliseconds below a second, seconds above, MiB for memory."""
    ours = _amount(row.ours, row.unit)
    theirs = "not installed" if row.theirs is None else _amount(row.theirs, row.unit)
    ratio = "" if row.ratio is None else _ratio(row.ratio)
    bar = "" if row.bar is None else _ratio(row.bar)
    met = {True: "yes", False: "NO", None: ""}[row.met]
    return f"{row.work:70}{ours:>10}{theirs:>14}  {row.against:20}{ratio:>8}{bar:>8}  {met}"


def _amount(value: float, unit: str) -> str:
    if unit == "s":
        return f"{value:.2f} s" if value >= 1.0 else f"{value * 1e3:.1f} ms"
    return f"{value:.0f} {unit}"


def _ratio(value: float) -> str:
    return f"1/{1 / value:.1f}" if value < 0.5 else f"{value:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure speed and memory of deciban.")
    parser.add_argument("--quick", action="store_true", help="small sizes: only to see that it runs")
    parser.add_argument("--csv-rows", type=int, metavar="N", help="rows of the CSV file (default 10,000,000)")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where to write the figures as JSON")
    options = parser.parse_args()
    described = machine()
    print(", ".join(f"{name} {value}" for name, value in described.items()))
    print(f"{'work':70}{'ours':>10}{'theirs':>14}  {'against':20}{'ratio':>8}{'bar':>8}  met", flush=True)
    if options.quick:
        print("(quick: the bars are meant for full sizes)")
    sizes = QUICK if options.quick else Sizes()
    sizes = sizes if options.csv_rows is None else replace(sizes, csv=options.csv_rows)
    rows = []
    for row in all_rows(sizes):
        rows.append(row)
        print(line(row), flush=True)
    record = {
        "machine": described,
        "quick": options.quick,
        "rows": [asdict(row) | {"ratio": row.ratio, "met": row.met} for row in rows],
    }
    options.results.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Scores that hardly repeat: the brackets of ``resolution="auto"`` beside exact values computed without deciban."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping

from measured import GIB, Measured, spent_since

ASKED = (
    *("eer:method=interpolated", "p_miss_at:p_fa=0.001", "p_miss:threshold=0.1", "p_fa:threshold=0.1"),
    *("min_dcf:preset=voxsrc", "act_dcf:preset=voxsrc"),
)
"""What is compared beside the figures of every record."""

AUC_WIDTH = 1e-6
"""What the bracket of AUC is to stay under."""

ROUNDING = 1e-13
"""Relative difference of two ways to add the same terms: for figures that buckets leave no room."""

Figures = Mapping[str, list[float]]


def brackets(path: str) -> dict[str, object]:
    """Every figure of a file in buckets: its bracket, or its value twice."""
    import deciban as db

    started = time.perf_counter()
    result = db.evaluate(db.scan(path), resolution="auto", interval="none", metrics=list(ASKED))
    found = {
        name: [figure.value, figure.value] if figure.bracket is None else [figure.bracket.low, figure.bracket.high]
        for name, figure in result.metrics.items()
        if figure.value is not None or figure.bracket is not None
    }
    spent = spent_since(started)
    return {**spent, "engine": result.provenance.engine, "n_distinct": result.trials.n_distinct, "figures": found}


def exact(path: str) -> dict[str, object]:
    """The exact values of the same file."""
    import duckdb
    import numpy as np

    from sorted_at_once import Sorted, figures

    started = time.perf_counter()
    with duckdb.connect() as db:
        read = db.execute(f"SELECT ln_lr, label = 'target' AS is_target FROM '{path}'").fetchnumpy()
    trials = Sorted.of(read.pop("ln_lr"), read.pop("is_target").astype(np.bool_))
    found = {name: [value, value] for name, value in figures(trials).items()}
    return {**spent_since(started), "engine": "numpy", "n_distinct": trials.last.size, "figures": found}


def outside(bracketed: Figures, truth: Figures) -> list[str]:
    """The figures whose exact value is not in the bracket, and AUC where its bracket is too wide."""
    wrong = [name for name, (value, _) in truth.items() if not _holds(bracketed[name], value)]
    low, high = bracketed["auc"]
    return wrong if high - low < AUC_WIDTH else [*wrong, f"the width of auc, {high - low:.2g}"]


def _holds(bracket: list[float], value: float) -> bool:
    low, high = bracket
    return math.isclose(value, low, rel_tol=ROUNDING) if low == high else low <= value <= high


def section(buckets: Measured, sorted_: Measured) -> list[str]:
    """What the page says of them."""
    rows = []
    for name, (value, _) in sorted_.figures.items():
        low, high = buckets.figures[name]
        width = f"{high - low:.1e}" if low < high else "0"
        place = f"{(value - low) / (high - low):.2f}" if low < high else ""
        rows.append(f"| `{name}` | {low!r} | {value!r} | {high!r} | {width} | {place} |")
    return [
        "## Scores that hardly repeat",
        "",
        f"10^{buckets.power} log LRs as doubles, {sorted_.n_distinct} of them distinct, evaluated with",
        f'`resolution="auto"`: {buckets.n_distinct} buckets, {buckets.seconds:.0f} s and {_gib(buckets)} at the peak.',
        "The exact values are computed from all scores sorted at once (benchmarks/sorted_at_once.py: NumPy and",
        f"scikit-learn's pooling, no code of deciban; {sorted_.seconds:.0f} s, {_gib(sorted_)}), ratios of counts in",
        "whole numbers, means over trials by sums that round once a million terms, which leaves relative errors of a",
        "few 10⁻¹⁶. Each lies in its bracket.",
        "",
        "| figure | low | exact | high | width | place between low and high |",
        "| --- | --- | --- | --- | --- | --- |",
        *rows,
        "",
    ]


def _gib(run: Measured) -> str:
    return f"{run.peak / GIB:.1f} GiB"

"""Run the study cell by cell; what is done is kept in a file and not done again."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import astuple
from pathlib import Path
from time import perf_counter

import numpy as np

from deciban.counts.of_trials import count_trials
from deciban.uncertainty.bootstrap.resample import by_trial
from deciban.uncertainty.bootstrap.sources import by_source
from studies.coverage.cells import Cell
from studies.coverage.methods import BY_TRIAL, Draws, Intervals, closed, resampled
from studies.coverage.tally import Tally
from studies.coverage.truth import truths

Tallies = dict[tuple[str, str], Tally]
"""By figure and method."""


def run_cell(cell: Cell, seed: int) -> Tallies:
    """Draw the data sets of a cell and count how often each method's intervals hold the truth."""
    truth = truths(cell.world, cell.size.share)
    tallies: Tallies = defaultdict(Tally)
    for number in range(cell.data_sets):
        for (figure, method), interval in _intervals(cell, seed, number).items():
            tallies[figure, method].add(interval, truth[figure])
    return dict(tallies)


def _intervals(cell: Cell, seed: int, number: int) -> Intervals:
    """All intervals of one data set; of one with sources those by source, and beside them those by trial."""
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(cell.key, number)))
    trials = cell.world.draw(cell.size, generator)
    draws = Draws(
        replicates=cell.replicates,
        halves=cell.halves,
        seed=int(generator.integers(2**32)),
        bca=number < cell.jackknifed,
    )
    share = cell.size.share
    if cell.world.sharing == "none":
        return resampled(by_trial(trials), share, draws) | closed(count_trials(trials))
    alone = resampled(by_trial(trials), share, draws.without_bca()) | closed(count_trials(trials))
    beside = {(figure, method + BY_TRIAL): interval for (figure, method), interval in alone.items()}
    return resampled(by_source(trials), share, draws) | beside


def run(cells: Iterable[Cell], seed: int, results: Path) -> Iterator[tuple[Cell, float]]:
    """Run the cells that the file of results does not hold yet; gives each with the seconds it took."""
    done = {_identity(record) for record in _records(results)}
    for cell in cells:
        described = {"cell": cell.name, **_sizes(cell), "seed": seed}
        if _identity(described) in done:
            continue
        begin = perf_counter()
        tallies = run_cell(cell, seed)
        described["tallies"] = {f"{figure} | {method}": astuple(tally) for (figure, method), tally in tallies.items()}
        with results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(described, ensure_ascii=False) + "\n")
        yield cell, perf_counter() - begin


def read(results: Path) -> dict[str, Tallies]:
    """Tallies of each cell by its name; of one that was run several times those of the most data sets."""
    found: dict[str, tuple[int, Tallies]] = {}
    for record in _records(results):
        tallies: Tallies = {}
        for key, numbers in record["tallies"].items():  # type: ignore[attr-defined]
            figure, _, method = key.partition(" | ")
            tallies[figure, method] = Tally(*numbers)
        name, size = str(record["cell"]), int(str(record["data_sets"]))
        if name not in found or found[name][0] <= size:
            found[name] = size, tallies
    return {name: tallies for name, (_, tallies) in found.items()}


def _records(results: Path) -> list[dict[str, object]]:
    if not results.exists():
        return []
    return [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]


def _sizes(cell: Cell) -> dict[str, object]:
    sizes = ("data_sets", "jackknifed", "replicates", "halves")
    return {name: getattr(cell, name) for name in sizes}


def _identity(record: dict[str, object]) -> tuple[object, ...]:
    return tuple(record[name] for name in ("cell", "data_sets", "jackknifed", "replicates", "halves", "seed"))

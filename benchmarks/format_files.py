"""A large file of every text format that has a reader, and what it takes merely to parse its files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from pyarrow import csv as arrow_csv
from pyarrow import json as arrow_json


@dataclass(frozen=True)
class Files:
    """Scores and key of one format; ``tabs`` and ``header`` say how they are written."""

    scores: tuple[Path, ...]
    key: Path | None = None
    separator: str = " "
    header: bool = False
    lines: bool = False

    def all(self) -> list[Path]:
        return [*self.scores, *([] if self.key is None else [self.key])]


def write_all(n: int, folder: Path) -> dict[str, Files]:
    """Write ``n`` trials in every text format; the key of each is in another order than its scores."""
    rng = np.random.default_rng(1)
    is_target = rng.random(n) < 0.1
    trials = pl.DataFrame(
        {
            "a": [f"id{a:05d}" for a in rng.integers(10_000, 15_000, n)],
            "b": [f"utt_{b:08d}" for b in range(n)],
            "score": np.round(rng.normal(size=n) + 2 * is_target, 5),
            "label": np.where(is_target, "target", "nontarget"),
            "bit": is_target.astype(int),
            "sign": np.where(is_target, 1, -1),
            "cm": np.where(is_target, "bonafide", "spoof"),
            "sasv": np.where(is_target, "target", rng.choice(["nontarget", "spoof"], n)),
            "attack": np.where(is_target, "-", rng.choice([f"A{i:02d}" for i in range(1, 20)], n)),
            "codec": rng.choice(["none", "alaw", "ulaw", "opus"], n),
            "phase": rng.choice(["progress", "eval"], n),
            "side": ["a"] * n,
        }
    )
    trials = trials.with_columns(
        real=pl.when(pl.Series(is_target)).then("a").otherwise(pl.lit("other")),
        value=(pl.col("score") * 0.01 + 0.5).clip(0, 1),
        same=pl.Series(is_target),
        authors=pl.concat_list("a", "codec"),
        id="b",
    )
    return _two_files(trials, folder) | _one_file(trials, folder)


def _two_files(trials: pl.DataFrame, folder: Path) -> dict[str, Files]:
    shuffled = trials.sample(fraction=1.0, shuffle=True, seed=2)
    key_2021 = ["a", "b", "codec", "side", "attack", "cm", "side", "phase"]
    nist = {"a": "modelid", "b": "segmentid", "label": "targettype", "score": "LLR"}
    cm = {"b": "filename", "score": "cm-score", "cm": "cm-label"}
    layouts: dict[str, tuple[list[str], list[str], dict[str, str]]] = {
        "kaldi": (["a", "b", "score"], ["a", "b", "label"], {}),
        "voxceleb": (["score", "a", "b"], ["bit", "a", "b"], {}),
        "nist": (["a", "b", "side", "score"], ["a", "b", "side", "label", "codec", "phase"], nist),
        "bosaris": (["a", "b", "score"], ["a", "b", "label"], {}),
        "asvspoof2021": (["b", "score"], key_2021, {}),
        "asvspoof5": (["b", "score"], ["b", "cm"], cm),
    }
    found = {}
    for name, (scores, key, header) in layouts.items():
        separator = "\t" if header else " "
        paths = folder / f"{name}.scores", folder / f"{name}.key"
        for path, frame, columns in zip(paths, (trials, shuffled), (scores, key), strict=True):
            named = frame.select(pl.col(one).alias(f"{one}{at}") for at, one in enumerate(columns))
            named.columns = [header.get(one, one) if header else f"{one}{at}" for at, one in enumerate(columns)]
            named.write_csv(path, separator=separator, include_header=bool(header))
        found[name] = Files((paths[0],), paths[1], separator, bool(header))
    answers, truth = folder / "answers.jsonl", folder / "truth.jsonl"
    trials.select("id", "value").write_ndjson(answers)
    shuffled.select("id", "same", "authors").write_ndjson(truth)
    return {**found, "pan": Files((answers,), truth, lines=True)}


def _one_file(trials: pl.DataFrame, folder: Path) -> dict[str, Files]:
    layouts = {
        "kaldi, one file": ["a", "b", "score", "label"],
        "asvspoof2019": ["b", "attack", "cm", "score"],
        "sasv": ["a", "b", "score", "sasv"],
        "bob": ["sign", "score"],
        "bob, four columns": ["a", "real", "b", "score"],
    }
    found = {}
    for name, columns in layouts.items():
        path = folder / f"{name}.txt"
        trials.select(columns).write_csv(path, separator=" ", include_header=False)
        found[name] = Files((path,))
    classes = folder / "targets.txt", folder / "nontargets.txt"
    for path, target in zip(classes, (True, False), strict=True):
        trials.filter(pl.col("same") == target).select("score").write_csv(path, include_header=False)
    return {**found, "two-class": Files(classes)}


def bare_parsers(files: Files) -> Mapping[str, Callable[[], object]]:
    """All columns of all files into memory, in this process, with every core."""
    if files.lines:
        return {
            "Polars": lambda: [pl.read_ndjson(path) for path in files.all()],
            "PyArrow": lambda: [arrow_json.read_json(path) for path in files.all()],
        }
    reading = arrow_csv.ReadOptions(autogenerate_column_names=not files.header)
    parsing = arrow_csv.ParseOptions(delimiter=files.separator)
    return {
        "Polars": lambda: [
            pl.read_csv(path, separator=files.separator, has_header=files.header) for path in files.all()
        ],
        "PyArrow": lambda: [
            arrow_csv.read_csv(path, read_options=reading, parse_options=parsing) for path in files.all()
        ],
    }

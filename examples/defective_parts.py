"""Which parts are defective? Evaluate an inspection system at two thresholds, from a CSV file that this script makes.

An inspection gives each of 200 parts a score; 33 parts are defective. The scores are synthetic: drawn from a seed, then
arranged so that a threshold of 0.5 flags 15 of the defective parts and 6 of the others, 0.3 flags 28 and 29, and of the
33 × 167 pairs of a defective and a sound part 4964 are ranked rightly, 3 tie and 544 are ranked wrongly.

    python examples/defective_parts.py [FOLDER]
"""

from __future__ import annotations

import csv
import sys
import tempfile
from pathlib import Path

import numpy as np

import deciban as db

# Score range, defective parts in it, sound parts in it: what the two thresholds flag.
REGIONS = ((0.0, 0.3, 5, 138), (0.3, 0.5, 13, 23), (0.5, 1.0, 15, 6))
RIGHT, TIED = 4964, 3


def make_parts(generator: np.random.Generator) -> tuple[list[float], list[int]]:
    """Draw distinct scores in each range, then swap neighbours until the right number of pairs is ranked rightly."""
    score: list[float] = []
    defective: list[int] = []
    for low, high, bad, good in REGIONS:
        grid = np.arange(round(low * 1000) + 1, round(high * 1000) - 1)
        score += sorted(generator.choice(grid, bad + good, replace=False) / 1000)
        defective += generator.permutation([1] * bad + [0] * good).tolist()
    edges = np.cumsum([bad + good for *_, bad, good in REGIONS])
    while (right := pairs_ranked_rightly(defective)) != RIGHT:
        # A swap of two neighbours of different class in one range changes the number of right pairs by one.
        order = (0, 1) if right > RIGHT else (1, 0)
        places = [i for i in range(len(score) - 1) if (defective[i], defective[i + 1]) == order and i + 1 not in edges]
        i = int(generator.choice(places))
        defective[i], defective[i + 1] = defective[i + 1], defective[i]
    wrong = [i for i in range(len(score) - 1) if (defective[i], defective[i + 1]) == (1, 0) and i + 1 not in edges]
    for i in generator.choice(wrong, TIED, replace=False):
        score[i] = score[i + 1]
    return score, defective


def pairs_ranked_rightly(defective: list[int]) -> int:
    """Count the pairs with the defective part above the sound one, the parts being in order of score."""
    sound_below, right = 0, 0
    for bad in defective:
        right += sound_below * bad
        sound_below += 1 - bad
    return right


def main() -> None:
    """Make the file, read it, and print the table."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(sys.argv[1] if len(sys.argv) > 1 else scratch) / "parts.csv"
        score, defective = make_parts(np.random.default_rng(33))
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["defective", "score"])
            writer.writerows(zip(defective, (f"{value:.3f}" for value in score), strict=True))
        trials = db.read_trials(path, label="defective", target=1)
    result = db.evaluate(trials, thresholds=[0.5, 0.3])
    print("parts", result.trials.n)
    print("defective", result.trials.n_target)
    print(f"baseline_accuracy {result['baseline_accuracy'].value:.6f}")
    for row in result.thresholds:
        print("threshold", row.threshold)
        for name in ("tp", "fp", "fn", "tn"):
            print(name, getattr(row, name))
        for name in ("accuracy", "precision", "recall", "f1"):
            print(f"{name} {row.metrics[name].value:.6f}")
    print(f"auc {result['auc'].value:.6f}")


if __name__ == "__main__":
    main()

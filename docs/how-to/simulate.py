"""Make the files that the commands of these pages read: python docs/how-to/simulate.py [FOLDER].

Every number is simulated, from one seed: nothing here says how good any real system is.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path


def main(folder: Path) -> None:
    """Write every file to a folder."""
    draw = random.Random(20)
    pan(folder, draw)
    matcher(folder, draw)
    attack_detector(folder, draw)


def pan(folder: Path, draw: random.Random) -> None:
    """300 pairs of texts and three verifiers: one good, one that abstains often, one that leaves out answers."""
    same = [draw.random() < 0.5 for _ in range(300)]
    write_lines(folder / "truth.jsonl", [{"id": f"pair-{i:03d}", "same": y} for i, y in enumerate(same)])
    for name, strength, abstains, leaves_out in (
        ("compressor", 0.30, 0.0, 0.0),
        ("careful", 0.40, 0.2, 0.0),
        ("baseline", 0.15, 0.0, 0.05),
    ):
        answers = []
        for i, y in enumerate(same):
            value = 0.5 + (strength if y else -strength) * abs(draw.gauss(1.0, 0.5)) + draw.gauss(0.0, 0.2)
            value = 0.5 if draw.random() < abstains else min(max(round(value, 3), 0.0), 1.0)
            if draw.random() >= leaves_out:
                answers.append({"id": f"pair-{i:03d}", "value": value})
        write_lines(folder / f"{name}.jsonl", answers)


def matcher(folder: Path, draw: random.Random) -> None:
    """Comparisons of 60 people at two sensors: 5 mated and 40 non-mated each; some samples cannot be acquired."""
    rows = ["subject,sensor,kind,score"]
    for subject in range(60):
        sensor = "optical" if subject % 2 else "capacitive"
        own = draw.gauss(0.0, 0.6)  # some people are easy, some are hard
        fails = 0.01 if sensor == "optical" else 0.04
        for kind, mean, n in (("mated", 3.2 + own, 5), ("nonmated", 0.0, 40)):
            for _ in range(n):
                score = "" if draw.random() < fails else f"{draw.gauss(mean, 1.0):.3f}"
                rows.append(f"s{subject:02d},{sensor},{kind},{score}")
    (folder / "comparisons.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def attack_detector(folder: Path, draw: random.Random) -> None:
    """Presentations to a detector of attacks with three species of instruments."""
    rows = ["kind,species,score"]
    for kind, species, mean, n in (
        ("bonafide", "-", 2.0, 400),
        ("attack", "print", -1.0, 150),
        ("attack", "replay", -0.3, 120),
        ("attack", "mask", 0.6, 60),
    ):
        for _ in range(n):
            score = "" if draw.random() < 0.01 else f"{draw.gauss(mean, 0.8):.3f}"
            rows.append(f"{kind},{species},{score}")
    (folder / "presentations.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def write_lines(path: Path, lines: list[dict[str, object]]) -> None:
    """One JSON object a line."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))

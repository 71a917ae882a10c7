"""How safe is a speaker verifier behind a spoofing countermeasure? Simulated scores of both, from a seed.

Twenty speakers; three attacks, of which A09 is the one that the countermeasure hardly knows; two codecs. The script
writes a table, the same trials beside it in the files of ASVspoof 2019 (asv.txt, cm.txt; scores.txt with the key
protocol.txt), and prints what the tandem is worth.

    python examples/spoofing_scores.py [FILE]      # default: spoofing.csv in a temporary folder
"""

from __future__ import annotations

import csv
import sys
import tempfile
from pathlib import Path

import numpy as np

import deciban as db

COLUMNS = ("utterance", "speaker", "class", "attack", "codec", "asv_score", "cm_score")
ATTACKS = ("A07", "A08", "A09")

# Class, trials, mean of the verifier's scores, mean of the countermeasure's.
MADE = (("target", 240, 3.0, 4.0), ("nontarget", 400, -2.5, 4.0), ("spoof", 600, 2.0, -4.0))


def rows(generator: np.random.Generator) -> list[tuple[object, ...]]:
    """Draw the trials: speakers and codecs shift scores, and A09 is nearer to bona fide speech."""
    of_speaker = generator.normal(0.0, 0.8, (20, 2))
    made: list[tuple[object, ...]] = []
    for name, n, asv_mean, cm_mean in MADE:
        for index in range(n):
            speaker, codec = index % 20, int(generator.integers(2))
            attack = ATTACKS[index // 20 % 3] if name == "spoof" else "-"
            asv = asv_mean + of_speaker[speaker, 0] + generator.normal(0.0, 1.0)
            cm = cm_mean + of_speaker[speaker, 1] - 0.5 * codec + generator.normal(0.0, 2.0) + 3.0 * (attack == "A09")
            utterance = f"U{len(made):04d}"
            made.append((utterance, f"s{speaker:02d}", name, attack, f"C0{codec + 1}", f"{asv:.4f}", f"{cm:.4f}"))
    return made


def write_files(folder: Path, made: list[tuple[object, ...]]) -> None:
    """Write the trials as ASVspoof 2019 does: scores of both systems, and those of one with a protocol."""
    lines: dict[str, list[str]] = {"asv.txt": [], "cm.txt": [], "scores.txt": [], "protocol.txt": []}
    for utterance, speaker, name, attack, _, asv, cm in made:
        real = "spoof" if name == "spoof" else "bonafide"
        lines["asv.txt"].append(f"{attack if name == 'spoof' else 'bonafide'} {name} {asv}")
        lines["cm.txt"].append(f"{utterance} {attack} {real} {cm}")
        lines["scores.txt"].append(f"{utterance} {cm}")
        lines["protocol.txt"].append(f"{speaker} {utterance} - {attack} {real}")
    for file, text in lines.items():
        (folder / file).write_text("\n".join(text) + "\n", encoding="utf-8")


def main(path: Path) -> None:
    """Write the files and print the figures."""
    made = rows(np.random.default_rng(2019))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(made)
    write_files(path.parent, made)
    result = db.evaluate_tandem(db.scan_tandem(path, conditions="attack"), by="attack", interval="none")
    for name in ("cm_eer", "min_t_dcf:cost=asvspoof2021", "t_eer"):
        print(f"{name} {result[name].value:.6f}")
    for group in result.groups:
        print(f"{group.by['attack']} min t-DCF {group.metrics['min_t_dcf:cost=asvspoof2021'].value:.6f}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            main(Path(folder, "spoofing.csv"))

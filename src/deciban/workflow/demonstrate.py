"""Trials of an imagined speaker-comparison test, from a seed: calibrated on one channel, overconfident on another."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from deciban.passes.simulate import calibrated_ln_lrs

SPEAKERS = 40
SEED = 20


def write_trials(path: Path) -> Path:
    """Write the trials as CSV: enrolled and tested speaker, channel, label, natural-log likelihood ratio.

    Every speaker is compared with every other once per channel, and four times with themselves. Telephone LRs claim
    1.8 times the evidence they hold.
    """
    generator = np.random.default_rng(SEED)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["enrolled", "tested", "channel", "label", "ln_lr"])
        for channel, sigma, overstated in (("studio", 3.0, 1.0), ("telephone", 2.2, 1.8)):
            same = [(s, s) for s in range(SPEAKERS) for _ in range(4)]
            different = [(s, t) for s in range(SPEAKERS) for t in range(SPEAKERS) if s < t]
            targets, nontargets = calibrated_ln_lrs(len(same), len(different), sigma=sigma, generator=generator)
            for pairs, label, scores in ((same, "target", targets), (different, "nontarget", nontargets)):
                for (enrolled, tested), score in zip(pairs, scores * overstated, strict=True):
                    writer.writerow([f"s{enrolled:02}", f"s{tested:02}", channel, label, f"{score:.6f}"])
    return path

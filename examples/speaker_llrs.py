"""Three speaker-comparison systems: the same discrimination with and without calibration, then better discrimination.

Likelihood ratios of 5 000 same-speaker and 45 000 different-speaker trials are simulated from a seed:

* ``raw``: scores that rank like likelihood ratios but claim too much, and lean towards the same-speaker side;
* ``calibrated``: the same scores brought to the right scale, so that only Cllr's calibration loss changes;
* ``adapted``: a system that also tells speakers apart better.

    python examples/speaker_llrs.py [FOLDER]      # with a folder: also draws speaker_llrs.svg in it
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import deciban as db
from deciban.passes.simulate import calibrated_ln_lrs

N_TARGET, N_NONTARGET = 5_000, 45_000


def systems(seed: int) -> dict[str, db.Counts]:
    """Simulate the three systems."""
    generator = np.random.default_rng(seed)
    target, nontarget = calibrated_ln_lrs(N_TARGET, N_NONTARGET, sigma=2.5, generator=generator)
    better = calibrated_ln_lrs(N_TARGET, N_NONTARGET, sigma=3.3, generator=generator)
    return {
        "raw": db.Counts.from_classes(1.9 * target + 1.5, 1.9 * nontarget + 1.5, scale="ln_lr"),
        "calibrated": db.Counts.from_classes(target, nontarget, scale="ln_lr"),
        "adapted": db.Counts.from_classes(*better, scale="ln_lr"),
    }


def draw(systems: dict[str, db.Counts], folder: Path) -> None:
    """Draw what discrimination does (DET), what calibration adds (bars), and both over priors (information plots)."""
    figure = Figure(figsize=(9, 6.5), layout="constrained")
    upper, lower = figure.subfigures(2, 1, height_ratios=(1.4, 1), squeeze=False).ravel()
    left, right = upper.subplots(1, 2)
    db.plots.det({name: db.det(counts) for name, counts in systems.items()}, ax=left)
    db.plots.ape_bars({name: (db.cllr_min(counts), db.cllr_cal(counts)) for name, counts in systems.items()}, ax=right)
    information = {name: db.empirical_cross_entropy_curve(counts) for name, counts in systems.items()}
    db.plots.multiples(db.plots.cross_entropy, information, figure=lower)
    folder.mkdir(parents=True, exist_ok=True)
    db.plots.save(figure, folder / "speaker_llrs.svg")


def main(folder: Path | None = None) -> None:
    """Print the figures that separate discrimination from calibration, and draw them when there is a folder to."""
    compared = systems(seed=1)
    print(f"{'system':12}{'auc':>9}{'eer':>9}{'cllr':>9}{'cllr_min':>10}{'cllr_cal':>10}{'act_dcf':>9}{'min_dcf':>9}")
    for name, counts in compared.items():
        figures = (
            f"{db.auc(counts):9.5f}{db.eer(counts):9.5f}{db.cllr(counts):9.5f}{db.cllr_min(counts):10.5f}"
            f"{db.cllr_cal(counts):10.5f}{db.act_dcf(counts, preset='voxsrc'):9.5f}"
            f"{db.min_dcf(counts, preset='voxsrc'):9.5f}"
        )
        print(f"{name:12}{figures}")
    if folder is not None:
        draw(compared, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)

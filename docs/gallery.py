"""Draw every plot from simulated trials, always the same.

python docs/gallery.py [FOLDER]      # default: docs/gallery
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import deciban as db
from deciban.passes.simulate import calibrated_ln_lrs
from deciban.records.figures import MetricValue

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Picture = Callable[[], "Axes | Figure"]


def speaker_systems(n_target: int = 300, n_nontarget: int = 1500) -> dict[str, db.Counts]:
    """Simulate one system that claims too much, the same calibrated, and a better one; some trials have LR 0 or ∞."""
    generator = np.random.default_rng(7)
    target, nontarget = calibrated_ln_lrs(n_target, n_nontarget, sigma=2.5, generator=generator)
    better = calibrated_ln_lrs(n_target, n_nontarget, sigma=3.3, generator=generator)
    raw = np.append(1.9 * target + 1.5, [math.inf] * 8), np.append(1.9 * nontarget + 1.5, [-math.inf] * 120)
    return {
        "raw": db.Counts.from_classes(*raw, scale="ln_lr"),
        "calibrated": db.Counts.from_classes(target, nontarget, scale="ln_lr"),
        "adapted": db.Counts.from_classes(*better, scale="ln_lr"),
    }


def forecasts() -> db.Counts:
    """Simulate probabilities that are too extreme."""
    generator = np.random.default_rng(11)
    stated = generator.beta(0.8, 1.6, 800)
    happened = generator.random(800) < 0.5 + 0.72 * (stated - 0.5)
    return db.Counts.from_arrays(stated.round(3), happened, scale="probability")


def countermeasure() -> db.TandemCounts:
    """Simulate a countermeasure and the verifier behind it."""
    generator = np.random.default_rng(5)
    cm = db.Counts.from_classes(generator.normal(2.0, 1.0, 400), generator.normal(-1.5, 1.5, 1200))
    asv = [generator.normal(mean, 1.0, n) for mean, n in ((3.0, 300), (-2.0, 600), (2.0, 900))]
    return db.TandemCounts(cm=cm, asv=db.ThreeClassCounts.from_classes(*asv))


def pictures() -> Mapping[str, Picture]:
    """Every picture by the name of its file."""
    plots, systems, stated = db.plots, speaker_systems(), forecasts()
    raw, good = systems["raw"], systems["calibrated"]
    eer = db.choose_threshold(good, "eer").threshold

    def each(curve: Callable[[db.Counts], object]) -> dict[str, object]:
        return {name: curve(counts) for name, counts in systems.items()}

    def cllr(counts: db.Counts) -> MetricValue:
        return db.evaluate(counts, interval="closed", curves=False)["cllr"]

    def two(curve: Callable[[db.Counts], object]) -> dict[str, object]:
        return {name: curve(systems[name]) for name in ("raw", "adapted")}

    information = two(db.empirical_cross_entropy_curve)
    bars = {name: (db.cllr_min(counts), db.cllr_cal(counts)) for name, counts in systems.items()}
    nbe = partial(db.bayes_error_curve, normalise=True)
    corp = db.reliability(stated, bins="corp")
    ratios = db.threshold_curve(stated, ("precision", "recall", "f1", "mcc"))
    band = partial(db.with_band, replicates=200)
    small, tandem = speaker_systems(40, 100), countermeasure()
    few = small["calibrated"]
    steps = partial(db.with_band, db.threshold_curve, stated, replicates=200, thresholds=np.arange(1, 100) / 100)
    return {
        "roc": lambda: plots.roc({"calibrated": db.roc(good)}, hull={"calibrated": db.rocch(good)}, mark={"EER": eer}),
        "roc_band": lambda: plots.roc(band(db.roc, few)),
        "rocch": lambda: plots.rocch(each(db.rocch)),
        "rocch_band": lambda: plots.rocch(band(db.rocch, few)),
        "det": lambda: plots.det(each(db.det), mark={"LR = 1": 0.0}, vocabulary="biometric"),
        "det_band": lambda: plots.det({name: band(db.det, small[name]) for name in ("raw", "adapted")}),
        "precision_recall": lambda: plots.precision_recall(each(db.precision_recall), vocabulary="ml"),
        "precision_recall_band": lambda: plots.precision_recall(band(db.precision_recall, few), vocabulary="ml"),
        "pr_gain": lambda: plots.pr_gain(each(db.pr_gain)),
        "pr_gain_band": lambda: plots.pr_gain(band(db.pr_gain, few)),
        "tippett": lambda: plots.tippett(db.tippett(raw), vocabulary="forensic"),
        "tippett_type_2": lambda: plots.tippett(db.tippett(raw, type=2), mark={"LR = 100": 2.0}),
        "tippett_band": lambda: plots.tippett(band(db.tippett, few), vocabulary="forensic"),
        "cross_entropy": lambda: plots.cross_entropy(information["adapted"], vocabulary="forensic"),
        "cross_entropy_multiples": lambda: plots.multiples(plots.cross_entropy, information, x="probability"),
        "cross_entropy_band": lambda: plots.cross_entropy(band(db.empirical_cross_entropy_curve, few)),
        "bayes_error": lambda: plots.bayes_error(db.bayes_error_curve(raw)),
        "bayes_error_normalised": lambda: plots.bayes_error(two(nbe)),
        "bayes_error_band": lambda: plots.bayes_error(band(db.bayes_error_curve, few)),
        "ape_bars": lambda: plots.ape_bars(bars),
        "reliability": lambda: plots.reliability(db.reliability(stated)),
        "reliability_band": lambda: plots.reliability(band(db.reliability, stated)),
        "reliability_corp": lambda: plots.reliability(corp),
        "reliability_corp_band": lambda: plots.reliability(band(db.reliability, stated, bins="corp")),
        "lr_overestimation": lambda: plots.lr_overestimation(each(db.lr_overestimation)),
        "lr_overestimation_band": lambda: plots.lr_overestimation(band(db.lr_overestimation, raw)),
        "pav_map": lambda: plots.pav_map(db.pav_map(raw)),
        "pav_map_band": lambda: plots.pav_map(band(db.pav_map, raw)),
        "score_histogram": lambda: plots.score_histogram(db.score_histogram(raw), mark={"LR = 1": 0.0}),
        "score_histogram_band": lambda: plots.score_histogram(band(db.score_histogram, few)),
        "net_benefit": lambda: plots.net_benefit({"forecast": db.net_benefit_curve(stated)}),
        "net_benefit_band": lambda: plots.net_benefit({"forecast": band(db.net_benefit_curve, stated)}),
        "threshold_curve": lambda: plots.threshold_curve(ratios, mark={"0.5": 0.5}),
        "threshold_curve_band": lambda: plots.threshold_curve(steps()),
        "t_dcf": lambda: plots.t_dcf(
            {year: db.t_dcf_curve(tandem, cost=f"asvspoof{year}") for year in ("2021", "2019")}
        ),
        "forest": lambda: plots.forest(
            {name: cllr(counts) for name, counts in small.items()}, label="Cllr (bits)", reference=1.0
        ),
    }


def main(folder: Path) -> None:
    """Write every picture as SVG."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in pictures().items():
        db.plots.save(draw(), folder / f"{name}.svg")
        print(folder / f"{name}.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "gallery")

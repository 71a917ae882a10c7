"""How the shared test vectors of ranking, probability and evidence figures are computed with the library."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

import deciban as db
from deciban.errors import UndefinedMetricError
from deciban.metrics.separation import probit
from deciban.passes.logistic import fit_lr_line
from tests.shared_data import shared

Vector = dict[str, Any]


def number(value: Any) -> float:
    """A rational, an infinity or a number, as a float."""
    return float(value) if isinstance(value, (int, float)) or value in ("inf", "-inf") else float(Fraction(value))


def column(values: Any) -> list[float]:
    """A list of numbers, {number: how many}, or "100 x 5"."""
    if isinstance(values, str):
        times, value = values.split(" x ")
        return [number(value)] * int(times)
    if isinstance(values, dict):
        return [number(value) for value, times in values.items() for _ in range(times)]
    return [number(value) for value in values]


def rows(name: str) -> list[dict[str, str]]:
    with shared(f"data/{name}").open(newline="") as file:
        return list(csv.DictReader(file))


def two_classes(given: Vector) -> db.Counts:
    """Counts from target… and nontarget…, whose name ends with the scale, from lr and labels, or from a public file."""
    for ending, scale in (("", "score"), ("_lr", "lr"), ("_ln_lr", "ln_lr"), ("_log10_lr", "log10_lr")):
        for suffix in (ending, f"{ending}_counts"):
            if f"nontarget{suffix}" in given:
                targets = given.get(f"target{suffix}", given.get(f"target{ending}"))
                return db.Counts.from_classes(column(targets), column(given[f"nontarget{suffix}"]), scale=scale)
    if "lr" in given:
        return db.Counts.from_arrays(column(given["lr"]), given["labels"], scale="lr")
    if any(name in str(given.get("files", given.get("file"))) for name in ("LLR_KM", "nfi_cartridges")):
        found = rows("nfi_cartridges.csv")
        labels = [int(row["same_source"]) for row in found]
        return db.Counts.from_arrays([float(row["log10_lr"]) for row in found], labels, scale="log10_lr")
    raise AssertionError(f"no two classes in {given}")


def labelled(given: Vector, scale: str = "score") -> db.Counts:
    if "Niamey" in str(given.get("file")):
        found = rows("niamey2016.csv")
        given = {"p": [float(row[given["column"]]) for row in found], "y": [int(float(row["obs"])) for row in found]}
    scores = given.get("scores", given.get("p"))
    return db.Counts.from_arrays(
        column(scores), given.get("labels", given.get("y")), target=1, nontarget=0, scale=scale
    )


def davis_goadrich(given: Vector) -> float:
    """The area from A to B: that of three blocks less what lies before A and after B, both closed forms."""
    a, b, positives = given["A"], given["B"], given["P"]
    targets = [positives - b["tp"], b["tp"] - a["tp"], a["tp"]]
    counts = db.Counts([0.0, 1.0, 2.0], targets, [0, b["fp"] - a["fp"], a["fp"]])
    before = a["tp"] ** 2 / (a["tp"] + a["fp"])
    after = targets[0] - b["fp"] * math.log((positives + b["fp"]) / (b["tp"] + b["fp"]))
    return db.pr_davis_goadrich(counts) - (before + after) / positives


def interpolated(given: Vector) -> list[list[float]]:
    """Points between A and B where each further target costs the same number of nontargets."""
    a, b, positives = given["A"], given["B"], given["P"]
    cost = (b["fp"] - a["fp"]) / (b["tp"] - a["tp"])
    points = []
    for tp in range(a["tp"], b["tp"] + 1):
        found = db.Confusion(tp, a["fp"] + cost * (tp - a["tp"]), positives - tp, 0)
        points.append([found.recall, found.precision])
    return points


def gains(given: Vector) -> list[float]:
    counts = db.Counts([0.0, 1.0], [given["fn"], given["tp"]], [given["tn"], given["fp"]])
    curve = db.pr_gain(counts)
    at = int(np.flatnonzero(curve.threshold == 1.0)[-1])
    return [float(curve.precision_gain[at]), float(curve.recall_gain[at])]


def predictive_values(given: Vector) -> dict[str, float]:
    """Precision at a prevalence, of the class and of the other one."""
    sens, spec = Fraction(given["sens"]), Fraction(given["spec"])
    n1, n0 = sens.denominator, spec.denominator
    counts = db.Counts([0.0, 1.0], [n1 - sens.numerator, sens.numerator], [spec.numerator, n0 - spec.numerator])
    other = db.Counts([-1.0, -0.0], counts.n_nontarget[::-1], counts.n_target[::-1])
    prevalence = number(given["prevalence"])
    return {
        "ppv": db.precision_at(counts, threshold=1.0, prevalence=prevalence),
        "npv": db.precision_at(other, threshold=0.0, prevalence=1 - prevalence),
    }


def tippett(given: Vector) -> dict[str, list[float]]:
    curve = db.tippett(two_classes(given))
    at = [int(np.searchsorted(curve.log10_lr, x)) for x in given["x"]]
    return {"target_ge": curve.target[at].tolist(), "nontarget_ge": curve.nontarget[at].tolist()}


def moments(given: Vector) -> dict[str, float]:
    found = db.lr_moments(two_classes(given))
    return {"mean_lr_h2": found.mean_lr_nontarget, "mean_inv_lr_h1": found.mean_inverse_lr_target}


def turing(given: Vector) -> dict[str, Any]:
    counts = db.Counts.from_classes([1.0], column(given["nontarget_lr"]), scale="lr")
    found = db.turing(counts, k=float(given["k"]))
    return {
        "observed": found.observed,
        "bound": found.bound,
        "exceeds": found.observed > found.bound,
        "p_value_binomial": found.p_value,
    }


def devpav(given: Vector) -> float:
    try:
        return db.devpav(two_classes(given))
    except UndefinedMetricError:
        return math.nan


def bounds(metric: Callable[..., Any]) -> Callable[[Vector], dict[str, float]]:
    def call(given: Vector) -> dict[str, float]:
        found = metric(two_classes(given), **({"grid": 0.01} if "grid" in given else {}))
        both = {"lower": found.lower, "upper": found.upper}
        if "files" in given:
            return {"lower_log10": math.log10(found.lower), "upper_log10": math.log10(found.upper)}
        return {"upper": found.upper} if "target_ln_lr" in given else both

    return call


def corp(given: Vector) -> dict[str, float]:
    counts = labelled(given, "probability")
    found = db.brier_corp(counts)
    return {
        "S": db.brier(counts),
        "MCB": found.miscalibration,
        "DSC": found.discrimination,
        "UNC": found.uncertainty,
    }


def murphy(given: Vector) -> dict[str, float]:
    counts = labelled(given, "probability")
    found = db.brier_murphy(counts, binning="unique")
    return {"BS": db.brier(counts), "REL": found.reliability, "RES": found.resolution, "UNC": found.uncertainty}


def binned(given: Vector) -> float:
    return db.calibration_error(labelled(given, "probability"), n_bins=given["bins"], binning="equal-mass")


def debiased(given: Vector) -> dict[str, float]:
    counts = labelled(given, "probability")
    plugin = db.calibration_error(counts, n_bins=given["bins"], binning="equal-mass", norm="l2") ** 2
    return {"plugin": plugin, "debiased": db.calibration_error_debiased(counts, n_bins=given["bins"])}


def sweep(given: Vector) -> dict[str, float]:
    found = db.calibration_sweep(labelled(given, "probability"))
    return {"bins": found.bins, "ece": found.error}


def sweep_bins(given: Vector) -> float:
    y = given["sorted_y"]
    p = [(place + 0.5) / len(y) for place in range(len(y))]
    return db.calibration_sweep(db.Counts.from_arrays(p, y, scale="probability")).bins


def recalibration(given: Vector) -> dict[str, float]:
    counts = labelled(given, "probability")
    line = db.calibration_line(counts)
    return {
        "slope": line.slope,
        "intercept_joint": line.intercept,
        "citl_offset": db.calibration_intercept(counts),
    }


def spiegelhalter(given: Vector) -> dict[str, float]:
    found = db.spiegelhalter(labelled(given, "probability"))
    return {"z": found.z, "p": found.p_value}


def logistic(given: Vector) -> dict[str, float]:
    counts = db.Counts.from_classes(given["target_scores"], given["nontarget_scores"])
    line = fit_lr_line(counts.score, counts.n_target, counts.n_nontarget)
    return {"slope": line.slope, "offset": line.intercept}


def bigaussian(given: Vector) -> dict[str, float]:
    found = db.bigaussian_figures(given["sigma"])
    return {"eer": found.eer, "auc": found.auc, "cllr": found.cllr}


def generalised(given: Vector) -> dict[str, float]:
    found = db.generalised_rates(**{name: number(rate) for name, rate in given.items()})
    return {"far": found.far, "frr": found.frr, "gfar": found.gfar, "gfrr": found.gfrr}


def attacks(given: Vector) -> dict[str, Any]:
    species = {name: (errors, attempts) for name, (errors, attempts) in given["pais"].items()}
    found = db.attack_rates(species, bona_fide=tuple(given["bona_fide"]))
    return {
        "apcer_per_pais": dict(found.apcer),
        "apcer_max": found.apcer_worst,
        "apcer_pooled_wrong": found.apcer_pooled,
        "bpcer": found.bpcer,
        "acer_deprecated": found.acer,
    }


CALLS: dict[str, Callable[[Vector], Any]] = {
    "partial_auc": lambda given: db.partial_auc(two_classes(given), high=number(given["max_fpr"])),
    "partial_auc_standardised": lambda given: db.partial_auc_standardised(
        two_classes(given), high=number(given["max_fpr"])
    ),
    "pr_auc_trapezoid": lambda given: db.pr_trapezoid(two_classes(given)),
    "pr_interpolate": interpolated,
    "pr_auc_dg_segment": davis_goadrich,
    "pr_gain_auc": lambda given: db.pr_gain_area(two_classes(given)),
    "precision_gain_recall_gain": gains,
    "h_measure": lambda given: db.h_measure(two_classes(given)),
    "youden_index": lambda given: {"j": db.youden(two_classes(given))},
    "ks": lambda given: db.ks(two_classes(given)),
    "decidability": lambda given: db.decidability(two_classes(given)),
    "predictive_values": predictive_values,
    "probit": lambda given: [probit(p, 1 - p) for p in given["p"]],
    "turing_exceedance": turing,
    "expected_lr_moments": moments,
    "tippett": tippett,
    "devpav": devpav,
    "elub": bounds(db.elub),
    "elub_one_sided": bounds(db.elub_one_sided),
    "invariance_verification_bounds": bounds(db.iv_bounds),
    "zero_error_upper_bound": lambda given: db.zero_error_bound(given["n"]),
    "relative_precision": lambda given: db.rule_of_30(given["errors"], given["confidence"]),
    "brier_corp_decomposition": corp,
    "brier_murphy_decomposition": murphy,
    "ece_binned": binned,
    "ece_debiased_squared": debiased,
    "ece_sweep": sweep,
    "ece_sweep_bins": sweep_bins,
    "spiegelhalter_z": spiegelhalter,
    "logistic_recalibration": recalibration,
    "logreg_llr_calibration": logistic,
    "perfect_bigaussian": bigaussian,
    "verbal_scale": lambda given: [db.verbal_step(number(lr)) for lr in given["lr"]],
    "generalised_error_rates": generalised,
    "pad_rates": attacks,
}
"""A call for each kind of vector."""

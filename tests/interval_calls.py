"""How the shared test vectors of intervals and tests are computed with the library."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import deciban as db
from deciban.uncertainty.delong.newcombe import hanley_mcneil_variance
from deciban.uncertainty.delong.single import AucMethod
from tests.shared_data import shared
from tests.vector_calls import Vector, number, rows, two_classes


def ovarian() -> tuple[dict[str, list[float]], list[bool]]:
    stored = json.loads(shared("vectors.json").read_text(encoding="utf-8"))
    table = [[Fraction(value) for value in row] for row in stored["datasets"]["delong_ovarian"]["rows"]]
    markers = {
        "albumin": [float(-row[0]) for row in table],
        "kg": [float(row[2] - 10) for row in table],
        "protein": [float(-row[1]) for row in table],
    }
    return markers, [row[3] == 0 for row in table]


def asah() -> tuple[dict[str, list[float]], list[bool]]:
    table = rows("asah.csv")
    markers = {name: [float(row[name]) for row in table] for name in ("wfns", "s100b", "ndka")}
    return markers, [row["outcome"] == "Poor" for row in table]


def delong_variance(given: Vector) -> dict[str, float]:
    found = db.delong_variance(two_classes(given))
    return {"auc": found.auc, "var": found.variance}


def delong_covariance(_: Vector) -> Any:
    markers, event = ovarian()
    return db.delong_covariance(list(markers.values()), event).covariance.tolist()


def delong_contrast(given: Vector) -> dict[str, float]:
    markers, event = ovarian()
    found = db.delong_contrast([markers[name] for name in given["order"]], event, given["contrast"])
    return {"chi2": found.chi2, "df": found.df, "p": found.p_value}


def delong_test(given: Vector) -> dict[str, Any]:
    if "contrast" in given:
        markers, event = asah()
        first, second = given["contrast"].split(" - ")
        found = db.delong_test(markers[first], markers[second], event)
        interval = found.interval
        return {"z": found.z, "p": found.p_value, "ci95": interval and [interval.low, interval.high]}
    event = [True] * len(given["target_a"]) + [False] * len(given["nontarget_a"])
    first, second = (given[f"target_{name}"] + given[f"nontarget_{name}"] for name in "ab")
    found = db.delong_test(first, second, event)
    return {"diff": found.difference, "var": found.variance, "z": found.z, "p": found.p_value}


def auc_interval(method: AucMethod) -> Callable[[Vector], db.Interval]:
    def interval(given: Vector) -> db.Interval:
        markers, event = asah()
        counts = db.Counts.from_arrays(markers[given["marker"]], event)
        return db.auc_interval(counts, given.get("level", 0.95), method)

    return interval


def newcombe(given: Vector) -> db.Interval:
    counts = db.Counts.from_classes([1] * given["n_target"], [0] * given["n_nontarget"])
    return db.auc_interval(counts, given["level"], "newcombe")


def named_ends(interval: Callable[[Vector], db.Interval]) -> Callable[[Vector], Any]:
    return lambda given: {"low": interval(given).low, "high": interval(given).high}


def ends(interval: Callable[[Vector], db.Interval]) -> Callable[[Vector], Any]:
    return lambda given: [interval(given).low, interval(given).high]


def mcnemar(given: Vector) -> Any:
    b, c, method = given["b"], given["c"], given["method"]
    if method == "mid-p":
        return db.mcnemar(b, c, method).p_value
    uncorrected, corrected = (db.mcnemar(b, c, each).statistic for each in ("chi2", "chi2-corrected"))
    return uncorrected if "corrected" not in method.split() else {"uncorrected": uncorrected, "corrected": corrected}


def lr_positive(given: Vector) -> db.Interval:
    n1, n0 = given["tp"] + given["fn"], given["fp"] + given["tn"]
    return db.lr_positive_interval(given["tp"], given["fp"], n1, n0, given["level"])


def subject_rate(given: Vector) -> dict[str, Any]:
    found = db.subject_rate_variance(given["errors_per_subject"], given["attempts_per_subject"])
    return {
        "rate": found.rate,
        "var_cluster": found.variance,
        "var_binomial": found.binomial_variance,
        "design_effect": found.design_effect,
    }


def grouped(groups: list[list[float]]) -> tuple[list[float], list[int]]:
    return [lr for group in groups for lr in group], [at for at, group in enumerate(groups) for _ in group]


def replicate_precision(given: Vector) -> dict[str, float]:
    found = db.replicate_precision(*grouped(given["log10_lr_replicates"]))
    return {"pooled_sd": found.pooled_sd, "df": found.df, "half_width": found.half_width}


def cllr_mean(given: Vector) -> float:
    targets = given["target_log10_lr_groups"]
    lrs, pair = grouped(targets + given["nontarget_log10_lr_groups"])
    return float(db.cllr(db.pair_means(lrs, [at < len(targets) for at in pair], pair)))


INTERVALS: dict[str, Callable[[Vector], Any]] = {
    "delong_variance": delong_variance,
    "delong_covariance": delong_covariance,
    "delong_contrast_test": delong_contrast,
    "delong_paired_test": delong_test,
    "delong_ci": ends(auc_interval("delong")),
    "delong_logit_ci": named_ends(auc_interval("delong-logit")),
    "auc_interval_newcombe5": named_ends(newcombe),
    "hanley_mcneil_variance": lambda given: hanley_mcneil_variance(
        number(given["auc"]), given["n_target"], given["n_nontarget"]
    ),
    "midranks": lambda given: db.midranks(given["x"]).tolist(),
    "clopper_pearson_ci": ends(lambda given: db.proportion_interval(**given, method="clopper-pearson")),
    "wilson_ci": ends(lambda given: db.proportion_interval(**given)),
    "mcnemar": mcnemar,
    "diagnostic_lr_ci": ends(lr_positive),
    "clustered_rate_variance": subject_rate,
    "llr_precision_parametric": replicate_precision,
    "cllr_mean": cllr_mean,
    "trials_needed_rule30": lambda given: db.trials_for_rule_of_30(number(given["target_rate"])),
}
"""A call for each kind of vector."""

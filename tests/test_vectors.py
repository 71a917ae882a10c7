"""The shared test vectors: every one is either computed here or named as belonging to what is yet to come."""

import csv
import json
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import deciban as db
from deciban.pool import Pooled, pool
from deciban.uncertainty.delong import AucMethod
from deciban.uncertainty.newcombe import hanley_mcneil_variance
from tests.shared_data import shared

Vector = dict[str, Any]


def number(value: Any) -> float:
    """A rational, an infinity or a number, as a float."""
    return float(value) if isinstance(value, (int, float)) or value in ("inf", "-inf") else float(Fraction(value))


def column(values: Any) -> list[float]:
    """A list of numbers, or {number: how many}."""
    if isinstance(values, dict):
        return [number(value) for value, times in values.items() for _ in range(times)]
    return [number(value) for value in values]


def rows(name: str) -> list[dict[str, str]]:
    with shared(f"data/{name}").open(newline="") as file:
        return list(csv.DictReader(file))


def two_classes(given: Vector) -> db.Counts:
    """Counts from target… and nontarget…, whose name ends with the scale."""
    for ending, scale in (("", "score"), ("_lr", "lr"), ("_ln_lr", "ln_lr"), ("_log10_lr", "log10_lr")):
        for suffix in (ending, f"{ending}_counts"):
            if f"nontarget{suffix}" in given:
                targets = given.get(f"target{suffix}", given.get(f"target{ending}"))
                return db.Counts.from_classes(column(targets), column(given[f"nontarget{suffix}"]), scale=scale)
    if "LLR_KM" in str(given["files"]):
        found = rows("nfi_cartridges.csv")
        labels = [int(row["same_source"]) for row in found]
        return db.Counts.from_arrays([float(row["log10_lr"]) for row in found], labels, scale="log10_lr")
    raise AssertionError(f"no two classes in {given}")


def labelled(given: Vector, scale: str = "score") -> db.Counts:
    scores = given.get("scores", given.get("p"))
    return db.Counts.from_arrays(
        column(scores), given.get("labels", given.get("y")), target=1, nontarget=0, scale=scale
    )


def ovarian() -> tuple[dict[str, list[float]], list[bool]]:
    table = [[Fraction(value) for value in row] for row in DATASETS["delong_ovarian"]["rows"]]
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


def roc_auc(given: Vector) -> Any:
    for word, read in (("SAS", ovarian), ("aSAH", asah)):
        if word in str(given.get("file")):
            markers, event = read()
            return {name: db.auc(db.Counts.from_arrays(values, event), exact=True) for name, values in markers.items()}
    return db.auc(two_classes(given))


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
    found = db.delong_test(*(given[f"target_{name}"] + given[f"nontarget_{name}"] for name in "ab"), event)
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


def over_priors(metric: Callable[..., float]) -> Callable[[Vector], float]:
    """Mean over the stated priors of a normalised cost."""

    def mean(given: Vector) -> float:
        priors = given["p_target"] if isinstance(given["p_target"], list) else [given["p_target"]]
        costs = {"c_miss": given["c_miss"], "c_fa": given["c_fa"]}
        return sum(metric(two_classes(given), p_target=number(p), **costs) for p in priors) / len(priors)

    return mean


def at_prior(given: Vector) -> float:
    prior = number(given["prior"])
    return float(db.empirical_cross_entropy(two_classes(given), log10_odds=math.log10(prior / (1 - prior))))


def neutral(given: Vector) -> float:
    return at_prior({**given, "target_lr": [1], "nontarget_lr": [1]})


def act_dcf(given: Vector) -> dict[str, float]:
    found = db.confusion(two_classes(given), threshold=db.bayes_threshold(number(given["prior"])))
    return {"p_miss": found.p_miss, "p_fa": found.p_fa}


def bayes_error(given: Vector) -> float:
    return float(db.act_dcf(two_classes(given), p_target=number(given["prior"]), c_miss=1, c_fa=1))


def per_trial(given: Vector, of_block: Callable[[Pooled], Any]) -> list[float]:
    """A figure of each trial's pooled block, in order of the scores."""
    pooled = pool(labelled(given))
    values = np.broadcast_to(of_block(pooled), pooled.low.shape)
    return np.repeat(values, pooled.n_target + pooled.n_nontarget).tolist()


def pav_shares(given: Vector) -> list[float]:
    return per_trial(given, lambda pooled: pooled.n_target / (pooled.n_target + pooled.n_nontarget))


def pav_llr(given: Vector) -> dict[str, list[float]]:
    return {"p": pav_shares(given), "lr": per_trial(given, lambda pooled: np.exp(pooled.ln_lr))}


def misleading(given: Vector) -> dict[str, Any]:
    counts = two_classes(given)
    (neutral_block,) = np.flatnonzero(counts.score == 1.0)
    shares = {
        "target": counts.n_target[neutral_block] / counts.total_target,
        "nontarget": counts.n_nontarget[neutral_block] / counts.total_nontarget,
    }
    return {"rmep": db.rmep(counts), "rmed": db.rmed(counts), "lr_eq_1": shares}


def turing(given: Vector) -> dict[str, Any]:
    counts = db.Counts.from_classes([1.0], column(given["nontarget_lr"]), scale="lr")
    return {"observed": db.rmep(counts, k=float(given["k"]))}


def fnmr_at_fmr(given: Vector) -> dict[str, Any]:
    return {"fnmr": db.p_miss_at(two_classes(given), p_fa=number(given["fmr"]))}


def diagnostic(given: Vector) -> dict[str, float]:
    found = db.Confusion(**given)
    return {
        "sens": found.recall,
        "spec": found.specificity,
        "ppv": found.precision,
        "npv": found.npv,
        "lr_pos": found.lr_positive,
        "lr_neg": found.lr_negative,
        "youden": found.informedness,
    }


def decomposition(given: Vector) -> dict[str, float]:
    counts = two_classes(given)
    return {"cllr": db.cllr(counts), "min_cllr": db.cllr_min(counts), "cllr_cal": db.cllr_cal(counts)}


def fvc(given: Vector) -> dict[str, float]:
    found = db.eer_fvc(two_classes(given))
    return {"low": found.low, "high": found.high, "mean": found.mean}


def net_benefit(given: Vector) -> float:
    """Accepted trials have .9, the others .1."""
    rejected = given["n"] - given["tp"] - given["fp"]
    counts = db.Counts([0.1, 0.9], [0, given["tp"]], [rejected, given["fp"]], "probability")
    return float(db.net_benefit(counts, threshold=number(given["threshold"])))


def treat_all(given: Vector) -> float:
    share = Fraction(given["prevalence"])
    counts = db.Counts([0.5], [share.numerator], [share.denominator - share.numerator], "probability")
    return float(db.net_benefit_all(counts, threshold=number(given["threshold"])))


def pan(name: str) -> Callable[[Vector], float]:
    import deciban.pan

    return lambda given: getattr(deciban.pan, name)(given["p"], given["y"])


RUN: dict[str, Callable[[Vector], Any]] = {
    "roc_auc": roc_auc,
    "average_precision": lambda given: db.average_precision(two_classes(given)),
    "eer_min_abs_diff_mean": lambda given: db.eer(two_classes(given), method="nearest-last"),
    "eer_rocch": lambda given: db.eer(two_classes(given)),
    "eer_roc_linear": lambda given: db.eer(two_classes(given), method="interpolated"),
    "eer_nearest_max": lambda given: db.eer(two_classes(given), method="nearest-max"),
    "eer_fvc": fvc,
    "min_cllr": lambda given: db.cllr_min(two_classes(given)),
    "min_cllr_laplace": lambda given: db.cllr_min(two_classes(given), laplace=True),
    "pav": pav_shares,
    "pav_llr": pav_llr,
    "cllr": lambda given: db.cllr(two_classes(given)),
    "cllr_decomposition": decomposition,
    "empirical_cross_entropy": at_prior,
    "empirical_cross_entropy_reference": neutral,
    "c_primary": over_priors(db.act_dcf),
    "min_c_primary": over_priors(db.min_dcf),
    "min_dcf": over_priors(db.min_dcf),
    "act_dcf": act_dcf,
    "normalised_bayes_error": bayes_error,
    "rates_of_misleading_evidence": misleading,
    "turing_exceedance": turing,
    "diagnostic_2x2": diagnostic,
    "fnmr_at_fmr": fnmr_at_fmr,
    "brier_score": lambda given: db.brier(labelled(given, "probability")),
    "net_benefit": net_benefit,
    "net_benefit_treat_all": treat_all,
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
    "zero_error_upper_bound": lambda given: db.zero_error_bound(given["n"], level=float(given["level"].split()[0])),
    "relative_precision": lambda given: db.rule_of_30(given["errors"], level=given["confidence"]),
    "trials_needed_rule30": lambda given: db.trials_for_rule_of_30(number(given["target_rate"])),
    "c_at_1": pan("c_at_1"),
    "f05_u": pan("f05u"),
}
"""How each kind of vector is computed; the answer may hold fewer keys than expected, see :data:`PARTLY`."""

PARTLY = {
    "turing_exceedance": {"bound", "exceeds", "p_value_binomial"},  # the test of calibration by Turing's bound
    "fnmr_at_fmr": {"resolved"},  # the finding that a rate cannot be measured
}

CURVES = "curves and further ranking figures"
PROBABILITY = "further figures of probabilities"
BOUNDS = "bounds of likelihood ratios"
CALIBRATORS = "calibrators and models"
BIOMETRICS = "biometric and presentation-attack rates"
EVIDENCE = "further figures of likelihood ratios"

LATER = {
    **dict.fromkeys(("partial_auc", "partial_auc_standardised", "pr_auc_trapezoid", "pr_interpolate"), CURVES),
    **dict.fromkeys(("pr_auc_dg_segment", "pr_gain_auc", "precision_gain_recall_gain", "h_measure"), CURVES),
    **dict.fromkeys(("youden_index", "ks", "decidability", "predictive_values", "probit"), CURVES),
    **dict.fromkeys(("expected_lr_moments", "tippett", "devpav"), EVIDENCE),
    **dict.fromkeys(("perfect_bigaussian", "verbal_scale"), EVIDENCE),
    **dict.fromkeys(("elub", "elub_one_sided", "invariance_verification_bounds"), BOUNDS),
    **dict.fromkeys(("generalised_error_rates", "pad_rates"), BIOMETRICS),
    **dict.fromkeys(("brier_corp_decomposition", "brier_murphy_decomposition", "ece_binned"), PROBABILITY),
    **dict.fromkeys(("ece_debiased_squared", "ece_sweep", "ece_sweep_bins", "spiegelhalter_z"), PROBABILITY),
    **dict.fromkeys(("logistic_recalibration", "logreg_llr_calibration"), CALIBRATORS),
}
"""What the library does not offer yet, by subject; a line moves to :data:`RUN` when it does."""


def load() -> dict[str, Any]:
    with shared("vectors.json").open() as file:
        return json.load(file)  # type: ignore[no-any-return]


try:
    CONTENT = load()
except pytest.skip.Exception as absent:
    CONTENT = {"vectors": [], "datasets": {}}
    pytestmark = pytest.mark.skip(reason=str(absent))

VECTORS: list[Vector] = CONTENT["vectors"]
DATASETS = CONTENT["datasets"]


def check(got: Any, expected: Any, tolerance: float, left_out: set[str] = frozenset()) -> None:  # type: ignore[assignment]
    if isinstance(expected, dict):
        assert set(got) == set(expected) - left_out
        for key in got:
            check(got[key], expected[key], tolerance)
    elif isinstance(expected, list):
        assert len(got) == len(expected)
        for one, other in zip(got, expected, strict=True):
            check(one, other, tolerance)
    else:
        want = number(expected)
        close = abs(float(got) - want) <= tolerance * max(1.0, abs(want)) if math.isfinite(want) else False
        assert float(got) == want or close, f"{got} is not {want}"


HERE = [vector for vector in VECTORS if vector["function"] in RUN]


@pytest.mark.parametrize("vector", HERE, ids=[vector["id"] for vector in HERE])
def test_vector(vector):
    function = vector["function"]
    check(RUN[function](vector["input"]), vector["expected"], vector["tolerance"], PARTLY.get(function, set()))


def test_every_function_is_run_or_named():
    assert not set(RUN) & set(LATER)
    assert set(RUN) | set(LATER) == {vector["function"] for vector in VECTORS}
    assert len(VECTORS) == CONTENT["n"]
    assert all(LATER.values())

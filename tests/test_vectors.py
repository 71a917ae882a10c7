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


def roc_auc(given: Vector) -> Any:
    if "SAS" in str(given.get("file")):
        table = [[Fraction(value) for value in row] for row in DATASETS["delong_ovarian"]["rows"]]
        event = [row[3] == 0 for row in table]
        markers = {
            "albumin": [-row[0] for row in table],
            "kg": [row[2] - 10 for row in table],
            "protein": [-row[1] for row in table],
        }
        return {
            name: db.auc(db.Counts.from_arrays([float(value) for value in values], event), exact=True)
            for name, values in markers.items()
        }
    if "aSAH" in str(given.get("file")):
        table_rows = rows("asah.csv")
        event = [row["outcome"] == "Poor" for row in table_rows]
        names = ("wfns", "s100b", "ndka")
        return {
            name: db.auc(db.Counts.from_arrays([float(row[name]) for row in table_rows], event), exact=True)
            for name in names
        }
    return db.auc(two_classes(given))


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
    "c_at_1": pan("c_at_1"),
    "f05_u": pan("f05u"),
}
"""How each kind of vector is computed; the answer may hold fewer keys than expected, see :data:`PARTLY`."""

PARTLY = {
    "turing_exceedance": {"bound", "exceeds", "p_value_binomial"},  # the test of calibration by Turing's bound
    "fnmr_at_fmr": {"resolved"},  # the finding that a rate cannot be measured
}

INTERVALS = "intervals and tests"
CURVES = "curves and further ranking figures"
PROBABILITY = "further figures of probabilities"
BOUNDS = "bounds of likelihood ratios"
PLANNING = "planning and bounds of rates"
CALIBRATORS = "calibrators and models"
BIOMETRICS = "biometric and presentation-attack rates"
EVIDENCE = "further figures of likelihood ratios"

LATER = {
    **dict.fromkeys(("partial_auc", "partial_auc_standardised", "pr_auc_trapezoid", "pr_interpolate"), CURVES),
    **dict.fromkeys(("pr_auc_dg_segment", "pr_gain_auc", "precision_gain_recall_gain", "h_measure"), CURVES),
    **dict.fromkeys(("youden_index", "ks", "decidability", "predictive_values", "probit"), CURVES),
    **dict.fromkeys(("expected_lr_moments", "tippett", "devpav", "cllr_mean", "llr_precision_parametric"), EVIDENCE),
    **dict.fromkeys(("perfect_bigaussian", "verbal_scale"), EVIDENCE),
    **dict.fromkeys(("elub", "elub_one_sided", "invariance_verification_bounds"), BOUNDS),
    **dict.fromkeys(("delong_variance", "delong_covariance", "delong_contrast_test", "delong_paired_test"), INTERVALS),
    **dict.fromkeys(("delong_ci", "delong_logit_ci", "hanley_mcneil_variance", "auc_interval_newcombe5"), INTERVALS),
    **dict.fromkeys(("midranks", "clopper_pearson_ci", "wilson_ci", "mcnemar", "diagnostic_lr_ci"), INTERVALS),
    "clustered_rate_variance": INTERVALS,
    **dict.fromkeys(("zero_error_upper_bound", "relative_precision", "trials_needed_rule30"), PLANNING),
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

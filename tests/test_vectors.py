"""The shared test vectors: every one is either computed here or named as belonging to what is yet to come."""

import json
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import deciban as db
from deciban.passes.pool import Pooled, pool
from tests.interval_calls import INTERVALS, asah, ovarian
from tests.shared_data import shared
from tests.vector_calls import CALLS, Vector, labelled, number, two_classes


def roc_auc(given: Vector) -> Any:
    for word, read in (("SAS", ovarian), ("aSAH", asah)):
        if word in str(given.get("file")):
            markers, event = read()
            return {name: db.auc(db.Counts.from_arrays(values, event), exact=True) for name, values in markers.items()}
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
    "diagnostic_2x2": diagnostic,
    "fnmr_at_fmr": fnmr_at_fmr,
    "brier_score": lambda given: db.brier(labelled(given, "probability")),
    "net_benefit": net_benefit,
    "net_benefit_treat_all": treat_all,
    "c_at_1": pan("c_at_1"),
    "f05_u": pan("f05u"),
    **CALLS,
    **INTERVALS,
}
"""How each kind of vector is computed; the answer may hold fewer keys than expected, see :data:`PARTLY`."""

PARTLY = {
    "fnmr_at_fmr": {"resolved"},  # the finding that a rate cannot be measured
}

LATER: dict[str, str] = {}
"""What the library does not offer yet, by subject; a line moves to :data:`RUN` when it does."""


def load() -> dict[str, Any]:
    with shared("vectors.json").open() as file:
        return json.load(file)


try:
    CONTENT = load()
except pytest.skip.Exception as absent:
    CONTENT = {"vectors": [], "datasets": {}}
    pytestmark = pytest.mark.skip(reason=str(absent))

VECTORS: list[Vector] = CONTENT["vectors"]
DATASETS = CONTENT["datasets"]


def check(got: Any, expected: Any, tolerance: float, left_out: set[str] = frozenset()) -> None:
    if isinstance(expected, dict):
        assert set(got) == set(expected) - left_out
        for key in got:
            check(got[key], expected[key], tolerance)
    elif isinstance(expected, list):
        assert len(got) == len(expected)
        for one, other in zip(got, expected, strict=True):
            check(one, other, tolerance)
    elif expected == "nan":
        assert math.isnan(got)
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

"""What deciban is asked to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import deciban as db
from data import Arrays
from deciban.metrics.catalogue import AT_THRESHOLD, METRICS
from deciban.metrics.expression import parse
from deciban.records.evaluation import Evaluation
from deciban.uncertainty.bootstrap.bootstrap import Figure, bootstrap
from deciban.uncertainty.bootstrap.resample import by_trial
from deciban.uncertainty.interval import Interval
from deciban.workflow.evaluating.request import allowed, default_expressions, unique
from deciban.workflow.intervals.replicated import Figures

THRESHOLD = 0.5

FIVE = ("auc", "eer", "cllr", "cllr_min", "average_precision")

COSTS = ("preset=voxsrc", "p_target=0.01,c_miss=10,c_fa=1")

ASKED = {
    "eer": "eer:all",
    "eer_fvc": "eer_fvc",
    "p_miss_at": "p_miss_at:p_fa=0.01",
    "p_fa_at": "p_fa_at:p_miss=0.01",
    "empirical_cross_entropy": "empirical_cross_entropy:log10_odds=-1",
    "f_beta": f"f_beta:beta=2,threshold={THRESHOLD}",
    "bayes_error": "bayes_error:log10_odds=-1",
    "bayes_error_min": "bayes_error_min:log10_odds=-1",
    "expected_cost": f"expected_cost:p_target=0.1,c_miss=5,c_fa=1,threshold={THRESHOLD}",
    "net_benefit": "net_benefit:threshold=0.2",
    "net_benefit_all": "net_benefit_all:threshold=0.2",
    "partial_auc": "partial_auc:high=0.1",
    "partial_auc_standardised": "partial_auc_standardised:high=0.1",
    "precision_at": f"precision_at:prevalence=0.01,threshold={THRESHOLD}",
    "d_prime": f"d_prime:threshold={THRESHOLD}",
}
"""Expressions of metrics that need options, or have more than one form; every other one is asked for by its name."""

OTHERWISE = {"min_dcf", "act_dcf", *(metric.spec.name for metric in AT_THRESHOLD)}
"""What the costs and the threshold table show."""


def our_seven(arrays: Arrays) -> object:
    """The seven of scikit-learn, validation and counting included."""
    counts = db.Counts.from_arrays(arrays.scores, arrays.labels, scale=arrays.scale)
    return (
        db.auc(counts),
        db.roc(counts),
        db.det(counts),
        db.precision_recall(counts),
        db.average_precision(counts),
        db.brier(counts),
        db.confusion(counts, threshold=THRESHOLD),
    )


def our_three(arrays: Arrays) -> object:
    """Cllr, min Cllr and the cross-entropy curve, validation and counting included."""
    counts = db.Counts.from_arrays(arrays.scores, arrays.labels, scale=arrays.scale)
    return db.cllr(counts), db.cllr_min(counts), db.empirical_cross_entropy_curve(counts)


CALIBRATORS = (db.LogisticCalibrator(), db.GaussianCalibrator(), db.IsotonicCalibrator())


def calibrate(calibrator: Any, development: db.Trials, cases: db.Trials) -> db.Trials:
    """Fit to trials, counting included, and give others their likelihood ratios."""
    return calibrator.fit(development).apply(cases)  # type: ignore[no-any-return]


def our_delong(arrays: Arrays) -> object:
    """AUC with its interval by DeLong's variance, validation and counting included."""
    counts = db.Counts.from_arrays(arrays.scores, arrays.labels, scale=arrays.scale)
    return db.auc(counts), db.auc_interval(counts, method="delong")


def evaluate(arrays: Arrays) -> Evaluation:
    """Every point metric that the scale allows, from the arrays, in one record without the curves of a report."""
    trials = db.Trials.from_arrays(arrays.scores, arrays.labels, scale=arrays.scale, prior=arrays.prior)
    wanted = {metric.spec.name for metric in METRICS if allowed(metric.spec.needs, trials.scale, trials.prior)}
    asked = [ASKED.get(name, name) for name in wanted if name not in OTHERWISE]
    result: Evaluation = db.evaluate(
        trials, thresholds=[THRESHOLD], costs=COSTS, metrics=asked, interval="none", curves=False
    )
    found = {parse(key)[0].spec.name for key in result.metrics} | set(result.thresholds[0].metrics)
    if wanted - found:
        raise RuntimeError(f"not measured: {', '.join(sorted(wanted - found))}; it needs an expression in ASKED")
    return result


def bootstrap_intervals(arrays: Arrays, names: Sequence[str], replicates: int) -> dict[str, Interval | str]:
    """Intervals of some figures, or of all that are shown unasked, from the arrays."""
    counts = db.Counts.from_arrays(arrays.scores, arrays.labels, scale=arrays.scale, prior=arrays.prior)
    expressions = [parse(name)[0] for name in names] or unique(default_expressions(counts.scale, counts.prior))
    resampling = by_trial(counts)
    return bootstrap(
        resampling,
        Figures(resampling.blocks, counts.total_target / counts.total),
        [Figure(name=expression.key, range=expression.spec.range) for expression in expressions],
        replicates=replicates,
    )

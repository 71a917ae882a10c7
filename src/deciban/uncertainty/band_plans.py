"""What the band of each kind of curve surrounds: its columns at a few places, as functions of re-weighted counts.

Wherever a curve can be asked for at given places, a replicate's value is what the curve itself gives there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from deciban.arrays import AnyArray, Floats
from deciban.counts import Counts
from deciban.cumulative import accepted, sums_from
from deciban.curves.bayes_error import BayesErrorCurve, bayes_error_curve
from deciban.curves.cross_entropy import CrossEntropyCurve
from deciban.curves.curve import Curve
from deciban.curves.gain import PrGain
from deciban.curves.histogram import ScoreHistogram
from deciban.curves.hull import PavMap, Rocch
from deciban.curves.net_benefit import NetBenefitCurve, net_benefit_curve
from deciban.curves.overestimation import Overestimation
from deciban.curves.reliability import Reliability
from deciban.curves.roc import Det, PrecisionRecall, Roc
from deciban.curves.thinning import LIMIT, Indices, rows_to_keep
from deciban.curves.thresholds import ThresholdCurve, threshold_curve
from deciban.curves.tippett import Tippett
from deciban.forecasts import probabilities
from deciban.scale import threshold_of_log10_lr
from deciban.uncertainty.band_bins import of_bins, of_histogram, of_overestimation
from deciban.uncertainty.band_draws import Column, Plan
from deciban.uncertainty.band_forms import RATES, cross_entropies, error_weights, sums_of_rates, wilson_all
from deciban.uncertainty.band_planes import hull_p_miss, lr_at, p_miss_at, precision_at, precision_gain_at, recall_at
from deciban.uncertainty.score_costs import MeanCosts, PavCosts


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A curve, what it was made of, and whether closed forms hold for its trials."""

    record: Any
    counts: Counts
    options: Mapping[str, object]
    independent: bool


def places(held: Floats, rows: Indices | None = None) -> Floats:
    """Where limits are computed: at the given rows, else at all, but at no more than :data:`LIMIT` values."""
    found = np.unique(held if rows is None else held[rows])
    return found if found.size <= LIMIT else found[np.linspace(0, found.size - 1, LIMIT).astype(np.intp)]


def _roc(asked: Asked) -> Plan:
    record, at = asked.record, places(asked.record.p_fa, rows_to_keep(asked.record))
    observed = recall_at(asked.counts, at) * record.n_target
    column = Column(
        name="recall", values=lambda counts: recall_at(counts, at), at_least=wilson_all(observed, record.n_target)
    )
    return Plan(held=record.p_fa, places=at, columns=(column,), fixed="p_fa")


def _det(asked: Asked) -> Plan:
    record, at = asked.record, places(asked.record.p_fa, rows_to_keep(asked.record))
    observed = p_miss_at(asked.counts, at) * record.n_target
    column = Column(
        name="p_miss", values=lambda counts: p_miss_at(counts, at), at_least=wilson_all(observed, record.n_target)
    )
    return Plan(held=record.p_fa, places=at, columns=(column,), fixed="p_fa")


def _rocch(asked: Asked) -> Plan:
    at = places(asked.record.p_fa)
    column = Column(name="p_miss", values=lambda counts: hull_p_miss(counts, at), method="basic", limits=(0.0, 1.0))
    return Plan(held=asked.record.p_fa, places=at, columns=(column,), fixed="p_fa")


def _precision_recall(asked: Asked) -> Plan:
    at = places(asked.record.recall, rows_to_keep(asked.record))
    column = Column(name="precision", values=lambda counts: precision_at(counts, at))
    return Plan(held=asked.record.recall, places=at, columns=(column,), fixed="recall")


def _pr_gain(asked: Asked) -> Plan:
    at = places(asked.record.recall_gain, rows_to_keep(asked.record))
    column = Column(name="precision_gain", values=lambda counts: precision_gain_at(counts, at))
    return Plan(held=asked.record.recall_gain, places=at, columns=(column,), fixed="recall_gain")


def _pav_map(asked: Asked) -> Plan:
    record, score = asked.record, asked.counts.score
    first, last = (np.searchsorted(score, end, side="left") for end in (record.low, record.high))
    middle = score[(first + last) // 2]
    rows = np.arange(record.low.size, dtype=np.float64)
    return Plan(held=rows, places=rows, columns=(Column(name="ln_lr", values=lambda counts: lr_at(counts, middle)),))


def _tippett(asked: Asked) -> Plan:
    record: Tippett = asked.record
    rows = rows_to_keep(record)
    threshold = asked.counts.score[rows]
    n1, n0 = record.n_target, record.n_nontarget

    def targets(counts: Counts) -> Floats:
        counts.require_both_classes("a Tippett plot")
        share = accepted(counts, threshold)[0] / counts.total_target
        return share if record.type == 1 else 1.0 - share

    def nontargets(counts: Counts) -> Floats:
        counts.require_both_classes("a Tippett plot")
        return np.asarray(accepted(counts, threshold)[1] / counts.total_nontarget)

    tp, fp = accepted(asked.counts, threshold)
    return Plan(
        held=np.arange(record.log10_lr.size, dtype=np.float64),
        places=rows.astype(np.float64),
        columns=(
            Column(name="target", values=targets, closed=wilson_all(tp if record.type == 1 else n1 - tp, n1)),
            Column(name="nontarget", values=nontargets, closed=wilson_all(fp, n0)),
        ),
    )


def _cross_entropy(asked: Asked) -> Plan:
    at = places(asked.record.log10_odds)
    neutral = dict(zip(asked.record.log10_odds.tolist(), asked.record.neutral.tolist(), strict=True))
    highest = np.array([neutral[x] for x in at.tolist()])
    # Costs of all scores at all priors are worked out only where replicates need them.
    system = _unasked if asked.independent else MeanCosts(asked.counts, at)
    return Plan(
        held=asked.record.log10_odds,
        places=at,
        columns=(
            Column(name="system", values=system, closed=cross_entropies(asked.counts, at), form="class-means"),
            Column(
                name="pav",
                values=PavCosts(at),
                method="basic",
                limits=(0.0, highest),
            ),
        ),
    )


def _unasked(counts: Counts) -> Floats:
    raise NotImplementedError(f"{counts!r} have a closed form")


def _bayes_error(asked: Asked) -> Plan:
    record: BayesErrorCurve = asked.record
    at, counts, normalise = places(record.log10_odds), asked.counts, record.normalised
    again = bayes_error_curve(counts, log10_odds=at, normalise=normalise)
    columns = []
    if record.actual is not None:
        threshold = np.array([threshold_of_log10_lr(-x, counts.scale, counts.prior) for x in at.tolist()])
        tp, fp = accepted(counts, threshold)
        columns.append(
            Column(
                name="actual",
                values=lambda c: _there(bayes_error_curve(c, log10_odds=at, normalise=normalise).actual),
                closed=sums_of_rates(error_weights(at, normalise), counts.total_target - tp, fp, counts),
                form="mover",
            )
        )
    columns.append(
        Column(
            name="minimum",
            values=lambda c: bayes_error_curve(c, log10_odds=at, normalise=normalise).minimum,
            method="basic",
            limits=(0.0, again.default),
        )
    )
    return Plan(held=record.log10_odds, places=at, columns=tuple(columns))


def _there(values: Floats | None) -> Floats:
    return np.empty(0) if values is None else values


def _net_benefit(asked: Asked) -> Plan:
    at = places(asked.record.threshold)
    p_target: Any = asked.options.get("p_target")
    forecast = probabilities(asked.counts, p_target=p_target)
    accepts = np.searchsorted(forecast.probability, at, side="left")
    tp, fp = sums_from(forecast.n_target, accepts), sums_from(forecast.n_nontarget, accepts)
    share = asked.counts.total_target / forecast.total
    weights = [(share, (share - 1.0) * p / (1.0 - p)) for p in at.tolist()]
    column = Column(
        name="benefit",
        # The prior belongs to the question: it stays where a replicate has another share of targets.
        values=lambda counts: net_benefit_curve(counts, thresholds=at, p_target=forecast.prior).benefit,
        closed=sums_of_rates(weights, tp, fp, asked.counts),
        form="mover",
    )
    return Plan(held=asked.record.threshold, places=at, columns=(column,))


def _thresholds(asked: Asked) -> Plan:
    record: ThresholdCurve = asked.record
    down = bool((np.diff(record.threshold) < 0.0).all())
    at = places(record.threshold, rows_to_keep(record) if down else None)
    tp, fp = accepted(asked.counts, at)
    return Plan(
        held=record.threshold,
        places=at,
        columns=tuple(_ratio(name, at, tp, fp, record) for name in record.values),
    )


def _ratio(name: str, at: Floats, tp: AnyArray, fp: AnyArray, record: ThresholdCurve) -> Column:
    def values(counts: Counts) -> Floats:
        return np.asarray(threshold_curve(counts, name, thresholds=at).values[name])

    closed = wilson_all(*RATES[name](tp, fp, record.n_target, record.n_nontarget)) if name in RATES else None
    return Column(name=name, values=values, closed=closed)


PLANS: Final[dict[type[Curve], Callable[[Asked], Plan]]] = {
    Roc: _roc,
    Det: _det,
    Rocch: _rocch,
    PrecisionRecall: _precision_recall,
    PrGain: _pr_gain,
    PavMap: _pav_map,
    Tippett: _tippett,
    CrossEntropyCurve: _cross_entropy,
    BayesErrorCurve: _bayes_error,
    NetBenefitCurve: _net_benefit,
    ThresholdCurve: _thresholds,
    Reliability: lambda asked: of_bins(asked.record, asked.counts, asked.options),
    ScoreHistogram: lambda asked: of_histogram(asked.record, asked.counts),
    Overestimation: lambda asked: of_overestimation(asked.record, asked.counts),
}
"""How the band of each kind of curve is made."""

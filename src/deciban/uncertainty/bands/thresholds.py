"""Curves over thresholds: shares of each class, ratios of the confusion matrix, net benefit."""

from __future__ import annotations

from typing import Any

import numpy as np

from deciban.counts.counts import Counts
from deciban.curves.net_benefit import net_benefit_curve
from deciban.curves.thinning import rows_to_keep
from deciban.curves.thresholds import ThresholdCurve, threshold_curve
from deciban.curves.tippett import Tippett
from deciban.passes.cumulative import accepted, sums_from
from deciban.passes.forecasts import probabilities
from deciban.uncertainty.bands.forms import RATES, sums_of_rates, wilson_all
from deciban.uncertainty.bands.plan import Asked, Column, Plan, places
from deciban.values.arrays import AnyArray, Floats


def tippett_plan(asked: Asked) -> Plan:
    """The share of each class at each LR."""
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
        next_above=True,
        columns=(
            Column(name="target", values=targets, closed=wilson_all(tp if record.type == 1 else n1 - tp, n1)),
            Column(name="nontarget", values=nontargets, closed=wilson_all(fp, n0)),
        ),
    )


def thresholds_plan(asked: Asked) -> Plan:
    """Each ratio at each threshold."""
    record: ThresholdCurve = asked.record
    down = bool((np.diff(record.threshold) < 0.0).all())
    at = places(record.threshold, rows_to_keep(record) if down else None)
    tp, fp = accepted(asked.counts, at)
    return Plan(
        held=record.threshold,
        places=at,
        next_above=True,
        columns=tuple(_ratio(name, at, tp, fp, record) for name in record.values),
    )


def _ratio(name: str, at: Floats, tp: AnyArray, fp: AnyArray, record: ThresholdCurve) -> Column:
    def values(counts: Counts) -> Floats:
        return np.asarray(threshold_curve(counts, name, thresholds=at).values[name])

    closed = wilson_all(*RATES[name](tp, fp, record.n_target, record.n_nontarget)) if name in RATES else None
    return Column(name=name, values=values, closed=closed)


def net_benefit_plan(asked: Asked) -> Plan:
    """Net benefit at each probability of acting."""
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

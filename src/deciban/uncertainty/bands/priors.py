"""Curves over priors: cross-entropy and Bayes error."""

from __future__ import annotations

import numpy as np

from deciban.curves.bayes_error import BayesErrorCurve, bayes_error_curve
from deciban.passes.cumulative import accepted
from deciban.uncertainty.bands.forms import cross_entropies, error_weights, sums_of_rates
from deciban.uncertainty.bands.plan import Asked, Column, Plan, places
from deciban.uncertainty.bands.score_costs import MeanCosts, PavCosts
from deciban.values.scale import threshold_of_log10_lr


def cross_entropy_plan(asked: Asked) -> Plan:
    """Cross-entropy at each prior, of the LRs as they are and after PAV."""
    at = places(asked.record.log10_odds)
    neutral = dict(zip(asked.record.log10_odds.tolist(), asked.record.neutral.tolist(), strict=True))
    highest = np.array([neutral[x] for x in at.tolist()])
    return Plan(
        held=asked.record.log10_odds,
        places=at,
        columns=(
            Column(
                name="system",
                values=MeanCosts(asked.counts, at),
                closed=cross_entropies(asked.counts, at),
                form="class-means",
            ),
            Column(
                name="pav",
                values=PavCosts(at),
                method="basic",
                limits=(0.0, highest),
            ),
        ),
    )


def bayes_error_plan(asked: Asked) -> Plan:
    """Error at each prior, at the threshold of theory where scores are LRs and at the best one."""
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
                values=lambda c: np.asarray(bayes_error_curve(c, log10_odds=at, normalise=normalise).actual),
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

"""Curves of bins: the trials of a replicate in the bins of the data."""

from __future__ import annotations

import numpy as np

from deciban.counts.counts import Counts
from deciban.curves.overestimation import bounds_of_bins
from deciban.curves.reliability import starts_of_bins
from deciban.errors import UndefinedMetricError
from deciban.uncertainty.bands.forms import clopper_pearson_all, scaled, wilson_all
from deciban.uncertainty.bands.plan import Asked, Column, Plan
from deciban.values.arrays import AnyArray, Floats


def _rows(size: int) -> Floats:
    return np.arange(size, dtype=np.float64)


def _scores_at(counts: Counts, at: AnyArray) -> Floats:
    """Some of the distinct scores; NaN, which is above all of them, for the place after the last."""
    return np.append(counts.score, np.nan)[at]


def _in_bins(n: AnyArray, score: Floats, bounds: Floats) -> AnyArray:
    """Sum of ``n`` from each bound to below the next."""
    upto = np.concatenate([n[:1] * 0, np.cumsum(n)])
    return np.diff(upto[np.searchsorted(score, bounds, side="left")])


def reliability_plan(asked: Asked) -> Plan:
    """The observed share of targets in the bins of a reliability diagram."""
    record, counts, options = asked.record, asked.counts, asked.options
    starts = starts_of_bins(counts, **options)[1]
    bounds = _scores_at(counts, np.append(starts, counts.n_distinct))

    def values(drawn: Counts) -> Floats:
        targets, nontargets = (_in_bins(n, drawn.score, bounds) for n in (drawn.n_target, drawn.n_nontarget))
        with np.errstate(invalid="ignore"):
            return np.asarray(targets / (targets + nontargets))

    column = Column(
        name="observed", values=values, closed=clopper_pearson_all(record.n_target, record.n), form="clopper-pearson"
    )
    return Plan(held=_rows(record.n.size), places=_rows(record.n.size), columns=(column,))


def histogram_plan(asked: Asked) -> Plan:
    """The trials of each class in each bin, out of as many as the class has."""
    record, counts = asked.record, asked.counts
    # The last bin holds its upper edge.
    bounds = np.append(record.low, np.nextafter(record.high[-1:], np.inf))
    if bounds.size == 0:
        raise UndefinedMetricError("score_histogram: without finite scores there are no bins", "degenerate")
    columns = []
    for name, found, total in (
        ("n_target", record.n_target, counts.total_target),
        ("n_nontarget", record.n_nontarget, counts.total_nontarget),
    ):

        def values(drawn: Counts, name: str = name, total: float = total) -> Floats:
            n = getattr(drawn, name)
            with np.errstate(invalid="ignore"):
                return np.asarray(total * (_in_bins(n, drawn.score, bounds) / n.sum()))

        columns.append(Column(name=name, values=values, closed=scaled(wilson_all(found, total), total)))
    rows = _rows(record.low.size)
    return Plan(held=rows, places=rows, columns=tuple(columns))


def overestimation_plan(asked: Asked) -> Plan:
    """What the data bear out in each bin of LRs, and what is claimed above it with the claim held fixed."""
    record, counts = asked.record, asked.counts
    bounds = _scores_at(counts, bounds_of_bins(counts))

    def empirical(drawn: Counts) -> Floats:
        drawn.require_both_classes("lr_overestimation")
        share1, share0 = (
            _in_bins(n, drawn.score, bounds) / total
            for n, total in ((drawn.n_target, drawn.total_target), (drawn.n_nontarget, drawn.total_nontarget))
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.log10(share1) - np.log10(share0))

    columns = (
        Column(name="empirical", values=empirical),
        Column(name="discrepancy", values=lambda drawn: record.claimed - empirical(drawn)),
    )
    rows = _rows(record.claimed.size)
    return Plan(held=rows, places=rows, columns=columns)

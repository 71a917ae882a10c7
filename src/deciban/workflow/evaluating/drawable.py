"""The curves that a record keeps for drawing, of some 500 points at most each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

import numpy as np

from deciban.counts.buckets import at_edges
from deciban.counts.counts import Counts
from deciban.curves.bayes_error import bayes_error_curve
from deciban.curves.cross_entropy import empirical_cross_entropy_curve
from deciban.curves.curve import select
from deciban.curves.grid import log10_odds_grid
from deciban.curves.histogram import score_histogram
from deciban.curves.hull import PavMap, pav_map
from deciban.curves.reliability import Reliability, reliability
from deciban.curves.thinning import Indices, evenly
from deciban.curves.tippett import Tippett, tippett
from deciban.passes.cumulative import Cumulative, cumulate
from deciban.passes.pool import pool
from deciban.records.curves import Curves
from deciban.records.figures import GroupRecord
from deciban.values.arrays import AnyArray
from deciban.values.scale import carries_lr, carries_probability, threshold_of_log10_lr
from deciban.workflow.evaluating.operating_points import LIMIT, operating_points, which_points
from deciban.workflow.evaluating.plan import Plan
from deciban.workflow.evaluating.within import Part

B = TypeVar("B", PavMap, Reliability)

DRAWN: Final = 12
"""Groups whose curves can be told apart on one set of axes."""
GROUP_LIMIT: Final = 100
"""Operating points of a group, whose curve is drawn beside others."""


def curves_of(counts: Counts, thresholds: Iterable[float], p_target: float | None, limit: int = LIMIT) -> Curves:
    """Make every curve that the scores of both classes carry, of at most ``limit`` points each.

    Of buckets those of points at their edges, exact ones.
    """
    if counts.resolution is not None:
        return _at_edges(at_edges(counts), thresholds, limit)
    points = cumulate(counts)
    has_lr, has_probability = carries_lr(counts.scale, counts.prior), carries_probability(counts.scale)
    kept = which_points(points, pool(counts), [*thresholds, *(_bayes_thresholds(counts) if has_lr else ())], limit)
    pav = pav_map(counts)
    corp = reliability(counts, bins="corp", p_target=p_target) if has_probability else None
    return Curves(
        operating_points=operating_points(points, kept),
        score_histogram=score_histogram(counts),
        pav=_blocks(pav, pav.n_target + pav.n_nontarget, limit),
        bayes_error=bayes_error_curve(counts),
        tippett=_tippett(counts, points, kept, has_lr),
        cross_entropy=empirical_cross_entropy_curve(counts) if has_lr else None,
        reliability=reliability(counts, p_target=p_target) if has_probability else None,
        corp=None if corp is None else _blocks(corp, corp.n, limit),
    )


def _at_edges(counts: Counts, thresholds: Iterable[float], limit: int) -> Curves:
    points = cumulate(counts)
    kept = which_points(points, pool(counts), thresholds, limit)
    has_lr = carries_lr(counts.scale, counts.prior)
    return Curves(operating_points=operating_points(points, kept), tippett=_tippett(counts, points, kept, has_lr))


def _tippett(counts: Counts, points: Cumulative, kept: Indices, has_lr: bool) -> Tippett | None:
    return select(tippett(counts), points.score.size - kept[1:-1][::-1]) if has_lr else None


def _bayes_thresholds(counts: Counts) -> list[float]:
    """The thresholds of theory at the priors of the curves, which readers look costs up for."""
    odds = log10_odds_grid(None, finite=True).tolist()
    return [threshold_of_log10_lr(-one, counts.scale, counts.prior) for one in odds]


def points_of(counts: Counts, thresholds: Iterable[float], limit: int = LIMIT) -> Curves:
    """Operating points alone; nothing without both classes."""
    if not (counts.total_target and counts.total_nontarget):
        return Curves()
    counts = at_edges(counts)
    points = cumulate(counts)
    return Curves(operating_points=operating_points(points, which_points(points, pool(counts), thresholds, limit)))


def with_points(groups: Sequence[GroupRecord], parts: Sequence[Part], plan: Plan) -> list[GroupRecord]:
    """Give groups their operating points where the grouping has no more than one plot can tell apart."""
    number = Counter(part.grouping for part in parts)
    return [
        replace(group, curves=points_of(part.counts, plan.at, GROUP_LIMIT)) if number[part.grouping] <= DRAWN else group
        for group, part in zip(groups, parts, strict=True)
    ]


def limit_of(systems: int) -> int:
    """Points of each of several systems: of more than three as many as of a group, since all are drawn on one plot."""
    return LIMIT if systems <= 3 else GROUP_LIMIT


def _blocks(curve: B, n: AnyArray, limit: int) -> B:
    """At most ``limit`` of the blocks of pooling, at equal steps of their ``n`` trials; both ends among them."""
    come = np.cumsum(n) - n[0]
    return select(curve, evenly(come.__getitem__, come.size, limit))

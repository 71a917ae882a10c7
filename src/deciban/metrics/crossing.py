"""Where the two error rates cross, on three curves: between which two points, in counts."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace

import numpy as np

from deciban.errors import UndefinedMetricError
from deciban.passes.cumulative import Cumulative
from deciban.passes.pool import Pooled
from deciban.values.ratio import divide

Tally = int | float


@dataclass(frozen=True, slots=True)
class Point:
    """An operating point in counts: missed targets, false alarms, the threshold.

    The threshold is None where no threshold reaches the point: reject-all, when inf is itself a score.
    """

    fn: Tally
    fp: Tally
    threshold: float | None


@dataclass(frozen=True, slots=True)
class Crossing:
    """Two neighbouring points between which p_miss − p_fa changes sign, and the class totals.

    ``strict`` has the higher threshold and p_miss >= p_fa, ``lax`` the lower and p_miss <= p_fa.
    """

    strict: Point
    lax: Point
    n1: Tally
    n0: Tally

    def gap(self, point: Point) -> Tally:
        """(p_miss − p_fa)·N1·N0: an integer unless weighted."""
        return point.fn * self.n0 - point.fp * self.n1

    def rates(self, point: Point) -> tuple[float, float]:
        """p_miss and p_fa of a point."""
        return divide(point.fn, self.n1), divide(point.fp, self.n0)

    def on_line(self) -> float:
        """The rate where the straight line between the two points meets p_miss = p_fa."""
        strict, lax = self.gap(self.strict), self.gap(self.lax)
        fp = self.strict.fp * (strict - lax) + strict * (self.lax.fp - self.strict.fp)
        low, high = divide(self.strict.fp, self.n0), divide(self.lax.fp, self.n0)
        # With weights the division may round out of the segment.
        return min(max(divide(fp, self.n0 * (strict - lax)), low), high)


def step_crossing(points: Cumulative) -> Crossing:
    """Where p_miss − p_fa changes sign on the step ROC; ``lax`` is the point with equal rates if there is one."""
    n1, n0 = points.total_target, points.total_nontarget
    lax = bisect_left(
        range(points.tp.size), 0, key=lambda i: points.fp[i].item() * n1 - (n1 - points.tp[i].item()) * n0
    )
    return Crossing(_point(points, lax - 1), _point(points, lax), n1, n0)


def hull_crossing(pooled: Pooled) -> Crossing:
    """Where p_miss − p_fa changes sign on the ROC convex hull."""
    n1, n0 = pooled.total_target, pooled.total_nontarget
    fn, fp = pooled.hull()
    lax = bisect_left(range(fn.size), 0, key=lambda i: fp[i].item() * n1 - fn[i].item() * n0)
    reject_all = [None if np.isposinf(pooled.high[-1]) else np.inf]
    threshold = reject_all + pooled.low[::-1].tolist()
    strict_point, lax_point = (Point(fn[i].item(), fp[i].item(), threshold[i]) for i in (lax - 1, lax))
    return Crossing(strict_point, lax_point, n1, n0)


def _point(points: Cumulative, index: int) -> Point:
    fn = points.total_target - points.tp[index].item()
    reachable = index > 0 or points.reject_all_reachable
    return Point(fn, points.fp[index].item(), points.threshold_at(index) if reachable else None)


def _in_trials(points: Cumulative) -> Cumulative:
    """The points in whole trials, where whole weights are trials that were repeated."""
    if not points.weighted:
        return points
    if any((sums != np.rint(sums)).any() for sums in (points.tp, points.fp)):
        raise UndefinedMetricError("this EER steps through single trials: weights must be whole numbers", "weighted")
    tp, fp = (sums.astype(np.int64) for sums in (points.tp, points.fp))
    return replace(points, tp=tp, fp=fp, total_target=int(tp[-1]), total_nontarget=int(fp[-1]))


def trial_crossing(points: Cumulative) -> Crossing:
    """Where p_miss − p_fa changes sign when trials are rejected one at a time, from accept-all upwards.

    Among equal scores targets are rejected before nontargets. ``lax`` has p_miss < p_fa, ``strict`` is one trial
    further; thresholds are the scores of the last trial rejected.
    """
    points = _in_trials(points)
    n1, n0 = points.total_target, points.total_nontarget
    around = bisect_left(
        range(points.tp.size), 1, key=lambda i: points.fp[i].item() * n1 - (n1 - points.tp[i].item()) * n0
    )
    # The block between these two points holds the crossing; ``entered`` is the score below it.
    rejected, accepted = _point(points, around - 1), _point(points, around)
    entered = points.threshold_at(around + 1)
    k1 = rejected.fn - accepted.fn
    short = accepted.fp * n1 - accepted.fn * n0
    by_targets = -(-short // n0)
    targets: Tally
    nontargets: Tally
    if by_targets <= k1:
        targets, nontargets = by_targets, 0
        lax = Point(accepted.fn + targets - 1, accepted.fp, accepted.threshold if targets > 1 else entered)
    else:
        targets, nontargets = k1, -(-(short - k1 * n0) // n1)
        alone = targets + nontargets == 1
        lax = Point(accepted.fn + k1, accepted.fp - nontargets + 1, entered if alone else accepted.threshold)
    strict = Point(accepted.fn + targets, accepted.fp - nontargets, accepted.threshold)
    return Crossing(strict, lax, n1, n0)

"""Brackets of figures of the order of scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

import numpy as np

from deciban.counts.counts import Counts
from deciban.metrics.brackets.ends import ROUNDING, Ends, bucketed, exactly
from deciban.metrics.brackets.view import View
from deciban.metrics.crossing import Crossing, Point, step_crossing
from deciban.metrics.eer import METHODS, EqualError, fvc_interval
from deciban.metrics.largest_difference import extremes
from deciban.metrics.spec import Spec, run_body, run_pass
from deciban.passes.cumulative import cumulate, running
from deciban.passes.pool import pool
from deciban.values.arrays import AnyArray, Floats

Options = Mapping[str, object]
Number = float | Fraction

ON_THE_CURVE: Final = ("rocch", "interpolated", "nist")
"""EERs where a connected path from reject-all to accept-all meets p_miss = p_fa: the hull, the joined points, single
trials. The path of scores in buckets lies between those of the best and worst order, and so does the place where it
falls through the diagonal."""


def ordered(view: View, spec: Spec, options: Options) -> Ends:
    """Bracket a figure that never falls (or never rises) as the ROC curve rises: it is that of the two orders.

    True of areas below the curve or below the precision that it gives at each recall; of the least cost over its hull
    at one prior, hence of the least Cllr, the mean of such costs over priors; of the largest recall − p_fa, attained at
    a vertex of the hull; and of the smallest rate at a rate, which the best order reaches with all targets of a bucket
    and none of its nontargets, and the worst order the other way round.
    """
    if spec.name == "cllr_min" and options["laplace"]:
        raise bucketed("cllr_min:laplace=true", "Laplace's LRs are no least cost over the ROC, so buckets give no ends")
    one, other = (value_of(view.arranged(best=best), spec, options) for best in (True, False))
    return between(one, other)


def between(one: Number, other: Number) -> Ends:
    """Ends from the values that the two orders give."""
    low, high = min(one, other), max(one, other)
    if isinstance(low, Fraction) and isinstance(high, Fraction):
        return exactly(low, high)
    return Ends(low, high, low == high, ROUNDING, ROUNDING)


def value_of(counts: Counts, spec: Spec, options: Options) -> Number:
    """The figure of counts that are not in buckets, as a fraction where it is one."""
    results = [run_pass(function, counts, options, spec.exact) for function in spec.passes]
    value: Number = run_body(spec, results, options, spec.exact)
    return value


def eer(view: View, spec: Spec, options: Options) -> Ends:
    """Bracket the EER: see :data:`ON_THE_CURVE`, and for the nearest points :func:`_near`."""
    method = str(options["method"])
    if method in ON_THE_CURVE:
        return ordered(view, spec, options)
    found = _near(view, method)
    if isinstance(found, EqualError):
        return exactly(Fraction(found.value), Fraction(found.value))
    cross, corners = found
    rates = [cross.rates(corner) for corner in corners]
    low, high = (Fraction(max(both) if method == "nearest-max" else _mean(both)) for both in rates)
    return exactly(low, high)


def eer_fvc_part(part: str) -> Callable[[View, Spec, Options], Ends]:
    """Bracket a part of FVC2000's interval: the smaller rate, the larger or the mean at one of the two points."""

    def rule(view: View, spec: Spec, options: Options) -> Ends:
        found = _near(view, "fvc")
        if isinstance(found, EqualError):
            value = Fraction(getattr(fvc_interval(cumulate(view.counts))[0], part))
            return exactly(value, value)
        cross, ends = found
        low, high = (Fraction(OF_BOTH[part](cross.rates(end))) for end in ends)
        return exactly(low, high)

    return rule


def _mean(both: tuple[float, float]) -> float:
    return sum(both) / 2


OF_BOTH: Final[dict[str, Callable[[tuple[float, float]], float]]] = {"low": min, "high": max, "mean": _mean}
"""What each part of FVC2000's interval is of the two rates at its point."""


def _near(view: View, method: str) -> EqualError | tuple[Crossing, tuple[Point, Point]]:
    """The EER of a point next to where p_miss = p_fa is crossed, or the corners between which that point lies.

    The crossing is in one bucket, whose two ends are points whatever the scores were: so the points next to it are
    within the rectangle between them, where the rates are least in the upper left corner and largest in the lower
    right one. An end with equal rates, a bucket of one trial or of one known score leaves nothing open.
    """
    counts = view.counts
    points = cumulate(counts)
    cross = step_crossing(points)
    strict, lax = cross.strict, cross.lax
    # All scores are accepted at the last of them already, so the point has a score as its threshold.
    at = int(np.searchsorted(counts.score, -np.inf if lax.threshold is None else lax.threshold))
    alone = (strict.fn - lax.fn) + (lax.fp - strict.fp) == 1
    if cross.gap(lax) == 0 or alone or not view.wide[at]:
        return METHODS[method](points, pool(counts))
    return cross, (Point(lax.fn, strict.fp, None), Point(strict.fn, lax.fp, None))


def ks(view: View, spec: Spec, options: Options) -> Ends:
    """Bracket the larger of max(recall − p_fa), which rises with the ROC curve, and max(p_fa − recall), which falls."""
    (down_best, up_best), (down_worst, up_worst) = (
        extremes(cumulate(view.arranged(best=best))) for best in (True, False)
    )
    pairs = int(view.counts.total_target * view.counts.total_nontarget)
    least, most = max(int(up_worst), -int(down_best)), max(int(up_best), -int(down_worst))
    return exactly(Fraction(least, pairs), Fraction(most, pairs))


def average_precision(view: View, spec: Spec, options: Options) -> Ends:
    """Bracket Σ precision at each target's score / N1, target by target.

    With TP and FP accepted above a bucket of k targets and m nontargets, the j-th of the targets has at least j of them
    and at most all m nontargets at or above it, precision (TP + j)/(TP + j + FP + m) or more, and at most all k and no
    nontarget: (TP + k)/(TP + k + FP). Both are reached by all at once. The sum over j is concave in j and bounded from
    below by its integral from 1/2 to k + 1/2, or by the chord, which is exact for one or two.
    """
    counts = view.counts
    counts.require_both_classes("average precision")
    n_target, n_nontarget = counts.n_target[::-1], counts.n_nontarget[::-1]
    step = np.flatnonzero(n_target > 0)
    k: Floats = n_target[step].astype(np.float64)
    above: AnyArray = np.cumsum(n_target[step]) - k
    fp = running(n_nontarget, counts.total_nontarget)
    before, after = fp[step].astype(np.float64), fp[step + 1].astype(np.float64)
    tied = ~view.wide[::-1][step]
    most = k * _share(k + above, np.where(tied, after, before))
    least = np.where(tied, most, _least_sum(k, above, after))
    low, high = (float(each.sum()) / counts.total_target for each in (least, most))
    return Ends(low, high, bool((least == most).all()), ROUNDING, ROUNDING)


def _least_sum(k: Floats, above: Floats, fp: Floats) -> Floats:
    """A lower bound of Σ_j (above + j)/(above + j + fp) for j = 1, …, k."""
    chord = k * ((_share(above + 1.0, fp) + _share(above + k, fp)) / 2.0)
    integral = k - fp * np.log1p(k / (above + fp + 0.5))
    return np.where(k <= 2.0, chord, np.maximum(chord, integral))


def _share(tp: Floats, fp: Floats) -> Floats:
    return np.asarray(tp / (tp + fp))

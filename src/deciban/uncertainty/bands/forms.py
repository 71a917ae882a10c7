"""Closed limits at many places: of rates, of weighted sums of two rates, of costs of likelihood ratios."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Final

from deciban.counts.counts import Counts
from deciban.errors import UndefinedMetricError
from deciban.passes.confusion_matrix import error_at
from deciban.uncertainty.bands.plan import Closed, Ends
from deciban.uncertainty.cost_intervals import cross_entropy_interval
from deciban.uncertainty.proportion import clopper_pearson, wilson_ends
from deciban.uncertainty.recovery import sum_ends
from deciban.values.arrays import AnyArray, Floats

RATES: Final[dict[str, Callable[[AnyArray, AnyArray, float, float], tuple[AnyArray, AnyArray | float]]]] = {
    "accuracy": lambda tp, fp, n1, n0: (tp + n0 - fp, n1 + n0),
    "precision": lambda tp, fp, n1, n0: (tp, tp + fp),
    "recall": lambda tp, fp, n1, n0: (tp, n1),
    "specificity": lambda tp, fp, n1, n0: (n0 - fp, n0),
    "npv": lambda tp, fp, n1, n0: (n0 - fp, n1 - tp + n0 - fp),
    "p_miss": lambda tp, fp, n1, n0: (n1 - tp, n1),
    "p_fa": lambda tp, fp, n1, n0: (fp, n0),
}
"""Ratios of the confusion matrix that are a share: how many of how many."""


def wilson_all(k: AnyArray, n: AnyArray | float) -> Closed:
    """Wilson's interval of k of n at each place; none where n is 0."""
    return lambda level: [wilson_ends(a, b, level) if b > 0 else None for a, b in _pairs(k, n)]


def clopper_pearson_all(k: AnyArray, n: AnyArray) -> Closed:
    """Clopper and Pearson's interval of k of n at each place; none where n is 0."""

    def ends(a: float, b: float, level: float) -> Ends:
        found = clopper_pearson(a, b, level)
        return found.low, found.high

    return lambda level: [ends(a, b, level) if b > 0 else None for a, b in _pairs(k, n)]


def scaled(closed: Closed, factor: float) -> Closed:
    """Limits times a number above 0: of a share as limits of a number of trials."""
    return lambda level: [None if ends is None else (factor * ends[0], factor * ends[1]) for ends in closed(level)]


def of_false_alarms(
    fp: AnyArray, n_nontarget: float, figure: Callable[[int, float], float], defined: AnyArray
) -> Closed:
    """Limits of a figure that falls with p_fa, by Wilson's interval of that; ``figure`` takes the place and p_fa."""

    def limits(level: float) -> list[Ends | None]:
        found: list[Ends | None] = []
        for where, (k, has) in enumerate(zip(fp.tolist(), defined.tolist(), strict=True)):
            low, high = wilson_ends(k, n_nontarget, level)
            found.append((figure(where, high), figure(where, low)) if has else None)
        return found

    return limits


def sums_of_rates(weights: Iterable[Ends], target: AnyArray, nontarget: AnyArray, counts: Counts) -> Closed:
    """w1·(share of targets) + w0·(share of nontargets) at each place, by the method of variance estimates recovery.

    θ ∓ √Σ(w·p − end of w·p)², with the ends by Wilson (Zou and Donner, 2008): never of zero width, also without errors.
    """
    pairs = list(weights)

    def limits(level: float) -> list[Ends | None]:
        found: list[Ends | None] = []
        for (w1, w0), k1, k0 in zip(pairs, target.tolist(), nontarget.tolist(), strict=True):
            parts = ((w1, k1, counts.total_target), (w0, k0, counts.total_nontarget))
            found.append(_mover([part for part in parts if part[0] != 0.0], level))
        return found

    return limits


def _mover(parts: list[tuple[float, float, float]], level: float) -> Ends | None:
    """Limits of Σ w·k/n; none where a weight is no double or the rate of a class without trials would matter."""
    if not parts or any(math.isinf(w) or n == 0 for w, _, n in parts):
        return None
    ends = [sorted(w * end for end in wilson_ends(k, n, level)) for w, k, n in parts]
    return sum_ends((w * (k / n), low, high) for (w, k, n), (low, high) in zip(parts, ends, strict=True))


def error_weights(odds: Floats, normalise: bool) -> list[Ends]:
    """How much each of the two error rates weighs in the Bayes error at each prior."""
    return [(error_at(x, 1.0, 0.0, normalise), error_at(x, 0.0, 1.0, normalise)) for x in odds.tolist()]


def cross_entropies(counts: Counts, odds: Floats) -> Closed:
    """The interval of the empirical cross-entropy at each prior; none where it is infinite or all trials cost alike."""

    def ends(x: float, level: float) -> Ends | None:
        try:
            # Along a curve Hall's transformation jumps where one trial more or less decides a cost.
            found = cross_entropy_interval(counts, x, level, method="class-means")
        except UndefinedMetricError:
            return None
        return found.low, found.high

    return lambda level: [ends(x, level) for x in odds.tolist()]


def _pairs(k: AnyArray, n: AnyArray | float) -> Iterable[tuple[float, float]]:
    totals = [n] * k.size if isinstance(n, (int, float)) else n.tolist()
    return zip(k.tolist(), totals, strict=True)

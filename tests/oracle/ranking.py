"""Ranking and threshold figures in exact fractions, over every pair of trials or every threshold."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, pairwise
from typing import NamedTuple


class Trial(NamedTuple):
    """A score, its class and its weight."""

    score: float
    is_target: bool
    weight: Fraction = Fraction(1)


Trials = list[Trial]


class Point(NamedTuple):
    """The error rates of a rule, and the threshold of the rule (None: reject all, −inf: accept all)."""

    p_miss: Fraction
    p_fa: Fraction
    threshold: float | None

    @property
    def mean(self) -> Fraction:
        return (self.p_miss + self.p_fa) / 2

    @property
    def gap(self) -> Fraction:
        return abs(self.p_miss - self.p_fa)


def weigh(trials: Iterable[Trial]) -> Fraction:
    return sum((t.weight for t in trials), Fraction(0))


def targets(trials: Trials) -> Trials:
    return [t for t in trials if t.is_target]


def nontargets(trials: Trials) -> Trials:
    return [t for t in trials if not t.is_target]


def table(trials: Trials, threshold: float | None) -> dict[str, Fraction]:
    """tp, fp, fn, tn of the rule "accept when score >= threshold"."""
    accepted = [t for t in trials if threshold is not None and t.score >= threshold]
    rejected = [t for t in trials if threshold is None or t.score < threshold]
    return {
        "tp": weigh(targets(accepted)),
        "fp": weigh(nontargets(accepted)),
        "fn": weigh(targets(rejected)),
        "tn": weigh(nontargets(rejected)),
    }


def point(trials: Trials, threshold: float | None) -> Point:
    n = table(trials, threshold)
    return Point(n["fn"] / (n["tp"] + n["fn"]), n["fp"] / (n["fp"] + n["tn"]), threshold)


def points(trials: Trials) -> list[Point]:
    """Reject-all, each distinct score downwards, accept-all."""
    scores = sorted({t.score for t in trials if t.weight > 0}, reverse=True)
    return [point(trials, threshold) for threshold in (None, *scores, -math.inf)]


def pairs(trials: Trials) -> tuple[Fraction, Fraction, Fraction]:
    """Weight of the pairs that the target wins, ties, loses."""
    found = [Fraction(0)] * 3
    for t in targets(trials):
        for n in nontargets(trials):
            found[0 if t.score > n.score else 1 if t.score == n.score else 2] += t.weight * n.weight
    return found[0], found[1], found[2]


def auc(trials: Trials) -> Fraction:
    wins, ties, losses = pairs(trials)
    return (wins + ties / 2) / (wins + ties + losses)


def average_precision(trials: Trials) -> Fraction:
    n1, total, recall = weigh(targets(trials)), Fraction(0), Fraction(0)
    for threshold in sorted({t.score for t in trials if t.weight > 0}, reverse=True):
        n = table(trials, threshold)
        total += (n["tp"] / n1 - recall) * n["tp"] / (n["tp"] + n["fp"])
        recall = n["tp"] / n1
    return total


def p_miss_at(trials: Trials, p_fa: float) -> Fraction:
    """Rates are compared as doubles: 3/10 keeps within a limit written 0.3, though that double is below it."""
    return min(p.p_miss for p in points(trials) if float(p.p_fa) <= p_fa)


def p_fa_at(trials: Trials, p_miss: float) -> Fraction:
    return min(p.p_fa for p in points(trials) if float(p.p_miss) <= p_miss)


def min_cost(trials: Trials, weight_miss: Fraction, weight_fa: Fraction) -> Fraction:
    return min(weight_miss * p.p_miss + weight_fa * p.p_fa for p in points(trials))


def eer_rocch(trials: Trials) -> Fraction:
    """Least maximum of the two rates over all mixtures of two rules: no hull is built."""

    def best(a: Point, b: Point) -> Fraction:
        values = [max(a.p_miss, a.p_fa), max(b.p_miss, b.p_fa)]
        gap_a, gap_b = a.p_miss - a.p_fa, b.p_miss - b.p_fa
        if gap_a * gap_b < 0:
            values.append(a.p_fa + (b.p_fa - a.p_fa) * gap_a / (gap_a - gap_b))
        return min(values)

    return min(best(a, b) for a, b in combinations(points(trials), 2))


def bayes_error_peak(trials: Trials) -> Fraction:
    """Maximum over priors of the least expected error: concave and piecewise linear, so tried where pieces meet."""
    rules = points(trials)
    priors = {Fraction(0), Fraction(1)}
    for a, b in combinations(rules, 2):
        slope = (a.p_miss - a.p_fa) - (b.p_miss - b.p_fa)
        if slope != 0 and 0 <= (b.p_fa - a.p_fa) / slope <= 1:
            priors.add((b.p_fa - a.p_fa) / slope)
    return max(min(p * r.p_miss + (1 - p) * r.p_fa for r in rules) for p in priors)


def eer_interpolated(trials: Trials) -> Fraction:
    return _meeting(points(trials)[::-1])


def eer_nearest(trials: Trials, last: bool = False) -> Point:
    """The point of least difference; of several the lowest threshold, or the highest."""
    rising = points(trials)[::-1]
    least = min(p.gap for p in rising)
    return [p for p in rising if p.gap == least][-1 if last else 0]


def eer_fvc(trials: Trials) -> tuple[Fraction, Fraction, Fraction]:
    rising = points(trials)[::-1]
    t1 = [p for p in rising if p.p_miss <= p.p_fa][-1]
    t2 = next(p for p in rising if p.p_miss >= p.p_fa)
    first = t1.p_miss + t1.p_fa <= t2.p_miss + t2.p_fa
    low, high = (t1.p_miss, t1.p_fa) if first else (t2.p_fa, t2.p_miss)
    return low, high, (low + high) / 2


def trial_points(trials: Trials) -> list[Point]:
    """From accept-all, one trial rejected at a time, targets before nontargets among equal scores."""
    n1, n0 = len(targets(trials)), len(nontargets(trials))
    fn, fp, path = 0, n0, [Point(Fraction(0), Fraction(1), -math.inf)]
    for t in sorted(trials, key=lambda t: (t.score, not t.is_target)):
        fn, fp = fn + t.is_target, fp - (not t.is_target)
        path.append(Point(Fraction(fn, n1), Fraction(fp, n0), t.score))
    return path


def eer_asvspoof(trials: Trials) -> Point:
    return min(trial_points(trials), key=lambda p: p.gap)


def eer_nist(trials: Trials) -> Fraction:
    return _meeting(trial_points(trials))


def _meeting(rising: list[Point]) -> Fraction:
    """Where straight lines between neighbouring points first meet p_miss = p_fa, coming from accept-all."""
    for a, b in pairwise(rising):
        if b.p_miss >= b.p_fa:
            before, after = a.p_fa - a.p_miss, b.p_miss - b.p_fa
            return a.p_fa + (b.p_fa - a.p_fa) * before / (before + after)
    raise AssertionError("the rates never meet")

"""Mean costs of likelihood ratios at many priors: buckets with moments instead of every LR at every prior.

Both costs are means of f(x) = ln(1 + e^x): of x = ℓ + θ over nontargets and of x = −ℓ − θ over targets. LRs are put in
buckets of half-width h = 1/32; about the middle c of a bucket, f(c + θ + δ) = Σ_k f⁽ᵏ⁾(c + θ)·δᵏ/k!, so that the
moments Σ w·δᵏ up to k = 6 are all a prior needs.

The remainder is f⁽⁷⁾(ξ)·δ⁷/7!. With s = f′ the logistic function, f⁽⁷⁾ = s(1 − s)·Σ ±A(6, k)·sᵏ(1 − s)⁵⁻ᵏ with the
Eulerian numbers A(6, k) = 1, 57, 302, 302, 57, 1; that sum is at most 22.5 in size, s(1 − s) <= f, and f(ξ) is at most
e^h·f(x). So every term, and with it their sum, is off by less than 22.5·e^h·h⁷/7! = 1.4·10⁻¹³ of itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from deciban.counts.counts import Counts
from deciban.passes.evidence import UNIT, ClassCosts, class_costs
from deciban.values.arrays import AnyArray, Floats
from deciban.values.log_domain import chunks, expit, softplus
from deciban.values.scale import to_ln_lr

PER_UNIT: Final = 16
"""Buckets per unit of ln LR; a power of two, so that middles and distances from them are exact."""

ORDER: Final = 6
LARGEST_MIDDLE: Final = 2.0**46
"""Beyond it an LR is its own bucket: doubles are too coarse there for buckets to hold more than a few."""

LINEAR: Final = 40.0
"""Above it f(x) is x to the last bit."""

DIRECT: Final = 1 << 20
"""So many costs are computed one by one: that takes less than a tenth of a second and needs no expansion."""


@dataclass(frozen=True, slots=True, eq=False)
class _Buckets:
    """One class: middles in increasing order, and moments (of shares of the class) divided by k!, shape (7, b)."""

    middle: Floats
    moments: Floats
    infinite: float

    def mean_cost(self, theta: float) -> float:
        """Mean of f(x) at a shift ``theta`` of all x; the share at x = inf costs inf, that at −inf nothing."""
        if self.infinite > 0.0:
            return math.inf
        if self.middle.size == 0:
            return 0.0
        x = self.middle + theta
        start, linear = np.searchsorted(x, [self._negligible_below(float(x[-1])), LINEAR])
        near = slice(start, linear)
        terms = [float(moment[near] @ f) for moment, f in zip(self.moments, _derivatives(x[near]), strict=True)]
        far = float(self.moments[0, linear:] @ x[linear:] + self.moments[1, linear:].sum())
        return math.fsum(terms) + far

    def _negligible_below(self, top: float) -> float:
        """Below this all costs together are less than 2^−60 of the cost of the topmost bucket alone."""
        return min(top, 0.0) - 42.0 + math.log(float(self.moments[0, -1]) / float(self.moments[0].sum()))


def _derivatives(x: Floats) -> Iterator[Floats]:
    """Softplus and its derivatives up to the sixth, none losing digits where all of them are small."""
    s, rest = expit(x), expit(-x)
    p, d = s * rest, rest - s
    yield softplus(x)
    yield s
    yield p
    yield p * d
    yield p * (1.0 - 6.0 * p)
    yield p * d * (1.0 - 12.0 * p)
    yield p * (1.0 - 30.0 * p + 120.0 * p * p)


def counts_costs(counts: Counts, thetas: Floats) -> list[ClassCosts]:
    """Costs of the LRs of the counts at each prior log-odds."""
    to_ln_lr(counts.score[:1], counts.scale, counts.prior)
    counts.require_both_classes("a cost of likelihood ratios")
    if counts.n_distinct * thetas.size <= DIRECT:
        return [class_costs(counts, theta) for theta in thetas.tolist()]
    parts = (
        (to_ln_lr(counts.score[part], counts.scale, counts.prior), counts.n_target[part], counts.n_nontarget[part])
        for part in chunks(counts.n_distinct)
    )
    return bucketed_costs(parts, counts.total_target, counts.total_nontarget, thetas)


def bucketed_costs(
    parts: Iterator[tuple[Floats, AnyArray, AnyArray]], n_target: float, n_nontarget: float, thetas: Floats
) -> list[ClassCosts]:
    """Costs of (ln LR, targets, nontargets), given in parts in increasing order, at each prior log-odds."""
    target, nontarget = _fill(parts, n_target, n_nontarget)
    return [ClassCosts(target.mean_cost(-theta) / UNIT, nontarget.mean_cost(theta) / UNIT) for theta in thetas.tolist()]


def _fill(
    parts: Iterator[tuple[Floats, AnyArray, AnyArray]], n_target: float, n_nontarget: float
) -> tuple[_Buckets, _Buckets]:
    """Put both classes in buckets, one part after another; a bucket that two parts share stays two."""
    middles: list[Floats] = []
    moments: tuple[list[Floats], list[Floats]] = ([], [])
    infinite = [0.0, 0.0]
    for ln_lr, targets, nontargets in parts:
        finite = np.isfinite(ln_lr)
        infinite[0] += float(targets[ln_lr == -np.inf].sum()) / n_target
        infinite[1] += float(nontargets[ln_lr == np.inf].sum()) / n_nontarget
        if not finite.any():
            continue
        x = ln_lr[finite]
        middle = (np.floor(x.clip(-LARGEST_MIDDLE, LARGEST_MIDDLE) * PER_UNIT) + 0.5) / PER_UNIT
        middle = np.where(np.abs(x) < LARGEST_MIDDLE, middle, x)
        starts = np.flatnonzero(np.concatenate([[True], middle[1:] != middle[:-1]]))
        middles.append(middle[starts])
        x -= middle
        moments[0].append(_moments(-x, targets[finite] / n_target, starts))
        moments[1].append(_moments(x, nontargets[finite] / n_nontarget, starts))
    centre = np.concatenate([np.empty(0), *middles])
    return (
        _buckets(-centre[::-1], moments[0][::-1], infinite[0], reverse=True),
        _buckets(centre, moments[1], infinite[1], reverse=False),
    )


def _moments(delta: Floats, weight: Floats, starts: AnyArray) -> Floats:
    """Σ w·δᵏ/k! over each bucket, for k = 0 … 6."""
    rows = np.empty((ORDER + 1, starts.size))
    for k in range(ORDER + 1):
        rows[k] = np.add.reduceat(weight, starts)
        weight *= delta
        weight /= k + 1
    return rows


def _buckets(middle: Floats, parts: list[Floats], infinite: float, *, reverse: bool) -> _Buckets:
    """Join the parts and leave out buckets without trials of the class."""
    moments = np.concatenate(
        [np.empty((ORDER + 1, 0)), *(part[:, ::-1] if reverse else part for part in parts)], axis=1
    )
    has = moments[0] > 0.0
    return _Buckets(middle[has], np.ascontiguousarray(moments[:, has]), infinite)

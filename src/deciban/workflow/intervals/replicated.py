"""The figures of an evaluation as the statistic of a bootstrap.

Any figures are computed by :func:`~deciban.workflow.compute.values`, which runs every pass once. When nothing is asked
but AUC, EER, average precision, Cllr and its two parts, :class:`FastFigures` gives the same values several times
faster: it works on what was drawn of each class, on the few points of the ROC that can be corners of its hull, and on
costs of the scores that are computed once for all replicates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from deciban.errors import UndefinedMetricError
from deciban.metrics.crossing import Crossing, Point
from deciban.metrics.expression import parse
from deciban.passes.evidence import UNIT, cost
from deciban.passes.pool import ROUNDS, pool_one_by_one
from deciban.uncertainty.bootstrap.replicate import Blocks, Replicate, Statistic
from deciban.values.arrays import AnyArray, Floats
from deciban.values.scale import carries_lr
from deciban.workflow.compute import Step, steps_for, values

FAST = ("auc", "eer", "average_precision", "cllr", "cllr_min", "cllr_cal")
NAN = float("nan")


@dataclass(frozen=True, slots=True)
class Figures:
    """Makes the statistic of some of the figures of an evaluation, in the fastest way there is for them.

    Attributes
    ----------
    blocks
        The observed counts, of which replicates will be drawn.
    p_target
        Prior of posteriors; the same in every replicate, since it belongs to the question.
    """

    blocks: Blocks
    p_target: float | None

    def __call__(self, names: Sequence[str]) -> Statistic:
        """Return the function that gives these figures, named by their expressions."""
        if not self.blocks.counts.weighted and set(names) <= set(FAST):
            return FastFigures(self.blocks, names)
        return _Computed(tuple(names), self.p_target)


@dataclass(frozen=True, slots=True)
class _Computed:
    """Any figures; expressions are read anew in each process, since what is in them cannot be sent to another."""

    names: tuple[str, ...]
    p_target: float | None

    def __call__(self, replicate: Replicate) -> list[float]:
        found = values(_steps(self.names, self.p_target), replicate.counts())
        return [NAN if isinstance(found[name], UndefinedMetricError) else found[name] for name in self.names]


@lru_cache(maxsize=8)  # every replicate asks for the same
def _steps(names: tuple[str, ...], p_target: float | None) -> tuple[Step, ...]:
    return steps_for([expression for name in names for expression in parse(name)], p_target, exact=False)


class FastFigures:
    """AUC, EER, average precision, Cllr, min Cllr and their difference, of unweighted replicates of the same counts."""

    def __init__(self, blocks: Blocks, names: Sequence[str]) -> None:
        counts = blocks.counts
        self.names = list(names)
        # How many scores of nontargets lie below each score of targets; the targets' scores that are among them.
        self.below = np.searchsorted(blocks.nontarget_at, blocks.target_at)
        self.tied = np.flatnonzero(counts.n_nontarget[blocks.target_at])
        self.corners = None if {"eer", "cllr_min", "cllr_cal"}.isdisjoint(names) else _corners(blocks)
        self.costs: tuple[_Costs, _Costs] | None = None
        if not {"cllr", "cllr_cal"}.isdisjoint(names) and carries_lr(counts.scale, counts.prior):
            ln_lr = counts.ln_lr()
            self.costs = _Costs(cost(-ln_lr[blocks.target_at])), _Costs(cost(ln_lr[blocks.nontarget_at]))

    def __call__(self, replicate: Replicate) -> list[float]:
        """Return the figures asked for; NaN where a class is absent or the scores are not LRs."""
        n_target, n_nontarget = replicate.n_target, replicate.n_nontarget
        fn, tn = _running(n_target), _running(n_nontarget)
        n1, n0 = fn[-1].item(), tn[-1].item()
        if n1 == 0 or n0 == 0:
            return [NAN] * len(self.names)
        lower = tn[self.below]
        tied = n_target[self.tied], n_nontarget[self.below[self.tied]]
        found = {
            "auc": (2 * np.dot(n_target, lower).item() + np.dot(*tied).item()) / (2 * n1 * n0),
            "average_precision": _average_precision(n_target, n1 - fn[:-1], n0 - lower, n1),
        }
        if self.costs is not None:
            found["cllr"] = self.costs[0].mean(n_target, n1) + self.costs[1].mean(n_nontarget, n0)
        if self.corners is not None:
            hull = _hull(fn[self.corners[0]], tn[self.corners[1]])
            found["eer"], found["cllr_min"] = _eer(*hull), _cllr_min(*hull)
            if self.costs is not None:
                # Below 0 there is rounding only: identity is an increasing map too, and PAV the best of them.
                found["cllr_cal"] = max(found["cllr"] - found["cllr_min"], 0.0)
        return [found.get(name, NAN) for name in self.names]


class _Costs:
    """What each score of a class costs: the terms of a mean whose weights alone change."""

    def __init__(self, costs: Floats) -> None:
        self.infinite = np.flatnonzero(np.isinf(costs))
        self.costs = costs
        if self.infinite.size:
            self.costs = np.where(np.isinf(costs), 0.0, costs)

    def mean(self, n: AnyArray, total: float) -> float:
        """Mean in bits over what was drawn; a score that was not drawn costs nothing, whatever it would."""
        if self.infinite.size and n[self.infinite].any():
            return float("inf")
        with np.errstate(over="ignore"):
            # Not a dot product: BLAS would start threads for it, which wait for one another on a busy machine.
            share = float((n * self.costs).sum()) / total
        # Costs near the largest double: their sum overflows, their mean does not.
        return share if np.isfinite(share) else float((n / total * self.costs).sum())


def _running(n: AnyArray) -> AnyArray:
    """Sums of the first 0, 1, … members."""
    sums: AnyArray = np.zeros(n.size + 1, dtype=n.dtype)
    np.cumsum(n, out=sums[1:])
    return sums


def _average_precision(gained: AnyArray, tp: AnyArray, fp: AnyArray, n1: float) -> float:
    accepted = tp + fp
    accepted[accepted == 0] = 1  # above the highest score drawn, where nothing is gained
    return min(float((gained * (tp / accepted)).sum()) / n1, 1.0)


def _corners(blocks: Blocks) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where vertices of the hull can be, as numbers of scores of targets and of nontargets below.

    Besides the ends only between a score of nontargets and a score of targets next above it, whatever is drawn.
    """
    has_target, has_nontarget = (n > 0 for n in (blocks.counts.n_target, blocks.counts.n_nontarget))
    between = np.flatnonzero(has_nontarget[:-1] & has_target[1:]) + 1
    at = np.concatenate([[0], between, [blocks.counts.n_distinct]])
    return np.searchsorted(blocks.target_at, at), np.searchsorted(blocks.nontarget_at, at)


def _hull(fn: AnyArray, tn: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Vertices of the ROC convex hull among points in order of increasing threshold: pool adjacent violators.

    As :func:`~deciban.passes.pool.pool` does, but on sums of counts, which need not be added up again.
    """
    # Points between which no nontarget was drawn: of each such group the first is the one that can be a vertex.
    rises = np.flatnonzero(tn[1:] > tn[:-1]) + 1
    fn, tn = (np.concatenate([n[:1], n[rises], n[-1:]]) for n in (fn, tn))
    last = fn.size - 1
    if fn[last] == fn[last - 1] and tn[last] == tn[last - 1]:
        fn, tn = fn[:-1], tn[:-1]
    for _ in range(ROUNDS):
        k1, k0 = fn[1:] - fn[:-1], tn[1:] - tn[:-1]
        stays = k1[:-1] * k0[1:] < k1[1:] * k0[:-1]
        if stays.all():
            return fn, tn
        keep = np.concatenate([[True], stays, [True]])
        fn, tn = fn[keep], tn[keep]
    start = np.append(pool_one_by_one(np.diff(fn).tolist(), np.diff(tn).tolist()), fn.size - 1)
    return fn[start], tn[start]


def _eer(fn: AnyArray, tn: AnyArray) -> float:
    """Where the hull meets p_miss = p_fa, exact and rounded once."""
    n1, n0 = fn[-1].item(), tn[-1].item()
    lax = int(np.searchsorted(fn * n0 - (n0 - tn) * n1, 0, side="right")) - 1
    strict_point, lax_point = (Point(fn[i].item(), n0 - tn[i].item(), None) for i in (lax + 1, lax))
    return float(Crossing(strict_point, lax_point, n1, n0).on_line())


def _cllr_min(fn: AnyArray, tn: AnyArray) -> float:
    """Cllr of the edges' own likelihood ratios."""
    k1, k0 = (fn[1:] - fn[:-1]) / fn[-1], (tn[1:] - tn[:-1]) / tn[-1]
    mixed = (k1 > 0) & (k0 > 0)
    k1, k0 = k1[mixed], k0[mixed]
    nats = (k1 * np.log1p(k0 / k1)).sum() + (k0 * np.log1p(k1 / k0)).sum()
    return min(float(nats) / UNIT, 1.0)

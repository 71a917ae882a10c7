"""How large and how small a likelihood ratio the data can support: one search for every rule of bounds.

Every rule compares, at a threshold t, the share of one class at or beyond t with the share of the other, each with
imaginary trials added, and asks whether evidence of strength t is borne out. Between neighbouring distinct LRs the
shares are constant, so that in each stretch there is one largest t that is, and the first stretch that ends before its
far edge ends the range. Below 1 the rule is that above 1 with the classes exchanged and the LRs turned over.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from deciban.counts.counts import Counts
from deciban.errors import OptionError
from deciban.values.arrays import AnyArray, Floats
from deciban.values.scale import Scale, log10_in_unit, ratios_in_unit, threshold_of_lr, to_ln_lr

FINEST_GRID = 1e-5

RUN = 1 << 10
"""Neighbouring edges that are settled together where their evidence is ample."""

SLACK = 1e-9
"""Relative distance by which a strength must exceed an edge to count as beyond it without a closer look."""


@dataclass(frozen=True, slots=True)
class Rule:
    """The imaginary trials that a rule adds, all of them multiples of one half.

    Evidence of strength t is borne out while t · (against + ``misled``) / (N_against + 1) is at most
    (for + ``right``) / (N_for + ``total``), where *for* and *against* are the trials at or beyond t of the class that
    the evidence speaks for and of the other.

    Attributes
    ----------
    misled
        Trials added to those that the evidence misleads about.
    right
        Trials added to those that it is right about.
    total
        Trials added to the class that it is right about, wherever they lie.
    capped
        Whether a bound may not lie beyond the strongest LR that is right.
    """

    misled: float
    right: float
    total: float
    capped: bool = False


ELUB: Final = Rule(misled=1.0, right=0.0, total=1.0)
ELUB_ONE_SIDED: Final = Rule(misled=1.0, right=0.0, total=0.0)
INVARIANCE: Final = Rule(misled=0.5, right=0.5, total=1.0, capped=True)


@dataclass(frozen=True, slots=True)
class Side:
    """The LRs on one side of 1, going out from it.

    Attributes
    ----------
    edge
        Distinct scores beyond LR = 1, nearest first, in the unit of the scores, shape (u,).
    ahead_for, ahead_against
        Trials at or beyond each edge of the class that the evidence speaks for and of the other, and 0 beyond the last
        one, shape (u + 1,).
    total_for, total_against
        All trials of either.
    up
        Whether this is the side of LRs above 1.
    scale, prior
        The unit of the edges.
    """

    edge: Floats
    ahead_for: AnyArray
    ahead_against: AnyArray
    total_for: int | float
    total_against: int | float
    up: bool
    scale: Scale
    prior: float | None

    def largest(self, rule: Rule, index: slice | AnyArray) -> tuple[Floats, Floats]:
        """Numerator and denominator of the largest strength borne out in the stretches that end at some edges."""
        top = (self.ahead_for[index] + rule.right) * (self.total_against + 1.0)
        bottom = (self.ahead_against[index] + rule.misled) * (self.total_for + rule.total)
        return top, bottom

    def largest_exact(self, rule: Rule, index: int) -> Fraction:
        """The largest strength borne out in one stretch, from the counts themselves."""
        top = (Fraction(self.ahead_for[index].item()) + Fraction(rule.right)) * (Fraction(self.total_against) + 1)
        bottom = (Fraction(self.ahead_against[index].item()) + Fraction(rule.misled)) * (
            Fraction(self.total_for) + Fraction(rule.total)
        )
        return top / bottom

    def lr_at(self, index: int) -> float:
        """The LR of an edge; 1 before the first."""
        if index < 0:
            return 1.0
        if self.scale == "lr":
            return float(self.edge[index])
        with np.errstate(over="ignore", under="ignore"):
            return float(np.exp(to_ln_lr(self.edge[index : index + 1], self.scale, self.prior))[0])

    def lr_of(self, strength: Fraction) -> float:
        """The LR of a strength of evidence: itself above 1, turned over below."""
        if self.up:
            return float(strength)
        return float(1 / strength) if strength else math.inf

    def nearer(self, *lrs: float) -> float:
        """The one of several LRs that is nearest to 1 or beyond it the other way."""
        return min(lrs) if self.up else max(lrs)

    def farther(self, *lrs: float) -> float:
        """The one of several LRs that is farthest out on this side."""
        return max(lrs) if self.up else min(lrs)


Sides = tuple[Side, Side]
"""The LRs below 1 and those above."""


def supported(sides: Sides, rule: Rule, grid: float | None, what: str) -> tuple[float, float]:
    """Return the lower and the upper bound of the LRs that the data support by a rule, as LRs.

    Parameters
    ----------
    sides
        The LRs below 1 and above.
    rule
        The imaginary trials to add.
    grid
        None for the exact bound; else only the LRs whose log10 is a multiple of this step are tried, and the bound is
        the last one before the first that is not borne out.
    what
        The figure, for error messages.
    """
    if grid is not None and not FINEST_GRID <= grid <= 1.0:
        raise OptionError(f"{what}: grid must be a step of log10 LR from {FINEST_GRID:g} to 1, found {grid!r}")
    lower, upper = (_exact(side, rule) if grid is None else _on_grid(side, rule, grid) for side in sides)
    return lower, upper


def lr_sides(counts: Counts) -> Sides:
    """Part the LRs at 1 and count the trials beyond each: the pass behind every rule of bounds."""
    one = threshold_of_lr(1.0, counts.scale, counts.prior)
    counts.require_both_classes("a bound of the LRs")
    down = int(np.searchsorted(counts.score, one, side="left"))
    up = int(np.searchsorted(counts.score, one, side="right"))
    n1, n0, unit = counts.total_target, counts.total_nontarget, (counts.scale, counts.prior)
    below = slice(down - 1, None, -1) if down else slice(0, 0)
    for_nontarget, for_target = _ahead(counts.n_nontarget[below]), _ahead(counts.n_target[up:])
    return (
        Side(counts.score[below], for_nontarget, _ahead(counts.n_target[below]), n0, n1, False, *unit),
        Side(counts.score[up:], for_target, _ahead(counts.n_nontarget[up:]), n1, n0, True, *unit),
    )


def _ahead(n: AnyArray) -> AnyArray:
    """Sums from each place to the end, and 0."""
    ahead = np.empty(n.size + 1, dtype=n.dtype)
    ahead[-1] = 0
    np.cumsum(n[::-1], out=ahead[-2::-1])
    return ahead


def _exact(side: Side, rule: Rule) -> float:
    """The bound by the definition: from the first stretch whose far edge is not borne out."""
    stop = _first_not_borne_out(side, rule)
    largest = side.largest_exact(rule, stop)
    return _capped(side, rule, side.farther(side.lr_of(largest), side.lr_at(stop - 1)))


def _first_not_borne_out(side: Side, rule: Rule) -> int:
    """Index of the first edge that lies beyond what its stretch bears out; the number of edges when none does."""
    for part in _in_doubt(side, rule):
        top, bottom = side.largest(rule, part)
        if side.up:
            reached = ratios_in_unit(top, bottom, side.scale, side.prior) >= side.edge[part]
        else:
            reached = ratios_in_unit(bottom, top, side.scale, side.prior) <= side.edge[part]
        if not reached.all():
            return int(part.start + np.argmin(reached))
    return int(side.edge.size)


def _in_doubt(side: Side, rule: Rule) -> Iterator[slice]:
    """The runs of neighbouring edges, going out, that are not borne out for certain.

    Going out the trials ahead become fewer, so that the largest strength borne out at any edge of a run is at least
    that of the trials for at its last edge and against at its first. Where even that lies clearly beyond the last edge
    no edge of the run need be looked at.
    """
    first = np.arange(0, side.edge.size, RUN)
    last = np.minimum(first + RUN, side.edge.size) - 1
    top, bottom = side.largest(rule, last)[0], side.largest(rule, first)[1]
    top, bottom = (top * (1.0 - SLACK), bottom) if side.up else (bottom, top * (1.0 - SLACK))
    certain = ratios_in_unit(top, bottom, side.scale, side.prior)
    doubtful = certain < side.edge[last] if side.up else certain > side.edge[last]
    for start, stop in zip(first[doubtful].tolist(), last[doubtful].tolist(), strict=True):
        yield slice(start, stop + 1)


def _on_grid(side: Side, rule: Rule, grid: float) -> float:
    """The last multiple of the step in log10 LR before the first that is not borne out."""
    # No strength beyond this one can be borne out, whatever the scores.
    ceiling = (side.total_for + rule.right) * (side.total_against + 1.0) / (rule.misled * (side.total_for + rule.total))
    steps = np.arange(1.0, max(math.log10(ceiling) / grid, 0.0) + 3.0)
    log10 = _multiples(steps, grid)
    threshold = log10_in_unit(log10 if side.up else -log10, side.scale, side.prior)
    if side.up:
        stretch = np.searchsorted(side.edge, threshold, side="left")
    else:
        stretch = side.edge.size - np.searchsorted(side.edge[::-1], threshold, side="left")
    top, bottom = side.largest(rule, stretch)
    with np.errstate(divide="ignore"):
        borne_out = log10 <= np.log10(top / bottom)
    last = float(_multiples(np.array([float(np.argmin(borne_out))]), grid)[0])
    return _capped(side, rule, 10.0 ** (last if side.up else -last))


def _multiples(steps: Floats, grid: float) -> Floats:
    """Multiples of the step, as near as doubles come: 57 steps of 0.01 are 57/100, not 57 · 0.01."""
    per_unit = round(1.0 / grid)
    return steps / per_unit if abs(per_unit * grid - 1.0) < 1e-12 else steps * grid


def _capped(side: Side, rule: Rule, lr: float) -> float:
    """The bound, not beyond the strongest LR that is right where the rule says so, and never on the wrong side of 1."""
    if rule.capped:
        lr = side.nearer(lr, side.lr_at(int(np.count_nonzero(side.ahead_for > 0)) - 1))
    return lr

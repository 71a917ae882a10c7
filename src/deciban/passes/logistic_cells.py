"""What a logistic fit sums over: scores in order with the weight of each class, and fewer of them to start on."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deciban.counts.columns import ends
from deciban.values.arrays import AnyArray, Floats
from deciban.values.log_domain import chunks, softplus

PIECES: Final = 1 << 14
"""Pieces that many distinct values are joined into for all steps but the last one or two."""

FEW: Final = 1 << 10
"""Pieces for the first steps, which only have to come near."""


@dataclass(frozen=True, slots=True)
class Derivatives:
    """First derivatives of the log-likelihood in a and b, and minus its second ones."""

    a: float
    b: float
    aa: float
    ab: float
    bb: float


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Values in increasing order with the weight of each class there; what is computed is per ``total``.

    With a ``penalty``, half of it times b² is added to the loss.
    """

    x: Floats
    target: AnyArray
    nontarget: AnyArray
    total: float
    penalty: float = 0.0

    @property
    def many(self) -> bool:
        """Whether a fit should start on fewer."""
        return self.x.size > PIECES

    def joined(self, pieces: int, lo: int, hi: int) -> Cells:
        """Neighbours made one cell at the middle one, finest where the classes overlap, from cell ``lo`` to ``hi``."""
        return Cells(*_joined(self.x, self.target, self.nontarget, pieces, lo, hi), self.total, self.penalty)

    def levels(self) -> list[Cells]:
        """The cells themselves last, before them those joined into fewer: each finds where the next one starts."""
        levels = [self]
        for pieces in (PIECES, FEW):
            finest = levels[0]
            if finest.x.size > pieces:
                levels.insert(0, finest.joined(pieces, *shared(finest.target, finest.nontarget)))
        return levels

    def sides(self, a: float, b: float) -> Iterator[tuple[slice, bool]]:
        """Parts of the cells, and whether a + b·x is above 0 there.

        Values are in order, so that the line crosses 0 once: which form of a formula keeps all digits is the same for
        a whole part and need not be looked up cell by cell. (At the crossing itself both forms do.)
        """
        size = self.x.size
        cut = int(np.searchsorted(self.x, -a / b)) if b else 0
        rising = b > 0.0 or (b == 0.0 and a >= 0.0)
        for start, stop, above in ((0, cut, not rising), (cut, size, rising)):
            for part in chunks(stop - start):
                yield slice(start + part.start, min(start + part.stop, stop)), above

    def derivatives(self, a: float, b: float, free_slope: bool) -> Derivatives:
        """Slope and curvature of the log-likelihood; those in b only where the slope is free."""
        sums = np.zeros(5)
        # Where nearly all probabilities are 0 or 1, what they miss by is lost beside whole trials: the trials on the
        # wrong side are counted apart, exactly, and the small shares added up by themselves.
        wrong: list[float] = []
        for part, above in self.sides(a, b):
            x = self.x[part]
            n = self.nontarget[part] if above else self.target[part]
            wrong.append(-_sum(n) if above else _sum(n))
            small = b * x
            small += a
            np.exp(-small if above else small, out=small)
            large = 1.0 / (1.0 + small)
            small *= large
            # As doubles: NumPy multiplies integers and doubles three times more slowly than it converts them.
            shares = (self.target[part] + self.nontarget[part]).astype(np.float64)
            shares *= small
            sums[0] += shares.sum() if above else -shares.sum()
            if free_slope:
                missed = shares - n if above else n - shares
                missed *= x
                sums[1] += missed.sum()
            shares *= large
            sums[2] += shares.sum()
            if free_slope:
                shares *= x
                sums[3] += shares.sum()
                shares *= x
                sums[4] += shares.sum()
        sums[0] += math.fsum(wrong)
        sums /= self.total
        if free_slope:
            sums[1] -= self.penalty * b
            sums[4] += self.penalty
        return Derivatives(*sums.tolist())

    def loss(self, a: float, b: float) -> float:
        """Minus the log-likelihood."""
        loss = 0.0
        for part in chunks(self.x.size):
            log_odds = a + b * self.x[part]
            loss += float((self.target[part] * softplus(-log_odds) + self.nontarget[part] * softplus(log_odds)).sum())
        return loss / self.total + 0.5 * self.penalty * b * b


def _sum(n: AnyArray) -> float:
    """The exact sum of trials; of weights that are few enough, rounded once."""
    return math.fsum(n.tolist()) if n.dtype.kind == "f" and n.size <= PIECES else n.sum().item()


def join(x: Floats, n_target: AnyArray, n_nontarget: AnyArray) -> tuple[Floats, AnyArray, AnyArray]:
    """At most :data:`PIECES` cells instead of many: a fit to them is right to some four digits, and takes no time."""
    if x.size <= PIECES:
        return x, n_target, n_nontarget
    return _joined(x, n_target, n_nontarget, PIECES, *shared(n_target, n_nontarget))


def shared(n_target: AnyArray, n_nontarget: AnyArray) -> tuple[int, int]:
    """First and last cell of the stretch where both classes have begun and none has ended."""
    (first1, last1), (first0, last0) = ends(n_target), ends(n_nontarget)
    lo, hi = max(first1, first0), min(last1, last0)
    return (lo, hi) if lo <= hi else (hi, lo)


def _joined(
    x: Floats, n_target: AnyArray, n_nontarget: AnyArray, pieces: int, lo: int, hi: int
) -> tuple[Floats, AnyArray, AnyArray]:
    starts = _starts(x, pieces, lo, hi)
    middle = (starts + np.append(starts[1:], x.size) - 1) // 2
    return x[middle], np.add.reduceat(n_target, starts), np.add.reduceat(n_nontarget, starts)


def _starts(x: Floats, pieces: int, lo: int, hi: int) -> NDArray[np.intp]:
    """Where the pieces start; three quarters of them lie where the classes overlap, from cell ``lo`` to ``hi``.

    There some hold equally many cells and some are equally wide, so that none is wide, in the tails either. Outside
    they widen with the distance from there: a steep line is decided by the cells next to the overlap.
    """
    by_rank = np.linspace(lo, hi + 1, min(pieces // 2, hi + 1 - lo), endpoint=False)
    by_width = np.searchsorted(x[lo : hi + 1], _evenly(x[lo], x[hi], pieces // 4)) + lo
    below, above = (np.geomspace(1, n, pieces // 8) if n else np.empty(0) for n in (lo, x.size - 1 - hi))
    starts = np.sort(np.concatenate([lo - below, by_rank, by_width, hi + above]).astype(np.intp))
    return starts[np.append(True, starts[1:] > starts[:-1]) & (starts < x.size)]


def _evenly(low: float, high: float, number: int) -> Floats:
    """Equal steps from one double to another, also where their distance overflows."""
    share = np.linspace(0.0, 1.0, number)
    return low * (1.0 - share) + high * share

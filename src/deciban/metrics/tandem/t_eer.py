"""The concurrent tandem equal error rate (t-EER): both thresholds chosen so that all three error rates agree."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deciban.counts.counts import Counts
from deciban.counts.tandem import TandemCounts, ThreeClassCounts, of_tandem
from deciban.errors import UndefinedMetricError
from deciban.values.arrays import AnyArray, Floats

CLOSE: Final = 1e-11
"""Differences of rates below this are compared in whole numbers: doubles may put them in the wrong order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TandemEqualError:
    """Where the error rates of a tandem agree as nearly as thresholds allow.

    Attributes
    ----------
    value
        The rate: that of spoofs which pass both systems.
    p_miss, p_fa_nontarget, p_fa_spoof
        Targets rejected by either system, nontargets and spoofs accepted by both.
    asv_threshold, cm_threshold
        Where the two systems accept (score >= threshold).
    """

    value: float
    p_miss: float
    p_fa_nontarget: float
    p_fa_spoof: float
    asv_threshold: float
    cm_threshold: float


@of_tandem
def t_eer(counts: TandemCounts) -> TandemEqualError:
    """Compute the concurrent t-EER, at the pair of thresholds where misses and both kinds of false acceptance agree.

    With a the verifier's and c the countermeasure's threshold: P_miss = p_miss_cm + (1 − p_miss_cm)·p_miss_asv,
    P_fa_non = (1 − p_miss_cm)·p_fa_asv, P_fa_spoof = p_fa_cm·p_fa_spoof_asv. For each a with p_miss_asv <
    ½(p_fa_asv + p_fa_spoof_asv): the c of least |P_miss − ½(P_fa_non + P_fa_spoof)|; among these pairs the one of least
    |p_fa_asv/p_fa_spoof_asv − p_fa_cm/(1 − p_miss_cm)|, without those where a denominator is 0.

    Parameters
    ----------
    counts
        Counts with the verifier's scores (``asv``) and the countermeasure's (``cm``).

    Returns
    -------
    TandemEqualError
        ``value`` with the three rates and both thresholds. Perfect 0; two systems without information about 0.5.

    Raises
    ------
    SingleClassError
        When a class is empty.
    UndefinedMetricError
        When no pair of thresholds is admissible.
    NeedsTrialsError
        Without the scores of both systems.

    Notes
    -----
    Thresholds are the distinct scores and reject-all; of equal differences the lowest threshold counts. Differences too
    close for doubles are compared exactly, so that no order of rows and no rounding decides.

    References
    ----------
    Kinnunen et al. (2023), t-EER: parameter-free tandem evaluation of countermeasures and biometric comparators, IEEE
    TPAMI.

    Examples
    --------
    >>> import deciban as db
    >>> asv = db.ThreeClassCounts.from_classes([2, 3, 4, 5], [0, 1, 2, 3], [2, 3, 4, 5])
    >>> cm = db.Counts.from_classes([2, 3, 4, 5], [0, 1, 2, 3])
    >>> db.t_eer(db.TandemCounts(asv=asv, cm=cm)).p_miss
    0.25
    """
    asv, cm = counts.require_asv("t_eer"), counts.require_cm("t_eer")
    cm.require_both_classes("t_eer")
    tandem = _Tandem.of(asv, cm)
    at = tandem.best_pairs()
    a, c = tandem.most_concurrent(at)
    p_miss, p_fa_nontarget, p_fa_spoof = (float(rate) for rate in tandem.rates(a, c))
    return TandemEqualError(
        value=p_fa_spoof,
        p_miss=p_miss,
        p_fa_nontarget=p_fa_nontarget,
        p_fa_spoof=p_fa_spoof,
        asv_threshold=asv.threshold_at(a),
        cm_threshold=float(cm.score[c]) if c < cm.score.size else np.inf,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Tandem:
    """Numbers of trials at each threshold of both systems, thresholds increasing, reject-all last.

    ``miss``, ``fa``, ``spoof``: targets rejected, nontargets and spoofs accepted by the verifier, out of ``n``;
    ``cm_miss``, ``cm_fa``: bona fide trials rejected and spoofs accepted by the countermeasure, out of ``m``.
    """

    miss: AnyArray
    fa: AnyArray
    spoof: AnyArray
    n: tuple[int, int, int]
    cm_miss: AnyArray
    cm_fa: AnyArray
    m: tuple[int, int]

    @classmethod
    def of(cls, asv: ThreeClassCounts, cm: Counts) -> _Tandem:
        miss, reject, reject_spoof = asv.rejected()
        n = asv.total_target, asv.total_nontarget, asv.total_spoof
        m = int(cm.total_target), int(cm.total_nontarget)
        below = [np.concatenate([[0], np.cumsum(column)]) for column in (cm.n_target, cm.n_nontarget)]
        return cls(miss, n[1] - reject, n[2] - reject_spoof, n, below[0], m[1] - below[1], m)

    def rates(self, a: int, c: int) -> tuple[Fraction, Fraction, Fraction]:
        """P_miss, P_fa_non and P_fa_spoof of one pair of thresholds, exactly."""
        passed = 1 - Fraction(int(self.cm_miss[c]), self.m[0])
        miss, fa, spoof = (
            Fraction(int(column[a]), n) for column, n in zip((self.miss, self.fa, self.spoof), self.n, strict=True)
        )
        return 1 - passed * (1 - miss), passed * fa, Fraction(int(self.cm_fa[c]), self.m[1]) * spoof

    def best_pairs(self) -> NDArray[np.intp]:
        """For each admissible threshold of the verifier the countermeasure's where misses and acceptances agree best.

        What is admissible ends once, and what is compared rises with c: both are found by bisection.
        """
        end = bisect_left(range(self.miss.size), True, key=lambda a: not self._admissible(a))
        if end == 0:
            raise UndefinedMetricError("t-EER: at every threshold the verifier misses more than it falsely accepts")
        a = np.arange(end)
        low, high = np.zeros(end, dtype=np.intp), np.full(end, self.cm_miss.size - 1)
        while (low < high).any():
            middle = (low + high) // 2
            reached = self._excess(a, middle) >= 0.0
            low, high = np.where(reached, low, middle + 1), np.where(reached, middle, high)
        return self._nearest(a, low)

    def _nearest(self, a: AnyArray, found: AnyArray) -> NDArray[np.intp]:
        """Of the first point at or above 0, found in doubles, and those around it, the one nearest to 0."""
        before = np.maximum(found - 1, 0)
        differences = [np.abs(self._excess(a, c)) for c in (before, found)]
        best = np.where(differences[0] <= differences[1], before, found)
        # Where doubles cannot tell, the sign of the excess may be wrong too: one point further to each side is tried.
        unsure = (np.abs(differences[0] - differences[1]) < CLOSE) | (np.minimum(*differences) < CLOSE)
        # Rates of 0 are 0 in doubles too: where all are, there is nothing to be unsure of.
        unsure &= (self.miss[a] + self.fa[a] + self.cm_miss[found] + self.spoof[a] * self.cm_fa[found]) > 0
        last = self.cm_miss.size - 1
        for index in np.flatnonzero(unsure):
            around = range(max(int(found[index]) - 2, 0), min(int(found[index]) + 1, last) + 1)
            best[index] = min(around, key=partial(self._distance, int(a[index])))
        return np.asarray(best, dtype=np.intp)

    def _admissible(self, a: int) -> bool:
        """Whether the verifier misses less than it falsely accepts on average, in whole numbers."""
        n1, n0, ns = self.n
        return 2 * int(self.miss[a]) * n0 * ns < n1 * (int(self.fa[a]) * ns + int(self.spoof[a]) * n0)

    def _excess(self, a: AnyArray, c: AnyArray) -> Floats:
        """P_miss − ½(P_fa_non + P_fa_spoof) at pairs of thresholds."""
        miss, fa, spoof = (column[a] / n for column, n in zip((self.miss, self.fa, self.spoof), self.n, strict=True))
        rejected = self.cm_miss[c] / self.m[0]
        passed = 1.0 - rejected
        return np.asarray(rejected + passed * miss - 0.5 * (passed * fa + self.cm_fa[c] / self.m[1] * spoof))

    def _distance(self, a: int, c: int) -> Fraction:
        """How far P_miss is from ½(P_fa_non + P_fa_spoof), exactly."""
        miss, fa, spoof = self.rates(a, c)
        return abs(miss - (fa + spoof) / 2)

    def most_concurrent(self, at: NDArray[np.intp]) -> tuple[int, int]:
        """The pair at which the two kinds of false acceptance agree best, of equal ones that with the lowest a."""
        a = np.arange(at.size)
        left = np.flatnonzero((self.spoof[: at.size] > 0) & (self.cm_miss[at] < self.m[0]))
        if left.size == 0:
            raise UndefinedMetricError(
                "t-EER: at no admissible threshold does the verifier accept a spoof and the countermeasure bona fide "
                "speech"
            )
        a, c = a[left], at[left]
        of_verifier = (self.fa[a] / self.n[1]) / (self.spoof[a] / self.n[2])
        of_countermeasure = (self.cm_fa[c] / self.m[1]) / (1.0 - self.cm_miss[c] / self.m[0])
        apart = np.abs(of_verifier - of_countermeasure)
        margin = CLOSE * (1.0 + np.maximum(of_verifier, of_countermeasure))
        near = np.flatnonzero(apart - margin <= (apart + margin).min())
        best = near[0]
        if near.size > 1:
            best = min(near.tolist(), key=lambda i: self._ratio_difference(int(a[i]), int(c[i])))
        return int(a[best]), int(c[best])

    def _ratio_difference(self, a: int, c: int) -> Fraction:
        of_verifier = Fraction(int(self.fa[a]) * self.n[2], self.n[1] * int(self.spoof[a]))
        accepted = self.m[0] - int(self.cm_miss[c])
        return abs(of_verifier - Fraction(int(self.cm_fa[c]) * self.m[0], self.m[1] * accepted))

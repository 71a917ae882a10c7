"""The tandem detection cost against the countermeasure's threshold, as data."""

from __future__ import annotations

from dataclasses import dataclass

from deciban.curves.curve import Curve
from deciban.values.arrays import Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TandemCostCurve(Curve):
    """Normalised t-DCF at each threshold of a countermeasure; ``metrics.tandem`` computes it, which knows verifiers.

    Attributes
    ----------
    threshold
        Inf, each score in decreasing order, −inf: bona fide when score >= threshold.
    p_miss, p_fa
        Rates of the countermeasure there: bona fide speech rejected, spoofs accepted.
    t_dcf
        The cost; 1 is that of the better constant decision.
    floor
        The cost with a perfect countermeasure, that of the verifier's own errors.
    cost
        Name of the costs.
    asv_threshold
        Threshold of the verifier; None where its rates were given.
    """

    threshold: Floats
    p_miss: Floats
    p_fa: Floats
    t_dcf: Floats
    floor: float
    cost: str
    asv_threshold: float | None = None

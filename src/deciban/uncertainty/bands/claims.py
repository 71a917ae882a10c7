"""How sure it is what data bear out in a bin of likelihood ratios."""

from __future__ import annotations

from typing import Final

import numpy as np

from deciban.curves.curve import Band
from deciban.curves.overestimation import Overestimation
from deciban.uncertainty.bands.draws import Draws
from deciban.values.arrays import AnyArray, Floats

METHOD: Final = "jeffreys"
DRAWS: Final = 10_000


def overestimation_bands(record: Overestimation, draws: Draws) -> dict[str, Band]:
    """Quantiles of log10(p1/p0), p1 ~ Beta(n1 + ½, N1 − n1 + ½) and p0 likewise, and of what is claimed above it.

    The shares of both classes are independent, each under Jeffreys' prior; ``claimed`` is held fixed.
    """
    number = max(DRAWS, draws.replicates)
    generator = np.random.default_rng(draws.seed)

    def shares(n: AnyArray, total: float) -> Floats:
        return generator.beta(n + 0.5, total - n + 0.5, (number, n.size))

    ratios = np.log10(shares(record.n_target, draws.counts.total_target))
    ratios -= np.log10(shares(record.n_nontarget, draws.counts.total_nontarget))
    tails = (1.0 - draws.level) / 2.0, (1.0 + draws.level) / 2.0
    low, high = (np.quantile(ratios, tail, axis=0) for tail in tails)
    return {
        "empirical": draws.band(low, high, method=METHOD, column="empirical", drawn=number),
        "discrepancy": draws.band(
            record.claimed - high, record.claimed - low, method=METHOD, column="discrepancy", drawn=number
        ),
    }

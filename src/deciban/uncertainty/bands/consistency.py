"""Where a PAV reliability diagram would lie if its forecasts were calibrated."""

from __future__ import annotations

import numpy as np

from deciban.counts.counts import Counts
from deciban.curves.curve import Band
from deciban.curves.reliability import Reliability, starts_of_bins
from deciban.passes.forecasts import whole_trials
from deciban.passes.pool import pool
from deciban.uncertainty.bands.draws import Draws
from deciban.values.arrays import AnyArray, Floats

METHOD = "consistency"


def consistency_band(record: Reliability, draws: Draws) -> Band:
    """Quantiles, at the mean probability of each block, of PAV fitted to outcomes drawn with the stated probabilities.

    y* ~ Bernoulli(p) for each trial (Dimitriadis, Gneiting and Jordan, 2021); between two stated probabilities a fit is
    straight. The band is about the diagonal; a diagram outside of it is not that of calibrated forecasts.
    """
    counts = draws.counts
    probability = starts_of_bins(counts, bins="corp", p_target=record.p_target)[0].probability
    n = np.add(*whole_trials(counts, "a consistency band"))
    stated = np.asarray(record.stated)
    # A mean may miss the probability it is a mean of by rounding.
    below = (np.searchsorted(probability, stated, side="right") - 1).clip(0, probability.size - 1)
    above = np.searchsorted(probability, stated, side="left").clip(0, probability.size - 1)
    gap = probability[above] - probability[below]
    share = np.where(gap > 0.0, (stated - probability[below]) / np.where(gap > 0.0, gap, 1.0), 0.0)
    ends = counts.score[below], counts.score[above]

    def work(number: int) -> Floats:
        happened = draws.generator(number).binomial(n, probability)
        lower, upper = _fitted(counts.reweighted(happened, n - happened), ends)
        return np.asarray(lower + share * (upper - lower))

    drawn = draws.repeat(work, stated.size)
    tails = (1.0 - draws.level) / 2.0, (1.0 + draws.level) / 2.0
    low, high = (np.quantile(drawn, tail, axis=0) for tail in tails)
    return draws.band(low, high, method=METHOD, column="observed", drawn=draws.replicates)


def _fitted(counts: Counts, scores: tuple[Floats, Floats]) -> tuple[AnyArray, AnyArray]:
    """The share of targets that PAV gives to each of the scores; one class alone makes one block."""
    if counts.total_target == 0 or counts.total_nontarget == 0:
        alone = np.full(scores[0].size, float(counts.total_target > 0))
        return alone, alone
    blocks = pool(counts)
    observed = blocks.n_target / (blocks.n_target + blocks.n_nontarget)
    lower, upper = (observed[np.searchsorted(blocks.low, score, side="right") - 1] for score in scores)
    return lower, upper

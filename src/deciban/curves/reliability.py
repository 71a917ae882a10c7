"""The reliability diagram: how often what was stated with a probability came true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from deciban.counts.argument import of_counts
from deciban.counts.counts import Counts
from deciban.curves.curve import Curve
from deciban.passes.binning import Positions, check_number, equal_width_all
from deciban.passes.binning import bins as in_bins
from deciban.passes.forecasts import Probabilities, probabilities
from deciban.passes.pool import pool
from deciban.values.arrays import AnyArray, Floats, MaybeFloats, undefined_where
from deciban.values.option_checks import check_known

Bins = Literal["equal-width", "equal-mass", "corp"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reliability(Curve):
    """Stated probability and observed share of targets in each bin, in increasing order.

    Attributes
    ----------
    low, high
        Edges of the bin; for equal mass and CORP the lowest and highest probability in it.
    stated
        Mean stated probability; masked in an empty bin.
    observed
        Share of targets; masked in an empty bin.
    n, n_target
        Trials and targets in the bin.
    bins
        How the bins were made.
    p_target
        Prior at which LRs became posteriors; None for probabilities taken as given.
    """

    low: Floats
    high: Floats
    stated: MaybeFloats
    observed: MaybeFloats
    n: AnyArray
    n_target: AnyArray
    bins: Bins
    p_target: float | None


@of_counts
def reliability(
    counts: Counts, *, bins: Bins = "equal-width", n_bins: int = 10, p_target: float | None = None
) -> Reliability:
    """Compute the reliability diagram of stated probabilities.

    Parameters
    ----------
    counts
        Counts on the probability scale or an LR scale; one class may be empty, except with CORP.
    bins
        "equal-width": [k/n, (k + 1)/n), the last one closed, empty bins included. "equal-mass": cuts at the ranks of
        ``numpy.array_split``, moved to the nearer end of trials of one score; bins that would be empty
        vanish. "corp": the blocks of pooling adjacent violators, which need no choice of bins.
    n_bins
        Number of bins, at least 1; CORP finds its own.
    p_target
        Prior at which LRs become posteriors, default the share of targets in the data.

    Returns
    -------
    Reliability
        Probabilities. Perfectly calibrated: ``observed`` equals ``stated`` up to sampling. Discrimination does not
        show: stating the share of targets for every trial is on the diagonal.

    Raises
    ------
    ScaleError
        When the scores are neither probabilities nor LRs.
    SingleClassError
        When a class is empty and CORP or a posterior at the share of targets is asked for.
    UndefinedMetricError
        Reason ``weighted``: equal mass needs ranks, which weights that are not whole numbers do not have.
    OptionError
        When the bins are unknown or there is none.

    Notes
    -----
    The mean distance of the two over bins of equal width, weighted by ``n``, is ``calibration_error``. An LR of 0 or
    infinity states probability 0 or 1.

    References
    ----------
    Dimitriadis, Gneiting and Jordan (2021), Stable reliability diagrams for probabilistic classifiers, PNAS 118.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([0.75, 0.5], [0.25, 0.5], scale="probability")
    >>> bins = db.reliability(counts, n_bins=3)
    >>> bins.stated.tolist(), bins.observed.tolist(), bins.n.tolist()
    ([0.25, 0.5, 0.75], [0.0, 0.5, 1.0], [1, 2, 1])
    >>> db.reliability(counts, n_bins=5).observed.tolist()
    [None, 0.0, 0.5, 1.0, None]
    """
    forecast, starts = starts_of_bins(counts, bins=bins, n_bins=n_bins, p_target=p_target)
    if p_target is None and counts.scale != "probability":
        p_target = counts.total_target / counts.total
    if bins == "equal-width":
        edges = np.arange(n_bins + 1) / n_bins
        return _diagram(forecast, starts, edges[:-1], edges[1:], bins, p_target)
    ends = np.append(starts[1:], forecast.probability.size) - 1
    return _diagram(forecast, starts, forecast.probability[starts], forecast.probability[ends], bins, p_target)


def starts_of_bins(
    counts: Counts, *, bins: Bins = "equal-width", n_bins: int = 10, p_target: float | None = None
) -> tuple[Probabilities, Positions]:
    """The stated probabilities, and which distinct score each bin of :func:`reliability` begins at."""
    check_known("bins", bins, get_args(Bins))
    forecast = probabilities(counts, p_target=p_target)
    if bins == "corp":
        return forecast, np.searchsorted(counts.score, pool(counts).low, side="left")
    if bins == "equal-mass":
        return forecast, in_bins(forecast, bins, n_bins).starts
    check_number(n_bins)
    return forecast, equal_width_all(forecast.probability, n_bins)


def _diagram(
    forecast: Probabilities, starts: Positions, low: Floats, high: Floats, bins: Bins, p_target: float | None
) -> Reliability:
    mass = forecast.n_target + forecast.n_nontarget
    n, n_target = _sums(mass, starts), _sums(forecast.n_target, starts)
    empty = n == 0
    below = np.where(empty, 1, n)
    return Reliability(
        low=low,
        high=high,
        stated=undefined_where(empty, _sums(forecast.probability * mass, starts) / below),
        observed=undefined_where(empty, n_target / below),
        n=n,
        n_target=n_target,
        bins=bins,
        p_target=p_target,
    )


def _sums(values: AnyArray, starts: Positions) -> AnyArray:
    """Sum of each bin; the empty ones are those that start where the next does, or at the end."""
    filled = np.append(starts[1:], values.size) > starts
    sums: AnyArray = np.zeros(starts.size, dtype=values.dtype)
    if filled.any():
        sums[filled] = np.add.reduceat(values, starts[filled])
    return sums

"""Probabilities as probabilities: Brier score and expected calibration error."""

from __future__ import annotations

import numpy as np

from deciban.errors import OptionError
from deciban.metrics import reliability as metrics
from deciban.metrics.binned import calibration_error
from deciban.pan.reading import count_arrays


def brier(probs: object, y: object) -> float:
    """Mean squared error of the probabilities: a loss.

    Brier = Σ (p − y)² / n

    Parameters
    ----------
    probs, y
        As in :func:`c_at_1`; 0.5 is a probability like any other.

    Returns
    -------
    float
        In [0, 1]: perfect 0; always 0.5 gives 0.25; always the share π of targets gives π·(1 − π); surely wrong 1.

    Raises
    ------
    InputError
        As :func:`c_at_1`.

    Notes
    -----
    One class is enough; ties play no part. A proper score: honest probabilities do best on average. Use it for
    probabilities at the share of targets in the data; not for raw scores, nor for comparing data with different
    shares. PAN publishes its complement, 1 − Brier.

    References
    ----------
    Brier, Verification of forecasts expressed in terms of probability, Monthly Weather Review 78 (1950).

    Examples
    --------
    >>> brier([1.0, 0.5, 0.0, 0.5], [1, 1, 0, 0])
    0.125
    """
    return metrics.brier(count_arrays(probs, y, "probs", "probability"))


def ece(probs: object, y: object, *, n_bins: int = 10) -> float:
    """Expected calibration error: how far probabilities are from observed shares, over bins of equal width.

    ECE = Σ_b (n_b / n) · abs(share of label 1 in b − mean probability in b)

    Parameters
    ----------
    probs, y
        As in :func:`c_at_1`.
    n_bins
        Number of bins >= 1. Edge k is the double ``k / n_bins``; bins are closed below, the last also above.

    Returns
    -------
    float
        In [0, 1]: perfect 0; surely wrong 1. No information has no anchor: always the share of targets gives 0 too.

    Raises
    ------
    InputError
        As :func:`c_at_1`.
    OptionError
        When ``n_bins`` is not a positive whole number.

    Notes
    -----
    One class is enough; empty bins add 0. Use it to describe calibration with many trials; not to choose a system, as
    it is blind to discrimination, depends on the bins, and is above 0 by chance alone when trials are few (below about
    200 expect several hundredths). float32 probabilities are binned as the doubles they equal: float32 0.7 is below
    the edge 0.7.

    References
    ----------
    Naeini, Cooper & Hauskrecht, Obtaining well calibrated probabilities using Bayesian binning, AAAI 2015.

    Examples
    --------
    >>> ece([0.75, 0.75, 0.25, 0.25], [1, 1, 0, 1])
    0.25
    """
    bins = check_bins(n_bins, "n_bins")
    return calibration_error(count_arrays(probs, y, "probs", "probability"), n_bins=bins)


def check_bins(n_bins: object, name: str) -> int:
    """Return the number of bins if it is a whole number >= 1, else raise :class:`OptionError`."""
    if isinstance(n_bins, bool) or not isinstance(n_bins, (int, np.integer)) or n_bins < 1:
        raise OptionError(f"{name}: expected a whole number of bins >= 1, found {n_bins!r}")
    return int(n_bins)

"""Scores whose truth is known: perfectly calibrated likelihood ratios, from a seed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final, Literal

import numpy as np

from deciban.counts.counts import Counts
from deciban.counts.pairs import pair_counts
from deciban.errors import OptionError, UndefinedMetricError
from deciban.values.arrays import Floats
from deciban.values.log_domain import LN2, softplus
from deciban.values.option_checks import check_number

STEP: Final = 1 / 1024
REACH: Final = 40.0
"""Steps and half-width, in standard deviations, of the trapezoidal rule, whose error falls like e^(−2π²/(σ·STEP))."""


SigmaFrom = Literal["auc", "auc.low"]
"""What a spread is taken from: the AUC, or the lower end of its interval where the AUC is 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BigaussianFigures:
    """Equal error rate, area under the ROC curve and Cllr in bits of a perfectly calibrated bi-Gaussian system."""

    eer: float
    auc: float
    cllr: float


def bigaussian_figures(sigma: float) -> BigaussianFigures:
    """Compute what a perfectly calibrated system with LRs N(±σ²/2, σ²) reaches with infinitely many trials.

    EER = Φ(−σ/2), AUC = Φ(σ/√2), Cllr = E log2(1 + e^−x) for x ~ N(σ²/2, σ²).

    Parameters
    ----------
    sigma
        Spread σ > 0.

    Returns
    -------
    BigaussianFigures
        ``eer`` and ``auc`` are shares, ``cllr`` is in bits. σ → 0 gives 0.5, 0.5, 1; σ → ∞ gives 0, 1, 0.

    Raises
    ------
    OptionError
        When sigma is not above 0.

    References
    ----------
    Morrison (2024), Bi-Gaussianized calibration of likelihood ratios, Law, Probability and Risk 23.

    Examples
    --------
    >>> import deciban as db
    >>> round(db.bigaussian_figures(2).cllr, 9)
    0.514055846
    """
    _check_sigma(sigma)
    normal = NormalDist()
    cllr, _ = calibrated_cost(sigma)
    return BigaussianFigures(eer=normal.cdf(-sigma / 2), auc=normal.cdf(sigma / math.sqrt(2)), cllr=cllr)


def calibrated_cost(sigma: float) -> tuple[float, float]:
    """Mean and variance, in bits, of what a trial of such a system costs, which are the same for both classes."""
    z = np.arange(-REACH, REACH, STEP)
    density = np.exp(-(z**2) / 2.0) * (STEP / math.sqrt(2.0 * math.pi))
    cost = softplus(-(sigma**2 / 2 + sigma * z)) / LN2
    mean = float((density * cost).sum())
    return mean, float((density * (cost - mean) ** 2).sum())


def _check_sigma(sigma: float) -> None:
    if not 0.0 < check_number("sigma", sigma, "a finite number above 0") < math.inf:
        raise OptionError(f"sigma: expected a finite number above 0, found {sigma!r}")


def calibrated_ln_lrs(
    n_target: int, n_nontarget: int, *, sigma: float, generator: np.random.Generator
) -> tuple[Floats, Floats]:
    """Draw natural-log likelihood ratios of a perfectly calibrated system.

    Targets are N(σ²/2, σ²) and nontargets N(−σ²/2, σ²): the only pair of normal distributions whose log likelihood
    ratio is the score itself. EER = Φ(−σ/2), AUC = Φ(σ/√2).

    Parameters
    ----------
    n_target, n_nontarget
        How many of each class.
    sigma
        Spread σ > 0; the larger, the better the classes are told apart.
    generator
        Source of the draws; its seed makes them repeatable.

    Returns
    -------
    targets, nontargets
        Natural-log likelihood ratios.

    Raises
    ------
    OptionError
        When sigma is not above 0.

    Examples
    --------
    >>> import numpy as np
    >>> targets, nontargets = calibrated_ln_lrs(3, 2, sigma=2, generator=np.random.default_rng(0))
    >>> targets.size, nontargets.size
    (3, 2)
    """
    _check_sigma(sigma)
    middle = sigma**2 / 2
    return generator.normal(middle, sigma, n_target), generator.normal(-middle, sigma, n_nontarget)


def sigma_of(counts: Counts, auc_low: float | None) -> tuple[float, SigmaFrom]:
    """Spread σ = √2·probit(AUC) of perfectly calibrated LRs with the AUC of the data; 0 where that is at most ½."""
    wins, ties, losses = pair_counts(counts)
    pairs = wins + ties + losses
    if 2 * wins + ties <= pairs:
        return 0.0, "auc"
    if wins < pairs:
        return _spread((wins + ties / 2) / pairs), "auc"
    if auc_low is None or not auc_low < 1.0:
        raise UndefinedMetricError(
            "the classes are separated, which perfectly calibrated LRs of any spread may be: give the lower end of an "
            "interval of the AUC (auc_low)",
            "separated",
        )
    return (_spread(auc_low) if auc_low > 0.5 else 0.0), "auc.low"


def _spread(auc: float) -> float:
    # The largest double below 1 stands for an AUC that rounds to 1: probit knows no answer there.
    return math.sqrt(2.0) * NormalDist().inv_cdf(min(auc, math.nextafter(1.0, 0.0)))

"""Scores whose truth is known: perfectly calibrated likelihood ratios, from a seed."""

from __future__ import annotations

import math

import numpy as np

from deciban.arrays import Floats
from deciban.errors import OptionError


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
    if not 0.0 < sigma < math.inf:
        raise OptionError(f"sigma: expected a finite number above 0, found {sigma!r}")
    middle = sigma**2 / 2
    return generator.normal(middle, sigma, n_target), generator.normal(-middle, sigma, n_nontarget)

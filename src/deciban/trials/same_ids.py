"""Trials that have the same ids."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from deciban.trials.source_keys import one_kind
from deciban.trials.trials import Trials


def first_of_each(trials: Trials) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Index of the first trial of each id, and for each trial which id it has."""
    joined = first = np.zeros(len(trials), dtype=np.intp)
    for column in trials.ids:
        # Numbered again after each column, so that the pair of numbers never outgrows an integer.
        codes = np.unique(one_kind([column])[0], return_inverse=True)[1]
        _, first, joined = np.unique(joined * (codes.max() + 1) + codes, return_index=True, return_inverse=True)
    return first, joined

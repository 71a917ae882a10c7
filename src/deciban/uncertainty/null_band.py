"""What a figure of calibration would be if calibration were perfect: simulated, with as many trials as the data have.

PAV is fitted to the trials it judges, so that calibration loss and devPAV are above 0 even then: by how much depends on
the number of trials and on how well the classes are told apart. An observed value means something only beside that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from deciban.counts.counts import Counts
from deciban.errors import UndefinedMetricError
from deciban.passes.simulate import SigmaFrom, calibrated_ln_lrs, sigma_of
from deciban.uncertainty.bootstrap.repeat import Progress, check_draws, child, repeat
from deciban.uncertainty.bootstrap.replicate import value_or_nan
from deciban.values.arrays import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class NullBand:
    """An observed figure beside what perfectly calibrated LRs give.

    Attributes
    ----------
    observed
        The figure of the data.
    median, high
        Median of the simulated figures, and the quantile of them at ``level`` (one-sided).
    level
        Level of ``high``.
    p_value
        (1 + draws at or above the observed value) / (1 + draws that have a value).
    sigma
        Spread σ of the simulated LRs: targets N(σ²/2, σ²), nontargets N(−σ²/2, σ²) in natural logarithms.
    sigma_from
        What σ is taken from: the AUC, or the lower end of its interval where the AUC is 1.
    draws, undefined
        How many simulations, and in how many of them the figure had no value.
    """

    observed: float
    median: float
    high: float
    level: float
    p_value: float
    sigma: float
    sigma_from: SigmaFrom
    draws: int
    undefined: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratedBand:
    """What a figure is for perfectly calibrated LRs of a stated spread: no data are there yet.

    Attributes
    ----------
    median, high, level
        Median of the simulated figures, and the quantile of them at ``level`` (one-sided).
    draws, undefined
        How many simulations, and in how many of them the figure had no value.
    """

    median: float
    high: float
    level: float
    draws: int
    undefined: int


def null_band(
    counts: Counts,
    statistics: Mapping[str, Callable[[Counts], float]],
    *,
    auc_low: float | None = None,
    draws: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> dict[str, NullBand | str]:
    """Simulate figures of calibration for perfectly calibrated LRs, N1 targets and N0 nontargets as in the data.

    Parameters
    ----------
    counts
        Counts of both classes on an LR scale, unweighted.
    statistics
        The figures by name, such as calibration loss and devPAV; larger is worse.
    auc_low
        Lower end of an interval of the AUC, which σ is taken from where the AUC is 1.
    draws, level, seed
        How many simulations; level of the one-sided band; seed, of which each simulation has a child of its own.
    workers, progress
        Processes that share the work (any number gives the same), and what is told how many simulations are done.

    Returns
    -------
    dict of str to NullBand or str
        By name; where there is no band, the reason: ``undefined_ratio`` (no value for the data, or in no simulation).

    Raises
    ------
    SingleClassError, ScaleError
        When a class is empty; when the scores are not LRs.
    UndefinedMetricError
        Reason ``weighted`` for weighted counts, ``separated`` when the AUC is 1 and ``auc_low`` is not given.

    Notes
    -----
    σ = √2·probit(AUC), 0 where the AUC is at most ½: then every simulated LR is 1. That the logarithms are normal with
    one spread is an assumption.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([2, 3, -1, 1], [-2, 0.5, -3, -1.5], scale="ln_lr")
    >>> band = null_band(counts, {"cllr_cal": db.cllr_cal}, draws=200)["cllr_cal"]
    >>> round(band.observed, 3), 0 < band.median < band.high
    (0.319, True)
    """
    check_draws("draws", draws, level, seed, workers)
    counts.require_both_classes("a null band")
    counts.ln_lr()
    if counts.weighted:
        raise UndefinedMetricError("a null band needs numbers of trials, which weights are not", "weighted")
    sigma, sigma_from = sigma_of(counts, auc_low)
    simulation = _Simulation(
        int(counts.total_target), int(counts.total_nontarget), sigma, seed, list(statistics.values())
    )
    drawn = repeat(simulation, draws, len(statistics), workers=workers, progress=progress)
    return {
        name: _band(value_or_nan(function, counts), values, level, sigma, sigma_from)
        for (name, function), values in zip(statistics.items(), drawn.T, strict=True)
    }


def calibrated_band(
    n_target: int,
    n_nontarget: int,
    sigma: float,
    statistics: Mapping[str, Callable[[Counts], float]],
    *,
    draws: int,
    level: float = 0.95,
    seed: int = 0,
    progress: Progress | None = None,
) -> dict[str, CalibratedBand | None]:
    """Simulate figures of calibration for so many targets and nontargets whose log LRs are N(±σ²/2, σ²).

    The null band of data that are still to be collected: arguments and draws as in :func:`null_band`, with σ given
    instead of taken from an AUC; None for a figure that has a value in no simulation.

    Examples
    --------
    >>> import deciban as db
    >>> band = calibrated_band(50, 50, 2.0, {"cllr_cal": db.cllr_cal}, draws=200)["cllr_cal"]
    >>> round(band.median, 2), round(band.high, 2)
    (0.1, 0.14)
    """
    check_draws("draws", draws, level, seed, workers=1)
    simulation = _Simulation(n_target, n_nontarget, sigma, seed, list(statistics.values()))
    drawn = repeat(simulation, draws, len(statistics), progress=progress)
    bands: dict[str, CalibratedBand | None] = {}
    for name, values in zip(statistics, drawn.T, strict=True):
        known = values[~np.isnan(values)]
        bands[name] = None
        if known.size:
            median, high = _quantiles(known, level)
            undefined = draws - known.size
            bands[name] = CalibratedBand(median=median, high=high, level=level, draws=draws, undefined=undefined)
    return bands


@dataclass(frozen=True, slots=True)
class _Simulation:
    """The figures of calibrated LRs, given the number of the draw."""

    n_target: int
    n_nontarget: int
    sigma: float
    seed: int
    functions: list[Callable[[Counts], float]]

    def __call__(self, number: int) -> list[float]:
        counts = self.counts(child(self.seed, number))
        return [value_or_nan(function, counts) for function in self.functions]

    def counts(self, generator: np.random.Generator) -> Counts:
        if self.sigma == 0.0:
            ones = np.ones(1, dtype=np.int64)
            return Counts(np.zeros(1), self.n_target * ones, self.n_nontarget * ones, "ln_lr")
        drawn = calibrated_ln_lrs(self.n_target, self.n_nontarget, sigma=self.sigma, generator=generator)
        return Counts.from_classes(*drawn, scale="ln_lr")


def _band(observed: float, drawn: Floats, level: float, sigma: float, sigma_from: SigmaFrom) -> NullBand | str:
    """One figure beside its simulations."""
    known = drawn[~np.isnan(drawn)]
    if math.isnan(observed) or known.size == 0:
        return "undefined_ratio"
    median, high = _quantiles(known, level)
    return NullBand(
        observed=observed,
        median=median,
        high=high,
        level=level,
        p_value=(1 + int(np.count_nonzero(known >= observed))) / (known.size + 1),
        sigma=sigma,
        sigma_from=sigma_from,
        draws=drawn.size,
        undefined=drawn.size - known.size,
    )


def _quantiles(known: Floats, level: float) -> tuple[float, float]:
    """Median, and the quantile at the level; between a finite value and an infinite one the larger."""
    finite = bool(np.isfinite(known).all())
    median, high = np.quantile(known, [0.5, level], method="linear" if finite else "higher").tolist()
    return median, high

"""Bands around curves: the one function that computes a curve together with its limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, TypeVar

import numpy as np

from deciban.counts.argument import unbucketed
from deciban.counts.counts import Counts
from deciban.counts.of_trials import count_trials
from deciban.counts.tally import Tally
from deciban.curves.bayes_error import BayesErrorCurve
from deciban.curves.cross_entropy import CrossEntropyCurve
from deciban.curves.curve import Band, Curve
from deciban.curves.gain import PrGain
from deciban.curves.histogram import ScoreHistogram
from deciban.curves.hull import PavMap, Rocch
from deciban.curves.net_benefit import NetBenefitCurve
from deciban.curves.overestimation import Overestimation
from deciban.curves.reliability import Reliability
from deciban.curves.roc import Det, PrecisionRecall, Roc
from deciban.curves.thresholds import ThresholdCurve
from deciban.curves.tippett import Tippett
from deciban.errors import OptionError, UndefinedMetricError
from deciban.tables.counting import as_known
from deciban.tables.table import Table
from deciban.trials.trials import Trials
from deciban.uncertainty.bands import bins, planes, priors, thresholds
from deciban.uncertainty.bands.claims import overestimation_bands
from deciban.uncertainty.bands.consistency import consistency_band
from deciban.uncertainty.bands.draws import Draws
from deciban.uncertainty.bands.plan import Asked, Plan
from deciban.uncertainty.bootstrap.repeat import Progress, check_draws

C = TypeVar("C", bound=Curve)

PLANS: Final[dict[type[Curve], Callable[[Asked], Plan]]] = {
    Roc: planes.roc_plan,
    Det: planes.det_plan,
    Rocch: planes.rocch_plan,
    PrecisionRecall: planes.precision_recall_plan,
    PrGain: planes.pr_gain_plan,
    PavMap: planes.pav_map_plan,
    Tippett: thresholds.tippett_plan,
    ThresholdCurve: thresholds.thresholds_plan,
    NetBenefitCurve: thresholds.net_benefit_plan,
    CrossEntropyCurve: priors.cross_entropy_plan,
    BayesErrorCurve: priors.bayes_error_plan,
    Reliability: bins.reliability_plan,
    ScoreHistogram: bins.histogram_plan,
    Overestimation: bins.overestimation_plan,
}
"""What the band of each kind of curve surrounds."""


def with_band(
    curve: Callable[..., C],
    data: Counts | Trials | Table,
    *,
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    progress: Progress | None = None,
    **options: object,
) -> C:
    """Compute a curve with limits around it that hold at each of its points by themselves.

    ``db.with_band(db.roc, trials)`` is ``db.roc(db.count(trials))`` with its ``band`` filled. Trials that name their
    sources are resampled by source; independent trials have closed forms where there are any, else a bootstrap by
    trial.

    Parameters
    ----------
    curve
        The function that makes the curve, such as ``deciban.roc``.
    data
        Trials, their counts, or a table of them. Sources and weights are known of trials only.
    level
        Nominal coverage at each point.
    replicates, seed
        How many random draws, and where they come from; closed forms need none.
    progress
        Told how many of how many draws are done.
    **options
        Options of the curve: ``type=2`` for ``tippett``.

    Returns
    -------
    Curve
        The record that ``curve`` makes, with ``band`` around its main column and ``other_bands`` around further ones;
        the columns, what is held fixed, and the method for independent trials are

        * ``roc`` recall, ``det`` p_miss, at fixed p_fa: percentile or Wilson, the wider end of both, since Wilson's
          interval at a fixed threshold leaves out only that p_fa is uncertain too;
        * ``precision_recall`` precision at fixed recall, ``pr_gain`` precision_gain at fixed recall_gain: percentile or
          Wilson, what follows from his interval of p_fa at a fixed threshold;
        * ``rocch`` p_miss at fixed p_fa: basic or Wilson;
        * ``tippett`` target and nontarget at each LR: Wilson;
        * ``empirical_cross_entropy_curve`` system at each prior: closed form of ``cross_entropy_interval``; pav: basic;
        * ``bayes_error_curve`` actual at each prior: both rates by Wilson, joined (MOVER); minimum: basic;
        * ``net_benefit_curve`` benefit at each probability: MOVER;
        * ``threshold_curve`` rates at each threshold: Wilson; other ratios: percentile;
        * ``reliability`` observed in each bin: Clopper–Pearson; with ``bins="corp"`` a *consistency* band, about the
          diagonal instead of the curve: where the curve would be if the stated probabilities were calibrated;
        * ``pav_map`` ln_lr at the middle one of the distinct scores of each block: percentile;
        * ``score_histogram`` n_target and n_nontarget in each bin: Wilson;
        * ``lr_overestimation`` empirical and discrepancy in each bin: quantiles under Jeffreys' priors of both shares,
          at least 10 000 draws, ``claimed`` held fixed.

    Raises
    ------
    OptionError
        When ``curve`` makes no curve, or an option is out of range.
    UndefinedMetricError
        Reason ``weighted`` for sums of weights, which cannot be resampled; ``degenerate`` when no point has a band;
        else as ``curve`` itself.

    Notes
    -----
    Masked where there is no interval: where the curve is infinite or has no value, and where all replicates agree,
    which says nothing of how sure the value is. Outside its own band a curve may lie where several of its points
    have one p_fa or recall (the band is about the best of them), where PAV or a hull is fitted anew in each replicate
    (``basic``), and, as a finding, outside a consistency band. The bootstrap of PAV is rough: its replicates are more
    jagged than the data. A consistency band takes outcomes to be independent also where trials share sources.

    Of normal scores with 100 + 100 trials and d′ = 2 a nominal 95 % covers, for the ROC, 94 % at p_fa 0.1 and 90 % at
    0.02, for precision 94 to 95 % at recall 0.8 and above, for the least Bayes error, which the hull flatters, 73 to
    87 %.

    A band is computed at no more than 500 points; each other point has the limits of the one next to it. 1000
    replicates of 10⁴ distinct scores take one to three seconds, of 10⁶ about two minutes; closed forms take no time.

    References
    ----------
    Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27; Zou and Donner (2008), Construction
    of confidence limits about effect measures, Statistics in Medicine 27; Dimitriadis, Gneiting and Jordan (2021),
    Stable reliability diagrams for probabilistic classifiers, PNAS 118.

    Examples
    --------
    >>> import deciban as db
    >>> counts = db.Counts.from_classes([2.0, 1.0, 0.0, 3.0], [-2.0, -1.0, 0.0, 1.0], scale="log10_lr")
    >>> band = db.with_band(db.tippett, counts, level=0.9).band
    >>> band.method, band.column, band.low.round(3).tolist()
    ('wilson', 'target', [0.597, 0.597, 0.597, 0.356, 0.182, 0.058])
    """
    check_draws("replicates", replicates, level, seed, workers=1)
    given = data if isinstance(data, Counts) else as_known(data, "with_band")
    if isinstance(given, Tally):
        given = given.trials() if given.sources or given.weight is not None else count_trials(given)
    counts = given if isinstance(given, Counts) else count_trials(given)
    unbucketed(counts, "with_band")
    record = _made(curve, counts, options)
    draws = Draws(data=given, counts=counts, level=level, replicates=replicates, seed=seed, progress=progress)
    bands = _bands(record, draws, options)
    if all(np.ma.getmaskarray(band.low).all() for band in bands.values()):
        raise UndefinedMetricError(
            f"{_name(curve)}: no point has a band, for all replicates are alike or without a value", "degenerate"
        )
    main = next(iter(bands))
    return replace(record, band=bands.pop(main), other_bands=bands)


def _bands(record: Curve, draws: Draws, options: Mapping[str, object]) -> dict[str, Band]:
    """Each band by its column, the main one first."""
    if isinstance(record, Reliability) and record.bins == "corp":
        return {"observed": consistency_band(record, draws)}
    if isinstance(record, Overestimation) and draws.independent:
        return overestimation_bands(record, draws)
    return draws.bands(PLANS[type(record)](Asked(record, draws.counts, options)))


def _made(curve: Callable[..., C], counts: Counts, options: Mapping[str, object]) -> C:
    if not callable(curve):
        raise OptionError(
            f"with_band: expected the function of a curve, such as deciban.roc, found {type(curve).__name__}"
        )
    record = curve(counts, **options)
    if type(record) not in PLANS:
        raise OptionError(
            f"with_band: expected the function of a curve, such as deciban.roc, found {_name(curve)}, which gives "
            f"{type(record).__name__}"
        )
    return record


def _name(curve: Callable[..., object]) -> str:
    return str(getattr(curve, "__name__", repr(curve)))

"""Evaluate replicates: trials of which several are measurements of the same pair."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from deciban.counts.counts import Counts
from deciban.counts.of_trials import count_trials
from deciban.errors import NeedsTrialsError, UndefinedMetricError
from deciban.metrics.information import cllr
from deciban.records.display import several
from deciban.records.figures import MetricValue
from deciban.records.finding import Finding
from deciban.records.replicates import Replicates, Scatter
from deciban.tables.counting import as_trials
from deciban.tables.table import Table
from deciban.trials.same_ids import first_of_each
from deciban.trials.trials import Trials
from deciban.uncertainty.cost_intervals import cllr_interval
from deciban.uncertainty.replicates import ReplicatePrecision, pair_means, replicate_precision
from deciban.values.arrays import AnyArray, Floats
from deciban.values.option_checks import check_level
from deciban.values.scale import to_log10_lr
from deciban.workflow.evaluating.repeated_ids import refuse_conflicts
from deciban.workflow.origin import provenance_of


def evaluate_replicates(data: Trials | Table, *, level: float = 0.95) -> Replicates:
    """Say how good and how precise LRs are of which several were measured for the same pair.

    Cllr-mean is the Cllr of one LR for each pair, whose log10 is the mean of its log10 LRs. The half-width of a log10
    LR is t(df)·s, with s² = Σ(deviation of a log10 LR from the mean of its pair)²/df, df = LRs − pairs.

    Parameters
    ----------
    data
        Trials, or a table that yields them, on an LR scale, with ids that name the pair: trials of the same ids are
        measurements of the same pair, and have the same label.
    level
        Two-sided confidence level of the interval and the half-width.

    Returns
    -------
    Replicates
        ``cllr_mean`` with its interval, ``cllr`` of all LRs, and ``scatter`` of all pairs and of each class. Without an
        LR of 0 or infinity on the wrong side Cllr is finite; with any of them a scatter is None with the reason.

    Raises
    ------
    InputError
        When the trials have no ids, ids are missing, or a pair has LRs of both classes.
    NeedsTrialsError
        For counts, which do not know pairs.
    ScaleError
        When the scores are not LRs.
    UndefinedMetricError
        Reason ``too_few`` when no pair was measured twice, ``weighted`` for weighted trials.
    OptionError
        When the level is out of range.

    Notes
    -----
    A pair that was measured once counts in Cllr-mean and says nothing of precision. The half-width takes the scatter to
    be the same for all pairs.

    References
    ----------
    Morrison (2011), Measuring the validity and reliability of forensic likelihood-ratio systems, Science & Justice 51.

    Examples
    --------
    >>> import deciban as db
    >>> lrs, same = [2.0, 2.4, 1.0, 0.6, -1.0, -1.6, -2.0, -1.8], [1, 1, 1, 1, 0, 0, 0, 0]
    >>> trials = db.Trials.from_arrays(lrs, same, scale="log10_lr", ids=list("aabbccdd"))
    >>> found = db.evaluate_replicates(trials)
    >>> round(found.cllr_mean.value, 6), round(found.scatter["all"].precision.half_width, 4)
    (0.07748, 0.8329)
    """
    check_level(level)
    if isinstance(data, Counts):
        raise NeedsTrialsError(
            "replicates need trials with ids= (--id), the column that names the pair; counts have none"
        )
    trials, table = as_trials(data, "evaluate_replicates"), data if isinstance(data, Table) else None
    log10_lr = to_log10_lr(trials.score, trials.scale, trials.prior)
    pair = _pairs(trials, table)
    scatter = {
        "all": _scatter(log10_lr, pair, level),
        "target": _scatter(log10_lr[trials.is_target], pair[trials.is_target], level),
        "nontarget": _scatter(log10_lr[~trials.is_target], pair[~trials.is_target], level),
    }
    return Replicates(
        level=level,
        cllr_mean=_cllr(lambda: pair_means(log10_lr, trials.is_target, pair, target=True, nontarget=False), level),
        cllr=_cllr(lambda: count_trials(trials), None),
        scatter=scatter,
        dropped=trials.dropped,
        findings=tuple(_findings(log10_lr, trials.dropped)),
        provenance=provenance_of(table, trials, {"level": level}, seed=0),
    )


def _pairs(trials: Trials, table: Table | None) -> AnyArray:
    """The pair of each trial by number, once it is sure that there are pairs to be found."""
    if not trials.ids:
        raise NeedsTrialsError(
            "replicates need ids= (--id), the column that names the pair, or several that do together"
        )
    if trials.weight is not None:
        raise UndefinedMetricError(
            "replicates are single measurements, which weights are not: leave them out", "weighted"
        )
    refuse_conflicts(trials, table, "replicates" if table is None else table.what)
    first, pair = first_of_each(trials)
    if first.size == len(trials):
        raise UndefinedMetricError(
            f"no id occurs twice in {several(len(trials), 'trial')}: ids= (--id) must name the pair, not the single "
            "measurement",
            "too_few",
        )
    return pair


def _scatter(log10_lr: Floats, pair: AnyArray, level: float) -> Scatter:
    sizes = np.unique(pair, return_counts=True)[1]
    found: ReplicatePrecision | str = "too_few"
    if sizes.size:
        try:
            found = replicate_precision(log10_lr, pair, level)
        except UndefinedMetricError as error:
            found = error.reason
    precision, reason = (None, found) if isinstance(found, str) else (found, None)
    repeated = int(np.count_nonzero(sizes > 1))
    return Scatter(n=log10_lr.size, pairs=sizes.size, repeated=repeated, precision=precision, reason=reason)


def _cllr(counted: Callable[[], Counts], level: float | None) -> MetricValue:
    """Cllr of counts, with its interval where a level is given."""
    try:
        counts = counted()
        value = cllr(counts)
    except UndefinedMetricError as error:
        return MetricValue(value=None, unit="bits", reason=error.reason, interval_reason=error.reason)
    if level is None:
        return MetricValue(value=value, unit="bits", interval_reason="not_computed")
    try:
        return MetricValue(value=value, unit="bits", interval=cllr_interval(counts, level))
    except UndefinedMetricError as error:
        return MetricValue(value=value, unit="bits", interval_reason=error.reason)


def _findings(log10_lr: Floats, dropped: int) -> Iterator[Finding]:
    infinite = int(np.count_nonzero(np.isinf(log10_lr)))
    if infinite:
        yield Finding(
            code="INF-LR",
            severity="warn",
            message=f"{several(infinite, 'LR')} of 0 or infinity: how far such LRs scatter cannot be said",
            advice="report LRs within the bounds that the data support (ELUB), and measure the precision of those",
            data={"infinite": infinite},
        )
    if dropped:
        yield Finding(
            code="MISSING",
            severity="note",
            message=f"{several(dropped, 'measurement')} without an LR left out",
            advice="say how many there were, and why they failed",
            data={"dropped": dropped},
        )
    yield Finding(
        code="MODEL",
        severity="note",
        message="the half-width takes LRs to scatter normally, and equally for all pairs",
        advice="compare the rows of the two classes: where they differ, give each its own",
    )
    yield Finding(
        code="DEP-UNKNOWN",
        severity="note",
        metric="cllr_mean",
        message="the interval of cllr_mean counts pairs as independent",
        advice="where pairs share speakers, authors or items it is too narrow",
    )

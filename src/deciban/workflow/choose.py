"""Choose a threshold on development trials."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from deciban.counts.argument import unbucketed
from deciban.counts.counts import Counts
from deciban.counts.of_trials import count_trials
from deciban.counts.tally import Known
from deciban.errors import UndefinedMetricError
from deciban.metrics.choosing import choose
from deciban.passes.confusion_matrix import confusion
from deciban.records.threshold import ChosenThreshold
from deciban.tables.counting import as_known
from deciban.tables.table import Table
from deciban.trials.trials import Trials
from deciban.uncertainty.bootstrap.bootstrap import Figure, bootstrap
from deciban.uncertainty.bootstrap.repeat import Progress, check_draws
from deciban.uncertainty.bootstrap.replicate import Replicate, Statistic
from deciban.uncertainty.interval import Interval
from deciban.values.option_checks import check_choice
from deciban.workflow.intervals.intervals import resampling_of, sources_known
from deciban.workflow.intervals.ways import AUTO_LIMIT, DRAWN, Drawn
from deciban.workflow.origin import provenance_of


def choose_threshold(
    data: Trials | Counts | Table,
    at: str,
    *,
    interval: Drawn = "auto",
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    progress: Progress | None = None,
) -> ChosenThreshold:
    """Choose a threshold by a rule, to be applied to other trials.

    Parameters
    ----------
    data
        Development trials with both classes.
    at
        The rule: ``eer`` (by method), ``min_dcf:preset=voxsrc``, ``p_fa=0.01``, ``p_miss=0.01``, ``f1``, ``youden`` or
        ``cost:p_target=0.1,c_miss=5,c_fa=1``. Among thresholds that do equally well the highest;
        ``p_fa`` takes the lowest that keeps the rate, which misses least.
    interval, level, replicates, seed, progress
        The bootstrap percentile interval of the threshold itself, by source when sources are known, else by trial:
        ``"auto"`` where there are at most 10 000 distinct scores or sources are known, ``"bootstrap"`` always,
        ``"none"``.

    Returns
    -------
    ChosenThreshold
        Pass it in ``thresholds=`` of ``evaluate``; ``to_json`` and ``from_json`` keep it in a file.

    Raises
    ------
    OptionError
        When there is no such rule, or an option is not legal.
    SingleClassError
        When a class is empty.
    UndefinedMetricError
        When no threshold does what is asked, since a score of inf is accepted by every one (``infinite_end``).

    Examples
    --------
    >>> import deciban as db
    >>> development = db.Counts.from_classes([0.9, 0.6, 0.4], [0.8, 0.4, 0.1])
    >>> db.choose_threshold(development, "eer").threshold
    0.6
    """
    check_choice("interval", interval, DRAWN)
    check_draws("replicates", replicates, level, seed, workers=1)
    if isinstance(data, Counts):
        trials, counts = None, unbucketed(data, "choose_threshold")
    else:
        trials = as_known(data, "choose_threshold")
        counts = count_trials(trials)
    counts.require_both_classes("choosing a threshold")
    rule, choice = choose(counts, at)
    table = confusion(counts, threshold=choice.threshold)
    found: Interval | str = "not_computed"
    quick = sources_known(trials) or counts.n_distinct <= AUTO_LIMIT
    if interval == "bootstrap" or (interval == "auto" and quick):
        found = _uncertainty(rule, counts, trials, float(level), replicates, seed, progress)
    options = {"at": at, "interval": interval, "level": level, "replicates": replicates}
    return ChosenThreshold(
        threshold=choice.threshold,
        rule=rule,
        reached=choice.exact,
        interval=found if isinstance(found, Interval) else None,
        interval_reason=found if isinstance(found, str) else None,
        p_miss=table.p_miss,
        p_fa=table.p_fa,
        scale=counts.scale,
        prior=counts.prior,
        reversed=counts.reversed,
        n_target=counts.total_target,
        n_nontarget=counts.total_nontarget,
        counts_sha256=counts.sha256(),
        provenance=provenance_of(data if isinstance(data, Table) else None, trials, options, seed),
    )


def _uncertainty(
    rule: str,
    counts: Counts,
    trials: Known | None,
    level: float,
    replicates: int,
    seed: int,
    progress: Progress | None,
) -> Interval | str:
    """Where the rule would put the threshold on other trials, or the reason why that is not known."""
    try:
        resampling = resampling_of(counts, trials)
    except UndefinedMetricError as error:
        return error.reason
    figure = Figure(name="threshold", range=(-math.inf, math.inf))
    return bootstrap(
        resampling,
        _Chosen(rule),
        [figure],
        replicates=replicates,
        level=level,
        seed=seed,
        progress=progress,
    )[figure.name]


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The threshold that the rule chooses on a replicate; NaN where there is none."""

    rule: str

    def __call__(self, names: Sequence[str]) -> Statistic:
        """Return the statistic: the threshold is all there is."""
        return self.threshold

    def threshold(self, replicate: Replicate) -> list[float]:
        """Choose a threshold on one replicate."""
        try:
            return [choose(replicate.counts(), self.rule)[1].threshold]
        except UndefinedMetricError:
            return [math.nan]

"""The figures of one set of trials, in one record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, cast

from deciban.counts.buckets import MAX_BLOCKS, Resolution, check_resolution
from deciban.counts.counts import Counts
from deciban.counts.tally import Known
from deciban.metrics.expression import parse
from deciban.records.evaluation import Evaluation
from deciban.records.threshold import ChosenThreshold
from deciban.tables.counts_files import KeptCounts
from deciban.tables.table import Table
from deciban.trials.trials import Trials
from deciban.uncertainty.bootstrap.bootstrap import Method
from deciban.uncertainty.bootstrap.repeat import Progress
from deciban.uncertainty.delong.single import AucMethod
from deciban.uncertainty.proportion import ProportionMethod
from deciban.values.option_checks import check_flag, check_whole
from deciban.workflow.asked import threshold_list, word_list, written_threshold
from deciban.workflow.compute import with_value
from deciban.workflow.evaluating.acquisition import Failures
from deciban.workflow.evaluating.drawable import curves_of, points_of, with_points
from deciban.workflow.evaluating.eer_definitions import equal_errors
from deciban.workflow.evaluating.given import take
from deciban.workflow.evaluating.group_differences import differences, multiplicity
from deciban.workflow.evaluating.plan import Plan, check_options, make_plan
from deciban.workflow.evaluating.tabulate import tabulate
from deciban.workflow.evaluating.within import compare_within
from deciban.workflow.intervals.intervals import sources_known
from deciban.workflow.intervals.ways import How, Ways
from deciban.workflow.origin import provenance_of, with_missing

MANY_GROUPS: Final = 10
"""Groups up to which ``auto`` draws replicates of each: that takes a second or more for each."""


def evaluate(
    data: Trials | Counts | Table | Mapping[str, Counts] | KeptCounts,
    *,
    thresholds: float | ChosenThreshold | Iterable[float | ChosenThreshold] | None = (),
    metrics: str | Iterable[str] | None = (),
    costs: str | Iterable[str] | None = (),
    by: str | Iterable[str] | None = (),
    equalise: str | None = None,
    p_target: float | None = None,
    fta: float | None = None,
    fte: float | None = None,
    interval: str = "auto",
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    exact: bool = False,
    resolution: Resolution | None = None,
    max_blocks: int = MAX_BLOCKS,
    proportion: ProportionMethod = "wilson",
    auc_interval: AucMethod = "delong-logit",
    bootstrap: Method | None = None,
    curves: bool = True,
    asked_only: bool = False,
    progress: Progress | None = None,
) -> Evaluation:
    """Compute the figures of the tables that the scale of the scores allows, and those asked for by name.

    Parameters
    ----------
    data
        Trials, Counts, a Table from ``scan``, or groups ``{name: Counts}`` whose union is the whole.
    thresholds
        Thresholds in the unit of the scores (accept when score >= threshold), or chosen ones from
        ``choose_threshold``, instead of the scale's default: 0.5 for probabilities, LR = 1 for likelihood ratios, none
        for raw scores. They are for the scores **as given**: where those were reversed (``higher="nontarget"`` or
        ``swap``), a trial is accepted when its score as given is at most the threshold.
    metrics
        Expressions of further figures, e.g. ``"eer:method=interpolated"``, ``"eer:all"``, ``"p_miss_at:p_fa=0.01"``.
    costs
        Detection costs, e.g. ``"preset=voxsrc"`` or ``"p_target=0.01,c_miss=10,c_fa=1"``: gives ``min_dcf`` and, on an
        LR scale, ``act_dcf``. There is no default.
    by
        Condition columns; each is a table of groups of its own, ``"a,b"`` crosses two. Groups use the thresholds and
        the prior of the whole; figures that choose a threshold themselves (EER, ``min_dcf``, ``p_miss_at``) choose it
        in each group.
    equalise
        Condition column, ``"a,b"`` crosses two: trials are weighed so that each of its partitions counts the same, as
        in the evaluations of NIST. Every figure is then that of the weighted trials, also in groups.
    p_target
        Prior at which LRs become posteriors; default the share of targets in the data.
    fta, fte
        Rates of failure to acquire and to enrol, known from elsewhere: rows of thresholds then have ``frr``, ``far``,
        and with ``fte`` ``gfrr`` and ``gfar``. Failures to acquire that the data hold are counted instead, with
        ``missing="reject"`` of ``scan``.
    interval, level, replicates, seed
        How uncertainty is computed; confidence level; bootstrap replicates; seed of all random draws. ``"auto"``: the
        bootstrap by source when sources are known; else closed forms, and the bootstrap by trial for figures without
        one, unless there are over 10 000 distinct scores or ten groups (reason ``not_computed``: it would take long).
        ``"closed"``: closed forms alone (``not_computed`` is then what was asked for, and no finding names it);
        ``"bootstrap"``: every figure, by source when sources are known, else by trial; ``"none"``. The null bands of
        ``cllr_cal`` and ``devpav`` come with ``"auto"`` up to 10 000 trials and with ``"bootstrap"`` up to 100 000, and
        take as many draws as there are replicates.
    exact
        Also give counts-based figures as fractions.
    resolution, max_blocks
        Width of buckets to count scores in, or ``"auto"``, and how many distinct scores are counted one by one at most,
        as in ``count``. Of scores in buckets figures have brackets that hold the exact value (``bracket`` of each), and
        no value (reason ``bucketed``) unless nothing is open; intervals there are for shares of a known number of
        trials only.
    proportion, auc_interval, bootstrap
        Closed form for rates (``wilson``, ``clopper-pearson``, ``jeffreys``) and for AUC (``delong-logit``, ``delong``,
        ``newcombe``, ``hanley-mcneil``); how bootstrap intervals are read (``percentile``, ``basic``,
        ``bca``, or from halves of the data ``halves``, ``halves-log``; default: as each metric says, by what held the
        truth most reliably in simulations).
    curves
        Whether the record keeps the curves that a report draws; without them it has operating points only, and a
        million distinct scores take a third less time.
    asked_only
        Leave out the figures that ``metrics`` and ``costs`` do not ask for, and thresholds that were not given.
    progress
        Called with how many of how many replicates are done.

    Returns
    -------
    Evaluation
        The record; a figure without a value is None with a reason. Tables and rows show every threshold for the scores
        as given. In the record ``trials.reversed`` says whether they were reversed, and of each row of ``thresholds``
        ``accept`` says in words what is accepted (``"distance <= 0.25"``), ``as_given`` is the threshold as given, and
        ``threshold`` the one that the reversed scores were compared with; operating points are in that direction too.

    Raises
    ------
    SingleClassError
        When the whole holds one class only (a group may).
    ScaleError
        When a figure asked for by name needs another scale.
    OptionError
        When an option or expression is not legal.
    InputError
        When the data are of no such kind or hold a problem, one trial has both labels, an id is missing, or there are
        more than 10 000 groups or ``max_blocks`` distinct scores.
    NeedsTrialsError
        When groups are asked of counts.

    Examples
    --------
    >>> import deciban as db
    >>> trials = db.Trials.from_arrays([0.9, 0.6, 0.4, 0.8, 0.4, 0.1], [1, 1, 1, 0, 0, 0])
    >>> result = db.evaluate(trials, thresholds=[0.6])
    >>> result["auc"].value
    0.7222222222222222
    """
    check_options(interval, level, replicates, seed, exact)
    check_flag("curves", curves)
    check_flag("asked_only", asked_only)
    thresholds, metrics, costs = threshold_list(thresholds), word_list("metrics", metrics), word_list("costs", costs)
    groupings = tuple(dict.fromkeys(word_list("by", by)))
    ways = Ways(
        interval=cast(How, interval),
        level=float(level),
        replicates=replicates,
        seed=seed,
        proportion=proportion,
        auc=auc_interval,
        method=bootstrap,
        progress=progress,
    )
    for text in metrics:
        parse(text)  # a name mistyped is told before a large file is read
    check_whole("max_blocks", max_blocks, 1, "at least one distinct score")
    check_resolution(resolution)
    given = take(data, groupings, equalise, resolution, max_blocks)
    trials, counts, table = given.trials, given.counts, given.table
    failures = Failures.given(fta, fte, trials)
    plan = make_plan(
        counts,
        metrics=metrics,
        costs=costs,
        thresholds=thresholds,
        p_target=p_target,
        exact=exact,
        score_column=None if table is None else table.columns.score,
        ways=ways,
        asked_only=asked_only,
        failures=failures,
    )
    if asked_only and not thresholds:
        plan = replace(plan, thresholds=[])
    failures.check_used(plan.at)
    # Groups come first: a grouping by something like an id is refused before anything is computed.
    parts = given.parts(groupings)
    whole = tabulate(counts, trials, plan, {}, 0)
    of_groups = _for_groups(plan, len(parts), trials)
    groups = [tabulate(part.counts, part.trials, of_groups, part.by, part.shared) for part in parts]
    if curves:
        groups = with_points(groups, parts, plan)
    apart = differences(parts, groups)
    within, pooled = compare_within(with_value(whole.metrics, "auc"), parts, plan.exact)
    options = {
        "thresholds": [written_threshold(threshold) for threshold in thresholds], "metrics": metrics, "costs": costs,
        "by": list(groupings), "equalise": equalise, "p_target": p_target, "fta": fta, "fte": fte,
        "interval": interval, "level": level, "replicates": replicates, "exact": exact, "resolution": resolution,
        "max_blocks": max_blocks, "proportion": proportion, "auc_interval": auc_interval, "bootstrap": bootstrap,
        "curves": curves, "asked_only": asked_only,
    }  # fmt: skip
    return Evaluation(
        trials=whole.trials if trials is not None else with_missing(whole.trials, given.kept),
        metrics={**whole.metrics, **within},
        thresholds=whole.thresholds,
        groups=tuple(groups),
        differences=apart,
        equal_errors=equal_errors(counts, metrics),
        curves=curves_of(counts, plan.at, plan.p_target) if curves else points_of(counts, plan.at),
        findings=(*pooled, *whole.findings, *multiplicity(apart, level)),
        provenance=provenance_of(table, trials, options, seed, given.kept.input),
    )


def _for_groups(plan: Plan, groups: int, trials: Known | None) -> Plan:
    """The same plan; many groups without known sources get closed forms alone unless the bootstrap is asked for."""
    if plan.ways.interval != "auto" or groups <= MANY_GROUPS or sources_known(trials):
        return plan
    return replace(plan, ways=replace(plan.ways, interval="closed"))

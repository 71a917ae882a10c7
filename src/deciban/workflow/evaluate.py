"""Every figure of one set of trials, in one record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from deciban.counting import count_trials
from deciban.counts import Counts, merge
from deciban.errors import NeedsTrialsError, OptionError, SingleClassError
from deciban.groups import Group, by_columns, partition
from deciban.metrics.expression import Expression, parse
from deciban.record import to_plain
from deciban.records.display import several
from deciban.records.evaluation import Curves, Evaluation, GroupRecord, TrialsSummary
from deciban.records.provenance import Provenance, versions
from deciban.scale import carries_lr, carries_probability, check_prior, threshold_of_lr
from deciban.scanning import Table
from deciban.trials import Trials
from deciban.workflow.compute import compute, threshold_row
from deciban.workflow.findings import find
from deciban.workflow.findings.data import refuse_conflicts
from deciban.workflow.findings.evaluated import Evaluated
from deciban.workflow.operating_points import operating_points
from deciban.workflow.request import asked_expressions, cost_expressions, default_expressions, unique

INTERVALS = ("auto", "none", "bootstrap")


def evaluate(
    data: Trials | Counts | Table | Mapping[str, Counts],
    *,
    thresholds: Sequence[float] = (),
    metrics: Sequence[str] = (),
    costs: Sequence[str] = (),
    by: str | Sequence[str] = (),
    p_target: float | None = None,
    interval: str = "auto",
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    exact: bool = False,
) -> Evaluation:
    """Compute every figure that the scale of the scores allows.

    Parameters
    ----------
    data
        Trials, Counts, a Table from ``scan``, or groups ``{name: Counts}`` whose union is the whole.
    thresholds
        Thresholds in the unit of the scores (accept when score >= threshold), instead of the scale's default: 0.5 for
        probabilities, LR = 1 for likelihood ratios, none for raw scores.
    metrics
        Expressions of further figures, e.g. ``"eer:method=interpolated"``, ``"eer:all"``, ``"p_miss_at:p_fa=0.01"``.
    costs
        Detection costs, e.g. ``"preset=voxsrc"`` or ``"p_target=0.01,c_miss=10,c_fa=1"``: gives ``min_dcf`` and, on an
        LR scale, ``act_dcf``. There is no default.
    by
        Condition columns; each is a table of groups of its own, ``"a,b"`` crosses two. Groups use the thresholds and
        the prior of the whole.
    p_target
        Prior at which LRs become posteriors; default the share of targets in the data.
    interval, level, replicates, seed
        How uncertainty is computed: ``"auto"``, ``"none"`` or ``"bootstrap"``; confidence level; bootstrap replicates;
        seed of all random draws. Intervals are not computed yet: each is None with reason ``not_computed``.
    exact
        Also give counts-based figures as fractions.

    Returns
    -------
    Evaluation
        The record; a figure without a value is None with a reason.

    Raises
    ------
    SingleClassError
        When the whole holds one class only (a group may).
    ScaleError
        When a figure asked for by name needs another scale.
    OptionError
        When an option or expression is not legal.
    InputError
        When the data hold a problem, or one trial has both labels.
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
    _check_options(interval, level, replicates, seed)
    for text in metrics:
        parse(text)  # a name mistyped is told before a large file is read
    trials, counts, given_groups, table = _waist(data)
    what = "data" if table is None else table.what
    _require_both_classes(counts, what)
    if trials is not None:
        refuse_conflicts(trials, what)
    groupings = tuple(dict.fromkeys([by] if isinstance(by, str) else by))
    if groupings and trials is None:
        raise NeedsTrialsError(f"by={', '.join(groupings)} needs trials with that condition column; counts have none")
    prior, origin = _prior_of(counts, p_target)
    plan = Plan(
        expressions=_expressions(counts, metrics, costs),
        thresholds=_thresholds(counts, thresholds),
        p_target=prior,
        exact=exact,
        score_column=None if table is None else table.columns.score,
    )
    whole = _tables(counts, trials, plan, {}, 0, origin)
    groups = [
        _tables(count_trials(part), part, plan, _named(g, group, trials), group.shared, origin)
        for g in groupings
        for group in partition(trials, g)  # type: ignore[arg-type]
        for part in [trials.select(group.index)]  # type: ignore[union-attr]
    ]
    groups += [_tables(part, None, plan, {"group": str(name)}, 0, origin) for name, part in given_groups.items()]
    return Evaluation(
        trials=whole.trials,
        metrics=whole.metrics,
        thresholds=whole.thresholds,
        groups=tuple(groups),
        curves=Curves(operating_points=operating_points(counts)),
        findings=whole.findings,
        provenance=Provenance(
            inputs=() if table is None else table.inputs,
            columns=_declaration(table, trials),
            options={
                "thresholds": list(thresholds),
                "metrics": list(metrics),
                "costs": list(costs),
                "by": list(groupings),
                "p_target": p_target,
                "interval": interval,
                "level": level,
                "replicates": replicates,
                "exact": exact,
            },
            seed=seed,
            versions=versions(),
            engine="numpy",
        ),
    )


@dataclass(frozen=True, slots=True)
class Plan:
    """What is computed for the whole and for every group alike."""

    expressions: list[Expression]
    thresholds: list[tuple[float, str]]
    p_target: float | None
    exact: bool
    score_column: str | None


def _check_options(interval: str, level: float, replicates: int, seed: int) -> None:
    if interval not in INTERVALS:
        raise OptionError(f"interval: expected one of {', '.join(INTERVALS)}, found {interval!r}")
    if not 0.0 < level < 1.0:
        raise OptionError(f"level: expected a confidence level strictly between 0 and 1, found {level!r}")
    if replicates < 1:
        raise OptionError(f"replicates: expected at least 1, found {replicates!r}")
    if seed < 0:
        raise OptionError(f"seed: expected a whole number >= 0, found {seed!r}")


def _waist(data: Any) -> tuple[Trials | None, Counts, Mapping[str, Counts], Table | None]:
    """The trials where there are any, the counts, groups that were given as counts, the table."""
    if isinstance(data, Trials):
        return data, count_trials(data), {}, None
    if isinstance(data, Counts):
        return None, data, {}, None
    if isinstance(data, Table):
        trials = data.trials()
        return trials, count_trials(trials), {}, data
    if isinstance(data, Mapping) and data and all(isinstance(part, Counts) for part in data.values()):
        return None, merge(*data.values()), data, None
    raise OptionError(
        f"data: expected Trials, Counts, a Table from scan or {{name: Counts}}, found {type(data).__name__}; "
        "for arrays use Trials.from_arrays(scores, labels), for a dataframe or file use scan(…)"
    )


def _require_both_classes(counts: Counts, what: str) -> None:
    """Raise :class:`SingleClassError` for data of one class: no figure of the whole would have a value."""
    if counts.total_target == 0 or counts.total_nontarget == 0:
        found = f"{several(counts.total_target, 'target')} and {several(counts.total_nontarget, 'nontarget')}"
        raise SingleClassError(
            f"{what}: an evaluation needs both classes, found {found}; say which label is the target with target= "
            "(--target), or add trials of the other class"
        )


def _named(by: str, group: Group, trials: Trials | None) -> dict[str, str]:
    """The group's value of each condition column."""
    columns = by_columns(by, () if trials is None else trials.conditions)
    return dict(zip(columns, group.values, strict=True))


def _declaration(table: Table | None, trials: Trials | None) -> dict[str, Any]:
    """The declaration of columns, and what was recognised rather than given."""
    declared = {} if table is None else to_plain(table.columns)
    return {**declared, "assumed": [] if trials is None else list(trials.assumed)}


def _prior_of(counts: Counts, p_target: float | None) -> tuple[float | None, str | None]:
    """The prior at which posteriors are taken, and where it comes from."""
    check_prior(p_target, "p_target")
    if p_target is not None:
        if not carries_probability(counts.scale):
            raise OptionError("p_target: raw scores have no posteriors; say what they are with scale= (--scale)")
        if counts.scale == "probability" and counts.prior is None:
            raise OptionError(
                "p_target: probabilities are re-weighted to another prior only when the one they were made under is "
                "known: give it with prior= (--prior)"
            )
        return p_target, "given"
    if carries_lr(counts.scale, counts.prior) and counts.scale != "probability":
        return counts.total_target / counts.total, "data"
    return None, None


def _expressions(counts: Counts, metrics: Sequence[str], costs: Sequence[str]) -> list[Expression]:
    scale, prior = counts.scale, counts.prior
    return unique(
        [
            *default_expressions(scale, prior),
            *cost_expressions(costs, scale, prior),
            *asked_expressions(metrics, scale, prior),
        ]
    )


def _thresholds(counts: Counts, given: Sequence[float]) -> list[tuple[float, str]]:
    """The thresholds asked for, else the default of the scale."""
    if given:
        return [(threshold, "given") for threshold in dict.fromkeys(map(float, given))]
    if counts.scale == "probability":
        return [(0.5, "default")]
    if carries_lr(counts.scale, counts.prior):
        return [(threshold_of_lr(1.0, counts.scale, counts.prior), "default")]
    return []


def _tables(
    counts: Counts, trials: Trials | None, plan: Plan, by: Mapping[str, str], shared: int, origin: Any
) -> GroupRecord:
    """Figures, threshold table and findings of the whole or of one group."""
    figures = compute(counts, plan.expressions, plan.p_target, plan.exact)
    auc = figures["auc"].value
    if auc is not None and auc < 0.5 and "eer:method=interpolated" not in figures:
        # The hull's EER stops at one half; beside it the step ROC's shows how far scores are reversed.
        figures |= compute(counts, asked_expressions(["eer:method=interpolated"], counts.scale, None), None, plan.exact)
    rows = tuple(threshold_row(counts, threshold, origin, plan.exact) for threshold, origin in plan.thresholds)
    failed = (0, 0) if trials is None else trials.n_failed
    record = GroupRecord(
        by=by,
        shared=shared,
        trials=TrialsSummary(
            n=counts.total,
            n_target=counts.total_target,
            n_nontarget=counts.total_nontarget,
            n_distinct=counts.n_distinct,
            scale=counts.scale,
            prior=counts.prior,
            p_target=plan.p_target,
            p_target_origin=origin,
            weighted=counts.weighted,
            dropped=None if by else 0 if trials is None else trials.dropped,
            failed={"target": failed[0], "nontarget": failed[1]},
            counts_sha256=counts.sha256(),
        ),
        metrics=figures,
        thresholds=rows,
    )
    return replace(record, findings=tuple(find(Evaluated(counts, trials, record, plan.score_column))))
